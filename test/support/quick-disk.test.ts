import fs from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { removeLeftovers } from './quick-disk.ts'

const uid = process.getuid?.() ?? 0

function diskWith(...names: readonly string[]): string {
  const disk = fs.mkdtempSync(path.join(tmpdir(), 'threadsmith-quick-'))
  for (const name of names) fs.mkdirSync(path.join(disk, name, 'store'), { recursive: true })
  return disk
}
const dead = { space: '7', uid, isLiving: () => false }

test('the folder of a run that is over is removed, that of a living one stays', () => {
  const disk = diskWith('threadsmith-tests-7-100', 'threadsmith-tests-7-200')
  removeLeftovers({ ...dead, disk, isLiving: (pid) => pid === '200' })
  expect(fs.readdirSync(disk)).toEqual(['threadsmith-tests-7-200'])
})

test('of another container, of another user, and of another name nothing is removed', () => {
  const names = ['17-100', 'other', 'threadsmith-tests-7-100-x', 'threadsmith-tests-8-100']
  const disk = diskWith(...names)
  fs.symlinkSync(path.join(disk, 'other'), path.join(disk, 'threadsmith-tests-7-300'))
  removeLeftovers({ ...dead, disk })
  expect(fs.readdirSync(disk)).toEqual([...names, 'threadsmith-tests-7-300'].sort())
  const others = diskWith('threadsmith-tests-7-100')
  removeLeftovers({ ...dead, disk: others, uid: uid + 1 })
  expect(fs.readdirSync(others)).toEqual(['threadsmith-tests-7-100'])
})

test('one that cannot be removed is said, and does not end the run', () => {
  const disk = diskWith('threadsmith-tests-7-100', 'threadsmith-tests-7-200')
  const said = vi.spyOn(console, 'warn').mockReturnValue(undefined)
  const remove = fs.rmSync
  const refusing = vi.spyOn(fs, 'rmSync').mockImplementation((folder, options) => {
    if (String(folder).endsWith('-100')) throw new Error('EBUSY')
    remove(folder, options)
  })
  removeLeftovers({ ...dead, disk })
  refusing.mockRestore()
  expect(said).toHaveBeenCalledWith(expect.stringContaining('threadsmith-tests-7-100 is left of an earlier run'))
  said.mockRestore()
  expect(fs.readdirSync(disk)).toEqual(['threadsmith-tests-7-100'])
})

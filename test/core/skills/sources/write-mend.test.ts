import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { scanSkillFolders } from '../../../../core/skills/sources/scan.ts'
import { writeMend } from '../../../../core/skills/sources/write-mend.ts'
import { temporaryFolder } from '../../../support/engine.ts'
import { plainSkill, put, sourceAt } from './support.ts'

/** A file whose description wants quotes, and what the scan says of it. */
function flawed(text = plainSkill('tides', { description: 'Tides: when?' })) {
  const folder = put(temporaryFolder(), { 'tides/SKILL.md': text })
  const scan = () => scanSkillFolders([sourceAt(folder)])
  const [problem] = scan().problems
  if (problem === undefined) throw new Error('nothing is the matter')
  return { folder: path.join(folder, 'tides'), file: path.join(folder, 'tides/SKILL.md'), problem, scan }
}

describe('one click', () => {
  test('writes what the problem offers, and then there is none; the rights of the file stay', () => {
    const { folder, file, problem, scan } = flawed()
    fs.chmodSync(file, 0o640)
    writeMend(problem)
    expect(fs.readFileSync(file, 'utf8')).toBe(plainSkill('tides', { description: '"Tides: when?"' }))
    expect(scan()).toMatchObject({ found: [{ skill: { description: 'Tides: when?' } }], problems: [] })
    expect(fs.readdirSync(folder)).toEqual(['SKILL.md'])
    if (process.platform !== 'win32') expect(fs.statSync(file).mode & 0o777).toBe(0o640)
  })

  test('is refused where the file was changed since it was looked at, or is a link by now', () => {
    const { file, problem } = flawed()
    fs.appendFileSync(file, 'Mine.\n')
    expect(() => writeMend(problem)).toThrow(
      expect.objectContaining({ code: 'skill.mend', message: expect.stringContaining('changed') }),
    )
    expect(fs.readFileSync(file, 'utf8')).toContain('Mine.')
    const other = flawed()
    fs.renameSync(other.file, `${other.file}.moved`)
    fs.symlinkSync(`${other.file}.moved`, other.file)
    expect(() => writeMend(other.problem)).toThrow(expect.objectContaining({ code: 'skill.mend' }))
    expect(fs.lstatSync(other.file).isSymbolicLink()).toBe(true)
  })

  test('is refused where the problem offers nothing', () => {
    const { problem } = flawed('no front matter')
    expect(() => writeMend(problem)).toThrow(expect.objectContaining({ code: 'skill.mend' }))
  })

  test('that cannot write leaves the file as it was, and nothing beside it', () => {
    const { folder, file, problem } = flawed()
    const before = fs.readFileSync(file, 'utf8')
    const rename = vi.spyOn(fs, 'renameSync').mockImplementation(() => {
      throw new Error('no space left on device')
    })
    try {
      expect(() => writeMend(problem)).toThrow(
        expect.objectContaining({ code: 'skill.mend', userMessage: expect.stringContaining('The file is as it was.') }),
      )
    } finally {
      rename.mockRestore()
    }
    expect([fs.readFileSync(file, 'utf8'), fs.readdirSync(folder)]).toEqual([before, ['SKILL.md']])
  })
})

import { link, lstat, mkdir, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { limits } from '../../../../core/domain/limits.ts'
import { useProject } from './project.ts'

const project = useProject()
const at = (name: string) => path.join(project.folder, name)
const isThere = (name: string) =>
  lstat(at(name)).then(
    () => true,
    () => false,
  )
const remove = (given: string, context = {}) => project.run('delete', { path: given }, context)
const kept = () => project.bin.trash.list({ threadId: 't1' })

describe('delete', () => {
  it('moves a file to the trash, where others cannot look', async () => {
    await project.write({ 'docs/a.txt': 'one' })
    expect(await remove('docs/a.txt')).toEqual({ path: 'docs/a.txt', kind: 'file', files: 1, bytes: 3, inTrash: true })
    expect(await isThere('docs/a.txt')).toBe(false)
    expect(kept()).toMatchObject([{ kind: 'deleted', file: 'docs/a.txt', bytes: 3, restoredAt: null }])
    expect((await stat(path.join(project.bin.dataDir, 'trash'))).mode & 0o777).toBe(0o700)
  })

  it('takes a whole folder, with the links in it but not what they lead to', async () => {
    await project.write({ 'old/a.txt': 'one', 'old/deep/b.txt': 'two', 'c.txt': 'stays' })
    await symlink('../c.txt', at('old/link'))
    expect(await remove('old')).toMatchObject({ kind: 'folder', files: 2, bytes: 6 })
    expect(await readdir(project.folder)).toEqual(['c.txt'])
  })

  it('shows a person the text of a file, and the size of a folder', async () => {
    await project.write({ 'a.txt': 'one', 'old/b': '12', 'old/c': '3' })
    const change = async (given: string) => (await project.preflight('delete', { path: given })).change
    expect(await change('a.txt')).toEqual({ kind: 'file', path: 'a.txt', before: 'one', after: null })
    expect(await change('old')).toEqual({
      ...{ kind: 'file', path: 'old', before: null, after: null },
      note: 'A folder with 2 files of 3 bytes in all.',
    })
    expect(await isThere('a.txt')).toBe(true)
  })

  it('deletes nothing that changed since a person was asked: a file, or a file in a folder', async () => {
    await project.write({ 'a.txt': 'one', 'old/b': '12' })
    for (const [given, file] of [
      ['a.txt', 'a.txt'],
      ['old', 'old/b'],
      ['old', 'old/new'],
    ] as const) {
      const { guard } = await project.preflight('delete', { path: given })
      await project.write({ [file]: 'later work' })
      await expect(remove(given, { guard })).rejects.toMatchObject({ code: 'approval.stale' })
      expect(await readFile(at(file), 'utf8')).toBe('later work')
    }
    const { guard } = await project.preflight('delete', { path: 'a.txt' })
    await rm(at('a.txt'))
    await expect(remove('a.txt', { guard })).rejects.toMatchObject({ code: 'approval.stale' })
  })

  it.each(['a.txt', 'old'])(
    'run again after a crash before its record: %s is recorded once, and comes back',
    async (given) => {
      await project.write({ 'a.txt': 'one', 'old/b': 'two' })
      const { guard } = await project.preflight('delete', { path: given })
      const { trash } = project.bin
      const dying = {
        ...trash.forCall({ threadId: 't1', projectId: 'p1', step: 1 }, '1'),
        record: () => {
          throw new Error('killed')
        },
      }
      await expect(remove(given, { guard, trash: dying })).rejects.toThrow('killed')
      expect(await isThere(given)).toBe(false)
      expect(kept()).toEqual([])
      expect(await remove(given, { guard })).toMatchObject({ path: given, files: 1, bytes: 3 })
      expect(await remove(given, { guard })).toMatchObject({ path: given })
      const [item, ...more] = kept()
      expect(more).toEqual([])
      await trash.restore(item?.id ?? '')
      expect(await readFile(at(given === 'old' ? 'old/b' : 'a.txt'), 'utf8')).toBe(given === 'old' ? 'two' : 'one')
    },
  )

  it('does not take what is protected along with a folder that holds it', async () => {
    await project.write({ 'app/.git/config': 'x', 'lib/node_modules/p/.npmrc': 'x', 'lib/x': 'x' })
    await expect(remove('app')).rejects.toMatchObject({
      code: 'action.conflict',
      message: expect.stringContaining('"app/.git"'),
    })
    await remove('app/.git', { callKey: 't1/1/2' })
    await remove('app', { callKey: 't1/1/3' })
    await remove('lib', { callKey: 't1/1/4' })
    expect(await readdir(project.folder)).toEqual([])
  })

  it('leaves the project folder, links, pipes in a folder, and what is not there', async () => {
    await project.write({ 'a.txt': 'a' })
    await symlink('a.txt', at('link'))
    for (const given of ['.', '', 'x/..', project.folder]) {
      await expect(remove(given)).rejects.toMatchObject({ code: 'action.args' })
    }
    await expect(remove('link')).rejects.toMatchObject({ code: 'action.not_regular' })
    await expect(remove('nothing')).rejects.toMatchObject({ code: 'action.not_found' })
    await expect(remove('nothing/at/all')).rejects.toMatchObject({ code: 'action.not_found' })
  })

  it('a file with a second name loses this one', async () => {
    await project.write({ 'a.txt': 'a' })
    await link(at('a.txt'), at('b.txt'))
    await remove('b.txt')
    expect(await readFile(at('a.txt'), 'utf8')).toBe('a')
  })

  it('a large file is known by its size and time', async () => {
    await writeFile(at('big'), '')
    await truncate(at('big'), limits.keptCopyBytes + 1)
    const { guard, change } = await project.preflight('delete', { path: 'big' })
    expect(change).toMatchObject({ before: null, note: expect.stringContaining(`${limits.keptCopyBytes + 1} bytes`) })
    await truncate(at('big'), limits.keptCopyBytes + 2)
    await expect(remove('big', { guard })).rejects.toMatchObject({ code: 'approval.stale' })
    expect(await remove('big')).toMatchObject({ bytes: limits.keptCopyBytes + 2 })
  })

  it('a folder holds at most so many files and folders', async () => {
    await mkdir(at('many'))
    for (let index = 0; index < limits.treeEntries; index += 500) {
      const names = Array.from({ length: 500 }, (_, each) => at(`many/${index + each}`))
      await Promise.all(names.map((name) => writeFile(name, '')))
    }
    await expect(project.preflight('delete', { path: 'many' })).resolves.toBeDefined()
    await writeFile(at('many/one-more'), '')
    await expect(project.preflight('delete', { path: 'many' })).rejects.toMatchObject({ code: 'action.too_large' })
  })
})

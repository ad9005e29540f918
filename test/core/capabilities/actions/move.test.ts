import { link, lstat, mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { useProject } from './project.ts'

const project = useProject()
const at = (name: string) => path.join(project.folder, name)
const text = (name: string) => readFile(at(name), 'utf8')
const isThere = (name: string) =>
  lstat(at(name)).then(
    () => true,
    () => false,
  )
const move = (from: string, to: string, context = {}) => project.run('move', { from, to }, context)
const moveOver = (from: string, to: string, context = {}) => project.run('move', { from, to, overwrite: true }, context)

describe('move', () => {
  it('renames a file, and makes the folders on the way', async () => {
    await project.write({ 'a.txt': 'one' })
    expect(await move('a.txt', 'docs/new/b.txt')).toEqual({ from: 'a.txt', to: 'docs/new/b.txt', replaced: false })
    expect(await text('docs/new/b.txt')).toBe('one')
    expect(await isThere('a.txt')).toBe(false)
    expect(project.bin.trash.list({ threadId: 't1' })).toMatchObject([
      { kind: 'moved', file: 'a.txt', movedTo: 'docs/new/b.txt', bytes: 0 },
    ])
  })

  it('moves a folder with all that is in it', async () => {
    await project.write({ 'old/a.txt': 'one', 'old/deep/b.txt': 'two' })
    await move('old', 'new')
    expect(await text('new/deep/b.txt')).toBe('two')
    expect(await readdir(project.folder)).toEqual(['new'])
  })

  it.each([
    ['a file', { to: 'old' }],
    ['a folder', { 'to/x': 'old' }],
  ])('replaces %s only when told to, and keeps it', async (_, there) => {
    await project.write({ from: 'new', ...there })
    await expect(move('from', 'to')).rejects.toMatchObject({ code: 'action.conflict' })
    const { change } = await project.preflight('move', { from: 'from', to: 'to', overwrite: true })
    expect(change).toEqual({ kind: 'move', from: 'from', to: 'to', replaces: true })
    expect(await moveOver('from', 'to')).toEqual({ from: 'from', to: 'to', replaced: true })
    expect(await text('to')).toBe('new')
    const [item] = project.bin.trash.list({ threadId: 't1' })
    await project.bin.trash.restore(item?.id ?? '')
    expect(await text('from')).toBe('new')
    expect(await text(Object.keys(there)[0] ?? '')).toBe('old')
  })

  it.each([
    ['from', 'a.txt'],
    ['to', 'b.txt'],
  ])('moves nothing when what is at %s changed since a person was asked', async (_, changed) => {
    await project.write({ 'a.txt': 'one', 'b.txt': 'two' })
    const { guard } = await project.preflight('move', { from: 'a.txt', to: 'b.txt', overwrite: true })
    await project.write({ [changed]: 'later work' })
    await expect(moveOver('a.txt', 'b.txt', { guard })).rejects.toMatchObject({ code: 'approval.stale' })
    expect(await text(changed)).toBe('later work')
    expect(await readdir(project.folder)).toEqual(['a.txt', 'b.txt'])
  })

  it('moves nothing where something appeared since', async () => {
    await project.write({ 'a.txt': 'one' })
    const { guard } = await project.preflight('move', { from: 'a.txt', to: 'b.txt' })
    await project.write({ 'b.txt': 'later work' })
    await expect(moveOver('a.txt', 'b.txt', { guard })).rejects.toMatchObject({ code: 'approval.stale' })
    expect(await text('b.txt')).toBe('later work')
  })

  it.each([false, true])(
    'run again after a crash before its record, replacing %s: recorded once, undone whole',
    async (replaces) => {
      await project.write({ 'a/x': 'one', ...(replaces && { 'b/y': 'old' }) })
      const asked = { from: 'a', to: 'b', overwrite: true }
      const { guard } = await project.preflight('move', asked)
      const { trash } = project.bin
      const dying = {
        ...trash.forCall({ threadId: 't1', projectId: 'p1', step: 1 }, '1'),
        record: () => {
          throw new Error('killed')
        },
      }
      await expect(project.run('move', asked, { guard, trash: dying })).rejects.toThrow('killed')
      expect(await text('b/x')).toBe('one')
      for (let run = 0; run < 2; run += 1) {
        expect(await project.run('move', asked, { guard })).toMatchObject({ to: 'b', replaced: replaces })
      }
      const [item, ...more] = trash.list({ threadId: 't1' })
      expect(more).toEqual([])
      await trash.restore(item?.id ?? '')
      expect(await text('a/x')).toBe('one')
      expect(await text('b/y').catch(() => undefined)).toBe(replaces ? 'old' : undefined)
    },
  )

  it('goes on where a crash came between its steps: the replaced file in the trash, or both names on one file', async () => {
    await project.write({ 'a.txt': 'one', 'b.txt': 'old' })
    const asked = { from: 'a.txt', to: 'b.txt', overwrite: true }
    const { guard } = await project.preflight('move', asked)
    const place = project.bin.trash.forCall({ threadId: 't1', projectId: 'p1', step: 1 }, '1').place('t1/1/1')
    const { rename } = await import('node:fs/promises')
    await rename(at('b.txt'), place)
    expect(await project.run('move', asked, { guard })).toMatchObject({ replaced: true })
    expect(await text('b.txt')).toBe('one')

    const second = await project.preflight('move', { from: 'b.txt', to: 'c.txt' })
    await link(at('b.txt'), at('c.txt'))
    await move('b.txt', 'c.txt', { guard: second.guard, callKey: 't1/1/2' })
    expect(await readdir(project.folder)).toEqual(['c.txt'])
  })

  it('refuses itself, a folder into itself, links, the project folder, and what is not there', async () => {
    await project.write({ 'a/x': 'x' })
    await mkdir(at('b'))
    await symlink('a', at('link'))
    await expect(move('a', './a')).rejects.toMatchObject({ code: 'action.args' })
    await expect(move('a', 'a/b')).rejects.toMatchObject({ code: 'action.args' })
    await expect(moveOver('a/x', 'a')).rejects.toMatchObject({ code: 'action.args' })
    await expect(move('link', 'c')).rejects.toMatchObject({ code: 'action.not_regular' })
    await expect(moveOver('a', 'link')).rejects.toMatchObject({ code: 'action.not_regular' })
    await expect(move('.', 'c')).rejects.toMatchObject({ code: 'action.args' })
    await expect(move('c', 'd')).rejects.toMatchObject({ code: 'action.not_found' })
    expect((await readdir(project.folder)).sort()).toEqual(['a', 'b', 'link'])
  })
})

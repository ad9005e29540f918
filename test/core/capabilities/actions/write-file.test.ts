import { chmod, link, mkdir, readdir, readFile, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { beside } from '../../../../core/capabilities/relocate.ts'
import { onFaultPoint } from '../../../../core/domain/fault-point.ts'
import { limits } from '../../../../core/domain/limits.ts'
import { useProject } from './project.ts'

const project = useProject()
const at = (name: string) => path.join(project.folder, name)
const text = (name: string) => readFile(at(name), 'utf8')
const write = (asked: object, context = {}) => project.run('write_file', asked, context)

describe('write_file', () => {
  it('makes a file with exactly the bytes given, and the folders on the way', async () => {
    const content = '\ufeffä\r\n\u200bend\n'
    expect(await write({ path: 'new/deep/a.txt', content })).toEqual({
      path: 'new/deep/a.txt',
      bytes: Buffer.byteLength(content),
      outcome: 'created',
    })
    expect(await text('new/deep/a.txt')).toBe(content)
    expect((await stat(at('new/deep/a.txt'))).mode & 0o777).toBe(0o644 & ~process.umask())
    expect(project.bin.store.trash.ofThread('t1')).toMatchObject([
      { kind: 'created', file: 'new/deep/a.txt', kept: null },
    ])
  })

  it('replaces a file only when told to, keeps its mode and what was there', async () => {
    await project.write({ 'a.txt': 'one' })
    await chmod(at('a.txt'), 0o754)
    await expect(write({ path: 'a.txt', content: 'two' })).rejects.toMatchObject({
      code: 'action.conflict',
      message: expect.stringContaining('overwrite: true'),
    })
    expect(await write({ path: './a.txt', content: 'two', overwrite: true })).toMatchObject({ outcome: 'replaced' })
    expect(await text('a.txt')).toBe('two')
    expect((await stat(at('a.txt'))).mode & 0o777).toBe(0o754)
    const [row] = project.bin.store.trash.ofThread('t1')
    expect(row).toMatchObject({ kind: 'overwritten', file: 'a.txt', bytes: 3 })
    const kept = path.join(project.bin.dataDir, 'trash', row?.kept ?? '')
    expect(await readFile(kept, 'utf8')).toBe('one')
    expect((await stat(kept)).mode & 0o777).toBe(0o600)
    expect((await stat(path.dirname(kept))).mode & 0o777).toBe(0o700)
  })

  it('shows a person what would change, without changing anything', async () => {
    await project.write({ 'a.txt': 'one\n' })
    const found = await project.preflight('write_file', { path: 'a.txt', content: 'two\n', overwrite: true })
    expect(found.change).toEqual({ kind: 'file', path: 'a.txt', before: 'one\n', after: 'two\n' })
    expect(found.undo).toContain('puts the file back')
    const fresh = await project.preflight('write_file', { path: 'x/b.txt', content: 'b' })
    expect(fresh.change).toEqual({ kind: 'file', path: 'x/b.txt', before: null, after: 'b' })
    await expect(stat(at('x'))).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await text('a.txt')).toBe('one\n')
  })

  it('says in a note what it cannot show: binary data, and text over the limit', async () => {
    await project.write({ 'a.bin': Buffer.from([0, 1, 2, 3, 0xff]) })
    const shown = async (content: string) =>
      (await project.preflight('write_file', { path: 'a.bin', content, overwrite: true })).change
    expect(await shown('x'.repeat(limits.changeCharacters))).toMatchObject({
      before: null,
      after: 'x'.repeat(limits.changeCharacters),
      note: expect.stringMatching(/not shown: binary data.*5 bytes/),
    })
    expect(await shown('x'.repeat(limits.changeCharacters + 1))).toMatchObject({
      after: null,
      note: expect.stringContaining(`more than ${limits.changeCharacters}`),
    })
  })

  it('writes nothing when the file changed since a person was asked', async () => {
    await project.write({ 'a.txt': 'one' })
    const asked = { path: 'a.txt', content: 'two', overwrite: true }
    const { guard } = await project.preflight('write_file', asked)
    await project.write({ 'a.txt': 'mine' })
    await expect(write(asked, { guard })).rejects.toMatchObject({
      code: 'approval.stale',
      message: expect.stringContaining('changed since you were asked; nothing was written'),
    })
    expect(await text('a.txt')).toBe('mine')
    expect(project.bin.store.trash.ofThread('t1')).toEqual([])
  })

  it('writes nothing where a file appeared, or went, since a person was asked', async () => {
    const asked = { path: 'a.txt', content: 'two', overwrite: true }
    const { guard } = await project.preflight('write_file', asked)
    await project.write({ 'a.txt': '', 'b.txt': 'b' })
    await expect(write(asked, { guard })).rejects.toMatchObject({ code: 'approval.stale' })
    const gone = await project.preflight('write_file', { ...asked, path: 'b.txt' })
    await rm(at('b.txt'))
    await expect(write({ ...asked, path: 'b.txt' }, { guard: gone.guard })).rejects.toMatchObject({
      code: 'approval.stale',
    })
    await expect(stat(at('b.txt'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('writes nothing but what the guard was made for, and nothing without a guard', async () => {
    const { guard } = await project.preflight('write_file', { path: 'a.txt', content: 'seen' })
    await expect(write({ path: 'a.txt', content: 'other' }, { guard })).rejects.toMatchObject({
      code: 'approval.stale',
    })
    await expect(write({ path: 'a.txt', content: 'other' }, { guard: null })).rejects.toMatchObject({
      code: 'approval.stale',
    })
    await expect(stat(at('a.txt'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('is done where the file holds exactly that already, and has nothing to undo then', async () => {
    await project.write({ 'a.txt': 'same' })
    expect(await write({ path: 'a.txt', content: 'same' })).toMatchObject({
      outcome: 'already',
      note: expect.any(String),
    })
    expect(project.bin.store.trash.ofThread('t1')).toEqual([])
  })

  it.each([
    ['a new file', undefined],
    ['a file that was there', 'one'],
  ])(
    'run again after a crash between the effect and its record: %s is recorded once, and can be undone',
    async (_, before) => {
      if (before !== undefined) await project.write({ 'a.txt': before })
      const asked = { path: 'a.txt', content: 'two', overwrite: true }
      const { guard } = await project.preflight('write_file', asked)
      const { trash } = project.bin
      const scope = { threadId: 't1', projectId: 'p1', step: 1 }
      const dying = {
        ...trash.forCall(scope, '1'),
        record: () => {
          throw new Error('killed')
        },
      }
      await expect(write(asked, { guard, trash: dying })).rejects.toThrow('killed')
      expect(await text('a.txt')).toBe('two')
      expect(await write(asked, { guard })).toMatchObject({ outcome: 'already' })
      expect(await write(asked, { guard })).toMatchObject({ outcome: 'already' })
      const [item, ...more] = trash.list({ threadId: 't1' })
      expect(more).toEqual([])
      await trash.restore(item?.id ?? '')
      expect(await text('a.txt').catch(() => undefined)).toBe(before)
    },
  )

  it('run again after a kill between the link and the unlink of its rename: it is there, by one name, and can be undone', async () => {
    const asked = { path: 'a.txt', content: 'two' }
    const { guard } = await project.preflight('write_file', asked)
    const killed = new Error('killed')
    onFaultPoint((point) => {
      if (point === 'file.linked') throw killed
    })
    await expect(write(asked, { guard })).rejects.toBe(killed)
    onFaultPoint(undefined)
    // What `finally` cleared away is what a killed process leaves.
    await link(at('a.txt'), beside(at('a.txt'), 'part'))
    expect((await project.preflight('write_file', { ...asked, overwrite: true })).change).toMatchObject({
      before: 'two',
    })
    expect(await write(asked, { guard })).toMatchObject({ outcome: 'already' })
    expect(await readdir(project.folder)).toEqual(['a.txt'])
    expect((await stat(at('a.txt'))).nlink).toBe(1)
    const [item] = project.bin.trash.list({ threadId: 't1' })
    await project.bin.trash.restore(item?.id ?? '')
    expect(await text('a.txt').catch(() => undefined)).toBeUndefined()
  })

  it('a second name that is not of a write of ours is refused as before', async () => {
    await project.write({ 'a.txt': 'one', 'b.txt': 'two' })
    await link(at('a.txt'), at('other'))
    await writeFile(beside(at('a.txt'), 'part'), 'foreign')
    const asked = { path: 'a.txt', content: 'x', overwrite: true }
    await expect(project.preflight('write_file', asked)).rejects.toMatchObject({ code: 'action.outside' })
  })

  it('takes at most so many characters, and replaces no file that is too large to keep', async () => {
    const long = 'x'.repeat(limits.writeCharacters)
    expect(await write({ path: 'a.txt', content: long })).toMatchObject({ bytes: limits.writeCharacters })
    await expect(write({ path: 'b.txt', content: `${long}x` })).rejects.toMatchObject({ code: 'action.args' })
    await writeFile(at('big'), '')
    await truncate(at('big'), limits.keptCopyBytes + 1)
    await expect(write({ path: 'big', content: 'x', overwrite: true })).rejects.toMatchObject({
      code: 'action.too_large',
    })
    await truncate(at('big'), limits.keptCopyBytes)
    expect(await write({ path: 'big', content: 'x', overwrite: true })).toMatchObject({ outcome: 'replaced' })
  })

  it('leaves links, folders and devices as they are, and says why', async () => {
    await mkdir(at('folder'))
    await project.write({ 'a.txt': 'a' })
    await symlink('a.txt', at('link'))
    const asked = { content: 'x', overwrite: true }
    await expect(write({ ...asked, path: 'folder' })).rejects.toMatchObject({ code: 'action.not_regular' })
    await expect(write({ ...asked, path: 'link' })).rejects.toMatchObject({
      code: 'action.not_regular',
      message: expect.stringContaining('"a.txt"'),
    })
    await expect(write({ ...asked, path: 'a.txt/b' })).rejects.toMatchObject({ code: 'action.not_found' })
    expect(await text('a.txt')).toBe('a')
  })

  it('stopped before its turn came, does nothing', async () => {
    const asked = { path: 'a.txt', content: 'x' }
    const { guard } = await project.preflight('write_file', asked)
    await expect(write(asked, { guard, signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
    await project.write({ 'a.txt': 'mine' })
    const gone = await project.preflight('delete', { path: 'a.txt' })
    const stopped = project.run('delete', { path: 'a.txt' }, { guard: gone.guard, signal: AbortSignal.abort() })
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' })
    expect(await text('a.txt')).toBe('mine')
  })

  it('leaves no file of its own beside what it wrote', async () => {
    await write({ path: 'a.txt', content: 'x' })
    expect(await project.run('list_files', { hidden: true })).toMatchObject({ entries: [{ path: 'a.txt' }], total: 1 })
  })

  it('two calls for one file at once: one writes, the other finds it changed', async () => {
    const calls = ['one', 'two', 'three'].map(async (content, index) => {
      const asked = { path: 'a.txt', content }
      const { guard } = await project.preflight('write_file', asked)
      return { asked, context: { guard, callKey: `t1/1/${index}` } }
    })
    const ready = await Promise.all(calls)
    const done = await Promise.allSettled(ready.map(({ asked, context }) => write(asked, context)))
    expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected'])
    expect(await text('a.txt')).toBe('one')
  })
})

import { lstat, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, utimes } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fingerprint } from '../../../core/capabilities/fingerprint.ts'
import { relocate } from '../../../core/capabilities/relocate.ts'
import { limits } from '../../../core/domain/limits.ts'
import { useProject } from './actions/project.ts'

const project = useProject()
const at = (name: string) => path.join(project.folder, name)
const text = (name: string) => readFile(at(name), 'utf8').catch(() => undefined)
const isThere = (name: string) =>
  lstat(name).then(
    () => true,
    () => false,
  )
const dayMs = 86_400_000

let calls = 0
/** Runs an action as a call of its own and answers the item that it left in the trash. */
async function did(name: string, asked: object) {
  calls += 1
  await project.run(name, asked, { callKey: `t1/9/${calls}` })
  const [newest] = project.bin.store.trash.page({ at: Number.MAX_SAFE_INTEGER, id: '' }, 1)
  const item = newest ?? expect.fail('nothing was kept')
  project.bin.clock.now += 1
  return { ...item, place: path.join(project.bin.dataDir, 'trash', item.kept ?? 'none') }
}
const restore = (id: string) => project.bin.trash.restore(id)

describe('undo', () => {
  it.each([
    ['write_file', { path: 'a.txt', content: 'new', overwrite: true }],
    ['patch_file', { path: 'a.txt', edits: [{ find: 'old', replace: 'new' }] }],
    ['delete', { path: 'a.txt' }],
    ['move', { from: 'a.txt', to: 'x/b.txt' }],
    ['move', { from: 'c.txt', to: 'a.txt', overwrite: true }],
    ['write_file', { path: 'new.txt', content: 'new' }],
  ])('of %s %j puts back exactly what was there', async (name, asked) => {
    await project.write({ 'a.txt': 'old', 'c.txt': 'other' })
    const item = await did(name, asked)
    const undone = await restore(item.id)
    expect([await text('a.txt'), await text('c.txt'), await text('new.txt')]).toEqual(['old', 'other', undefined])
    expect(await text('x/b.txt')).toBeUndefined()
    expect(undone).toMatchObject({ id: item.id, restoredAt: project.bin.clock.now })
    expect(project.bin.undone).toEqual([undone])
    expect(project.bin.trash.list({ threadId: 't1' })).toEqual([undone])
    expect(Object.keys(undone)).not.toContain('kept')
  })

  it('of a folder: deleted, and moved', async () => {
    await project.write({ 'old/a': 'one', 'old/deep/b': 'two' })
    const before = await fingerprint(at('old'), { given: 'old', signal: new AbortController().signal })
    for (const [name, asked] of [
      ['delete', { path: 'old' }],
      ['move', { from: 'old', to: 'new' }],
    ] as const) {
      const item = await did(name, asked)
      expect(await isThere(at('old'))).toBe(false)
      await restore(item.id)
      expect(await fingerprint(at('old'), { given: 'old', signal: new AbortController().signal })).toEqual(before)
    }
  })

  it('of a deletion makes the folder anew where it is gone', async () => {
    await project.write({ 'docs/a.txt': 'one' })
    const item = await did('delete', { path: 'docs/a.txt' })
    await rm(at('docs'), { recursive: true })
    await restore(item.id)
    expect(await text('docs/a.txt')).toBe('one')
  })

  it('of a file that was made keeps that file in the trash', async () => {
    const item = await did('write_file', { path: 'a.txt', content: 'precious' })
    await restore(item.id)
    const folder = path.join(project.bin.dataDir, 'trash')
    const names = await readdir(folder, { recursive: true })
    const undone = names.find((name) => name.endsWith('.undone')) ?? ''
    expect(await readFile(path.join(folder, undone), 'utf8')).toBe('precious')
  })

  it('is done once, however often and however fast it is asked for', async () => {
    await project.write({ 'a.txt': 'old' })
    const item = await did('delete', { path: 'a.txt' })
    await Promise.all([restore(item.id), restore(item.id)])
    await restore(item.id)
    expect(project.bin.undone).toHaveLength(1)
  })

  it.each([
    ['write_file', { path: 'a.txt', content: 'new', overwrite: true }, 'a.txt'],
    ['write_file', { path: 'new.txt', content: 'new' }, 'new.txt'],
    ['delete', { path: 'a.txt' }, 'a.txt'],
    ['move', { from: 'a.txt', to: 'b.txt' }, 'b.txt'],
    ['move', { from: 'a.txt', to: 'b.txt' }, 'a.txt'],
    ['move', { from: 'c.txt', to: 'a.txt', overwrite: true }, 'a.txt'],
  ])('of %s %j never takes away what a person wrote to %s since', async (name, asked, file) => {
    await project.write({ 'a.txt': 'old', 'c.txt': 'other' })
    const item = await did(name, asked)
    await project.write({ [file]: 'later work' })
    const before = await readdir(project.folder)
    await expect(restore(item.id)).rejects.toMatchObject({
      code: 'trash.conflict',
      userMessage: expect.stringContaining('Nothing was put back'),
    })
    expect(await text(file)).toBe('later work')
    expect(await readdir(project.folder)).toEqual(before)
    expect(project.bin.undone).toEqual([])
    expect(project.bin.store.trash.get(item.id)?.restoredAt).toBeNull()
  })

  it('goes backwards: the later of two changes first', async () => {
    await project.write({ 'a.txt': '1' })
    const first = await did('patch_file', { path: 'a.txt', edits: [{ find: '1', replace: '2' }] })
    const second = await did('patch_file', { path: 'a.txt', edits: [{ find: '2', replace: '3' }] })
    await expect(restore(first.id)).rejects.toMatchObject({ code: 'trash.conflict' })
    await restore(second.id)
    await restore(first.id)
    expect(await text('a.txt')).toBe('1')
  })

  it('of a file that is gone since is a conflict', async () => {
    await project.write({ 'a/a.txt': 'old' })
    const item = await did('write_file', { path: 'a/a.txt', content: 'new', overwrite: true })
    await rm(at('a'), { recursive: true })
    await expect(restore(item.id)).rejects.toMatchObject({ code: 'trash.conflict' })
    expect(await isThere(at('a'))).toBe(false)
  })

  it('where something of another kind is there now is a conflict', async () => {
    await project.write({ 'a.txt': 'old', 'docs/b.txt': 'old' })
    const written = await did('write_file', { path: 'a.txt', content: 'new', overwrite: true })
    const moved = await did('move', { from: 'docs/b.txt', to: 'far/b.txt' })
    await rm(at('a.txt'))
    await symlink('docs', at('a.txt'))
    await rm(at('far'), { recursive: true })
    for (const { id } of [written, moved]) {
      await expect(restore(id)).rejects.toMatchObject({ code: 'trash.conflict' })
    }
    expect((await lstat(at('a.txt'))).isSymbolicLink()).toBe(true)
  })

  it('of what is no longer kept, or was never known, is trash.not_found', async () => {
    await project.write({ 'a.txt': 'old', 'c.txt': 'other' })
    const gone = await did('delete', { path: 'a.txt' })
    await rm(gone.place)
    await expect(restore(gone.id)).rejects.toMatchObject({ code: 'trash.not_found' })
    await expect(restore('nothing')).rejects.toMatchObject({ code: 'trash.not_found' })
    const over = await did('write_file', { path: 'c.txt', content: 'new', overwrite: true })
    await rm(over.place)
    await expect(restore(over.id)).rejects.toMatchObject({ code: 'trash.not_found' })
    expect(await text('c.txt')).toBe('new')
  })

  it('does not follow a folder that was swapped for a link that leads out', async () => {
    await project.write({ 'docs/a.txt': 'old' })
    const outside = path.join(project.base, 'outside')
    await mkdir(outside)
    const item = await did('delete', { path: 'docs/a.txt' })
    await rm(at('docs'), { recursive: true })
    await symlink(outside, at('docs'))
    await expect(restore(item.id)).rejects.toMatchObject({ code: 'action.outside' })
    expect(await readdir(outside)).toEqual([])
  })

  it.each([
    ['write_file', { path: 'a.txt', content: 'new', overwrite: true }],
    ['write_file', { path: 'new.txt', content: 'new' }],
    ['delete', { path: 'a.txt' }],
    ['move', { from: 'a.txt', to: 'b.txt' }],
    ['move', { from: 'c.txt', to: 'a.txt', overwrite: true }],
  ])('of %s %j that was killed before it was on record is ended by the next one', async (name, asked) => {
    await project.write({ 'a.txt': 'old', 'c.txt': 'other' })
    const item = await did(name, asked)
    const { store, undone } = project.bin
    const mark = store.trash.markRestored
    store.trash.markRestored = () => {
      throw new Error('killed')
    }
    await expect(restore(item.id)).rejects.toThrow('killed')
    store.trash.markRestored = mark
    await restore(item.id)
    expect([await text('a.txt'), await text('c.txt'), await text('new.txt')]).toEqual(['old', 'other', undefined])
    expect(undone).toHaveLength(1)
  })
})

describe('prune', () => {
  async function deleted(name: string) {
    await project.write({ [name]: name })
    return did('delete', { path: name })
  }

  it('removes what is older than the limit, with its file, and nothing else', async () => {
    const old = await deleted('a.txt')
    const made = await did('write_file', { path: 'made.txt', content: 'x' })
    project.bin.clock.now += 2 * dayMs
    const young = await deleted('b.txt')
    project.bin.clock.now = made.at + limits.trashDays * dayMs
    expect(await project.bin.trash.prune()).toBe(1)
    project.bin.clock.now += 1
    expect(await project.bin.trash.prune()).toBe(1)
    expect(project.bin.trash.list({ limit: 10 }).map(({ id }) => id)).toEqual([young.id])
    expect(await isThere(old.place)).toBe(false)
    expect(await isThere(young.place)).toBe(true)
    expect(await readdir(path.dirname(young.place))).toEqual([path.basename(young.place)])
    await expect(restore(old.id)).rejects.toMatchObject({ code: 'trash.not_found' })
  })

  it('removes the oldest beyond so many bytes, but nothing younger than a day', async () => {
    const small = await deleted('a.txt')
    const { store, trash, clock } = project.bin
    const large = { ...small, callKey: 'large', id: 'large', at: small.at + 1, bytes: limits.trashBytes - small.bytes }
    store.trash.insert(large)
    clock.now = small.at + 2 * dayMs
    expect(await trash.prune()).toBe(0)
    store.trash.insert({ ...small, callKey: 'one more', id: 'one-more', at: small.at + 2, bytes: 1 })
    clock.now = small.at + dayMs - 1
    expect(await trash.prune()).toBe(0)
    clock.now = small.at + dayMs
    expect(await trash.prune()).toBe(1)
    expect(trash.list({ limit: 10 }).map(({ id }) => id)).toEqual(['one-more', 'large'])
  })

  it('goes through more than a page of items', async () => {
    const item = await deleted('a.txt')
    for (let index = 0; index < 450; index += 1) {
      project.bin.store.trash.insert({ ...item, id: `row-${index}`, callKey: `row-${index}` })
    }
    project.bin.clock.now += (limits.trashDays + 1) * dayMs
    expect(await project.bin.trash.prune()).toBe(451)
    expect(project.bin.trash.list({ limit: 10 })).toEqual([])
  })

  it('removes what a killed call kept without a record, once it is as old', async () => {
    const place = project.bin.trash.forCall({ threadId: 't2', projectId: 'p1', step: 1 }, '1').place('t2/1/1')
    await mkdir(path.join(place, 'folder'), { recursive: true })
    project.bin.clock.now = Date.now()
    await project.bin.trash.prune()
    expect(await isThere(place)).toBe(true)
    project.bin.clock.now += (limits.trashDays + 2) * dayMs
    await project.bin.trash.prune()
    expect(await isThere(path.dirname(place))).toBe(false)
  })
})

const otherDisk = '/dev/shm'
const isOtherDisk = await Promise.all([lstat(otherDisk), lstat(process.cwd())]).then(
  ([one, other]) => one.dev !== other.dev,
  () => false,
)

describe.runIf(isOtherDisk)('across disks', () => {
  it('a folder goes whole, with modes, times and links, and nothing is left behind', async () => {
    const far = await mkdtemp(path.join(otherDisk, 'relocate-'))
    onTestFinished(() => rm(far, { recursive: true, force: true }))
    await project.write({ 'old/a': 'one', 'old/deep/b': 'two', c: 'stays' })
    await symlink('../c', at('old/link'))
    const then = new Date('2020-05-05T05:05:05Z')
    await utimes(at('old/a'), then, then)
    await relocate(at('old'), path.join(far, 'kept'))
    expect((await readdir(far, { recursive: true })).sort()).toEqual([
      'kept',
      'kept/a',
      'kept/deep',
      'kept/deep/b',
      'kept/link',
    ])
    expect((await lstat(path.join(far, 'kept/a'))).mtime).toEqual(then)
    expect((await lstat(path.join(far, 'kept/link'))).isSymbolicLink()).toBe(true)
    expect(await readdir(project.folder)).toEqual(['c'])
    await relocate(path.join(far, 'kept'), at('old'))
    expect(await text('old/deep/b')).toBe('two')
    expect(await readdir(far)).toEqual([])
  })

  it('nothing is replaced, and a copy that fails leaves all as it was', async () => {
    const far = await mkdtemp(path.join(otherDisk, 'relocate-'))
    onTestFinished(() => rm(far, { recursive: true, force: true }))
    await project.write({ a: 'one', b: 'two' })
    await rename(at('b'), at('b2'))
    await relocate(at('a'), path.join(far, 'kept'))
    await expect(relocate(at('b2'), path.join(far, 'kept'))).rejects.toMatchObject({ code: 'EEXIST' })
    expect(await text('b2')).toBe('two')
    expect(await readFile(path.join(far, 'kept'), 'utf8')).toBe('one')
    expect(await readdir(far)).toEqual(['kept'])
  })
})

import fs from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import { createFileTriggers } from '../../../core/missions/missions.ts'
import { folderWith, temporaryFolder } from '../../support/engine.ts'
import { addProject, definition, type MissionWorld, openMissionWorld } from './mission-world.ts'

/** On a machine that does other work a moment may take long. */
const long = { timeout: 60_000 }

function open(files: Readonly<Record<string, string>> = {}) {
  const folder = folderWith(files)
  const world = openMissionWorld(temporaryFolder())
  addProject(world.store, 'f', folder)
  const triggers = createFileTriggers({
    ...{ store: world.store, gatherMs: 50, fire: (trigger) => world.missions.fire(trigger) },
    notify: (notice) => void world.notices.push(notice),
    onFault: (error) => void world.faults.push(error),
  })
  onTestFinished(async () => {
    triggers.close()
    await world.close()
  })
  const write = (file: string, text = 'x') => {
    fs.mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    fs.writeFileSync(path.join(folder, file), text)
  }
  return { folder, world, triggers, write }
}
function add(world: MissionWorld, name: string, paths: readonly string[]) {
  const cadence = { kind: 'event', on: 'file-changed', only: { paths } } as const
  return world.missions.save({ projectId: 'f', definition: definition({ name, cadence }), source: 'person' })
}
/** Of all its firings, the oldest first. */
const told = ({ missions, store }: MissionWorld, id: string): readonly string[] =>
  missions
    .firings({ id })
    .toReversed()
    .flatMap((firing) => JSON.parse(store.missions.payloadOf(firing.id) ?? '{}').files ?? [])
async function until(world: MissionWorld, id: string, file: string): Promise<void> {
  await vi.waitFor(() => expect(told(world, id)).toContain(file), long)
  for (const { threadId } of world.store.missions.running(10)) if (threadId !== null) await world.end(threadId)
}

test('a file that changes, comes or goes sets it off; many at once are one firing; others are none of its business', async () => {
  const { folder, world, triggers, write } = open({ 'docs/a.md': 'x', 'docs/b.md': 'x' })
  const { id } = add(world, 'docs', ['docs/**/*.md'])
  // It sees all that changes: what it is not told of was there before what it is told of.
  const all = add(world, 'all', ['**'])
  triggers.sync()
  for (const file of ['docs/a.md', 'docs/b.md', 'docs/c.txt', 'other.md', 'docs/deep/new.md']) write(file, 'y')
  await until(world, id, 'docs/deep/new.md')
  expect(told(world, id).toSorted()).toEqual(['docs/a.md', 'docs/b.md', 'docs/deep/new.md'])
  expect(world.missions.firings({ id })).toMatchObject([{ trigger: 'event', causeDepth: 0 }])
  expect(told(world, all.id)).toEqual(expect.arrayContaining(['other.md', 'docs/c.txt']))
  fs.rmSync(path.join(folder, 'docs/b.md'))
  await vi.waitFor(() => expect(world.missions.firings({ id })).toHaveLength(2), long)
  expect(world.faults).toEqual([])
})

test('what only a link leads to, hidden folders and node_modules are not watched', async () => {
  const outside = folderWith({ 'secret.md': 'x' })
  const { folder, world, triggers, write } = open({ '.git/a.md': 'x', 'node_modules/m/a.md': 'x', 'a.md': 'x' })
  fs.symlinkSync(outside, path.join(folder, 'link'))
  const { id } = add(world, 'all', ['**'])
  triggers.sync()
  fs.writeFileSync(path.join(outside, 'secret.md'), 'y')
  fs.symlinkSync(path.join(outside, 'secret.md'), path.join(folder, 'late.md'))
  write('.git/a.md', 'y')
  write('node_modules/m/a.md', 'y')
  write('a.md', 'y')
  await until(world, id, 'a.md')
  write('b.md')
  await until(world, id, 'b.md')
  expect(new Set(told(world, id))).toEqual(new Set(['a.md', 'b.md']))
})

test('what its own thread changes does not set it off; another mission’s thread is a cause', async () => {
  const { world, triggers, write } = open({ 'a.md': 'x' })
  const own = add(world, 'own', ['*.md'])
  const other = add(world, 'other', ['*.md'])
  await world.missions.fire({
    ...{ missionId: own.id, trigger: 'manual', payload: null, dedupeKey: null, causeDepth: 0 },
  })
  triggers.sync()
  write('a.md', 'y')
  await vi.waitFor(() => expect(told(world, other.id)).toContain('a.md'), long)
  expect(world.missions.firings({ id: other.id })).toMatchObject([{ causeDepth: 1 }])
  expect(told(world, own.id)).toEqual([])
})

test('while its firing waits for a person what changes is not its doing: it hears of that', async () => {
  const { world, triggers, write } = open({ 'a.md': 'x' })
  const cadence = { kind: 'event', on: 'file-changed', only: { paths: ['*.md'] } } as const
  const waits = definition({ name: 'waits', cadence, overlap: 'queue' })
  const { id } = world.missions.save({ projectId: 'f', definition: waits, source: 'person' })
  const { threadId } = await world.missions.fire({
    ...{ missionId: id, trigger: 'manual', payload: null, dedupeKey: null, causeDepth: 0 },
  })
  const waiting = { state: 'Waiting', outcome: null, reason: 'an approval', at: world.now, endedAt: null } as const
  world.store.transaction(() => world.store.threads.move(threadId ?? '', waiting))
  triggers.sync()
  write('a.md', 'y')
  await vi.waitFor(() => expect(told(world, id)).toContain('a.md'), long)
  expect(world.missions.firings({ id })).toMatchObject([{ trigger: 'event', causeDepth: 0 }, { trigger: 'manual' }])
})

test('what is watched follows the missions: a paused one is told nothing, and after the end nothing is', async () => {
  const { world, triggers, write } = open({ 'a.md': 'x' })
  const one = add(world, 'one', ['*.md'])
  const two = add(world, 'two', ['*.md'])
  triggers.sync()
  world.missions.pause(one.id)
  triggers.sync()
  write('a.md', 'y')
  await until(world, two.id, 'a.md')
  expect(told(world, one.id)).toEqual([])
  triggers.close()
  const watchers = () => process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length
  expect(watchers()).toBe(0)
})

test('a folder that was put in the place of the project’s is watched from the next look on', async () => {
  const { folder, world, triggers, write } = open({ 'a.md': 'x' })
  const { id } = add(world, 'all', ['*.md'])
  triggers.sync()
  fs.renameSync(folder, `${folder}-aside`)
  onTestFinished(() => fs.rmSync(`${folder}-aside`, { recursive: true }))
  triggers.sync()
  fs.mkdirSync(folder)
  triggers.sync()
  write('b.md')
  await until(world, id, 'b.md')
})

test('so many files are told, and one more is not', async () => {
  const { world, triggers, write } = open()
  const { id } = add(world, 'all', ['**'])
  triggers.sync()
  for (let n = 0; n <= limits.changedFiles; n += 1) write(`f${n}.md`)
  await vi.waitFor(() => expect(world.missions.firings({ id })).toHaveLength(1), long)
  expect(told(world, id)).toHaveLength(limits.changedFiles)
})

test('so many folders are watched; of one more a person hears, once', async () => {
  const { folder, world, triggers } = open()
  for (let n = 1; n < limits.watchedFolders; n += 1) fs.mkdirSync(path.join(folder, `d${n}`))
  const { id } = add(world, 'all', ['**'])
  triggers.sync()
  expect(world.notices).toEqual([])
  for (const name of ['more', 'still-more']) fs.mkdirSync(path.join(folder, name))
  await vi.waitFor(() => expect(world.notices).toHaveLength(1), long)
  expect(world.notices[0]).toMatchObject({
    missionId: id,
    text: expect.stringContaining('Only the first 1000 folders'),
  })
})

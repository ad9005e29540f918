import fs from 'node:fs'
import path from 'node:path'
import { expect, test, vi } from 'vitest'
import { watchCrashes } from '../../core/crash-loop.ts'
import { limits } from '../../core/domain/limits.ts'
import type { Engine } from '../../core/engine.ts'
import { newFiring } from '../../core/missions/facts.ts'
import { folderWith, startEngine, temporaryFolder, useScriptedModel } from '../support/engine.ts'
import { scriptedModel } from '../support/scripted-model.ts'
import { definition } from './missions/mission-world.ts'

const at = Date.parse('2026-02-03T12:00:00Z')
const clock = { now: () => at, monotonic: () => performance.now() }

/** A data folder in which so many starts of this hour did not come to their end. */
async function crashed(times: number, agoMs = 60_000): Promise<string> {
  const dataDir = temporaryFolder()
  const engine = await startEngine({ dataDir, clock })
  for (let n = 0; n < times; n += 1) watchCrashes(engine.store, { now: at - agoMs, withinMs: limits.crashLoopMs })
  const { id: projectId } = await engine.api.call('project.open', { folder: folderWith({}) })
  await engine.api.call('mission.save', {
    projectId,
    definition: definition({ cadence: { kind: 'once', day: '2027-01-01', time: '09:00' } }),
  })
  await engine.stop('made')
  return dataDir
}
/** What a process that is killed now leaves on disk. */
function asLeft(dataDir: string): string {
  const copy = temporaryFolder()
  const filter = (file: string) => !/owner|sock/.test(path.basename(file))
  fs.cpSync(dataDir, copy, { recursive: true, filter })
  return copy
}
async function own(engine: Engine) {
  const missions = await engine.api.call('mission.list', {})
  return missions.find(({ name }) => name === 'digest') ?? expect.fail('the mission is gone')
}
const held = async (engine: Awaited<ReturnType<typeof startEngine>>) =>
  (await engine.api.call('engine.info', {})).missionsHeld

test('after two starts that did not come to their end missions wait for a person, who lets them fire', async () => {
  const dataDir = await crashed(2)
  const before = await startEngine({ dataDir, clock })
  const queued = newFiring(await own(before), {
    id: 'fir_q',
    instant: at,
    state: 'queued',
    reason: null,
    claimedAt: at,
  })
  before.store.transaction(() => before.store.missions.insertFiring(queued))
  await before.stop('claimed')
  const engine = await startEngine({ dataDir, clock, ticks: true })
  expect(await held(engine)).toContain('2 times within an hour')
  const { id } = await own(engine)
  await engine.api.call('mission.tick', {})
  expect(await engine.api.call('mission.firings', { id })).toMatchObject([{ state: 'queued', threadId: null }])
  expect(await engine.api.call('mission.release', {})).toMatchObject({ missionsHeld: null })
  expect(await held(engine)).toBeNull()
  const isBegun = async () => expect((await engine.api.call('mission.firings', { id }))[0]?.threadId).not.toBeNull()
  await vi.waitFor(isBegun, 30_000)
})

test('a firing that was at work is not taken up again by a start that holds missions', async () => {
  const dataDir = await crashed(2)
  const model = scriptedModel(() => new Promise<never>(() => undefined))
  const engine = await startEngine({ dataDir, clock, embedded: { scripted: model } })
  await useScriptedModel(engine)
  const { id } = await own(engine)
  const { threadId } = await engine.api.call('mission.fire', { id })
  await vi.waitFor(() => expect(model.requests).toHaveLength(1), 30_000)
  const again = scriptedModel(() => new Promise<never>(() => undefined))
  const next = await startEngine({
    ...{ dataDir: asLeft(dataDir), clock, ticks: true, recover: 'resume', embedded: { scripted: again } },
  })
  expect(await held(next)).not.toBeNull()
  expect(next.store.threads.get(threadId ?? '')).toMatchObject({ state: 'Suspended' })
  expect(await next.api.call('mission.firings', { id })).toMatchObject([{ state: 'unknown', threadId }])
  await next.stop('looked at')
  expect(again.requests).toHaveLength(0)
})

test('a damaged count of starts is none, and the app starts', async () => {
  const dataDir = temporaryFolder()
  const engine = await startEngine({ dataDir, clock })
  engine.store.transaction(() => engine.store.settings.set('startsWithoutEnd', '[17'))
  await engine.stop('damaged')
  expect(await held(await startEngine({ dataDir, clock, ticks: true }))).toBeNull()
})

test('one is none of a loop, and neither are those of more than an hour ago', async () => {
  expect(await held(await startEngine({ dataDir: await crashed(1), clock, ticks: true }))).toBeNull()
  expect(
    await held(await startEngine({ dataDir: await crashed(5, limits.crashLoopMs), clock, ticks: true })),
  ).toBeNull()
  const within = await startEngine({ dataDir: await crashed(5, limits.crashLoopMs - 1), clock, ticks: true })
  expect(await held(within)).not.toBeNull()
})

test('a start that comes to its end forgets those before it', async () => {
  const dataDir = await crashed(2)
  await (await startEngine({ dataDir, clock, ticks: true })).stop('closed')
  expect(await held(await startEngine({ dataDir, clock, ticks: true }))).toBeNull()
})

test('a person may switch it off', async () => {
  const dataDir = await crashed(3)
  const engine = await startEngine({ dataDir, clock })
  await engine.api.call('settings.set', { patch: { missions: { holdAfterCrashes: 0 } } })
  await engine.stop('set')
  expect(await held(await startEngine({ dataDir, clock, ticks: true }))).toBeNull()
})

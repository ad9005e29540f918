import { expect, test } from 'vitest'
import { watchCrashes } from '../../core/crash-loop.ts'
import { limits } from '../../core/domain/limits.ts'
import { folderWith, startEngine, temporaryFolder } from '../support/engine.ts'
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
const held = async (engine: Awaited<ReturnType<typeof startEngine>>) =>
  (await engine.api.call('engine.info', {})).missionsHeld

test('after two starts that did not come to their end missions wait for a person, who lets them fire', async () => {
  const engine = await startEngine({ dataDir: await crashed(2), clock, ticks: true })
  expect(await held(engine)).toContain('2 times within an hour')
  expect(await engine.api.call('mission.release', {})).toMatchObject({ missionsHeld: null })
  expect(await held(engine)).toBeNull()
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

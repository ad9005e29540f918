import { expect, onTestFinished, test } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import type { MissionDefinition } from '../../../core/domain/mission.ts'
import { temporaryFolder } from '../../support/engine.ts'
import { definition, type Ending, type MissionWorld, openMissionWorld } from './mission-world.ts'

const minute = 60_000
const failed: Ending = { outcome: 'failed', reason: 'no model answered' }

function open(dataDir = temporaryFolder(), from?: number): MissionWorld {
  const world = openMissionWorld(dataDir, from)
  onTestFinished(() => world.close())
  return world
}
/** A mission that only a webhook or a test sets off. */
const add = (world: MissionWorld, of: Partial<MissionDefinition> = {}) =>
  world.missions.save({
    ...{ projectId: 'p', source: 'person' },
    definition: definition({ cadence: { kind: 'webhook' }, cooldownMs: limits.missionEventCooldownMs, ...of }),
  })
const fire = (world: MissionWorld, missionId: string) =>
  world.missions.fire({ missionId, trigger: 'webhook', payload: '{"a":1}', dedupeKey: 'd', causeDepth: 1 })
const threadOf = (world: MissionWorld) => world.started.at(-1) ?? expect.fail('no thread was started')
async function after(world: MissionWorld, ms: number): Promise<void> {
  world.pass(ms)
  await world.missions.tick(world.now)
}
const rowsOf = ({ missions }: MissionWorld, id: string) => missions.firings({ id }).toReversed()

test('a firing that failed without an effect is made again after 1, 5 and 25 minutes, with what set it off', async () => {
  const world = open()
  const { id } = add(world)
  await fire(world, id)
  for (const waitMs of [minute, 5 * minute, 25 * minute]) {
    await world.end(threadOf(world), failed)
    const before = world.started.length
    await after(world, waitMs - 1)
    expect(world.started).toHaveLength(before)
    await after(world, 1)
    expect(world.started).toHaveLength(before + 1)
  }
  await world.end(threadOf(world), failed)
  await after(world, 60 * minute)
  const rows = rowsOf(world, id)
  expect(rows.map(({ state, attempt }) => [state, attempt])).toEqual([0, 1, 2, 3].map((n) => ['failed', n]))
  for (const row of rows) {
    expect(row).toMatchObject({ trigger: 'webhook', causeDepth: 1 })
    expect(world.store.missions.payloadOf(row.id)).toBe('{"a":1}')
  }
  // One failure, however often it was tried; a person hears of it once, and when it is tried again.
  expect(world.missions.get(id).failures).toBe(1)
  expect(world.notices.map(({ text }) => text)).toEqual([
    'The mission digest failed: no model answered. It had no effect yet, and is tried again at 09:31.',
  ])
})

test('one that goes well the second time is done, and says that it was the second', async () => {
  const world = open()
  const { id } = add(world)
  await fire(world, id)
  await world.end(threadOf(world), { answer: 'No account.' })
  await after(world, minute)
  await world.end(threadOf(world))
  await after(world, 60 * minute)
  expect(rowsOf(world, id)).toMatchObject([{ state: 'failed' }, { state: 'ran', reason: 'again after a failure' }])
  expect(world.missions.get(id).failures).toBe(0)
})

test.each([
  ['a call that does more than read', (world: MissionWorld) => world.act(threadOf(world), true), failed],
  [
    'a call of a child that does more than read',
    (world: MissionWorld) => world.act(world.thread({ parentId: threadOf(world) }), true),
    failed,
  ],
  ['a budget that was used up', () => undefined, { outcome: 'budget' }],
  ['too many steps', () => undefined, { outcome: 'maxSteps' }],
  ['a stop by a person', () => undefined, { outcome: 'stopped' }],
  ['what a person denied', () => undefined, { outcome: 'denied' }],
] as const)('nothing is tried again after %s', async (_what, before, ending) => {
  const world = open()
  const { id } = add(world)
  await fire(world, id)
  before(world)
  await world.end(threadOf(world), ending)
  await after(world, 60 * minute)
  expect(rowsOf(world, id)).toHaveLength(1)
})

test('a call that only read is no effect', async () => {
  const world = open()
  const { id } = add(world)
  await fire(world, id)
  world.act(threadOf(world), false)
  await world.end(threadOf(world), failed)
  await after(world, minute)
  expect(rowsOf(world, id)).toHaveLength(2)
})

test('a try counts in the cap of the day, and does not rest before', async () => {
  const world = open()
  const { id } = add(world, { dailyCap: 2 })
  await fire(world, id)
  await world.end(threadOf(world), failed)
  await after(world, minute)
  await world.end(threadOf(world), failed)
  await after(world, 5 * minute)
  expect(rowsOf(world, id)).toMatchObject([
    { state: 'failed' },
    { state: 'failed', attempt: 1 },
    { state: 'skipped', attempt: 2, reason: expect.stringContaining('2 times a day') },
  ])
})

test.each([
  ['another firing comes', (world: MissionWorld, id: string) => fire(world, id), 2],
  ['it is paused', (world: MissionWorld, id: string) => world.missions.pause(id), 1],
  ['it is changed', (world: MissionWorld) => add(world, { goal: 'Another.' }), 1],
  ['it is removed', (world: MissionWorld, id: string) => world.missions.remove(id), 1],
] as const)('nothing is tried again once %s', async (_what, change, count) => {
  const world = open()
  const { id } = add(world, { cooldownMs: 0 })
  await fire(world, id)
  await world.end(threadOf(world), failed)
  await change(world, id)
  for (const { threadId } of world.store.missions.running(10)) if (threadId !== null) await world.end(threadId)
  await after(world, 60 * minute)
  expect(world.store.missions.ledger(id, 0, Number.MAX_SAFE_INTEGER, 10)).toHaveLength(count)
})

test('it is tried again after a restart; where nobody was there for too long it is told as missed', async () => {
  const dataDir = temporaryFolder()
  const first = openMissionWorld(dataDir)
  const one = add(first)
  await fire(first, one.id)
  await first.end(threadOf(first), failed)
  await first.close()
  const second = openMissionWorld(dataDir, first.now + minute)
  second.missions.recover()
  await second.missions.tick(second.now)
  await second.end(threadOf(second), failed)
  expect(rowsOf(second, one.id)).toMatchObject([{ state: 'failed' }, { state: 'failed', attempt: 1 }])
  await second.close()
  const third = open(dataDir, second.now + 5 * minute + limits.firingLatenessMs + 1)
  await third.missions.tick(third.now)
  expect(third.started).toEqual([])
  expect(rowsOf(third, one.id).at(-1)).toMatchObject({ state: 'missed', attempt: 2 })
})

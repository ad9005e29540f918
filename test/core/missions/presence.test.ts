import { expect, onTestFinished, test } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import type { EventFilter } from '../../../core/domain/mission.ts'
import { temporaryFolder } from '../../support/engine.ts'
import { definition, type MissionWorld, openMissionWorld } from './mission-world.ts'

function open(dataDir = temporaryFolder(), from?: number): MissionWorld {
  const world = openMissionWorld(dataDir, from)
  onTestFinished(() => world.close())
  return world
}
function add(world: MissionWorld, on: 'app-start' | 'idle', only?: EventFilter) {
  const cadence = { kind: 'event', on, ...(only && { only }) } as const
  return world.missions.save({ projectId: 'p', definition: definition({ name: on, cadence }), source: 'person' })
}
async function tickAndEnd(world: MissionWorld): Promise<void> {
  await world.missions.tick(world.now)
  for (const { threadId } of world.store.missions.running(10)) if (threadId !== null) await world.end(threadId)
}
const count = ({ missions }: MissionWorld, id: string) => missions.firings({ id }).length

test('a start of the app sets it off once, the next start once more', async () => {
  const dataDir = temporaryFolder()
  const first = openMissionWorld(dataDir)
  const { id } = add(first, 'app-start')
  expect(await first.missions.appStarted()).toHaveLength(1)
  expect(await first.missions.appStarted()).toHaveLength(0)
  await tickAndEnd(first)
  expect(count(first, id)).toBe(1)
  await first.close()
  const second = open(dataDir)
  second.missions.recover()
  await second.missions.tick(second.now)
  expect(count(second, id)).toBe(1)
  expect(await second.missions.appStarted()).toMatchObject([{ trigger: 'event', state: 'queued' }])
  expect(count(second, id)).toBe(2)
})

test('a paused one does not hear of a start', async () => {
  const world = open()
  const { id } = add(world, 'app-start')
  world.missions.pause(id)
  expect(await world.missions.appStarted()).toEqual([])
})

test('a quiet time of the usual length sets it off, a millisecond less does not, and only once in a stretch', async () => {
  const world = open()
  world.thread()
  const { id } = add(world, 'idle')
  world.pass(limits.missionIdleMs - 1)
  await tickAndEnd(world)
  expect(count(world, id)).toBe(0)
  world.pass(1)
  await tickAndEnd(world)
  expect(count(world, id)).toBe(1)
  // Its own thread is no sign of a person, however long that takes.
  world.pass(10 * limits.missionIdleMs)
  await tickAndEnd(world)
  expect(count(world, id)).toBe(1)
  world.thread()
  world.pass(limits.missionIdleMs)
  await tickAndEnd(world)
  expect(count(world, id)).toBe(2)
})

test('it is not quiet while a thread is at work, nor before the app has been up for as long', async () => {
  const dataDir = temporaryFolder()
  const first = openMissionWorld(dataDir)
  const idleMs = 20 * 60_000
  const { id } = add(first, 'idle', { idleMs })
  const busy = first.thread()
  first.store.threads.move(busy, { state: 'Running', outcome: null, reason: null, at: first.now, endedAt: null })
  first.pass(2 * idleMs)
  await tickAndEnd(first)
  expect(count(first, id)).toBe(0)
  const ended = { outcome: 'answered', reason: null, at: first.now, endedAt: first.now } as const
  first.store.threads.move(busy, { state: 'Done', ...ended })
  await first.close()

  const second = open(dataDir, first.now + 2 * idleMs)
  await tickAndEnd(second)
  expect(count(second, id)).toBe(0)
  second.pass(idleMs)
  await tickAndEnd(second)
  expect(count(second, id)).toBe(1)
  await second.close()

  // The same stretch, after another start.
  const third = open(dataDir, second.now)
  third.pass(2 * idleMs)
  await tickAndEnd(third)
  expect(count(third, id)).toBe(1)
})

test('where nobody ever did anything it is quiet since the mission was made', async () => {
  const world = open()
  world.pass(limits.missionIdleMs)
  const { id } = add(world, 'idle')
  await tickAndEnd(world)
  expect(count(world, id)).toBe(0)
  world.pass(limits.missionIdleMs)
  await tickAndEnd(world)
  await tickAndEnd(world)
  expect(count(world, id)).toBe(1)
})

test('a person is seen behind any number of firings, and in an older chat too', async () => {
  const world = open()
  const older = world.thread()
  const { id } = add(world, 'idle')
  world.pass(limits.missionIdleMs)
  await tickAndEnd(world)
  expect(count(world, id)).toBe(1)
  const busy = world.missions.save({
    ...{ projectId: 'p', source: 'person' },
    definition: definition({ name: 'busy', cadence: { kind: 'manual' } }),
  })
  world.pass(1_000)
  const at = world.now
  world.store.transaction(() =>
    world.store.threads.move(older, { state: 'Done', outcome: 'answered', reason: null, at, endedAt: at }),
  )
  for (let n = 0; n < 60; n += 1) {
    const trigger = { missionId: busy.id, trigger: 'manual', payload: null, dedupeKey: null, causeDepth: 0 } as const
    const { threadId } = await world.missions.fire(trigger)
    world.pass(1_000)
    await world.end(threadId ?? '')
  }
  world.pass(limits.missionIdleMs)
  await tickAndEnd(world)
  expect(count(world, id)).toBe(2)
})

import { expect, onTestFinished, test } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import { temporaryFolder } from '../../support/engine.ts'
import { definition, type MissionWorld, openMissionWorld, utc } from './mission-world.ts'

const day = 86_400_000

function open(): MissionWorld {
  const world = openMissionWorld(temporaryFolder())
  onTestFinished(() => world.close())
  return world
}
const add = ({ missions }: MissionWorld, expression = '0 * * * *') =>
  missions.save({
    ...{ projectId: 'p', source: 'person' },
    definition: definition({ cadence: { kind: 'cron', expression } }),
  })

test('the days of a mission hold what became of each instant, and the instants to come', async () => {
  const world = open()
  const mission = add(world)
  world.now = utc('2026-02-03T10:00:05')
  await world.missions.tick(world.now)
  await world.end(world.started[0] ?? '')
  world.missions.skipNext(mission.id)
  const [days] = world.missions.days({ from: utc('2026-02-03T00:00'), to: utc('2026-02-03T14:00') })
  expect(days?.firings.map(({ instant, state }) => [new Date(instant).getUTCHours(), state])).toEqual([
    [11, 'skipped'],
    [10, 'ran'],
  ])
  expect(days?.planned.map((at) => new Date(at).getUTCHours())).toEqual([12, 13])
})

test('nothing is planned of a paused mission', () => {
  const world = open()
  const { id } = add(world)
  world.missions.pause(id)
  expect(world.missions.days({ from: world.now, to: world.now + day })).toMatchObject([{ missionId: id, planned: [] }])
})

test('a mission of every minute shows so many instants and no more', () => {
  const world = open()
  add(world, '* * * * *')
  const [days] = world.missions.days({ from: world.now, to: world.now + day })
  expect(days?.planned).toHaveLength(limits.missionDayRows)
})

test('its streak counts the firings in a row that did what they were to do', async () => {
  const world = open()
  const { id } = add(world)
  const streak = () => world.missions.get(id).streak
  expect(streak()).toBe(0)
  for (const [hour, outcome] of [
    [10, 'failed'],
    [11, 'answered'],
    [12, 'answered'],
  ] as const) {
    world.now = utc(`2026-02-03T${hour}:00:05`)
    await world.missions.tick(world.now)
    await world.end(world.started.at(-1) ?? '', { outcome })
  }
  expect(streak()).toBe(2)
  world.missions.skipNext(id)
  expect(streak()).toBe(2)
})

test('what an agent proposes is inert until a person starts the very version that they saw', async () => {
  const world = open()
  const proposed = world.missions.save({
    ...{ projectId: 'p', source: 'agent', definition: definition() },
    begins: { status: 'proposed', reason: 'proposed by an agent' },
  })
  world.now = utc('2026-02-03T12:00:05')
  expect(await world.missions.tick(world.now)).toMatchObject({ claimed: [], begun: [] })
  const byHand = { missionId: proposed.id, trigger: 'manual', payload: null, dedupeKey: null, causeDepth: 0 } as const
  await expect(world.missions.fire(byHand)).rejects.toMatchObject({ code: 'mission.state' })
  expect(() => world.missions.resume(proposed.id)).toThrow(/not the version/)
  world.missions.save({ projectId: 'p', source: 'agent', definition: definition({ goal: 'Something else.' }) })
  expect(() => world.missions.resume(proposed.id, proposed.version)).toThrow(/not the version/)
  expect(world.missions.resume(proposed.id, proposed.version + 1)).toMatchObject({
    status: 'active',
    nextFireAt: utc('2026-02-03T13:00:00'),
  })
})

test('one that waits for a person keeps none of the others from working', async () => {
  const world = open()
  world.atOnce = 1
  add(world)
  world.missions.save({ projectId: 'p', definition: definition({ name: 'second' }), source: 'person' })
  world.now = utc('2026-02-03T10:00:05')
  await world.missions.tick(world.now)
  expect(world.started).toHaveLength(1)
  const [first = ''] = world.started
  world.store.transaction(() =>
    world.store.threads.move(first, { state: 'Waiting', outcome: null, reason: null, at: world.now, endedAt: null }),
  )
  await world.missions.tick(world.now)
  expect(world.started).toHaveLength(2)
})

test('what somebody else has saved meanwhile is not written over, and a new mission takes the place of none', () => {
  const world = open()
  const { id, version } = add(world)
  const goal = (text: string) => definition({ goal: text })
  world.missions.save({ projectId: 'p', id, follows: version, source: 'person', definition: goal('First.') })
  const late = { projectId: 'p', id, follows: version, source: 'person', definition: goal('Second.') } as const
  expect(() => world.missions.save(late)).toThrow(/not at version 1/)
  const again = { projectId: 'p', follows: null, source: 'person', definition: goal('Third.') } as const
  expect(() => world.missions.save(again)).toThrow(/one of this name/)
  expect(world.missions.get(id)).toMatchObject({ version: 2, definition: { goal: 'First.' } })
})

test('a mission that is given another name has it everywhere, and the old one is free', () => {
  const world = open()
  const { id } = add(world)
  world.missions.save({ projectId: 'p', id, source: 'person', definition: definition({ name: 'news' }) })
  expect(world.missions.list().map(({ name }) => name)).toEqual(['news'])
  expect(world.missions.idOf('p', 'news')).toBe(id)
  expect(world.missions.get(id)).toMatchObject({ name: 'news', version: 2 })
  expect(add(world).id).not.toBe(id)
})

import { expect, onTestFinished, test } from 'vitest'
import { apiInputs } from '../../../core/api-inputs.ts'
import { limits } from '../../../core/domain/limits.ts'
import { folderWith, startEngine, temporaryFolder } from '../../support/engine.ts'
import { definition, type MissionWorld, openMissionWorld, utc } from './mission-world.ts'

const minute = 60_000

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
  const [days] = world.missions.days([mission.id], { before: 1, after: 0 })
  expect(days?.firings.map(({ instant, state }) => [new Date(instant).getUTCHours(), state])).toEqual([
    [11, 'skipped'],
    [10, 'ran'],
  ])
  expect(days?.planned.map((at) => new Date(at).getUTCHours())).toEqual([
    12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
  ])
  const midnights = [utc('2026-02-02T00:00'), utc('2026-02-03T00:00'), utc('2026-02-04T00:00')]
  expect(days).toMatchObject({ zone: 'UTC', midnights, firingsFrom: midnights[0], plannedUntil: midnights[2] })
})

test('nothing is planned of a paused mission', () => {
  const world = open()
  const { id } = add(world)
  world.missions.pause(id)
  expect(world.missions.days([id], { before: 0, after: 1 })).toMatchObject([{ missionId: id, planned: [] }])
})

test('of a mission of every minute so many instants are told, and up to when they are all', () => {
  const world = open()
  const { id } = add(world, '* * * * *')
  const [days] = world.missions.days([id], { before: 0, after: 1 })
  expect(days?.planned).toHaveLength(limits.missionDayRows)
  expect(days?.plannedUntil).toBe((days?.planned.at(-1) ?? 0) + minute)
})

test('of a mission that fired more often than is told, it is said since when all are', async () => {
  const world = open()
  const { id } = add(world, '* * * * *')
  const ledger = async (minutes: number) => {
    for (let passed = 0; passed < minutes; passed += 50) {
      world.now += 50 * minute
      await world.missions.tick(world.now)
    }
    return world.missions.days([id], { before: 1, after: 0 })[0]
  }
  world.now = utc('2026-02-03T10:00')
  const few = await ledger(150)
  expect(few?.firingsFrom).toBe(few?.midnights[0])
  const many = await ledger(150)
  expect(many?.firings).toHaveLength(limits.missionDayRows)
  expect(many?.firingsFrom).toBe(many?.firings.at(-1)?.instant)
})

test('the days are those of the clocks of its zone, also where these change', () => {
  const world = open()
  const { id } = world.missions.save({
    ...{ projectId: 'p', source: 'person' },
    definition: definition({ zone: 'America/New_York' }),
  })
  world.now = utc('2026-03-08T02:00:00')
  const [days] = world.missions.days([id], { before: 0, after: 1 })
  expect(days?.midnights.map((at) => new Date(at).toISOString())).toEqual([
    ...['2026-03-07T05:00:00.000Z', '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z'],
  ])
})

test('days and rows are asked for of a few missions at a time, and one that was removed is in neither', () => {
  const world = open()
  const { id } = add(world)
  expect(world.missions.some([id, 'mis_nowhere'])).toMatchObject([{ id }])
  world.missions.remove(id)
  expect(world.missions.some([id])).toEqual([])
  expect(world.missions.days([id], { before: 0, after: 0 })).toEqual([])
  const ids = Array.from({ length: limits.missionsAsked + 1 }, (_each, index) => `mis_${index}`)
  for (const few of [ids, []]) {
    expect(apiInputs['mission.days'].safeParse({ ids: few, before: 4, after: 2 }).success).toBe(false)
    expect(apiInputs['mission.list'].safeParse({ ids: few }).success).toBe(false)
  }
  expect(apiInputs['mission.days'].safeParse({ ids: ids.slice(1), before: 4, after: 2 }).success).toBe(true)
  expect(apiInputs['mission.list'].safeParse({ ids: ids.slice(1) }).success).toBe(true)
})

test('the list comes in pages', async () => {
  const engine = await startEngine({ dataDir: temporaryFolder() })
  const { id: projectId } = await engine.api.call('project.open', { folder: folderWith({}) })
  const known = (await engine.api.call('mission.list', {})).length
  for (let index = known; index <= limits.missionPageRows; index += 1) {
    const cadence = { kind: 'manual' } as const
    await engine.api.call('mission.save', { projectId, definition: definition({ name: `m-${index}`, cadence }) })
  }
  const first = await engine.api.call('mission.list', {})
  expect(first).toHaveLength(limits.missionPageRows)
  const { name = '', id = '' } = first.at(-1) ?? {}
  expect(await engine.api.call('mission.list', { after: { name, id } })).toHaveLength(1)
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

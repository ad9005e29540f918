import { expect, onTestFinished, test } from 'vitest'
import { AppError } from '../../../core/domain/error.ts'
import type { MissionDefinition } from '../../../core/domain/mission.ts'
import { temporaryFolder } from '../../support/engine.ts'
import { answer, definition, type MissionWorld, openMissionWorld, utc } from './mission-world.ts'

const hour = 3_600_000

function open(): MissionWorld {
  const world = openMissionWorld(temporaryFolder())
  onTestFinished(() => world.close())
  return world
}
const add = (world: MissionWorld, of: Partial<MissionDefinition> = {}) =>
  world.missions.save({ projectId: 'p', definition: definition(of), source: 'person' })
const fire = (world: MissionWorld, missionId: string) =>
  world.missions.fire({ missionId, trigger: 'manual', payload: null, dedupeKey: null, causeDepth: 0 })
const rows = ({ missions }: MissionWorld, id: string) =>
  missions.firings({ id }).map(({ state, reason }) => [state, reason])

test('a firing that cannot begin fails with its reason and is told; those behind it begin', async () => {
  const world = open()
  const bad = add(world, { name: 'bad' })
  const good = add(world, { name: 'good' })
  // As one that was stored before budgets were looked at.
  const steps = { ...definition({ name: 'bad' }), budget: { tokens: null, usd: null, steps: 1.5, ms: null } }
  const faulty = { missionId: bad.id, version: 2, at: 1, source: 'person', definition: steps } as const
  world.store.transaction(() => {
    world.store.missions.insertVersion(faulty)
    world.store.missions.update({ ...bad, version: 2 })
  })
  world.now = utc('2026-02-03T10:00:00')
  await world.missions.tick(world.now)
  expect(rows(world, bad.id)).toEqual([['failed', expect.stringContaining('it could not begin')]])
  expect(rows(world, good.id)).toEqual([['running', null]])
  expect(world.notices).toMatchObject([{ missionId: bad.id, text: expect.stringContaining('The mission bad failed') }])
  expect(world.missions.get(bad.id).failures).toBe(1)
})

test('what fails at each beginning pauses the mission as any failures in a row do', async () => {
  const world = open()
  const mission = add(world, { pauseAfter: 2 })
  world.docsFault = new Error('the notes are gone')
  for (let n = 0; n < 2; n += 1) {
    world.pass(hour)
    await world.missions.tick(world.now)
  }
  const failed = ['failed', 'it could not begin: the notes are gone']
  expect(rows(world, mission.id)).toEqual([failed, failed])
  expect(world.missions.get(mission.id)).toMatchObject({ status: 'paused', statusReason: '2 firings in a row failed' })
})

test('an error of the store ends no firing: it is still queued when the store is well again', async () => {
  const world = open()
  const mission = add(world, { cadence: { kind: 'manual' } })
  world.docsFault = new AppError('store.full', { message: 'disk full', userMessage: 'The disk is full.' })
  await expect(fire(world, mission.id)).rejects.toMatchObject({ code: 'store.full' })
  expect(rows(world, mission.id)).toEqual([['queued', null]])
  world.docsFault = null
  await world.missions.tick(world.now)
  expect(rows(world, mission.id)).toEqual([['running', null]])
})

test('a command begins what it was asked for and nothing of others, except at a tick', async () => {
  const world = open()
  const due = add(world, { name: 'due' })
  const mine = add(world, { name: 'mine', cadence: { kind: 'manual' } })
  world.atOnce = 0
  world.now = utc('2026-02-03T10:00:00')
  await world.missions.tick(world.now)
  Object.assign(world, { atOnce: 2, beginning: 'ticks' })
  const { threadId } = await fire(world, mine.id)
  await world.end(threadId ?? '')
  expect(rows(world, mine.id)).toEqual([['ran', null]])
  expect(rows(world, due.id)).toEqual([['queued', null]])
  await world.missions.tick(world.now)
  expect(rows(world, due.id)).toEqual([['running', null]])
})

test('while missions are held only what a person asks for begins, whatever else happens', async () => {
  const world = open()
  const due = add(world, { name: 'due' })
  const event = add(world, { name: 'event', cadence: { kind: 'event', on: 'thread-done' } })
  const mine = add(world, { name: 'mine', cadence: { kind: 'manual' } })
  world.beginning = 'asked'
  world.now = utc('2026-02-03T10:00:00')
  await world.missions.tick(world.now)
  await world.missions.fire({
    ...{ missionId: event.id, trigger: 'event', payload: null, dedupeKey: null, causeDepth: 0 },
  })
  expect(world.started).toEqual([])
  const { threadId } = await fire(world, mine.id)
  await world.end(threadId ?? '')
  await world.missions.tick(world.now)
  expect([due, event, mine].map(({ id }) => rows(world, id)[0]?.[0])).toEqual(['queued', 'queued', 'ran'])
  world.beginning = 'all'
  await world.missions.tick(world.now)
  expect(rows(world, due.id)).toEqual([['running', null]])
})

test('what is missing is told once, told again where it is another thing, and pauses the mission in the end', async () => {
  const world = open()
  const mission = add(world, { pauseAfter: 4 })
  const blocked = async (missing: string) => {
    world.missing = missing
    world.pass(hour)
    await world.missions.tick(world.now)
    return world.notices.map(({ text }) => text)
  }
  expect(await blocked('there is no skill tides')).toHaveLength(1)
  expect(await blocked('there is no skill tides')).toHaveLength(1)
  expect(await blocked('there is no skill moon')).toHaveLength(2)
  const told = await blocked('there is no skill moon')
  expect(told.at(-1)).toContain('is paused: 4 firings in a row could not work: there is no skill moon')
  expect(told).toHaveLength(3)
  expect(world.missions.get(mission.id)).toMatchObject({ status: 'paused', nextFireAt: null })
})

test('a budget that is used up is told once, and pauses nothing: it is over by itself', async () => {
  const world = open()
  const mission = add(world, { pauseAfter: 2 })
  world.spent = 'the budget of today is used up'
  for (let hours = 0; hours < 4; hours += 1) {
    world.pass(hour)
    await world.missions.tick(world.now)
  }
  expect(rows(world, mission.id).map(([state]) => state)).toEqual(['blocked', 'blocked', 'blocked', 'blocked'])
  expect(world.missions.get(mission.id).status).toBe('active')
  expect(world.notices).toHaveLength(1)
  world.spent = null
  world.pass(hour)
  await world.missions.tick(world.now)
  expect(rows(world, mission.id)[0]?.[0]).not.toBe('blocked')
})

test('one that works between two that could not ends their row', async () => {
  const world = open()
  const mission = add(world, { pauseAfter: 2 })
  for (const missing of ['the skill', null, 'the skill']) {
    world.missing = missing
    world.pass(hour)
    await world.missions.tick(world.now)
    for (const { threadId } of world.store.missions.running(10)) if (threadId !== null) await world.end(threadId)
  }
  expect(rows(world, mission.id).map(([state]) => state)).toEqual(['blocked', 'late', 'blocked'])
  expect(world.missions.get(mission.id).status).toBe('active')
  expect(world.notices).toHaveLength(2)
})

test('paused while it works, its account is kept: the focus of the next, and a failure is told', async () => {
  const world = open()
  const mission = add(world, { cadence: { kind: 'manual' } })
  const { threadId } = await fire(world, mission.id)
  world.missions.pause(mission.id)
  await world.end(threadId ?? '', {
    answer: answer({ done: 'sent page 1', nextFocus: 'page 2', goalReached: true, evidence: ['a'] }),
  })
  expect(world.missions.get(mission.id)).toMatchObject({ status: 'paused', focus: 'page 2' })
  const again = await fire(world, mission.id)
  await world.end(again.threadId ?? '', { outcome: 'failed', reason: 'the disk is full' })
  expect(world.notices.map(({ text }) => text)).toEqual(['The mission digest failed: the disk is full.'])
  expect(world.missions.get(mission.id)).toMatchObject({ status: 'paused', focus: 'page 2' })
})

test('a firing whose thread is suspended holds up nobody: its end is unknown, told once, and known once it is gone on with', async () => {
  const world = open()
  const mission = add(world)
  world.pass(hour)
  await world.missions.tick(world.now)
  const threadId = world.started[0] ?? ''
  const at = world.now
  world.store.transaction(() =>
    world.store.threads.move(threadId, { state: 'Suspended', outcome: null, reason: 'it expired', at, endedAt: null }),
  )
  for (let n = 0; n < 2; n += 1) await world.missions.threadEnded(threadId)
  expect(rows(world, mission.id).map(([state]) => state)).toEqual(['unknown'])
  expect(world.notices).toMatchObject([{ threadId, text: expect.stringContaining('is not known') }])
  world.pass(hour)
  await world.missions.tick(world.now)
  expect(rows(world, mission.id).map(([state]) => state)).toEqual(['running', 'unknown'])
  await world.end(threadId)
  expect(rows(world, mission.id)[1]?.[0]).toBe('late')
})

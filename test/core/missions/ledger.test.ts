import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import type { Firing, MissionDefinition } from '../../../core/domain/mission.ts'
import { temporaryFolder } from '../../support/engine.ts'
import { answer, definition, type MissionWorld, openMissionWorld, utc } from './mission-world.ts'

const minute = 60_000
const hour = 60 * minute

function open(from?: string): MissionWorld {
  const world = openMissionWorld(temporaryFolder(), from === undefined ? undefined : utc(from))
  onTestFinished(() => world.close())
  return world
}
const add = (world: MissionWorld, of: Partial<MissionDefinition> = {}) =>
  world.missions.save({ projectId: 'p', definition: definition(of), source: 'person' })
const tick = (world: MissionWorld) => world.missions.tick(world.now)
/** `10:00 ran`, oldest first. */
function ledger({ missions }: MissionWorld, id: string): readonly string[] {
  return missions
    .firings({ id })
    .toReversed()
    .map(({ instant, state }) => `${new Date(instant).toISOString().slice(11, 16)} ${state}`)
}
const threadOf = (world: MissionWorld, at = -1) => world.started.at(at) ?? expect.fail('no thread was started')
const only = (firings: readonly Firing[]) => firings[0] ?? expect.fail('no firing')

test('an instant that is due is claimed, carried out in a thread of its own, and told as it ended', async () => {
  const world = open()
  const mission = add(world)
  expect(mission.nextFireAt).toBe(utc('2026-02-03T10:00:00'))
  expect((await tick(world)).claimed).toEqual([])
  world.now = utc('2026-02-03T10:00:05')
  const report = await tick(world)
  expect(report.begun).toMatchObject([
    { state: 'running', instant: utc('2026-02-03T10:00:00'), startedOn: '2026-02-03' },
  ])
  expect(world.started).toHaveLength(1)
  await world.end(threadOf(world), { answer: answer({ done: 'read it', nextFocus: 'the sports page' }) })
  expect(ledger(world, mission.id)).toEqual(['10:00 ran'])
  expect(world.missions.get(mission.id)).toMatchObject({
    focus: 'the sports page',
    nextFireAt: utc('2026-02-03T11:00:00'),
    lastFiredAt: utc('2026-02-03T10:00:05'),
  })
})

test('two ticks at the same moment, one after the other or at once, fire it once', async () => {
  const world = open()
  const mission = add(world)
  world.now = utc('2026-02-03T10:00:00')
  await Promise.all([tick(world), tick(world), tick(world)])
  await tick(world)
  expect(world.started).toHaveLength(1)
  expect(ledger(world, mission.id)).toEqual(['10:00 running'])
})

test('listing changes nothing: the instant that was due still fires, once (R22)', async () => {
  const world = open()
  const mission = add(world)
  world.now = utc('2026-02-03T10:20:00')
  const seq = world.events.lastSeq
  for (let n = 0; n < 2; n += 1) {
    expect(world.missions.list()).toMatchObject([
      { nextFireAt: utc('2026-02-03T10:00:00'), isOverdue: true, cadence: 'Every hour' },
    ])
    world.missions.get(mission.id)
    world.missions.firings({ id: mission.id })
    await world.missions.preview(mission.id)
  }
  expect(world.events.lastSeq).toBe(seq)
  expect(world.store.missions.get(mission.id)).toEqual(mission)
  await tick(world)
  expect(ledger(world, mission.id)).toEqual(['10:00 running'])
})

test('what begins after its instant says when it was due and when it began', async () => {
  const world = open()
  const mission = add(world, { cadence: { kind: 'cron', expression: '30 9 * * *' }, zone: 'Europe/Berlin' })
  world.now = utc('2026-02-04T10:12:00')
  await tick(world)
  expect(only(world.missions.firings({ id: mission.id }))).toMatchObject({ reason: 'due 09:30, began 11:12' })
  await world.end(threadOf(world))
  expect(ledger(world, mission.id)).toEqual(['08:30 late'])
})

test('a minute late is on time, a millisecond more is late', async () => {
  const world = open()
  const mission = add(world)
  world.now = utc('2026-02-03T10:00:00') + limits.firingGraceMs
  await tick(world)
  await world.end(threadOf(world))
  world.now = utc('2026-02-03T11:00:00') + limits.firingGraceMs + 1
  await tick(world)
  await world.end(threadOf(world))
  expect(ledger(world, mission.id)).toEqual(['10:00 ran', '11:00 late'])
})

test('after three days off an hourly mission fires once, with a row for each instant and one notice for all', async () => {
  const world = open()
  const mission = add(world)
  world.now = utc('2026-02-06T09:20:00')
  await tick(world)
  const rows = world.missions.firings({ id: mission.id })
  expect(rows).toHaveLength(72)
  expect(rows.map(({ state }) => state)).toEqual(['running', ...Array.from({ length: 71 }, () => 'coalesced')])
  expect(world.notices).toHaveLength(1)
  expect(world.notices[0]?.text).toBe('71 instants of a mission passed while Threadsmith was not there.')
})

test('a mission that runs longer than its period: every other instant is an overlap, and it never starves (R24)', async () => {
  const world = open('2026-02-03T09:59:00')
  const mission = add(world, { cadence: { kind: 'cron', expression: '*/5 * * * *' } })
  for (const [at, ends] of [
    ['10:00', false],
    ['10:05', false],
    ['10:09', true],
    ['10:10', false],
    ['10:15', false],
    ['10:19', true],
    ['10:20', false],
  ] as const) {
    world.now = utc(`2026-02-03T${at}:00`)
    if (ends) await world.end(threadOf(world))
    else await tick(world)
  }
  expect(ledger(world, mission.id)).toEqual([
    '10:00 ran',
    '10:05 skipped',
    '10:10 ran',
    '10:15 skipped',
    '10:20 running',
  ])
  expect(world.missions.firings({ id: mission.id })[1]?.reason).toContain('overlap')
})

test('overlap, queue one: the next one waits, a third is skipped, and the one that waited begins when the first has ended', async () => {
  const world = open()
  const mission = add(world, { overlap: 'queue' })
  for (const at of ['10:00', '11:00', '12:00']) {
    world.now = utc(`2026-02-03T${at}:00`)
    await tick(world)
  }
  expect(ledger(world, mission.id)).toEqual(['10:00 running', '11:00 queued', '12:00 skipped'])
  world.now = utc('2026-02-03T12:10:00')
  await world.end(threadOf(world))
  expect(ledger(world, mission.id)).toEqual(['10:00 ran', '11:00 running', '12:00 skipped'])
})

test('overlap, cancel: the one before is stopped, and the new one begins when that has ended', async () => {
  const world = open()
  const mission = add(world, { overlap: 'cancel' })
  world.now = utc('2026-02-03T10:00:00')
  await tick(world)
  world.now = utc('2026-02-03T11:00:00')
  await tick(world)
  expect(world.stopped).toEqual(world.started)
  expect(ledger(world, mission.id)).toEqual(['10:00 running', '11:00 queued'])
  await world.end(threadOf(world), { outcome: 'stopped', reason: 'stopped by you' })
  expect(ledger(world, mission.id)).toEqual(['10:00 cancelled', '11:00 running'])
  expect(world.missions.firings({ id: mission.id })[1]?.reason).toBe('a later firing took its place')
  expect(world.missions.get(mission.id).failures).toBe(0)
})

test('12 missions, 30 hours off, two at once, 5 s apart: never more than two, a row for each instant, all come to an end', async () => {
  const world = open('2026-02-03T09:30:00')
  const missions = Array.from({ length: 12 }, (_each, n) =>
    add(world, { name: `m${n}`, cadence: { kind: 'cron', expression: `${n} * * * *` }, maxLatenessMs: 12 * hour }),
  )
  world.pass(30 * hour)
  let most = 0
  const begunAt: number[] = []
  let known = 0
  for (let round = 0; round < 200; round += 1) {
    const { againInMs } = await tick(world)
    for (; known < world.started.length; known += 1) begunAt.push(world.monotonicAt)
    const running = world.store.missions.running(100)
    most = Math.max(most, running.length)
    const [oldest] = running
    if (oldest?.threadId != null && round % 3 === 2) await world.end(oldest.threadId)
    for (; known < world.started.length; known += 1) begunAt.push(world.monotonicAt)
    world.pass(againInMs ?? 1_000)
  }
  expect(most).toBe(limits.missionsAtOnce)
  expect(begunAt).toHaveLength(12)
  const gaps = begunAt.slice(1).map((at, index) => at - (begunAt[index] ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(limits.catchUpStaggerMs)
  for (const { id } of missions) {
    const states = world.missions.firings({ id, to: utc('2026-02-04T15:30:00') }).map(({ state }) => state)
    expect(states).toHaveLength(30)
    expect(states[0]).toBe('late')
  }
  expect(world.notices.filter(({ text }) => text.includes('348 instants of 12 missions'))).toHaveLength(1)
})

test('all that may be caught up run one after the other, 5 s apart, and the one on time waits behind them', async () => {
  const world = open()
  const mission = add(world, { missed: 'all', catchUp: 2, maxLatenessMs: 5 * hour })
  world.pass(3 * hour)
  await tick(world)
  expect(ledger(world, mission.id)).toEqual(['10:00 missed', '11:00 running', '12:00 queued'])
  await world.end(threadOf(world))
  expect(ledger(world, mission.id)).toEqual(['10:00 missed', '11:00 late', '12:00 queued'])
  world.pass(limits.catchUpStaggerMs - 1)
  expect((await tick(world)).againInMs).toBe(1)
  expect(world.started).toHaveLength(1)
  world.pass(1)
  await tick(world)
  expect(ledger(world, mission.id)).toEqual(['10:00 missed', '11:00 late', '12:00 running'])
})

test('the clock goes back two hours after a firing: no second one, and the next is due when it is due again', async () => {
  const world = open('2026-02-03T07:30:00')
  const mission = add(world)
  world.now = utc('2026-02-03T10:00:05')
  await tick(world)
  await world.end(threadOf(world))
  world.now = utc('2026-02-03T08:00:05')
  await tick(world)
  for (const at of ['09:00', '10:00', '10:00']) {
    world.now = utc(`2026-02-03T${at}:05`)
    await tick(world)
    for (const { threadId } of world.store.missions.running(10)) if (threadId !== null) await world.end(threadId)
  }
  expect(ledger(world, mission.id)).toEqual(['08:00 coalesced', '09:00 coalesced', '10:00 ran'])
  expect(world.started).toHaveLength(1)
})

test('the clock goes forward five years and back: at most one catch-up, and the mission is not silent for five years', async () => {
  const world = open()
  const mission = add(world)
  world.now = utc('2031-02-03T09:40:00')
  await tick(world)
  expect(world.started).toHaveLength(0)
  expect(world.store.missions.ledger(mission.id, 0, utc('2032-01-01T00:00:00'), 10_000)).toHaveLength(
    limits.firingRows + 1,
  )
  world.now = utc('2026-02-03T09:31:00')
  await tick(world)
  // The row of the long stretch stands for its first instant too.
  expect(world.missions.get(mission.id).nextFireAt).toBe(utc('2026-02-03T11:00:00'))
  world.now = utc('2026-02-03T11:00:00')
  await tick(world)
  expect(world.started).toHaveLength(1)
})

test('what the clock reaches again runs on time where no row stands for it, and leaves none where it is late', async () => {
  const world = open()
  const mission = add(world, { cadence: { kind: 'every', everyMs: hour } })
  world.now = utc('2026-02-03T10:30:00')
  await tick(world)
  await world.end(threadOf(world))
  // Of an edit that moves its instants the ledger has none.
  world.now = utc('2026-02-03T09:40:00')
  add(world, { cadence: { kind: 'every', everyMs: 20 * minute } })
  expect(world.store.missions.get(mission.id)?.claimedUntil).toBe(utc('2026-02-03T10:30:00'))
  for (const at of ['10:00', '10:25', '10:50']) {
    world.now = utc(`2026-02-03T${at}:00`)
    await tick(world)
    for (const { threadId } of world.store.missions.running(10)) if (threadId !== null) await world.end(threadId)
  }
  expect(ledger(world, mission.id)).toEqual(['10:00 ran', '10:30 ran', '10:40 late'])
})

test('the clock is in the past for a moment: nothing before a mission was made is ever due, and nothing of it is told', async () => {
  const world = open()
  const daily = add(world, { name: 'daily', cadence: { kind: 'cron', expression: '0 9 * * *' } })
  const every = add(world, { name: 'every', cadence: { kind: 'every', everyMs: hour } })
  const right = world.now
  await tick(world)
  const next = [daily, every].map(({ id }) => world.missions.get(id).nextFireAt)
  for (const wrong of ['2020-01-01T00:00:00', '2020-01-01T09:00:00', '2020-01-02T09:00:10']) {
    world.now = utc(wrong)
    await tick(world)
  }
  world.now = right + 5_000
  for (let n = 0; n < 3; n += 1) await tick(world)
  expect([daily, every].map(({ id }) => world.missions.firings({ id }))).toEqual([[], []])
  expect([daily, every].map(({ id }) => world.missions.get(id).nextFireAt)).toEqual(next)
  expect(world.notices).toEqual([])
})

test('wherever the clock goes, no instant before a mission was made is in its ledger, none twice, and it fires on', async () => {
  const jumps = fc.array(fc.integer({ min: -20 * 24 * 60, max: 20 * 24 * 60 }), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(jumps, fc.constantFrom('skip', 'once', 'all'), async (minutes, missed) => {
      const world = openMissionWorld(temporaryFolder())
      const right = world.now
      const missions = [
        add(world, { missed }),
        add(world, { name: 'every', missed, cadence: { kind: 'every', everyMs: 45 * minute } }),
      ]
      for (const jump of minutes) {
        world.now = right + jump * minute
        while ((await tick(world)).claimed.length > 0);
        for (const { threadId } of world.store.missions.running(10)) if (threadId !== null) await world.end(threadId)
      }
      for (const { id, createdAt } of missions) {
        const instants = world.missions.firings({ id, from: 0 }).map(({ instant }) => instant)
        expect(instants.filter((instant) => instant <= createdAt)).toEqual([])
        expect(new Set(instants).size).toBe(instants.length)
        expect(world.missions.get(id).nextFireAt).toBeGreaterThan(Math.max(createdAt, world.now))
      }
      await world.close()
    }),
    { numRuns: 10 },
  )
})

test('the cap of a day counts by the mission’s own date', async () => {
  const world = open('2026-02-04T04:30:00')
  const zone = 'America/Los_Angeles'
  const mission = add(world, { zone, dailyCap: 2 })
  for (const at of ['05:00', '06:00', '07:00', '08:00']) {
    world.now = utc(`2026-02-04T${at}:00`)
    await tick(world)
    for (const { threadId } of world.store.missions.running(10)) if (threadId !== null) await world.end(threadId)
  }
  // Midnight there is 08:00 UTC.
  expect(ledger(world, mission.id)).toEqual(['05:00 ran', '06:00 ran', '07:00 skipped', '08:00 ran'])
  expect(world.missions.firings({ id: mission.id })[1]?.reason).toContain('2 times a day')
})

test('the cap holds through a day of 25 hours', async () => {
  const world = open('2026-11-01T04:30:00')
  const mission = add(world, { zone: 'America/New_York', dailyCap: 23 })
  for (let n = 0; n < 26; n += 1) {
    world.now = utc('2026-11-01T04:00:00') + (n + 1) * hour
    await tick(world)
    for (const { threadId } of world.store.missions.running(10)) if (threadId !== null) await world.end(threadId)
  }
  // That day has 24 instants from 01:00 to 23:00, 01:00 twice; midnight is of the next day.
  const skipped = world.missions.firings({ id: mission.id }).filter(({ state }) => state === 'skipped')
  expect(skipped.map(({ instant }) => instant)).toEqual([utc('2026-11-02T04:00:00')])
  expect(world.store.missions.countStartedOn(mission.id, '2026-11-01')).toBe(23)
})

test('what something else sets off: a cooldown, a duplicate, a chain of causes', async () => {
  const world = open()
  const cooldownMs = limits.missionEventCooldownMs
  const mission = add(world, { cadence: { kind: 'event', on: 'thread-done' }, cooldownMs, dedupeMs: hour })
  const fire = (dedupeKey: string, causeDepth = 0) =>
    world.missions.fire({
      missionId: mission.id,
      trigger: 'event',
      payload: `{"at":${world.now}}`,
      dedupeKey,
      causeDepth,
    })
  expect(await fire('a')).toMatchObject({ state: 'running' })
  await world.end(threadOf(world))
  world.pass(cooldownMs - 1)
  expect(await fire('b')).toMatchObject({ state: 'skipped', reason: expect.stringContaining('rests') })
  world.pass(1)
  expect(await fire('a')).toMatchObject({ state: 'skipped', reason: expect.stringContaining('the same') })
  expect(await fire('c', limits.causeDepth)).toMatchObject({
    state: 'skipped',
    reason: expect.stringContaining('chain of 3'),
  })
  expect(await fire('c', limits.causeDepth - 1)).toMatchObject({ state: 'running', causeDepth: 2 })
  await world.end(threadOf(world))
  world.pass(hour)
  expect(await fire('a')).toMatchObject({ state: 'running' })
})

test('the same that comes again within the time of the mission is one, whoever sends it', async () => {
  const world = open()
  const mission = add(world, { cadence: { kind: 'webhook' }, dedupeMs: hour, overlap: 'cancel' })
  let sent = 0
  const deliver = (body: string) => {
    sent += 1
    return world.missions.deliver({ missionId: mission.id, deliveryId: `msg_${sent}`, body }).firing.state
  }
  expect(deliver('{"order":17}')).toBe('queued')
  world.pass(hour - 1)
  expect(deliver('{"order":17}')).toBe('skipped')
  expect(deliver('{"order":18}')).toBe('queued')
  world.pass(1)
  // What was left out does not prolong it.
  expect(deliver('{"order":17}')).toBe('queued')
})

test('what comes with a trigger is bounded, and two triggers of one millisecond are two firings', async () => {
  const world = open()
  const mission = add(world, { cadence: { kind: 'manual' }, overlap: 'queue' })
  const fire = (payload: string | null) =>
    world.missions.fire({ missionId: mission.id, trigger: 'manual', payload, dedupeKey: null, causeDepth: 0 })
  const exact = 'x'.repeat(limits.firingPayloadBytes)
  expect(await fire(exact)).toMatchObject({ state: 'running', instant: world.now })
  expect(await fire(null)).toMatchObject({ state: 'queued', instant: world.now + 1 })
  await expect(fire(`${exact}y`)).rejects.toMatchObject({ code: 'mission.payload' })
})

test('by hand a paused mission fires, by an event it does not; a removed one never', async () => {
  const world = open()
  const mission = add(world)
  world.missions.pause(mission.id)
  const fire = (trigger: 'manual' | 'event') =>
    world.missions.fire({ missionId: mission.id, trigger, payload: null, dedupeKey: null, causeDepth: 0 })
  await expect(fire('event')).rejects.toMatchObject({ code: 'mission.state' })
  expect(await fire('manual')).toMatchObject({ state: 'running' })
  world.missions.remove(mission.id)
  await expect(fire('manual')).rejects.toMatchObject({ code: 'mission.not_found' })
})

test('a mission that is removed between its claim and its beginning runs nothing', async () => {
  const world = open()
  world.atOnce = 0
  const mission = add(world)
  world.now = utc('2026-02-03T10:00:00')
  await tick(world)
  expect(ledger(world, mission.id)).toEqual(['10:00 queued'])
  world.missions.remove(mission.id)
  world.atOnce = 2
  await tick(world)
  expect(world.started).toEqual([])
  expect(ledger(world, mission.id)).toEqual(['10:00 cancelled'])
})

test('what waits for its turn for too long is missed', async () => {
  const world = open()
  world.atOnce = 0
  const mission = add(world, { cadence: { kind: 'manual' } })
  await world.missions.fire({ missionId: mission.id, trigger: 'manual', payload: null, dedupeKey: null, causeDepth: 0 })
  world.pass(limits.firingWaitMs + 1)
  world.atOnce = 1
  await tick(world)
  expect(world.missions.firings({ id: mission.id })).toMatchObject([{ state: 'missed' }])
})

test('what a mission needs and has not blocks it, with one notice and no failure', async () => {
  const world = open()
  const mission = add(world)
  world.missing = 'the skill tides is not there'
  world.now = utc('2026-02-03T10:00:00')
  await tick(world)
  expect(world.missions.firings({ id: mission.id })).toMatchObject([
    { state: 'blocked', reason: 'the skill tides is not there' },
  ])
  expect(world.notices.map(({ text }) => text)).toEqual([
    'The mission digest could not work: the skill tides is not there.',
  ])
  expect(world.missions.get(mission.id).failures).toBe(0)
})

test('a person hears of the first failure, and at the fifth in a row the mission is paused with its reason', async () => {
  const world = open()
  const mission = add(world, { pauseAfter: limits.missionFailures })
  const counts: number[] = []
  for (let n = 0; n < limits.missionFailures + 1; n += 1) {
    world.now = utc('2026-02-03T10:00:00') + n * hour
    await tick(world)
    for (const { threadId } of world.store.missions.running(10))
      if (threadId !== null) await world.end(threadId, { answer: 'The mission complete is near.' })
    counts.push(world.notices.length)
  }
  expect(counts).toEqual([1, 1, 1, 1, 2, 2])
  expect(world.missions.get(mission.id)).toMatchObject({
    status: 'paused',
    statusReason: '5 firings in a row failed',
    nextFireAt: null,
  })
  expect(ledger(world, mission.id)).toHaveLength(limits.missionFailures)
  expect(world.missions.resume(mission.id)).toMatchObject({
    status: 'active',
    failures: 0,
    nextFireAt: utc('2026-02-03T16:00:00'),
  })
})

test('a firing that goes well ends the row of failures', async () => {
  const world = open()
  const mission = add(world)
  const fire = async (end: Parameters<MissionWorld['end']>[1]) => {
    world.pass(hour)
    await tick(world)
    await world.end(threadOf(world), end)
    return world.missions.get(mission.id).failures
  }
  expect(await fire({ outcome: 'failed', reason: 'no model' })).toBe(1)
  expect(await fire({ outcome: 'budget' })).toBe(2)
  expect(await fire({})).toBe(0)
  expect(await fire({ outcome: 'maxSteps' })).toBe(1)
  expect(await fire({ outcome: 'stopped' })).toBe(1)
  expect(await fire({ outcome: 'denied' })).toBe(1)
  expect(ledger(world, mission.id).map((row) => row.slice(6))).toEqual([
    ...['failed', 'failed', 'late', 'failed', 'cancelled', 'blocked'],
  ])
})

test('the goal is reached with evidence: the mission is completed and fires no more; one for events stays ready', async () => {
  const world = open()
  const reached = answer({ goalReached: true, evidence: ['the report is there'] })
  const mission = add(world)
  world.now = utc('2026-02-03T10:00:00')
  await tick(world)
  await world.end(threadOf(world), { answer: reached })
  expect(world.missions.get(mission.id)).toMatchObject({
    status: 'completed',
    statusReason: 'its goal is reached',
    nextFireAt: null,
  })
  const ready = add(world, { name: 'ready', cadence: { kind: 'event', on: 'thread-done' } })
  await world.missions.fire({ missionId: ready.id, trigger: 'event', payload: null, dedupeKey: null, causeDepth: 0 })
  await world.end(threadOf(world), { answer: reached })
  expect(world.missions.get(ready.id)).toMatchObject({ status: 'active' })
})

test('one that is to fire once is completed by it', async () => {
  const world = open()
  const mission = add(world, { cadence: { kind: 'once', day: '2026-02-03', time: '10:00' } })
  world.now = utc('2026-02-03T10:00:10')
  await tick(world)
  await world.end(threadOf(world))
  expect(world.missions.get(mission.id)).toMatchObject({ status: 'completed', statusReason: 'it was to fire once' })
  const past = {
    projectId: 'p',
    definition: definition({ name: 'past', cadence: { kind: 'once', day: '2026-02-03', time: '10:00' } }),
  }
  expect(() => world.missions.save({ ...past, source: 'person' })).toThrow(
    expect.objectContaining({ code: 'mission.invalid' }),
  )
})

test('the next firing can be skipped: it stands in the ledger, and the one after it is next', async () => {
  const world = open()
  const mission = add(world)
  expect(world.missions.skipNext(mission.id).nextFireAt).toBe(utc('2026-02-03T11:00:00'))
  expect(world.missions.skipNext(mission.id).nextFireAt).toBe(utc('2026-02-03T12:00:00'))
  world.now = utc('2026-02-03T10:30:00')
  await tick(world)
  world.now = utc('2026-02-03T12:00:00')
  await tick(world)
  expect(ledger(world, mission.id)).toEqual(['10:00 skipped', '11:00 skipped', '12:00 running'])
})

test('an edit puts what is due of the version before into the ledger, and forgets what followed from it', async () => {
  const world = open()
  world.atOnce = 0
  const mission = add(world)
  world.now = utc('2026-02-03T10:10:00')
  const edited = add(world, { cadence: { kind: 'every', everyMs: 3 * hour } })
  expect(edited).toMatchObject({
    id: mission.id,
    version: 2,
    failures: 0,
    anchorAt: world.now,
    nextFireAt: world.now + 3 * hour,
  })
  expect(ledger(world, mission.id)).toEqual(['10:00 queued'])
  expect(add(world, { cadence: { kind: 'every', everyMs: 3 * hour } })).toEqual(edited)
  expect(world.store.missions.versions(mission.id, 10).map(({ version }) => version)).toEqual([2, 1])
})

test('back to a cadence with instants that are in the ledger: none of them fires again', async () => {
  const world = open()
  const mission = add(world)
  world.now = utc('2026-02-03T10:00:00')
  await tick(world)
  await world.end(threadOf(world))
  world.now = utc('2026-02-03T09:40:00')
  add(world, { goal: 'Another goal.' })
  expect(world.missions.get(mission.id).nextFireAt).toBe(utc('2026-02-03T11:00:00'))
})

test('paused, what would have been due is not; resumed, it goes on from then', async () => {
  const world = open()
  const mission = add(world)
  world.missions.pause(mission.id)
  expect(() => world.missions.pause(mission.id)).toThrow(expect.objectContaining({ code: 'mission.state' }))
  world.pass(5 * hour)
  await tick(world)
  world.missions.resume(mission.id)
  expect(() => world.missions.resume(mission.id)).toThrow(expect.objectContaining({ code: 'mission.state' }))
  world.pass(hour)
  await tick(world)
  expect(ledger(world, mission.id)).toEqual(['15:00 running'])
})

test('a definition that cannot be read pauses that mission and no other', async () => {
  const world = open()
  const broken = add(world, { name: 'broken' })
  const mission = add(world)
  world.store.transaction(() => {
    world.store.missions.update({ ...broken, version: 7 })
  })
  world.now = utc('2026-02-03T10:00:00')
  await tick(world)
  expect(world.missions.get(broken.id)).toMatchObject({ status: 'paused', nextFireAt: null, definition: null })
  expect(ledger(world, mission.id)).toEqual(['10:00 running'])
})

test('what cannot be saved is refused with a sentence', () => {
  const world = open()
  const save = (of: Partial<MissionDefinition>) => () => add(world, of)
  expect(save({ cadence: { kind: 'cron', expression: '0 0 31 2 *' } })).toThrow(
    expect.objectContaining({ code: 'mission.invalid', userMessage: expect.stringContaining('never fires') }),
  )
  expect(save({ cadence: { kind: 'manual' }, zone: 'Mars/Olympus' })).toThrow(
    expect.objectContaining({ code: 'mission.invalid' }),
  )
  add(world, { name: 'other' })
  const mission = add(world)
  const rename = {
    projectId: 'p',
    definition: definition({ name: 'other' }),
    source: 'person',
    id: mission.id,
  } as const
  expect(() => world.missions.save(rename)).toThrow(expect.objectContaining({ code: 'mission.invalid' }))
})

test('after a crash: a thread that ended is settled, one that nobody goes on with is unknown, and the next firing is not held up', async () => {
  const world = open()
  world.atOnce = 4
  const names = ['ended', 'at-rest', 'still-there'] as const
  const missions = names.map((name) => add(world, { name }))
  world.now = utc('2026-02-03T10:00:00')
  await tick(world)
  const [ended = '', rest = ''] = world.started
  await world.end(ended, { isTold: false })
  world.store.transaction(() => {
    world.store.threads.move(rest, { state: 'Suspended', outcome: null, reason: 'quit', at: world.now, endedAt: null })
  })
  expect(world.missions.recover().map(({ state }) => state)).toEqual(['ran', 'unknown'])
  expect(world.missions.recover()).toEqual([])
  expect(missions.map(({ id }) => ledger(world, id)[0])).toEqual(['10:00 ran', '10:00 unknown', '10:00 running'])
  // It is gone on with after all.
  await world.end(rest)
  expect(ledger(world, missions[1]?.id ?? '')).toEqual(['10:00 ran'])
})

test('at the end of all dates a cron mission has no next instant: it is paused and told, the others go on', async () => {
  const world = open()
  const mission = add(world)
  const every = add(world, { name: 'every', cadence: { kind: 'every', everyMs: hour } })
  world.now = 8_640_000_000_000_000
  await tick(world)
  expect(world.faults).toHaveLength(1)
  expect(world.missions.get(mission.id)).toMatchObject({
    status: 'paused',
    statusReason: 'its next instant cannot be worked out',
  })
  expect(world.missions.firings({ id: every.id }).length).toBeGreaterThan(0)
})

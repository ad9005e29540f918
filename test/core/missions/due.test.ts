import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import type { Cadence, MissionDefinition } from '../../../core/domain/mission.ts'
import { durationOf, durationWords, timingOf } from '../../../core/missions/cadence.ts'
import { type DuePlan, dueOf, isOverdue } from '../../../core/missions/due.ts'

const utc = (text: string) => Date.parse(`${text}Z`)
const minute = 60_000
const hour = 60 * minute
const hourly: Cadence = { kind: 'cron', expression: '0 * * * *' }

interface Asked {
  readonly cadence?: Cadence
  readonly zone?: string
  readonly since: string
  readonly now: string
  readonly missed?: MissionDefinition['missed']
  readonly catchUp?: number
  readonly maxLatenessMs?: number | null
  readonly known?: readonly string[]
}

function ask({
  cadence = hourly,
  zone = 'UTC',
  since,
  now,
  missed = 'once',
  catchUp = 10,
  maxLatenessMs = null,
  known = [],
}: Asked): DuePlan {
  const timing = timingOf({ cadence, zone }, utc('2026-01-01T00:00:00'))
  if (timing === null) return expect.fail('it has no instants')
  const definition = { missed, catchUp, maxLatenessMs }
  return dueOf({ definition, timing, claimedUntil: utc(since), now: utc(now), known: new Set(known.map(utc)) })
}

/** `09:00 queued`, one a row. */
function told({ instants }: DuePlan): readonly string[] {
  return instants.map(({ instant, state }) => `${new Date(instant).toISOString().slice(11, 16)} ${state}`)
}

test('nothing is due between two instants, and the next one is told', () => {
  expect(ask({ since: '2026-02-03T09:00:00', now: '2026-02-03T09:59:59' })).toEqual({
    instants: [],
    claimedUntil: utc('2026-02-03T09:00:00'),
    nextFireAt: utc('2026-02-03T10:00:00'),
  })
})

test('an instant is due from its very millisecond on', () => {
  const plan = ask({ since: '2026-02-03T09:00:00', now: '2026-02-03T10:00:00' })
  expect(told(plan)).toEqual(['10:00 queued'])
  expect(plan).toMatchObject({ claimedUntil: utc('2026-02-03T10:00:00'), nextFireAt: utc('2026-02-03T11:00:00') })
})

test.each([
  [
    'once, within half the period',
    { now: '2026-02-03T12:20:00' },
    ['10:00 coalesced', '11:00 coalesced', '12:00 queued'],
  ],
  ['once, to the millisecond of half the period', { now: '2026-02-03T10:30:00' }, ['10:00 queued']],
  ['once, a millisecond later than that', { now: '2026-02-03T10:30:00.001' }, ['10:00 missed']],
  ['once, all too late', { now: '2026-02-03T12:40:00' }, ['10:00 missed', '11:00 missed', '12:00 missed']],
  [
    'once, with a lateness of its own',
    { now: '2026-02-03T12:40:00', maxLatenessMs: hour },
    ['10:00 coalesced', '11:00 coalesced', '12:00 queued'],
  ],
  ['skip, on time', { now: '2026-02-03T10:01:00', missed: 'skip' }, ['10:00 queued']],
  ['skip, a millisecond late', { now: '2026-02-03T10:01:00.001', missed: 'skip' }, ['10:00 missed']],
  ['skip, with an old one', { now: '2026-02-03T11:00:30', missed: 'skip' }, ['10:00 missed', '11:00 queued']],
  [
    'all, at most two',
    { now: '2026-02-03T12:40:00', missed: 'all', catchUp: 2 },
    ['10:00 missed', '11:00 queued', '12:00 queued'],
  ],
  [
    'all, not older than an hour and a half',
    { now: '2026-02-03T12:40:00', missed: 'all', maxLatenessMs: 90 * minute },
    ['10:00 missed', '11:00 missed', '12:00 queued'],
  ],
  [
    'once, with one that a person skipped',
    { now: '2026-02-03T11:05:00', known: ['2026-02-03T10:00:00'] },
    ['11:00 queued'],
  ],
  ['once, the only one skipped', { now: '2026-02-03T10:05:00', known: ['2026-02-03T10:00:00'] }, []],
] as const)('%s', (_name, asked, expected) => {
  expect(told(ask({ since: '2026-02-03T09:00:00', ...asked }))).toEqual(expected)
})

test('after three days off an hourly mission catches up 10 of 12 hours, and tells of every instant', () => {
  const plan = ask({ since: '2026-02-03T09:00:00', now: '2026-02-06T09:20:00', missed: 'all' })
  expect(plan.instants).toHaveLength(72)
  expect(plan.instants.filter(({ state }) => state === 'queued')).toHaveLength(10)
  const reasons = plan.instants.flatMap(({ state, reason }) => (state === 'missed' ? [reason] : []))
  expect(reasons.at(-1)).toContain('more than the 10')
  expect(reasons[0]).toContain('later than it may run')
})

test('what is caught up is at most 12 hours old, and a mission of every minute is never too late within its minute', () => {
  const daily = { cadence: { kind: 'cron', expression: '0 9 * * *' }, since: '2026-02-03T09:00:00' } as const
  expect(told(ask({ ...daily, now: '2026-02-04T21:00:00' }))).toEqual(['09:00 queued'])
  expect(limits.firingLatenessMs).toBe(12 * hour)
  expect(told(ask({ ...daily, now: '2026-02-04T21:00:00.001' }))).toEqual(['09:00 missed'])
  const minutely = { cadence: { kind: 'cron', expression: '* * * * *' }, since: '2026-02-03T09:00:00' } as const
  expect(told(ask({ ...minutely, now: '2026-02-03T09:01:59' }))).toEqual(['09:01 queued'])
  expect(told(ask({ ...minutely, now: '2026-02-03T09:02:01' }))).toEqual(['09:01 coalesced', '09:02 queued'])
})

test('a stretch of more instants than there may be rows is told in one, and the newest ones each by itself', () => {
  const minutely = { cadence: { kind: 'cron', expression: '* * * * *' }, since: '2026-02-03T00:00:00' } as const
  const rows = limits.firingRows
  const at = (minutes: number) => new Date(utc('2026-02-03T00:00:00') + minutes * minute).toISOString().slice(0, -1)
  const exact = ask({ ...minutely, now: at(rows) })
  expect(exact.instants).toHaveLength(rows)
  expect(exact.instants[0]).toMatchObject({ until: null })
  const one = ask({ ...minutely, now: at(rows + 1) })
  expect(one.instants).toHaveLength(rows + 1)
  expect(one.instants[0]).toMatchObject({ state: 'missed', instant: utc(at(1)), until: null })
  const more = ask({ ...minutely, now: at(rows + 500) })
  expect(more.instants).toHaveLength(rows + 1)
  expect(more.instants[0]).toMatchObject({ state: 'missed', instant: utc(at(1)), until: utc(at(500)) })
  expect(more.instants[1]).toMatchObject({ instant: utc(at(501)), until: null })
  expect(more.instants.at(-1)).toMatchObject({ state: 'queued', instant: utc(at(rows + 500)) })
})

test('the next instant is not one that a person skipped', () => {
  const plan = ask({ since: '2026-02-03T09:00:00', now: '2026-02-03T09:10:00', known: ['2026-02-03T10:00:00'] })
  expect(plan.nextFireAt).toBe(utc('2026-02-03T11:00:00'))
})

test('one time that is past has no next instant; an interval goes on from where it was saved', () => {
  const once = { cadence: { kind: 'once', day: '2026-02-03', time: '10:00' }, zone: 'Europe/Berlin' } as const
  expect(ask({ ...once, since: '2026-02-03T08:00:00', now: '2026-02-03T08:30:00' }).nextFireAt).toBe(
    utc('2026-02-03T09:00:00'),
  )
  const past = ask({ ...once, since: '2026-02-03T08:00:00', now: '2026-02-03T09:00:05' })
  expect(told(past)).toEqual(['09:00 queued'])
  expect(past.nextFireAt).toBeNull()
  const every = ask({
    cadence: { kind: 'every', everyMs: 90 * minute },
    since: '2026-01-01T00:00:00',
    now: '2026-01-01T03:10:00',
  })
  expect(told(every)).toEqual(['01:30 coalesced', '03:00 queued'])
  expect(every.nextFireAt).toBe(utc('2026-01-01T04:30:00'))
})

test('once at a time that the clocks skip is at the first instant after the gap', () => {
  const gap = timingOf({ cadence: { kind: 'once', day: '2026-03-29', time: '02:30' }, zone: 'Europe/Berlin' }, 0)
  expect(gap?.after(0)).toBe(utc('2026-03-29T01:00:00'))
  const twice = timingOf({ cadence: { kind: 'once', day: '2026-10-25', time: '02:30' }, zone: 'Europe/Berlin' }, 0)
  expect(twice?.after(0)).toBe(utc('2026-10-25T00:30:00'))
})

test('however a stretch of time is cut into ticks, each instant is told once and the pointer never goes back', () => {
  const cadences: readonly Cadence[] = [
    hourly,
    { kind: 'every', everyMs: 7 * minute },
    { kind: 'cron', expression: '*/20 8-17 * * 1-5' },
  ]
  const steps = fc.array(fc.integer({ min: 1, max: 5 * 3_600 }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(
      fc.constantFrom(...cadences),
      fc.constantFrom('skip', 'once', 'all'),
      steps,
      (cadence, missed, seconds) => {
        const timing = timingOf({ cadence, zone: 'America/New_York' }, 0)
        if (timing === null) return false
        let now = utc('2026-03-07T20:00:00')
        let claimedUntil = now
        const seen: number[] = []
        for (const step of seconds) {
          now += step * 1_000
          const definition = { missed, catchUp: 3, maxLatenessMs: null }
          const plan = dueOf({ definition, timing, claimedUntil, now, known: new Set() })
          seen.push(...plan.instants.map(({ instant }) => instant))
          if (plan.claimedUntil < claimedUntil || (plan.nextFireAt ?? 0) <= now) return false
          claimedUntil = plan.claimedUntil
        }
        const expected: number[] = []
        for (let at = timing.after(utc('2026-03-07T20:00:00')); at !== null && at <= now; at = timing.after(at))
          expected.push(at)
        return JSON.stringify(seen) === JSON.stringify(expected)
      },
    ),
    { numRuns: 20 },
  )
})

test('a mission is overdue once an instant has been due for longer than a minute', () => {
  const nextFireAt = utc('2026-02-03T10:00:00')
  expect(isOverdue({ nextFireAt }, nextFireAt + limits.firingGraceMs)).toBe(false)
  expect(isOverdue({ nextFireAt }, nextFireAt + limits.firingGraceMs + 1)).toBe(true)
  expect(isOverdue({ nextFireAt: null }, nextFireAt)).toBe(false)
})

test.each([
  ['90 minutes', 90 * minute, '90 minutes'],
  ['6 h', 6 * hour, '6 hours'],
  ['2days', 48 * hour, '2 days'],
  ['60 s', minute, '1 minute'],
  ['1 hour', hour, '1 hour'],
  ['', null, null],
  ['90', null, null],
  ['-1 h', null, null],
  ['1 fortnight', null, null],
])('“%s” is %s ms', (text, ms, words) => {
  expect(durationOf(text)).toBe(ms)
  expect(ms === null ? null : durationWords(ms)).toBe(words)
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runAction } from './project.ts'

const time = (asked: object) => runAction('time', asked)

it('now, in the zone of the user and in another', async () => {
  expect(await time({ op: 'now' })).toEqual({
    iso: '2025-06-15T14:30:00+02:00',
    date: '2025-06-15',
    time: '14:30:00',
    weekday: 'Sunday',
    week: 24,
    dayOfYear: 166,
    timeZone: 'Europe/Berlin',
  })
  expect(await time({ op: 'now', timeZone: 'Pacific/Auckland' })).toMatchObject({
    iso: '2025-06-16T00:30:00+12:00',
    weekday: 'Monday',
  })
})

describe('add', () => {
  it.each([
    [{ days: 1 }, { from: '2025-06-15', iso: '2025-06-16', date: '2025-06-16', weekday: 'Monday' }],
    [
      { date: 'today', weeks: '-2' },
      { date: '2025-06-01', weekday: 'Sunday' },
    ],
    [{ date: '2024-01-31', months: 1 }, { date: '2024-02-29' }],
    [{ date: '2024-02-29', years: 1 }, { date: '2025-02-28' }],
    [{ date: '2024-12-31', days: 1 }, { date: '2025-01-01' }],
    [{ date: 'yesterday' }, { date: '2025-06-14' }],
    [{ hours: 2 }, { from: '2025-06-15T14:30:00+02:00', iso: '2025-06-15T16:30:00+02:00', time: '16:30:00' }],
    [{ date: '2025-03-30T01:30', hours: 1 }, { iso: '2025-03-30T03:30:00+02:00' }],
    [{ date: '2025-03-29T12:00', days: 1 }, { iso: '2025-03-30T12:00:00+02:00' }],
    [{ date: '2025-06-15T14:30:00Z', minutes: 30 }, { iso: '2025-06-15T17:00:00+02:00' }],
    [{ date: '2025-06-15 09:00', minutes: -90, timeZone: 'UTC' }, { iso: '2025-06-15T07:30:00+00:00' }],
    [{ date: '0004-02-28', days: 1 }, { date: '0004-02-29' }],
  ])('%j', async (asked, expected) => {
    expect(await time({ op: 'add', ...asked })).toMatchObject(expected)
  })
})

describe('diff', () => {
  it.each([
    [
      { date: '2025-06-15', to: '2025-12-24' },
      { days: 192, weeks: 27, months: 6, years: 0, weekdays: 137 },
    ],
    [{ to: '2025-06-16' }, { from: '2025-06-15', days: 1, weekdays: 0, text: '1 day, 0 of them Monday to Friday' }],
    [{ date: '2025-06-01' }, { to: '2025-06-15', days: 14, text: '14 days (2 weeks), 10 of them Monday to Friday' }],
    [
      { date: '2025-06-15', to: '2025-06-05' },
      { days: -10, weeks: -1, weekdays: -7, text: '10 days back (1 week and 3 days), 7 of them Monday to Friday' },
    ],
    [
      { date: '2025-06-15', to: '2025-06-15' },
      { days: 0, weeks: 0, months: 0, years: 0, hours: 0, minutes: 0, weekdays: 0, text: 'the same day' },
    ],
    [
      { date: '2000-02-29', to: '2025-02-28' },
      { years: 25, months: 300 },
    ],
    [
      { date: '2025-03-29', to: '2025-03-31' },
      { days: 2, hours: 47 },
    ],
    [
      { date: '2025-06-15T23:00', to: '2025-06-16T01:30' },
      { days: 1, hours: 2, minutes: 150 },
    ],
    [{ date: '0001-01-01', to: '9999-12-31' }, { days: 3_652_058 }],
  ])('%j', async (asked, expected) => {
    expect(await time({ op: 'diff', ...asked })).toMatchObject(expected)
  })

  it('days and weekdays agree with walking day by day', async () => {
    const day = fc.integer({ min: 0, max: 30_000 })
    const iso = (number: number) => new Date(number * 86_400_000).toISOString().slice(0, 10)
    await fc.assert(
      fc.asyncProperty(day, fc.integer({ min: 0, max: 40 }), async (start, length) => {
        const walked = Array.from({ length }, (_, at) => new Date((start + at) * 86_400_000).getUTCDay())
        const weekdays = walked.filter((weekday) => weekday > 0 && weekday < 6).length
        const asked = { op: 'diff', timeZone: 'America/New_York' }
        expect(await time({ ...asked, date: iso(start), to: iso(start + length) })).toMatchObject({
          days: length,
          weekdays,
        })
        expect(await time({ ...asked, date: iso(start + length), to: iso(start) })).toMatchObject({
          days: -length || 0,
          weekdays: -weekdays || 0,
        })
      }),
    )
  })
})

it.each([
  ['2024-12-30', { weekday: 'Monday', week: 1, dayOfYear: 365, leapYear: true }],
  ['2025-06-15', { weekday: 'Sunday', week: 24, leapYear: false }],
  ['tomorrow', { date: '2025-06-16', weekday: 'Monday' }],
])('weekday of %s', async (date, expected) => {
  expect(await time({ op: 'weekday', date })).toMatchObject(expected)
})

it.each([
  [{ op: 'later' }],
  [{ op: 'diff' }],
  [{ op: 'weekday', date: '2023-02-29' }],
  [{ op: 'weekday', date: '31.12.2024' }],
  [{ op: 'weekday', date: 'soon' }],
  [{ op: 'weekday', date: 'constructor' }],
  [{ op: 'now', timeZone: 'Mars/Olympus' }],
  [{ op: 'add', years: 9_000 }],
  [{ op: 'add', days: 1.5 }],
  [{ op: 'add', days: 1_000_001 }],
])('%j is refused', async (asked) => {
  await expect(time(asked)).rejects.toMatchObject({ code: 'action.args' })
})

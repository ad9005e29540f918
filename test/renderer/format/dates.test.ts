import { describe, expect, test } from 'vitest'
import {
  dateGroupOf,
  daysBetween,
  groupByDate,
  momentText,
  relativeText,
  zonedMoment,
} from '../../../renderer/format/dates.ts'

const now = new Date(2026, 10, 26, 14, 36).getTime()
const at = (day: number, hour = 12, minute = 0) => new Date(2026, 10, day, hour, minute).getTime()

describe('groups of a list', () => {
  test.each([
    [at(26, 0, 1), 'Today'],
    [at(25, 23, 59), 'Yesterday'],
    [at(25, 0, 0), 'Yesterday'],
    [at(24), 'Last week'],
    [at(19), 'Last week'],
    [at(18), 'Older'],
    [at(30), 'Today'],
  ])('%i is in %s', (instant, group) => {
    expect(dateGroupOf(instant, now)).toBe(group)
  })

  test('groups stand in order, without empty ones, and rows keep theirs', () => {
    const rows = [at(26, 9), at(26, 8), at(20), at(1)]
    const groups = groupByDate(rows, (row) => row, now)
    expect(groups.map(({ group }) => group)).toEqual(['Today', 'Last week', 'Older'])
    expect(groups[0]?.rows).toEqual([at(26, 9), at(26, 8)])
  })

  test('days are counted by the calendar, over a change of the clock too', () => {
    expect(daysBetween(new Date(2026, 9, 24, 23, 30).getTime(), new Date(2026, 9, 25, 0, 30).getTime())).toBe(1)
    expect(daysBetween(new Date(2026, 2, 28).getTime(), new Date(2026, 2, 30).getTime())).toBe(2)
  })
})

test.each([
  [at(26, 9, 5), '09:05'],
  [at(25, 16, 20), 'yesterday 16:20'],
  [at(20), 'Fri'],
])('what was done at %i is told by its day as well', (instant, text) => {
  expect(momentText(instant, now)).toBe(text)
})

test.each([
  ['2026-11-26T09:05Z', 'Europe/Lisbon', '09:05'],
  ['2026-11-26T02:00Z', 'America/New_York', 'yesterday 21:00'],
  ['2026-11-26T19:30Z', 'Asia/Kolkata', 'tomorrow 01:00'],
  ['2026-12-02T09:00Z', 'UTC', 'Wed 09:00'],
  ['2026-11-20T09:00Z', 'UTC', 'Fri 09:00'],
  ['2026-12-03T09:00Z', 'UTC', '03 Dec 09:00'],
])('%s in %s is %s: by the days and the clocks of the zone', (instant, zone, text) => {
  expect(zonedMoment(Date.parse(instant), Date.parse('2026-11-26T14:36Z'), zone)).toBe(text)
})

describe('relative time', () => {
  test.each([
    [now - 5_000, 'now'],
    [now - 4 * 60_000, '4 min'],
    [at(26, 11, 30), '3 h'],
    [at(25, 16, 20), '16:20'],
    [at(20), 'Fri'],
    [at(9), '09 Nov'],
    [new Date(2025, 10, 9).getTime(), '09 Nov 2025'],
  ])('%i reads %s', (instant, text) => {
    expect(relativeText(instant, now)).toBe(text)
  })

  test('just before midnight is minutes ago, not yesterday', () => {
    expect(relativeText(at(25, 23, 50), at(26, 0, 10))).toBe('20 min')
  })
})

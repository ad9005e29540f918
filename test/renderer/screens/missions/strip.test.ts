import { describe, expect, test } from 'vitest'
import type { Firing, FiringState } from '../../../../core/domain/mission.ts'
import {
  type CellLook,
  dayLook,
  daysOf,
  dayText,
  loomOf,
  zoneClock,
} from '../../../../renderer/screens/missions/strip.ts'

const zone = 'Asia/Kolkata'
const today = Date.parse('2026-02-05T00:00+05:30')
const midnights = Array.from({ length: 8 }, (_each, index) => today + (index - 4) * 86_400_000)
const minute = 60_000
const hour = 60 * minute

function firing(instant: number, state: FiringState = 'ran', of: Partial<Firing> = {}) {
  return { instant, until: null, state, reason: null, ...of }
}
interface Cut {
  readonly firingsFrom?: number
  readonly plannedUntil?: number
}
const read = (
  firings: readonly ReturnType<typeof firing>[],
  planned: readonly number[] = [],
  { firingsFrom = midnights[0] ?? 0, plannedUntil = midnights[7] ?? 0 }: Cut = {},
) => daysOf({ midnights, firings, firingsFrom, planned, plannedUntil })
const clock = zoneClock(zone)

describe('the seven days of a mission', () => {
  test.each<[readonly FiringState[], number, CellLook, string]>([
    [[], 0, 'none', 'nothing'],
    [[], 2, 'planned', '2 planned'],
    [['ran', 'ran'], 1, 'ran', '2 ran, 1 planned'],
    [['ran', 'late'], 0, 'late', '1 ran, 1 late'],
    [['ran', 'skipped'], 0, 'ran', '1 ran, 1 skipped'],
    [['coalesced', 'cancelled'], 0, 'left', '1 merged, 1 cancelled'],
    [['ran', 'running'], 0, 'live', '1 ran, 1 at work'],
    [['ran', 'missed'], 0, 'missed', '1 ran, 1 missed'],
    [['missed', 'failed'], 0, 'failed', '1 failed, 1 missed'],
    [['blocked'], 0, 'failed', '1 blocked'],
    [['unknown'], 0, 'failed', '1 unknown'],
  ])('a day of %j with %i planned is %s: %s', (states, planned, look, text) => {
    const plans = Array.from({ length: planned }, (_each, index) => today + (20 + index) * hour)
    const days = read(
      states.map((state, index) => firing(today + index * hour, state)),
      plans,
    )
    const day = days[4] ?? expect.fail('no today')
    expect(dayLook(day)).toBe(look)
    expect(dayText(day)).toBe(text)
    expect(days.filter((_each, index) => index !== 4).map(dayLook)).toEqual(Array.from({ length: 6 }, () => 'none'))
  })

  test('a row that stands for a stretch is in each of its days', () => {
    const from = (midnights[1] ?? 0) + hour
    const days = read([firing(from, 'missed', { until: (midnights[3] ?? 0) + hour })])
    expect(days.map(dayLook)).toEqual(['none', 'missed', 'missed', 'missed', 'none', 'none', 'none'])
  })

  test('where not all was read, no day says a number as if it were all', () => {
    const firings = [9, 8, 7].map((at) => firing((midnights[3] ?? 0) + at * hour))
    const plans = [9, 10].map((at) => (midnights[5] ?? 0) + at * hour)
    const cut = { firingsFrom: (midnights[3] ?? 0) + 7 * hour, plannedUntil: (midnights[5] ?? 0) + 11 * hour }
    const days = read(firings, plans, cut)
    expect(days.map(dayLook)).toEqual(['unread', 'unread', 'unread', 'ran', 'none', 'planned', 'unread'])
    expect(days.map(dayText)).toEqual([
      ...[
        'not counted',
        'not counted',
        'not counted',
        'at least 3 ran',
        'nothing',
        'at least 2 planned',
        'not counted',
      ],
    ])
    expect(read(firings, plans).map(dayText)).toEqual([
      ...['nothing', 'nothing', 'nothing', '3 ran', 'nothing', '2 planned', 'nothing'],
    ])
  })
})

describe('the loom', () => {
  test('has a column for each quarter of an hour in which a mission fires, and a title with the reason', () => {
    const firings = [
      firing(today + 9 * hour + 15 * minute, 'failed', { reason: 'rate limit' }),
      firing(today + 9 * hour),
    ]
    const days = read(firings, [today + 16 * hour + 45 * minute])
    const { bucketMinutes, columns, rows } = loomOf(days, clock)
    expect(bucketMinutes).toBe(15)
    expect(columns).toHaveLength(32)
    expect(columns[0]).toBe(9 * 60)
    expect(rows[4]?.[0]).toEqual({ look: 'ran', title: '09:00 ran' })
    expect(rows[4]?.[1]).toEqual({ look: 'failed', title: '09:15 failed: rate limit' })
    expect(rows[4]?.[31]).toEqual({ look: 'planned', title: '16:45 planned' })
    expect(rows[3]?.[0]).toEqual({ look: 'none', title: '' })
  })

  test('of every minute of a day stays as wide as there is room for, and a cell shows the worst of what it stands for', () => {
    const planned = Array.from({ length: 1_440 }, (_each, index) => today + index * minute)
    const { bucketMinutes, columns, rows } = loomOf(read([firing(today, 'missed')], planned), clock)
    expect(bucketMinutes).toBe(60)
    expect(columns).toHaveLength(24)
    expect(rows[4]?.[0]).toEqual({ look: 'missed', title: '1 missed, 60 planned' })
  })

  test('of a mission that never fired has no column', () => {
    expect(loomOf(read([]), clock).columns).toEqual([])
  })

  test('a part of a day that was not read shows that, by the clocks of the zone', () => {
    const firings = [firing(today + 9 * hour), firing(today + 8 * hour)]
    const planned = [today + 20 * hour]
    const cut = { firingsFrom: today + 8 * hour, plannedUntil: today + 21 * hour }
    const { columns, rows } = loomOf(
      read([...firings, firing((midnights[3] ?? 0) + 7 * hour)], [...planned, (midnights[5] ?? 0) + 22 * hour], cut),
      clock,
    )
    expect([columns[0], columns.at(-1)]).toEqual([7 * 60, 22 * 60])
    const looks = (rows[4] ?? []).map(({ look }) => look)
    expect(looks.slice(0, 4)).toEqual(['unread', 'ran', 'ran', 'none'])
    expect(looks.slice(-3)).toEqual(['planned', 'unread', 'unread'])
    expect(rows[4]?.[0]?.title).toBe('not counted')
  })
})

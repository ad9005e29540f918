import { describe, expect, test } from 'vitest'
import type { Firing, FiringState } from '../../../../core/domain/mission.ts'
import { type CellLook, dayLook, daysOf, dayText, loomOf } from '../../../../renderer/screens/missions/strip.ts'
import { midnightsAround } from '../../../../renderer/state/missions.ts'
import { noon } from '../../support.ts'

const midnights = midnightsAround(noon)
const minute = 60_000
const hour = 60 * minute

function firing(instant: number, state: FiringState = 'ran', of: Partial<Firing> = {}) {
  return { instant, until: null, state, reason: null, ...of }
}
const read = (firings: readonly ReturnType<typeof firing>[], planned: readonly number[] = []) => ({
  firings: firings.map((each, index) => ({ ...each, id: `fir_${index}`, threadId: null })),
  planned,
})
const clock = (at: number) => `${new Date(at).getHours()}:${String(new Date(at).getMinutes()).padStart(2, '0')}`

describe('the seven days of a mission', () => {
  test('are four before today, today and two to come, from midnight to midnight', () => {
    expect(midnights).toHaveLength(8)
    expect(midnights.map((at) => new Date(at).getHours())).toEqual(Array.from({ length: 8 }, () => 0))
    expect(new Date(midnights[4] ?? 0).getDate()).toBe(new Date(noon).getDate())
  })

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
    const today = midnights[4] ?? 0
    const plans = Array.from({ length: planned }, (_each, index) => today + (20 + index) * hour)
    const days = daysOf(
      read(
        states.map((state, index) => firing(today + index * hour, state)),
        plans,
      ),
      midnights,
    )
    const day = days[4] ?? expect.fail('no today')
    expect(dayLook(day)).toBe(look)
    expect(dayText(day)).toBe(text)
    expect(days.filter((_each, index) => index !== 4).map(dayLook)).toEqual(Array.from({ length: 6 }, () => 'none'))
  })

  test('a row that stands for a stretch is in each of its days', () => {
    const from = (midnights[1] ?? 0) + hour
    const days = daysOf(read([firing(from, 'missed', { until: (midnights[3] ?? 0) + hour })]), midnights)
    expect(days.map(dayLook)).toEqual(['none', 'missed', 'missed', 'missed', 'none', 'none', 'none'])
  })

  test('of days before the oldest row of a full page nothing is said', () => {
    const page = Array.from({ length: 3 }, (_each, index) => firing((midnights[3] ?? 0) + (9 - index) * hour))
    expect(daysOf(read(page), midnights, 3).map(dayLook)).toEqual([
      ...['unread', 'unread', 'unread'],
      ...['ran', 'none', 'none', 'none'],
    ])
    expect(daysOf(read(page), midnights, 4).map(dayLook)[0]).toBe('none')
  })
})

describe('the loom', () => {
  test('has a column for each quarter of an hour in which a mission fires, and a title with the reason', () => {
    const today = midnights[4] ?? 0
    const firings = [
      firing(today + 9 * hour + 15 * minute, 'failed', { reason: 'rate limit' }),
      firing(today + 9 * hour),
    ]
    const days = daysOf(read(firings, [today + 16 * hour + 45 * minute]), midnights)
    const { bucketMinutes, columns, rows } = loomOf(days, clock)
    expect(bucketMinutes).toBe(15)
    expect(columns).toHaveLength(32)
    expect(columns[0]).toBe(9 * 60)
    expect(rows[4]?.[0]).toEqual({ look: 'ran', title: '9:00 ran' })
    expect(rows[4]?.[1]).toEqual({ look: 'failed', title: '9:15 failed: rate limit' })
    expect(rows[4]?.[31]).toEqual({ look: 'planned', title: '16:45 planned' })
    expect(rows[3]?.[0]).toEqual({ look: 'none', title: '' })
  })

  test('of every minute of a day stays as wide as there is room for, and a cell shows the worst of what it stands for', () => {
    const today = midnights[4] ?? 0
    const planned = Array.from({ length: 1_440 }, (_each, index) => today + index * minute)
    const { bucketMinutes, columns, rows } = loomOf(daysOf(read([firing(today, 'missed')], planned), midnights), clock)
    expect(bucketMinutes).toBe(60)
    expect(columns).toHaveLength(24)
    expect(rows[4]?.[0]).toEqual({ look: 'missed', title: '1 missed, 60 planned' })
  })

  test('of a mission that never fired has no column', () => {
    expect(loomOf(daysOf(read([]), midnights), clock).columns).toEqual([])
  })
})

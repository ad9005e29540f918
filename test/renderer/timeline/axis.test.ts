import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { axisOf, liveEndAt, toTime, toUnits } from '../../../renderer/timeline/axis.ts'
import { gapMarksOf, ticksOf } from '../../../renderer/timeline/ticks.ts'
import { createTimeline, putCalls } from '../../../renderer/timeline/timeline.ts'
import { header, row, startAt } from './course.ts'

function timelineWith(calls: readonly (readonly [from: number, to: number])[], endedAt: number | null = null) {
  const timeline = createTimeline(header({ endedAt: endedAt === null ? null : startAt + endedAt }))
  putCalls(
    timeline,
    calls.map(([from, to], step) => row({ step, from, to })),
  )
  return timeline
}

/** A minute of work, fourteen minutes of nothing, half a minute of work. */
const rested = timelineWith(
  [
    [0, 60_000],
    [900_000, 930_000],
  ],
  930_000,
)

describe('the work axis', () => {
  test('an idle time takes a small fixed share and keeps its length as a name', () => {
    const axis = axisOf(rested, 'work', startAt + 930_000)
    expect(axis.gaps).toHaveLength(1)
    expect(gapMarksOf(axis, { from: 0, to: axis.total })).toEqual([
      { fromPercent: expect.closeTo(60.67, 1), toPercent: expect.closeTo(69.67, 1), label: '14:00' },
    ])
  })

  test('rel and wall fold nothing', () => {
    for (const mode of ['rel', 'wall'] as const) {
      expect(axisOf(rested, mode, startAt + 930_000)).toMatchObject({ total: 930_000, gaps: [] })
    }
  })

  test('times beside overlapping calls are not idle, and short breaks are not folded', () => {
    const busy = timelineWith(
      [
        [0, 50_000],
        [1_000, 90_000],
        [90_900, 120_000],
      ],
      120_000,
    )
    expect(axisOf(busy, 'work', startAt + 120_000).gaps).toEqual([])
  })

  test('a running call is busy up to the end of the axis', () => {
    const timeline = createTimeline(header())
    putCalls(timeline, [row({ step: 0, from: 0, to: null })])
    expect(axisOf(timeline, 'work', startAt + 600_000).gaps).toEqual([])
  })

  test('however many gaps there are, work keeps most of the line', () => {
    const calls = Array.from({ length: 50 }, (_, at) => [at * 60_000, at * 60_000 + 1_000] as const)
    const axis = axisOf(timelineWith(calls, 2_941_000), 'work', startAt + 2_941_000)
    const folded = axis.gaps.reduce((sum, gap) => sum + gap.toUnits - gap.fromUnits, 0)
    expect(axis.gaps).toHaveLength(49)
    expect(folded / axis.total).toBeLessThanOrEqual(0.4001)
  })

  test('every instant has one place and every place one instant, in order', () => {
    const times = fc.array(fc.tuple(fc.integer({ min: 0, max: 90_000 }), fc.integer({ min: 1, max: 20_000 })), {
      minLength: 1,
      maxLength: 12,
    })
    fc.assert(
      fc.property(
        times,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (pieces, a, b) => {
          let at = 0
          const calls = pieces.map(([idle, busy]) => {
            at += idle + busy
            return [at - busy, at] as const
          })
          const axis = axisOf(timelineWith(calls, at), 'work', startAt + at)
          const [early, late] = [startAt + Math.min(a, b) * at, startAt + Math.max(a, b) * at]
          expect(toUnits(axis, early)).toBeLessThanOrEqual(toUnits(axis, late))
          expect(toTime(axis, toUnits(axis, early))).toBeCloseTo(early, 0)
          expect(toUnits(axis, startAt)).toBe(0)
          expect(toUnits(axis, startAt + at)).toBeCloseTo(axis.total, 6)
        },
      ),
    )
  })
})

describe('ticks', () => {
  const whole = (mode: 'rel' | 'work' | 'wall') => {
    const axis = axisOf(rested, mode, startAt + 930_000)
    return { axis, range: { from: 0, to: axis.total } }
  }

  test('stand at round times, about as far apart as asked', () => {
    const { axis, range } = whole('rel')
    expect(ticksOf(axis, range, { widthPx: 520 }).map(({ label }) => label)).toEqual([
      '2:00',
      '4:00',
      '6:00',
      '8:00',
      '10:00',
      '12:00',
      '14:00',
    ])
  })

  test('none stands in or beside a gap, and real time goes on behind it', () => {
    const { axis, range } = whole('work')
    const [gap] = gapMarksOf(axis, range)
    const ticks = ticksOf(axis, range, { widthPx: 520 })
    for (const { percent } of ticks)
      expect(percent < (gap?.fromPercent ?? 0) || percent > (gap?.toPercent ?? 0)).toBe(true)
    expect(ticks.map(({ label }) => label)).toEqual(['0:15', '0:30', '0:45', '15:15'])
  })

  test('a window of a few ms names ms', () => {
    const axis = axisOf(timelineWith([[0, 40]], 40), 'rel', startAt + 40)
    expect(ticksOf(axis, { from: 0, to: 40 }, { widthPx: 300 }).map(({ label }) => label)).toEqual([
      '10 ms',
      '20 ms',
      '30 ms',
    ])
  })

  test('years in one window still give few ticks', () => {
    const axis = axisOf(timelineWith([[0, 1]], 3e11), 'rel', startAt + 3e11)
    expect(ticksOf(axis, { from: 0, to: axis.total }, { widthPx: 1_000 }).length).toBeLessThan(25)
  })
})

test('a live axis ends after now and moves in steps', () => {
  const ends = new Set<number>()
  for (let now = 0; now <= 64_000; now += 100) {
    const end = liveEndAt(startAt, startAt + now)
    expect(end).toBeGreaterThan(startAt + now)
    expect(end - startAt).toBeLessThan(Math.max(1_000, now) * 1.16 + 1)
    ends.add(end)
  }
  expect(ends.size).toBeLessThan(60)
})

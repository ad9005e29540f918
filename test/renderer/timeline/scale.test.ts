import { describe, expect, test } from 'vitest'
import type { CallRow } from '../../../core/domain/thread.ts'
import { axisOf } from '../../../renderer/timeline/axis.ts'
import { criticalPathOf } from '../../../renderer/timeline/critical-path.ts'
import { overviewColumns } from '../../../renderer/timeline/overview.ts'
import { nextFailure, rowsOf } from '../../../renderer/timeline/rows.ts'
import type { Span } from '../../../renderer/timeline/span.ts'
import { createTimeline, putCalls, putEvent, type Timeline } from '../../../renderer/timeline/timeline.ts'
import { actionFinished, header, row, startAt } from './course.ts'

const callsPerStep = 3

/** A timeline whose spans count how often they are looked at from now on. */
function counted(rows: readonly CallRow[]) {
  const count = { reads: 0 }
  const plain = createTimeline(header())
  putCalls(plain, rows)
  const spans = new Proxy<Span[]>([...plain.spans], {
    get(target, key, receiver) {
      if (typeof key === 'string' && /^\d+$/.test(key)) count.reads += 1
      return Reflect.get(target, key, receiver)
    },
  })
  const timeline: Timeline = { ...plain, spans }
  return { timeline, count }
}

function rowsOfThread(steps: number): readonly CallRow[] {
  return Array.from({ length: steps }, (_, step) => step).flatMap((step) => [
    row({ step, from: step * 100, to: step * 100 + 40, inputTokens: 10 }),
    row({ step, path: '1', from: step * 100 + 41, to: step * 100 + 60 }),
    row({ step, path: '2', from: step * 100 + 41, to: step * 100 + 90, state: step % 997 === 3 ? 'failed' : 'done' }),
  ])
}

const everything = { folded: new Set<number>(), hiddenKinds: new Set<Span['kind']>(), query: '' }
const works = {
  'building from pages': (timeline: Timeline, steps: number) => putCalls(timeline, rowsOfThread(steps)),
  rows: (timeline: Timeline) => rowsOf(timeline, everything),
  'rows of a search': (timeline: Timeline) => rowsOf(timeline, { ...everything, query: 'read_file' }),
  'the work axis': (timeline: Timeline, steps: number) => axisOf(timeline, 'work', startAt + steps * 100),
  'the critical path': (timeline: Timeline, steps: number) => criticalPathOf(timeline, startAt + steps * 100),
  'the next error': (timeline: Timeline) => nextFailure(timeline, 0, 1),
  overview: (timeline: Timeline, steps: number) =>
    overviewColumns(timeline, axisOf(timeline, 'rel', startAt + steps * 100), {
      widthPx: 1_000,
      now: startAt,
      isLive: false,
    }),
}

function readsOf(name: keyof typeof works, steps: number): number {
  const { timeline, count } = counted(name === 'building from pages' ? [] : rowsOfThread(steps))
  works[name](timeline, steps)
  return count.reads
}

describe('50,000 rows', () => {
  const steps = 50_000 / (callsPerStep + 1)

  test.each([
    'building from pages',
    'rows',
    'rows of a search',
    'the work axis',
    'the critical path',
    'the next error',
    'overview',
  ] as const)('%s looks at each span a fixed number of times', (name) => {
    const [half, whole] = [readsOf(name, steps / 2), readsOf(name, steps)]
    expect(whole).toBeLessThan(steps * (callsPerStep + 1) * 12)
    expect(whole / half).toBeLessThan(2.1)
  })

  test('one event more looks at its own step only', () => {
    const { timeline, count } = counted(rowsOfThread(steps))
    putEvent(timeline, actionFinished(9_999_999, steps * 100, { step: steps - 1, path: '1', ok: true, durationMs: 5 }))
    expect(count.reads).toBeLessThan(20)
  })
})

describe('the overview', () => {
  test('a failure among thousands is still seen, and the shortest call takes a column', () => {
    const timeline = createTimeline(header({ endedAt: startAt + 1_000_000 }))
    putCalls(timeline, rowsOfThread(10_000))
    const axis = axisOf(timeline, 'rel', startAt + 1_000_000)
    const [thread, models, , parallel] = overviewColumns(timeline, axis, { widthPx: 300, now: 0, isLive: false })
    expect(parallel?.filter((ink) => ink === 4).length).toBeGreaterThanOrEqual(10)
    expect(models?.every((ink) => ink === 2)).toBe(true)
    expect(thread?.filter((ink) => ink === 1).length).toBe(299)
  })

  test('idle times are blank', () => {
    const timeline = createTimeline(header({ endedAt: startAt + 100_000 }))
    putCalls(timeline, [row({ step: 0, from: 0, to: 10_000 }), row({ step: 1, from: 90_000, to: 100_000 })])
    const axis = axisOf(timeline, 'rel', startAt + 100_000)
    const [, models] = overviewColumns(timeline, axis, { widthPx: 100, now: 0, isLive: false })
    expect([...(models ?? [])].slice(10, 90).every((ink) => ink === 0)).toBe(true)
  })
})

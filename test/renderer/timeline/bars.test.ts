import { describe, expect, test } from 'vitest'
import { axisOf } from '../../../renderer/timeline/axis.ts'
import { laneOf, type View } from '../../../renderer/timeline/bars.ts'
import { createTimeline, putCalls, putEvent, spanAt, type Timeline } from '../../../renderer/timeline/timeline.ts'
import { call, event, header, row, startAt } from './course.ts'

function viewOf(timeline: Timeline, endMs: number, patch: Partial<View> = {}): View & { isFolded: boolean } {
  const axis = axisOf(timeline, 'rel', startAt + endMs)
  return { axis, range: { from: 0, to: axis.total }, now: startAt + endMs, isLive: false, isFolded: false, ...patch }
}

function timelineWith(rows: Parameters<typeof row>[0][], endedAt: number | null = null): Timeline {
  const timeline = createTimeline(header({ endedAt: endedAt === null ? null : startAt + endedAt }))
  putCalls(timeline, rows.map(row))
  return timeline
}

describe('a model call', () => {
  test('is pale until its first token', () => {
    const timeline = timelineWith([{ step: 0, from: 100, to: 900, firstTokenAt: startAt + 300 }])
    const { bars } = laneOf(timeline, call(timeline, 0, '0'), viewOf(timeline, 1_000))
    expect(bars.map(({ look, left, width }) => [look, left, width])).toEqual([
      ['model', 10, expect.closeTo(80)],
      ['pre', 10, expect.closeTo(20)],
    ])
  })

  test('that came in one piece is not split', () => {
    const timeline = timelineWith([{ step: 0, from: 100, to: 900, firstTokenAt: startAt + 899 }])
    expect(laneOf(timeline, call(timeline, 0, '0'), viewOf(timeline, 1_000)).bars).toMatchObject([{ look: 'model' }])
  })

  test('that runs without a token yet is pale up to now', () => {
    const timeline = timelineWith([{ step: 0, from: 500, to: null }])
    const { bars } = laneOf(timeline, call(timeline, 0, '0'), viewOf(timeline, 1_000, { isLive: true }))
    expect(bars).toMatchObject([{ look: 'pre', left: 50, width: 50, isLive: true }])
  })

  test('shows the engine’s back-off as its own texture between the attempts, and names it', () => {
    const timeline = timelineWith([{ step: 0, from: 0, to: 1_000 }])
    putEvent(timeline, event(7, 100, 'model.retried', { step: 0, attempt: 1, waitMs: 400, code: 'model.rate_limit' }))
    const { bars, note } = laneOf(timeline, call(timeline, 0, '0'), viewOf(timeline, 1_000))
    expect(bars.map(({ look, left, width }) => [look, left, width])).toEqual([
      ['model', 0, 10],
      ['backoff', 10, 40],
      ['model', 50, 50],
    ])
    expect(note?.text).toBe('model.rate_limit once, 400 ms back-off')
  })
})

describe('any call', () => {
  test('that failed says its code beside its outlined bar', () => {
    const timeline = timelineWith([{ step: 0, path: '1', from: 0, to: 500, state: 'failed' }])
    const lane = laneOf(timeline, { ...call(timeline, 0, '1'), code: 'action.binary' }, viewOf(timeline, 1_000))
    expect(lane.bars).toMatchObject([{ look: 'action', isFailed: true }])
    expect(lane.note).toEqual({ text: 'action.binary', tone: 'bad', at: 50 })
  })

  test('without an end on record is not drawn up to now when nothing runs any more', () => {
    const timeline = timelineWith([{ step: 0, path: '1', from: 200, to: null }])
    const lane = laneOf(timeline, call(timeline, 0, '1'), viewOf(timeline, 1_000))
    expect(lane.bars).toMatchObject([{ look: 'open', left: 20, width: 0 }])
    expect(lane.note?.text).toBe('end not recorded')
  })

  test('outside of the window leaves a mark that says where it is', () => {
    const timeline = timelineWith([
      { step: 0, path: '1', from: 0, to: 1_000 },
      { step: 1, path: '1', from: 90_000, to: 91_000 },
    ])
    const view = viewOf(timeline, 100_000, { range: { from: 20_000, to: 40_000 } })
    expect(laneOf(timeline, call(timeline, 0, '1'), view).outside).toEqual({ side: 'left', label: '0:00' })
    expect(laneOf(timeline, call(timeline, 1, '1'), view).outside).toEqual({ side: 'right', label: '1:30' })
  })
})

describe('thread and steps', () => {
  test('the thread’s line leaves out rests and folded gaps, and hatches the slot wait', () => {
    const timeline = timelineWith(
      [
        { step: 0, from: 1_000, to: 2_000 },
        { step: 1, from: 8_000, to: 9_000 },
      ],
      10_000,
    )
    putEvent(timeline, event(1, 0, 'slot.queued', { ahead: 1 }))
    putEvent(timeline, event(2, 1_000, 'slot.acquired', { waitedMs: 1_000 }))
    putEvent(timeline, event(3, 3_000, 'thread.state', { from: 'Running', to: 'Suspended' }))
    putEvent(timeline, event(4, 7_000, 'thread.state', { from: 'Suspended', to: 'Running' }))
    const { bars, note } = laneOf(timeline, spanAt(timeline, 0), viewOf(timeline, 10_000))
    expect(bars.map(({ look, left, width }) => [look, left, width])).toEqual([
      ['slot', 0, 10],
      ['thread', 10, 20],
      ['thread', 70, 30],
    ])
    expect(note?.text).toBe('slot wait 1.0 s')
  })

  test('a folded step shows its calls as thin bars', () => {
    const timeline = timelineWith([
      { step: 0, from: 0, to: 400 },
      { step: 0, path: '1', from: 500, to: 600, state: 'failed' },
    ])
    const { bars } = laneOf(timeline, spanAt(timeline, 1), { ...viewOf(timeline, 1_000), isFolded: true })
    expect(bars).toMatchObject([
      { look: 'model', isThin: true, isFailed: false },
      { look: 'action', isThin: true, isFailed: true },
    ])
  })
})

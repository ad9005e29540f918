import { describe, expect, test } from 'vitest'
import {
  createTimeline,
  putCalls,
  putEvent,
  putFirstToken,
  putHeader,
  spanAt,
} from '../../../renderer/timeline/timeline.ts'
import {
  actionFinished,
  actionStarted,
  call,
  event,
  header,
  modelCompleted,
  outline,
  row,
  startAt,
  stepStarted,
} from './course.ts'

describe('the tree', () => {
  test('reads thread, steps in order, and in each step the model call before its actions in the order asked', () => {
    const timeline = createTimeline(header())
    putCalls(timeline, [
      row({ step: 1, from: 900, to: 950 }),
      row({ step: 0, path: '10', from: 130, to: 140 }),
      row({ step: 0, path: '2', from: 120, to: 150 }),
      row({ step: 0, from: 0, to: 100 }),
    ])
    expect(outline(timeline)).toEqual([
      'thread #1',
      '  step 1',
      '    0 planner',
      '    2 read_file',
      '    10 read_file',
      '  step 2',
      '    0 planner',
    ])
  })

  test('a model call that is made again after a crash begins again, and the history tells of it', () => {
    const timeline = createTimeline(header())
    putEvent(timeline, stepStarted(2, 10, 0))
    putEvent(timeline, event(5, 400, 'step.restarted', { step: 0 }))
    expect(call(timeline, 0, '0')).toMatchObject({ startedAt: startAt + 400, startSeq: 2, endedAt: null })
    expect(timeline.notes.map(({ kind }) => kind)).toContain('step.restarted')
  })

  test('a step lasts from its first call to the end of its last, and has no end while one runs', () => {
    const timeline = createTimeline(header())
    putCalls(timeline, [row({ step: 0, from: 10, to: 100 }), row({ step: 0, path: '1', from: 110, to: 400 })])
    putCalls(timeline, [row({ step: 1, from: 500, to: 600 }), row({ step: 1, path: '1', from: 610, to: null })])
    const [, first, , , second] = timeline.spans
    expect(first).toMatchObject({ startedAt: startAt + 10, endedAt: startAt + 400, state: 'done' })
    expect(second).toMatchObject({ startedAt: startAt + 500, endedAt: null, state: 'started' })
  })

  test('tokens and errors add up to step and thread, and a page that comes twice is counted once', () => {
    const timeline = createTimeline(header())
    const rows = [
      row({ step: 0, from: 0, to: 10, inputTokens: 100, outputTokens: 7 }),
      row({ step: 0, path: '1', from: 11, to: 12, state: 'failed' }),
      row({ step: 1, from: 20, to: 30, inputTokens: 50, outputTokens: 3 }),
      row({ step: 1, path: '1', from: 31, to: 32, state: 'refused' }),
    ]
    putCalls(timeline, rows)
    putCalls(timeline, rows)
    expect(spanAt(timeline, 0)).toMatchObject({ inputTokens: 150, outputTokens: 10, errors: 2 })
    expect(timeline.spans).toHaveLength(7)
  })
})

test('a step is called by what its model said, else by what it did', () => {
  const timeline = createTimeline(header())
  putCalls(timeline, [row({ step: 0, from: 0, to: 10 })])
  putCalls(
    timeline,
    ['1', '2', '3'].map((path) => row({ step: 0, path, from: 11, to: 12, name: path === '3' ? 'table' : 'read_file' })),
  )
  expect(timeline.spans[1]?.summary).toBe('read_file ×2, table')
  putEvent(timeline, modelCompleted(2, 10, { step: 0, durationMs: 10 }))
  expect(timeline.spans[1]?.summary).toBe('said')
})

describe('events', () => {
  test('a call is there from its start, and its end changes only its own line and those above it', () => {
    const timeline = createTimeline(header())
    for (const one of [stepStarted(1, 0, 0), modelCompleted(2, 50, { step: 0, durationMs: 50 })])
      putEvent(timeline, one)
    putEvent(timeline, actionStarted(3, 60, 0, '1'))
    putEvent(timeline, actionStarted(4, 60, 0, '2'))
    const [before, other] = [call(timeline, 0, '1'), call(timeline, 0, '2')]
    expect(before).toMatchObject({ state: 'started', endedAt: null, summary: 'docs' })
    putEvent(timeline, actionFinished(5, 90, { step: 0, path: '1', ok: true, durationMs: 30 }))
    expect(call(timeline, 0, '1')).toMatchObject({ state: 'done', endedAt: startAt + 90, outcome: '2 kB', endSeq: 5 })
    expect(call(timeline, 0, '2')).toBe(other)
  })

  test('a page read before the end of a call does not take the end back', () => {
    const timeline = createTimeline(header())
    putEvent(timeline, actionStarted(3, 60, 0, '1'))
    putEvent(timeline, actionFinished(5, 90, { step: 0, path: '1', ok: false, durationMs: 30 }))
    putCalls(timeline, [row({ step: 0, path: '1', from: 60, to: null, startSeq: 3 })])
    expect(call(timeline, 0, '1')).toMatchObject({ state: 'failed', code: 'action.failed', endedAt: startAt + 90 })
  })

  test('an event of a newer version is passed over', () => {
    const timeline = createTimeline(header())
    const strange = { ...event(9, 0, 'status', { text: 'x' }), data: { ahead: 3 } }
    expect(putEvent(timeline, strange)).toBe(false)
    expect(timeline.notes).toEqual([])
  })

  test('a note that comes twice stands once, in the order of the log', () => {
    const timeline = createTimeline(header())
    const [first, second] = [event(1, 0, 'status', { text: 'a' }), event(2, 5, 'status', { text: 'b' })]
    for (const one of [second, first, second]) putEvent(timeline, one)
    expect(timeline.notes).toEqual([first, second])
  })

  test('the engine’s own back-offs belong to the model call, in time order', () => {
    const timeline = createTimeline(header())
    putEvent(timeline, stepStarted(1, 0, 0))
    putEvent(
      timeline,
      event(3, 2_500, 'model.retried', { step: 0, attempt: 2, waitMs: 4_000, code: 'model.rate_limit' }),
    )
    putEvent(timeline, event(2, 100, 'model.retried', { step: 0, attempt: 1, waitMs: 2_000, code: 'model.rate_limit' }))
    putEvent(timeline, modelCompleted(4, 8_000, { step: 0, durationMs: 8_000, firstTokenMs: 7_000 }))
    const { backOffs, firstTokenAt } = call(timeline, 0, '0')
    expect(backOffs.map(({ waitMs }) => waitMs)).toEqual([2_000, 4_000])
    expect(firstTokenAt).toBe(startAt + 7_000)
  })

  test('the first live text marks the first token until the finished call says it exactly', () => {
    const timeline = createTimeline(header())
    putEvent(timeline, stepStarted(1, 0, 0))
    putFirstToken(timeline, 0, startAt + 480)
    putFirstToken(timeline, 0, startAt + 900)
    expect(call(timeline, 0, '0').firstTokenAt).toBe(startAt + 480)
    putEvent(timeline, modelCompleted(2, 1_000, { step: 0, durationMs: 1_000, firstTokenMs: 450 }))
    expect(call(timeline, 0, '0').firstTokenAt).toBe(startAt + 450)
  })

  test('a step that recovery begins again counts from its second start', () => {
    const timeline = createTimeline(header())
    putEvent(timeline, stepStarted(1, 0, 0))
    putEvent(timeline, event(2, 60_000, 'thread.recovered', { step: 0, lostCalls: ['0'] }))
    putEvent(timeline, stepStarted(3, 60_010, 0))
    putEvent(timeline, modelCompleted(4, 60_110, { step: 0, durationMs: 100 }))
    expect(call(timeline, 0, '0')).toMatchObject({ startedAt: startAt + 60_010, endedAt: startAt + 60_110 })
  })
})

describe('the thread’s own line', () => {
  test('slot waits and suspensions are pauses; an open one has no end', () => {
    const timeline = createTimeline(header())
    putEvent(timeline, event(1, 0, 'thread.state', { from: 'Created', to: 'Running' }))
    putEvent(timeline, event(2, 0, 'slot.queued', { ahead: 2 }))
    expect(timeline.pauses).toEqual([{ why: 'slot', startedAt: startAt, endedAt: null }])
    putEvent(timeline, event(3, 4_400, 'slot.acquired', { waitedMs: 4_400 }))
    putEvent(timeline, event(4, 5_000, 'thread.state', { from: 'Running', to: 'Suspended' }))
    putEvent(timeline, event(5, 9_000, 'thread.state', { from: 'Suspended', to: 'Running' }))
    expect(timeline.pauses).toEqual([
      { why: 'slot', startedAt: startAt, endedAt: startAt + 4_400 },
      { why: 'suspended', startedAt: startAt + 5_000, endedAt: startAt + 9_000 },
    ])
  })

  test('follows the header and keeps its sums', () => {
    const timeline = createTimeline(header())
    putCalls(timeline, [row({ step: 0, from: 0, to: 10, inputTokens: 5 })])
    putHeader(timeline, header({ state: 'Failed', outcome: 'failed', endedAt: startAt + 20 }))
    expect(spanAt(timeline, 0)).toMatchObject({ state: 'failed', endedAt: startAt + 20, inputTokens: 5 })
  })
})

import { describe, expect, test } from 'vitest'
import type { CallRow } from '../../../core/domain/thread.ts'
import { axisOf } from '../../../renderer/timeline/axis.ts'
import { laneOf, type View } from '../../../renderer/timeline/bars.ts'
import { burnLinesOf, shareLeft } from '../../../renderer/timeline/budget.ts'
import { rowsOf } from '../../../renderer/timeline/rows.ts'
import {
  childrenOf,
  createTimeline,
  openChild,
  putCalls,
  putEvent,
  spanAt,
  type Timeline,
} from '../../../renderer/timeline/timeline.ts'
import { call, event, header, row, startAt, stepStarted } from './course.ts'

const policy = { verdict: 'ask', check: 'approval', reason: 'It writes.', effects: ['WriteLocal'] } as const
const place = (path: string) => ({ step: 0, path, callId: path, name: 'write_file' })
const requested = (seq: number, at: number, path: string) =>
  event(seq, at, 'approval.requested', {
    ...place(path),
    ...{ approvalId: 'a1', argsHash: 'h', summary: 'a.md', policy, scopeKey: null, undo: '', expiresAt: 0 },
  })
const decided = (seq: number, at: number, path: string, state: 'approved' | 'denied') =>
  event(seq, at, 'approval.decided', {
    ...place(path),
    ...{ approvalId: 'a1', state, scope: 'once', reason: null, argsHash: 'h' },
  })
const began = (seq: number, at: number, path: string) =>
  event(seq, at, 'action.started', {
    ...place(path),
    ...{ argsHash: 'h', leaseId: 'L', usesLeft: 1, policy, summary: 'a.md' },
  })
const ended = (seq: number, at: number, path: string, ok: boolean) =>
  event(seq, at, 'action.finished', {
    ...place(path),
    ...{ ok, durationMs: 1, summary: ok ? 'written' : 'denied' },
    ...(ok ? {} : { code: 'approval.denied' as const }),
  })
const state = (seq: number, at: number, from: 'Running' | 'Waiting', to: 'Running' | 'Waiting') =>
  event(seq, at, 'thread.state', { from, to })

/** The tree as a person reads it, with everything open. */
function outline(timeline: Timeline): readonly string[] {
  const { ids, levels } = rowsOf(timeline, { folded: new Set(), hiddenKinds: new Set(), query: '' })
  return [...ids].map((id, at) => {
    const { kind, path, name } = spanAt(timeline, id)
    return `${'  '.repeat((levels[at] ?? 1) - 1)}${kind} ${path || name}`
  })
}

function viewOf(timeline: Timeline, endAt: number, mode: 'wall' | 'work' = 'wall'): View & { isFolded: boolean } {
  const axis = axisOf(timeline, mode, startAt + endAt)
  return { axis, range: { from: 0, to: axis.total }, now: startAt + endAt, isLive: true, isFolded: false }
}
const looks = (timeline: Timeline, path: string, endAt: number) =>
  laneOf(timeline, call(timeline, 0, path), viewOf(timeline, endAt)).bars.map(({ look, left, width }) => [
    ...[look, Math.round(left), Math.round(width)],
  ])

describe('what code calls', () => {
  const rows = [
    row({ step: 0, path: '1.10', from: 60, to: 70, startSeq: 9 }),
    row({ step: 0, path: '1.3.2', from: 40, to: 45, startSeq: 7 }),
    row({ step: 0, path: '1.3.1', from: 40, to: 50, startSeq: 6 }),
    row({ step: 0, path: '1', from: 20, to: 90, kind: 'code', startSeq: 4 }),
    row({ step: 0, path: '1.2', from: 30, to: 35, startSeq: 5 }),
    row({ step: 0, path: '0.1', from: 0, to: 3, kind: 'query', startSeq: 2 }),
    row({ step: 0, path: '0', from: 4, to: 10 }),
  ]
  const tree = ['thread thread #1', '  step step 1', '    query 0.1', '    model 0', '    code 1']
  const nested = ['      action 1.2', '      action 1.3.1', '      action 1.3.2', '      action 1.10']

  test('stands below it in the order called, whichever row comes first; a compaction stands before the model call that it made room for', () => {
    for (const order of [rows, rows.toReversed()]) {
      const timeline = createTimeline(header())
      putCalls(timeline, order)
      expect(outline(timeline)).toEqual([...tree, ...nested])
    }
  })

  test('counts once in the step, and its failure counts too', () => {
    const timeline = createTimeline(header())
    const failed: CallRow = { ...row({ step: 0, path: '1.4', from: 52, to: 55, inputTokens: 10 }), state: 'failed' }
    putCalls(timeline, [...rows, failed])
    expect(timeline.spans[0]).toMatchObject({ inputTokens: 10, errors: 1 })
  })

  test('a match inside of it shows with everything above it', () => {
    const timeline = createTimeline(header())
    putCalls(timeline, [...rows, row({ step: 0, path: '1.4', from: 52, to: 55, name: 'move' })])
    const found = rowsOf(timeline, { folded: new Set(), hiddenKinds: new Set(), query: 'move' })
    expect([...found.ids].map((id) => spanAt(timeline, id).path || spanAt(timeline, id).kind)).toEqual([
      ...['thread', 'step', '1', '1.4'],
    ])
  })
})

describe('a call that asks', () => {
  const asking = [state(1, 0, 'Waiting', 'Running'), stepStarted(2, 0, 0), requested(3, 100, '1')]

  test('is a dotted wait until it is answered, then what ran', () => {
    const timeline = createTimeline(header())
    for (const one of asking) putEvent(timeline, one)
    expect(call(timeline, 0, '1')).toMatchObject({ state: 'waiting', asked: { at: startAt + 100, until: null } })
    expect(looks(timeline, '1', 200)).toEqual([['approval', 50, 50]])
    for (const one of [decided(4, 150, '1', 'approved'), began(5, 160, '1'), ended(6, 200, '1', true)])
      putEvent(timeline, one)
    expect(call(timeline, 0, '1')).toMatchObject({ state: 'done', summary: 'a.md', outcome: 'written' })
    expect(looks(timeline, '1', 200)).toEqual([
      ['approval', 50, 30],
      ['action', 80, 20],
    ])
  })

  test('that was denied is the wait alone, and says so', () => {
    const timeline = createTimeline(header())
    for (const one of [...asking, decided(4, 150, '1', 'denied'), ended(5, 150, '1', false)]) putEvent(timeline, one)
    const lane = laneOf(timeline, call(timeline, 0, '1'), viewOf(timeline, 200))
    expect(lane.bars.map(({ look }) => look)).toEqual(['approval'])
    expect(lane.note).toMatchObject({ text: 'you denied it' })
  })

  test('inside of code makes the code wait, and the work axis folds that time', () => {
    const timeline = createTimeline(header())
    putEvent(timeline, event(1, 0, 'code.started', { step: 0, path: '1', sha256: 'x', lines: 2 }))
    putEvent(timeline, requested(2, 1_000, '1.1'))
    putEvent(timeline, state(3, 1_000, 'Running', 'Waiting'))
    expect(call(timeline, 0, '1').state).toBe('waiting')
    const [gap, ...more] = axisOf(timeline, 'work', startAt + 600_000).gaps
    expect(more).toEqual([])
    expect(gap).toMatchObject({ startedAt: startAt + 1_000, endedAt: startAt + 600_000 })
    for (const one of [decided(4, 600_000, '1.1', 'approved'), began(5, 600_010, '1.1')]) putEvent(timeline, one)
    putEvent(timeline, state(6, 600_000, 'Waiting', 'Running'))
    expect(call(timeline, 0, '1').state).toBe('started')
  })

  test('shows when a person took its effect back', () => {
    const timeline = createTimeline(header())
    for (const one of [...asking, decided(4, 150, '1', 'approved'), began(5, 160, '1'), ended(6, 200, '1', true)])
      putEvent(timeline, one)
    putEvent(timeline, event(7, 900, 'effect.undone', { step: 0, path: '1', trashId: 't', file: 'a.md' }))
    expect(call(timeline, 0, '1')).toMatchObject({ state: 'done', undoneAt: startAt + 900 })
  })
})

describe('a child', () => {
  const spawned = event(3, 20, 'child.spawned', { step: 0, path: '1.1', childId: 't2', number: 2, summary: 'Check' })
  const ofChild = { ...stepStarted(5, 30, 0), threadId: 't2' }

  test('is a row until it is opened; then its own calls stand below it, live ones too', () => {
    const timeline = createTimeline(header())
    putEvent(timeline, event(2, 10, 'code.started', { step: 0, path: '1', sha256: 'x', lines: 1 }))
    putEvent(timeline, spawned)
    expect(putEvent(timeline, ofChild)).toBe(false)
    expect(openChild(timeline, 't2')).toBe(true)
    expect(putEvent(timeline, ofChild)).toBe(true)
    putCalls(timeline, [row({ step: 0, from: 30, to: 40, inputTokens: 70, startSeq: 5, endSeq: 6 })], 't2')
    const child = call(timeline, 0, '1.1')
    expect(childrenOf(timeline, child.id).map((id) => spanAt(timeline, id).name)).toEqual(['step 1'])
    expect(child).toMatchObject({ name: '#2', summary: 'Check', inputTokens: 70 })
    // What it used is its own: the parent's sums leave it out, as the store's do.
    expect(timeline.spans[0]?.inputTokens).toBe(0)
    expect(timeline.stepIds.size).toBe(1)
  })
})

test('the burn-down is made of checks alone: each limit that was ever checked, in order', () => {
  const timeline = createTimeline(header())
  expect(burnLinesOf(timeline)).toEqual([])
  const check = { scope: 'thread', kind: 'tokens', reserved: 10, limit: 100 } as const
  const checked = (seq: number, used: number, verdict: 'ok' | 'warn') =>
    event(seq, seq, 'budget.checked', { step: seq, path: '0', checks: [{ ...check, used, verdict }] })
  for (const one of [checked(2, 85, 'warn'), checked(1, 20, 'ok')]) putEvent(timeline, one)
  const [line, ...others] = burnLinesOf(timeline)
  expect(others).toEqual([])
  expect(line?.checks.map((one) => [one.step, shareLeft(one).toFixed(2), one.verdict])).toEqual([
    [1, '0.80', 'ok'],
    [2, '0.15', 'warn'],
  ])
})

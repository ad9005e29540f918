import { endStateOf } from '../../core/domain/calls.ts'
import type { CallKind, CallRow, CallState, ThreadHeader } from '../../core/domain/thread.ts'
import { type EventFacts, type Fact, factOf } from './fact.ts'
import { type BackOff, isFailure, type Pause, type Span, type SpanKind } from './span.ts'

/**
 * Everything that is known of one thread's course, from pages of the call index and from events, in any order and as often
 * as they come: a fact that is known already changes nothing. One fact touches its own span, its step and the thread.
 */
export interface Timeline {
  /** By id. `spans[0]` is the thread. */
  readonly spans: Span[]
  /** Ids of the spans below each span, in order. */
  readonly children: number[][]
  readonly pauses: Pause[]
  /** What is not a call: states, messages, leases, waits, recoveries; by seq. */
  readonly notes: EventFacts[]
  /** Counts up with every change, so that a view knows when to look again. */
  version: number
  readonly stepIds: Map<number, number>
  readonly callIds: Map<string, number>
  readonly noteSeqs: Set<number>
}

/** A timeline of a thread of which nothing but its header is known. */
export function createTimeline(header: ThreadHeader): Timeline {
  return {
    spans: [threadSpan(header)],
    children: [[]],
    pauses: [],
    notes: [],
    version: 0,
    stepIds: new Map(),
    callIds: new Map(),
    noteSeqs: new Set(),
  }
}

/** The thread's own line follows its header: state, begin and end. Everything else is summed from its steps. */
export function putHeader(timeline: Timeline, header: ThreadHeader): void {
  const old = spanAt(timeline, 0)
  const fresh = threadSpan(header)
  const { inputTokens, outputTokens, errors } = old
  timeline.spans[0] = { ...fresh, inputTokens, outputTokens, errors }
  timeline.version += 1
}

/** Adds rows of the call index, or what is new about rows that are there. */
export function putCalls(timeline: Timeline, rows: readonly CallRow[]): void {
  for (const row of rows) {
    const { kind, name, state, startedAt, firstTokenAt, endedAt, inputTokens, outputTokens, startSeq, endSeq } = row
    const known = callAt(timeline, row.step, row.path)
    // A page that was read before an event arrived must not take back what the event said.
    if (known?.endSeq && endSeq === null) continue
    putCall(timeline, {
      ...blankCall(row.step, row.path, kind),
      ...known,
      ...{ name, state, startedAt, firstTokenAt, endedAt, inputTokens, outputTokens, startSeq, endSeq },
      summary: row.summary || (known?.summary ?? ''),
    })
  }
}

/** Takes in one event; false when it changed nothing. */
export function putEvent(timeline: Timeline, header: EventFacts): boolean {
  const fact = factOf(header)
  if (fact === null) return false
  const before = timeline.version
  if (!putCallFact(timeline, header, fact)) putNote(timeline, header, fact)
  return timeline.version !== before
}

/** The first text of a model's answer came in; the completed call will say it more exactly. */
export function putFirstToken(timeline: Timeline, step: number, at: number): void {
  const known = callAt(timeline, step, '0')
  if (known && known.endedAt === null && known.firstTokenAt === null) putCall(timeline, { ...known, firstTokenAt: at })
}

export function spanAt(timeline: Timeline, id: number): Span {
  const span = timeline.spans[id]
  if (span === undefined) throw new RangeError(`no span ${id}`)
  return span
}

export function childrenOf(timeline: Timeline, id: number): readonly number[] {
  return timeline.children[id] ?? []
}

/** The call of a step by its path; '0' is the model call. */
export function callAt(timeline: Timeline, step: number, path: string): Span | undefined {
  const id = timeline.callIds.get(`${step}/${path}`)
  return id === undefined ? undefined : timeline.spans[id]
}

function putCallFact(timeline: Timeline, header: EventFacts, fact: Fact): boolean {
  const { at, seq } = header
  switch (fact.kind) {
    case 'step.started': {
      const call = callOr(timeline, fact.data.step, '0', 'model')
      if (call.startSeq < seq || call.startSeq === 0) startAgain(timeline, call, { at, seq, name: fact.data.model })
      return true
    }
    case 'step.restarted': {
      // It keeps the seq of its step's start, where the checkpoint stands; the history tells of it too.
      const call = callOr(timeline, fact.data.step, '0', 'model')
      if (call.startedAt < at) startAgain(timeline, call, { at, seq, name: call.name, startSeq: call.startSeq })
      return false
    }
    case 'model.retried': {
      const { step, attempt, waitMs, code } = fact.data
      const call = callOr(timeline, step, '0', 'model')
      if (call.backOffs.some((one) => one.at === at)) return true
      const backOffs = [...call.backOffs, { attempt, at, waitMs, code }].sort((a, b) => a.at - b.at)
      putCall(timeline, { ...call, backOffs })
      return true
    }
    case 'model.completed': {
      const { step, inputTokens, outputTokens, firstTokenMs, durationMs, preview, model } = fact.data
      const call = callOr(timeline, step, '0', 'model')
      const startedAt = call.startSeq === 0 ? at - durationMs : call.startedAt
      const firstTokenAt = firstTokenMs === null ? null : Math.max(startedAt, at - durationMs + firstTokenMs)
      const found = { name: model, startedAt, firstTokenAt, inputTokens, outputTokens, summary: preview }
      putCall(timeline, { ...call, ...found, state: 'done', endedAt: at, endSeq: seq })
      return true
    }
    case 'model.failed': {
      const { step, code, model } = fact.data
      const call = callOr(timeline, step, '0', 'model')
      putCall(timeline, {
        ...call,
        name: model,
        state: code === 'cancelled' ? 'cancelled' : 'failed',
        endedAt: at,
        endSeq: seq,
        code,
      })
      return true
    }
    case 'action.started': {
      const { step, path, name, summary } = fact.data
      const call = callOr(timeline, step, path, 'action')
      if (call.startSeq < seq || call.startSeq === 0) startAgain(timeline, { ...call, summary }, { at, seq, name })
      else putCall(timeline, { ...call, summary })
      return true
    }
    case 'action.finished': {
      const { step, path, name, summary, code } = fact.data
      const call = callOr(timeline, step, path, 'action')
      const state = endStateOf(fact.data)
      const startedAt = call.startSeq === 0 ? at - fact.data.durationMs : call.startedAt
      const found = { name, state, startedAt, outcome: summary, code: code ?? null }
      putCall(timeline, { ...call, ...found, endedAt: at, endSeq: seq })
      return true
    }
    default:
      return false
  }
}

/** A call is begun a second time only by recovery: its old end, if any, belongs to the attempt that was lost. */
interface Begun {
  readonly at: number
  readonly seq: number
  readonly name: string
  readonly startSeq?: number
}

function startAgain(timeline: Timeline, call: Span, begun: Begun): void {
  const { at: startedAt, seq, name, startSeq = seq } = begun
  if (call.endSeq !== null && call.endSeq > seq) {
    putCall(timeline, { ...call, name, startedAt, startSeq })
    return
  }
  const fresh = { state: 'started', firstTokenAt: null, endedAt: null, endSeq: null, code: null, outcome: '' } as const
  putCall(timeline, { ...call, ...fresh, name, startedAt, startSeq })
}

function putNote(timeline: Timeline, header: EventFacts, fact: Fact): void {
  if (timeline.noteSeqs.has(header.seq)) return
  timeline.noteSeqs.add(header.seq)
  insertBySeq(timeline.notes, header)
  if (fact.kind === 'slot.queued' || fact.kind === 'slot.acquired' || fact.kind === 'thread.state') readPauses(timeline)
  timeline.version += 1
}

/** Read anew from the notes: there are few of them, and pages may come in any order. */
function readPauses(timeline: Timeline): void {
  timeline.pauses.length = 0
  let open: { why: Pause['why']; startedAt: number } | null = null
  const close = (endedAt: number | null) => {
    if (open) timeline.pauses.push({ ...open, endedAt })
    open = null
  }
  for (const note of timeline.notes) {
    const fact = factOf(note)
    if (fact?.kind === 'slot.queued') {
      close(note.at)
      open = { why: 'slot', startedAt: note.at }
    } else if (fact?.kind === 'slot.acquired') {
      if (open === null && fact.data.waitedMs > 0) open = { why: 'slot', startedAt: note.at - fact.data.waitedMs }
      close(note.at)
    } else if (fact?.kind === 'thread.state') {
      const { to } = fact.data
      if (to === 'Waiting' || to === 'Suspended') {
        close(note.at)
        open = { why: to === 'Waiting' ? 'waiting' : 'suspended', startedAt: note.at }
      } else if (!(to === 'Running' && open?.why === 'slot')) close(note.at)
    }
  }
  close(null)
  // The thread's line shows the pauses, so it is a new span.
  timeline.spans[0] = { ...spanAt(timeline, 0) }
}

function insertBySeq(notes: EventFacts[], header: EventFacts): void {
  let at = notes.length
  while (at > 0 && (notes[at - 1]?.seq ?? 0) > header.seq) at -= 1
  notes.splice(at, 0, header)
}

function putCall(timeline: Timeline, call: Span): void {
  const key = `${call.step}/${call.path}`
  const stepId = stepIdOf(timeline, call)
  let id = timeline.callIds.get(key)
  if (id === undefined) {
    id = timeline.spans.length
    timeline.callIds.set(key, id)
    timeline.children.push([])
    insertOrdered(timeline, stepId, id, Number(call.path))
  }
  timeline.spans[id] = { ...call, id, parent: stepId, errors: isFailure(call.state) ? 1 : 0 }
  sumStep(timeline, stepId)
  timeline.version += 1
}

function stepIdOf(timeline: Timeline, call: Span): number {
  const known = timeline.stepIds.get(call.step)
  if (known !== undefined) return known
  const id = timeline.spans.length
  timeline.stepIds.set(call.step, id)
  timeline.children.push([])
  timeline.spans.push({
    ...blankCall(call.step, '', 'step'),
    id,
    name: `step ${call.step + 1}`,
    startedAt: call.startedAt,
  })
  insertOrdered(timeline, 0, id, call.step)
  return id
}

function insertOrdered(timeline: Timeline, parent: number, id: number, order: number): void {
  const list = timeline.children[parent]
  if (list === undefined) return
  const orderOf = (one: number) => {
    const span = timeline.spans[one]
    return span === undefined ? 0 : span.kind === 'step' ? span.step : Number(span.path)
  }
  let at = list.length
  while (at > 0 && orderOf(list[at - 1] ?? 0) > order) at -= 1
  list.splice(at, 0, id)
}

const worst: readonly CallState[] = ['started', 'failed', 'refused', 'interrupted', 'cancelled', 'done']

function sumStep(timeline: Timeline, stepId: number): void {
  const old = spanAt(timeline, stepId)
  let startedAt = Number.POSITIVE_INFINITY
  let endedAt: number | null = 0
  let [inputTokens, outputTokens, errors, startSeq, endSeq] = [0, 0, 0, 0, 0]
  let rank = worst.length - 1
  for (const id of childrenOf(timeline, stepId)) {
    const call = spanAt(timeline, id)
    if (call.startedAt < startedAt) startedAt = call.startedAt
    endedAt = endedAt === null || call.endedAt === null ? null : Math.max(endedAt, call.endedAt)
    inputTokens += call.inputTokens
    outputTokens += call.outputTokens
    errors += call.errors
    rank = Math.min(rank, worst.indexOf(call.state))
    startSeq = startSeq === 0 ? call.startSeq : Math.min(startSeq, call.startSeq)
    endSeq = Math.max(endSeq, call.endSeq ?? 0)
  }
  const sums = { inputTokens, outputTokens, errors }
  const range = { startedAt, endedAt, startSeq, endSeq: endSeq === 0 ? null : endSeq }
  const summary = stepSummary(childrenOf(timeline, stepId).map((id) => spanAt(timeline, id)))
  timeline.spans[stepId] = { ...old, ...sums, ...range, summary, state: worst[rank] ?? 'done' }
  const thread = spanAt(timeline, 0)
  timeline.spans[0] = {
    ...thread,
    inputTokens: thread.inputTokens + inputTokens - old.inputTokens,
    outputTokens: thread.outputTokens + outputTokens - old.outputTokens,
    errors: thread.errors + errors - old.errors,
  }
}

/** What the model said, else what it did: `read_file ×7, table`. */
function stepSummary(calls: readonly Span[]): string {
  const said = calls.find(({ kind }) => kind === 'model')?.summary ?? ''
  if (said !== '') return said
  const counts = new Map<string, number>()
  for (const { kind, name } of calls) if (kind === 'action') counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} ×${count}`)).join(', ')
}

function callOr(timeline: Timeline, step: number, path: string, kind: CallKind): Span {
  return callAt(timeline, step, path) ?? blankCall(step, path, kind)
}

function blankCall(step: number, path: string, kind: Exclude<SpanKind, 'thread'>): Span {
  return {
    ...{ id: -1, parent: 0, step, path, kind, name: '', summary: '', outcome: '', state: 'started' },
    ...{ startedAt: 0, firstTokenAt: null, endedAt: null, inputTokens: 0, outputTokens: 0 },
    ...{ startSeq: 0, endSeq: null, code: null, errors: 0, backOffs: noBackOffs },
  }
}
const noBackOffs: readonly BackOff[] = []

function threadSpan(header: ThreadHeader): Span {
  const ended = header.state === 'Done' || header.state === 'Completed' || header.state === 'Failed'
  const failed = header.state === 'Failed' || header.outcome === 'failed' || header.outcome === 'denied'
  return {
    ...blankCall(-1, '', 'step'),
    ...{ id: 0, kind: 'thread', parent: -1, name: `thread #${header.number}`, summary: header.title },
    state: failed ? 'failed' : header.outcome === 'stopped' ? 'cancelled' : ended ? 'done' : 'started',
    startedAt: header.createdAt,
    endedAt: header.endedAt,
  }
}

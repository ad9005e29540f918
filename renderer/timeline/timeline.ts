import type { CallRow, ThreadHeader } from '../../core/domain/thread.ts'
import { addFact, addRow, type CallRecord, callOf, createRecord, isNote, spanFactsOf } from './call-record.ts'
import { type EventFacts, type Fact, factOf } from './fact.ts'
import { pausesOf } from './pauses.ts'
import type { Timeline } from './shape.ts'
import type { Span } from './span.ts'
import { putSpan, threadSpan } from './tree.ts'

export type { Timeline } from './shape.ts'

/** A timeline of a thread of which nothing but its header is known. */
export function createTimeline(header: ThreadHeader): Timeline {
  return {
    threadId: header.id,
    spans: [threadSpan(header)],
    children: [[]],
    pauses: [],
    notes: [],
    version: 0,
    stepIds: new Map(),
    callIds: new Map(),
    childStepIds: new Map(),
    callsOfStep: new Map(),
    openChildren: new Map(),
    records: new Map(),
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

/** From now on the calls of a child stand below its row. False for one that no row is there for, or that is open already. */
export function openChild(timeline: Timeline, childId: string): boolean {
  if (timeline.openChildren.has(childId)) return false
  const row = timeline.spans.find((span) => span.childId === childId)
  if (row === undefined) return false
  timeline.openChildren.set(childId, row.id)
  return true
}

/** Adds rows of the call index of the thread or of an open child, or what is new about rows that are there. */
export function putCalls(timeline: Timeline, rows: readonly CallRow[], threadId = timeline.threadId): void {
  for (const row of rows) {
    const record = recordOf(timeline, threadId, row)
    addRow(record, row)
    putCall(timeline, threadId, record)
  }
}

/** Takes in one event; false when it changed nothing. */
export function putEvent(timeline: Timeline, header: EventFacts): boolean {
  const fact = factOf(header)
  const isOwn = header.threadId === timeline.threadId
  if (fact === null || !(isOwn || timeline.openChildren.has(header.threadId))) return false
  const before = timeline.version
  const place = callOf(fact)
  if (place !== null) {
    const record = recordOf(timeline, header.threadId, place)
    if (addFact(record, { ...fact, seq: header.seq, at: header.at })) putCall(timeline, header.threadId, record)
  }
  if (isOwn && isNote(fact)) putNote(timeline, header, fact)
  return timeline.version !== before
}

/** The first text of a model's answer came in; the completed call will say it more exactly. */
export function putFirstToken(timeline: Timeline, step: number, at: number): void {
  const known = callAt(timeline, step, '0')
  if (known === undefined || known.endedAt !== null || known.firstTokenAt !== null) return
  const record = recordOf(timeline, timeline.threadId, known)
  record.firstTokenAt = at
  putCall(timeline, timeline.threadId, record)
}

export function spanAt(timeline: Timeline, id: number): Span {
  const span = timeline.spans[id]
  if (span === undefined) throw new RangeError(`no span ${id}`)
  return span
}

export function childrenOf(timeline: Timeline, id: number): readonly number[] {
  return timeline.children[id] ?? []
}

/** A call of the thread itself by step and path; '0' is the model call. */
export function callAt(timeline: Timeline, step: number, path: string): Span | undefined {
  const id = timeline.callIds.get(callName(timeline.threadId, step, path))
  return id === undefined ? undefined : timeline.spans[id]
}

function callName(threadId: string, step: number, path: string): string {
  return `${threadId} ${step}/${path}`
}

/** Every call of a step, nested ones after what called them. */
export function callsOf(timeline: Timeline, stepId: number): readonly number[] {
  return timeline.callsOfStep.get(stepId) ?? []
}

/** The model call of a step; the step itself where none is known. A compaction may stand before it. */
export function modelOf(timeline: Timeline, stepId: number): Span {
  const id = callsOf(timeline, stepId).find((one) => spanAt(timeline, one).kind === 'model')
  return spanAt(timeline, id ?? stepId)
}

function recordOf(timeline: Timeline, threadId: string, { step, path }: { step: number; path: string }): CallRecord {
  const name = callName(threadId, step, path)
  const known = timeline.records.get(name)
  if (known !== undefined) return known
  const record = createRecord()
  timeline.records.set(name, record)
  return record
}

function putCall(timeline: Timeline, threadId: string, record: CallRecord): void {
  const facts = spanFactsOf(record)
  if (facts === null) return
  putSpan(timeline, { ...facts, threadId })
  timeline.version += 1
}

function putNote(timeline: Timeline, header: EventFacts, fact: Fact): void {
  if (timeline.noteSeqs.has(header.seq)) return
  timeline.noteSeqs.add(header.seq)
  insertBySeq(timeline.notes, header)
  if (fact.kind === 'slot.queued' || fact.kind === 'slot.acquired' || fact.kind === 'thread.state') {
    timeline.pauses.splice(0, timeline.pauses.length, ...pausesOf(timeline.notes))
  }
  // The thread's line shows pauses and marks, so it is a new span.
  timeline.spans[0] = { ...spanAt(timeline, 0) }
  timeline.version += 1
}

function insertBySeq(notes: EventFacts[], header: EventFacts): void {
  let at = notes.length
  while (at > 0 && (notes[at - 1]?.seq ?? 0) > header.seq) at -= 1
  notes.splice(at, 0, header)
}

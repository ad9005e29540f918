import { callAfter } from '../../core/domain/calls.ts'
import type { CallRow } from '../../core/domain/thread.ts'
import type { Fact } from './fact.ts'
import type { Asked, BackOff, Span } from './span.ts'

/** A fact with its place in the log. */
export type DatedFact = Fact & { readonly seq: number; readonly at: number }

/** All that is known of one call: its row of the index, its events in order, and what live text told. */
export interface CallRecord {
  row: CallRow | null
  readonly facts: DatedFact[]
  firstTokenAt: number | null
}

export function createRecord(): CallRecord {
  return { row: null, facts: [], firstTokenAt: null }
}

/** The call that a fact is about; null for one that is about none. */
export function callOf(fact: Fact): { readonly step: number; readonly path: string } | null {
  switch (fact.kind) {
    case 'step.started':
    case 'step.restarted':
    case 'model.retried':
    case 'model.completed':
    case 'model.failed':
      return { step: fact.data.step, path: '0' }
    case 'action.started':
    case 'action.finished':
    case 'approval.requested':
    case 'approval.decided':
    case 'effect.undone':
    case 'code.started':
    case 'code.finished':
    case 'query.started':
    case 'query.finished':
    case 'child.spawned':
    case 'child.finished':
      return fact.data
    default:
      return null
  }
}

/** Told in the thread's history as well. */
const alsoNotes: ReadonlySet<Fact['kind']> = new Set([
  'step.restarted',
  'approval.requested',
  'approval.decided',
  'effect.undone',
])
export function isNote(fact: Fact): boolean {
  return callOf(fact) === null || alsoNotes.has(fact.kind)
}

/** Takes a fact in at its place; false for one that is there already. */
export function addFact({ facts }: CallRecord, fact: DatedFact): boolean {
  let at = facts.length
  while (at > 0 && (facts[at - 1]?.seq ?? 0) > fact.seq) at -= 1
  if (facts[at - 1]?.seq === fact.seq) return false
  facts.splice(at, 0, fact)
  return true
}

/** Of two readings of a row the later one counts: ends are never taken back, but a call may begin again after a crash. */
export function addRow(record: CallRecord, row: CallRow): void {
  const { row: known } = record
  const isOlder = known !== null && lastSeqOf(known) > lastSeqOf(row)
  const reopens = known !== null && known.endedAt !== null && row.endedAt === null && row.startSeq <= known.startSeq
  if (!isOlder && !reopens) record.row = row
}

function lastSeqOf({ startSeq, endSeq }: CallRow): number {
  return endSeq ?? startSeq
}

/** A call as its row and its events tell it, in whichever order they came; null until it is known to have begun. */
export function spanFactsOf(record: CallRecord): Omit<Span, 'id' | 'parent' | 'threadId' | 'errors'> | null {
  const row = rowOf(record)
  if (row === undefined) return null
  const { facts } = record
  const isOpen = row.endedAt === null && row.firstTokenAt === null && row.kind === 'model'
  return {
    ...row,
    ...textsOf(row, facts),
    state: isStopped(facts) ? 'cancelled' : row.state,
    firstTokenAt: isOpen ? laterThan(record.firstTokenAt, row.startedAt) : row.firstTokenAt,
    code: codeOf(facts),
    backOffs: backOffsOf(facts),
    asked: askedOf(facts, row),
    undoneAt: facts.findLast(({ kind }) => kind === 'effect.undone')?.at ?? null,
  }
}

/** The one fold of the index, over what the row that was read does not hold yet. */
function rowOf({ row: read, facts }: CallRecord): CallRow | undefined {
  let row = read ?? undefined
  for (const fact of facts) {
    if (read !== null && isHeldBy(read, fact)) continue
    row = callAfter(() => row, fact) ?? row
  }
  return row
}

function isHeldBy(row: CallRow, fact: DatedFact): boolean {
  // What a stop or a crash cut off ends without an event of its own.
  const wasCutOff = row.endedAt !== null && row.endSeq === null
  return fact.seq <= lastSeqOf(row) || (wasCutOff && fact.at <= (row.endedAt ?? 0))
}

/** What was asked stays what it was asked: in the index what came of it takes its place. */
function textsOf(row: CallRow, facts: readonly DatedFact[]): Pick<Span, 'summary' | 'outcome'> {
  let [summary, outcome]: [string, string] = [row.summary, '']
  for (const fact of facts) {
    switch (fact.kind) {
      case 'action.started':
      case 'approval.requested':
      case 'child.spawned':
        summary = fact.data.summary
        break
      case 'model.completed':
        summary = fact.data.preview
        break
      case 'code.started':
        summary = `${fact.data.lines} ${fact.data.lines === 1 ? 'line' : 'lines'}`
        break
      case 'query.started':
        summary = fact.data.purpose === 'compaction' ? 'compaction' : ''
        break
      case 'action.finished':
      case 'code.finished':
      case 'query.finished':
      case 'child.finished':
        outcome = fact.data.summary
        break
      default:
    }
  }
  return { summary, outcome }
}

function isStopped(facts: readonly DatedFact[]): boolean {
  const last = facts.findLast(({ kind }) => kind === 'model.failed' || kind === 'step.started')
  return last?.kind === 'model.failed' && last.data.code === 'cancelled'
}

function codeOf(facts: readonly DatedFact[]): Span['code'] {
  for (const fact of facts.toReversed()) {
    if (fact.kind === 'model.failed') return fact.data.code
    if (fact.kind === 'action.finished' || fact.kind === 'query.finished') return fact.data.code ?? null
    if (fact.kind === 'step.started' || fact.kind === 'step.restarted' || fact.kind === 'action.started') return null
  }
  return null
}

function backOffsOf(facts: readonly DatedFact[]): readonly BackOff[] {
  const found = facts.flatMap((fact) => {
    if (fact.kind !== 'model.retried') return []
    const { attempt, waitMs, code } = fact.data
    return [{ attempt, at: fact.at, waitMs, code }]
  })
  return found.length === 0 ? noBackOffs : found.sort((a, b) => a.at - b.at)
}
const noBackOffs: readonly BackOff[] = []

/** Asked, then answered; after a yes it waits until it begins, as when the thread was not running. */
function askedOf(facts: readonly DatedFact[], row: CallRow): Asked | null {
  const request = facts.find((fact) => fact.kind === 'approval.requested')
  if (request?.kind !== 'approval.requested') return null
  const decided = facts.find((fact) => fact.kind === 'approval.decided')
  const began = facts.find(({ kind }) => kind === 'action.started' || kind === 'action.finished')
  const decision = decided?.kind === 'approval.decided' ? decided : null
  return {
    approvalId: request.data.approvalId,
    at: request.at,
    until: began?.at ?? (decision && row.endedAt !== null ? row.endedAt : null),
    state: decision?.data.state ?? 'pending',
    requestSeq: request.seq,
    decidedSeq: decision?.seq ?? null,
  }
}

function laterThan(at: number | null, startedAt: number): number | null {
  return at !== null && at >= startedAt ? at : null
}

import { callAfter, callKey } from '../../core/domain/calls.ts'
import type { CallRow } from '../../core/domain/thread.ts'
import type { PushedEvent } from '../engine/client.ts'
import type { CallTable, Known } from './model.ts'

/** Tables that this batch of events has made, and nobody has seen yet: a long thread's table is copied once a batch. */
export type FreshTables = Set<CallTable>

/** A call's row, begun or ended by an event. Threads whose calls nobody has asked for are left alone. */
export function foldCall(known: Known, event: PushedEvent, fresh: FreshTables): Known {
  const table = known.calls[event.threadId]
  const row = table && callAfter((key) => table[key], event)
  if (!row) return known
  const before = table[callKey(row)]
  if (before && event.kind !== 'step.restarted' && knowsAsMuch(before, row)) return known
  if (fresh.has(table)) {
    Object.assign(table, { [callKey(row)]: row })
    return known
  }
  const next = { ...table, [callKey(row)]: row }
  fresh.add(next)
  return { ...known, calls: { ...known.calls, [event.threadId]: next } }
}

/** A page and an event may arrive in either order: what a page has told of an end is not undone by an older event. */
function knowsAsMuch(before: CallRow, row: CallRow): boolean {
  return before.endSeq !== null || (row.endSeq === null && before.startSeq >= row.startSeq)
}

/** Rows that a call answered, laid over what events told: the row that knows more of the call wins. */
export function mergeCalls(known: Known, threadId: string, rows: readonly CallRow[]): Known {
  const table: Record<string, CallRow> = { ...known.calls[threadId] }
  for (const row of rows) {
    const before = table[callKey(row)]
    if (!before || before.endSeq === null) table[callKey(row)] = row
  }
  return { ...known, calls: { ...known.calls, [threadId]: table } }
}

import { endStateOf } from '../../core/domain/calls.ts'
import type { CallRow } from '../../core/domain/thread.ts'
import type { PushedEvent } from '../engine/client.ts'
import { type CallTable, callKey, type Known } from './model.ts'

type CallEvent = Extract<
  PushedEvent,
  {
    kind: 'step.started' | 'step.restarted' | 'model.completed' | 'model.failed' | 'action.started' | 'action.finished'
  }
>

/** A call's row, begun or ended by an event. Threads whose calls nobody has asked for are left alone. */
export function foldCall(known: Known, event: CallEvent): Known {
  const table = known.calls[event.threadId]
  if (!table) return known
  const row = rowAfter(table, event)
  if (!row) return known
  return { ...known, calls: { ...known.calls, [event.threadId]: { ...table, [callKey(row)]: row } } }
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

function rowAfter(table: CallTable, event: CallEvent): CallRow | null {
  switch (event.kind) {
    case 'step.started':
      return begun(table, event, { path: '0', kind: 'model', name: event.data.model, summary: '' })
    case 'step.restarted': {
      const row = table[callKey({ step: event.data.step, path: '0' })]
      return row
        ? { ...row, state: 'started', startedAt: event.at, firstTokenAt: null, endedAt: null, endSeq: null }
        : null
    }
    case 'action.started':
      return begun(table, event, {
        path: event.data.path,
        kind: 'action',
        name: event.data.name,
        summary: event.data.summary,
      })
    case 'model.completed':
      return ended(table, event, '0', {
        state: 'done',
        firstTokenAt: firstTokenAt(event.at, event.data),
        inputTokens: event.data.inputTokens,
        outputTokens: event.data.outputTokens,
        summary: event.data.preview,
      })
    case 'model.failed':
      return ended(table, event, '0', {
        state: event.data.code === 'cancelled' ? 'cancelled' : 'failed',
        summary: event.data.userMessage,
      })
    case 'action.finished':
      return ended(table, event, event.data.path, {
        state: endStateOf(event.data),
        ...(event.data.summary !== '' && { summary: event.data.summary }),
      })
  }
}

function begun(
  table: CallTable,
  event: Extract<CallEvent, { kind: 'step.started' | 'action.started' }>,
  call: Pick<CallRow, 'path' | 'kind' | 'name' | 'summary'>,
): CallRow | null {
  const { step } = event.data
  if (table[callKey({ step, path: call.path })]) return null
  return {
    ...call,
    step,
    state: 'started',
    startedAt: event.at,
    firstTokenAt: null,
    endedAt: null,
    inputTokens: 0,
    outputTokens: 0,
    startSeq: event.seq,
    endSeq: null,
  }
}

function ended(
  table: CallTable,
  event: Extract<CallEvent, { kind: 'model.completed' | 'model.failed' | 'action.finished' }>,
  path: string,
  outcome: Partial<CallRow>,
): CallRow | null {
  const row = table[callKey({ step: event.data.step, path })]
  if (!row || row.endSeq !== null) return null
  return { ...row, ...outcome, endedAt: event.at, endSeq: event.seq }
}

function firstTokenAt(at: number, data: { readonly durationMs: number; readonly firstTokenMs: number | null }) {
  return data.firstTokenMs === null ? null : at - data.durationMs + data.firstTokenMs
}

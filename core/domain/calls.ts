import type { ActionFinished, EventFact } from './event.ts'
import type { CallRow, CallState } from './thread.ts'

/** Rows by `step/path`; what `foldCall` works on. */
export type CallTable = Map<string, CallRow>

/** An event without its body. */
type DatedFact = EventFact & { readonly seq: number; readonly at: number }

export function callKey({ step, path }: Pick<CallRow, 'step' | 'path'>): string {
  return `${step}/${path}`
}

/**
 * One event's change of the table of calls, which is thereby a pure function of the log: the store keeps it as an index and
 * a reader folds what the index does not hold yet.
 */
export function foldCall(table: CallTable, event: DatedFact): void {
  const { seq, at } = event
  switch (event.kind) {
    case 'step.started': {
      const { step, model } = event.data
      put(table, { ...begun, step, path: '0', kind: 'model', name: model, startedAt: at, startSeq: seq })
      break
    }
    case 'step.restarted': {
      const row = table.get(callKey({ step: event.data.step, path: '0' }))
      if (row !== undefined) put(table, { ...row, ...open, startedAt: at })
      break
    }
    case 'model.completed': {
      const { step, inputTokens, outputTokens, firstTokenMs, durationMs, preview } = event.data
      const firstTokenAt = firstTokenMs === null ? null : Math.round(at - durationMs + firstTokenMs)
      const facts = { state: 'done', summary: preview, inputTokens, outputTokens, firstTokenAt } as const
      end(table, { step, path: '0' }, { ...facts, endedAt: at, endSeq: seq })
      break
    }
    case 'model.failed':
      end(
        table,
        { step: event.data.step, path: '0' },
        { state: 'failed', summary: event.data.userMessage, endedAt: at, endSeq: seq },
      )
      break
    case 'action.started': {
      const { step, path, name, summary } = event.data
      put(table, { ...begun, step, path, kind: 'action', name, summary, startedAt: at, startSeq: seq })
      break
    }
    case 'action.finished':
      end(table, event.data, { state: endStateOf(event.data), endedAt: at, endSeq: seq })
      break
    case 'thread.state':
      if (event.data.to !== 'Running') cancelOpen(table, at)
      break
  }
}

const open = { state: 'started', firstTokenAt: null, endedAt: null, endSeq: null } as const
const begun = { ...open, summary: '', inputTokens: 0, outputTokens: 0 }

function put(table: CallTable, row: CallRow): void {
  table.set(callKey(row), row)
}

function end(table: CallTable, call: Pick<CallRow, 'step' | 'path'>, facts: Partial<CallRow>): void {
  const row = table.get(callKey(call))
  if (row !== undefined) put(table, { ...row, ...facts })
}

/** What was under way when its thread came to rest. */
function cancelOpen(table: CallTable, at: number): void {
  for (const row of table.values()) {
    if (row.endedAt === null) put(table, { ...row, state: 'cancelled', endedAt: at })
  }
}

/** How an action's call ended: a refusal is no failure of the action. */
export function endStateOf({ ok, code }: ActionFinished): CallState {
  if (ok) return 'done'
  if (code === 'policy.denied' || code === 'action.unknown') return 'refused'
  return code === 'action.interrupted' ? 'interrupted' : 'failed'
}

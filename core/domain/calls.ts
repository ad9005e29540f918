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
 * The row that an event begins or changes; undefined where there is none. `rowAt` gives the row as it stands. The table of
 * calls is thereby a pure function of the log: the store keeps it as an index, a window folds it live.
 */
export function callAfter(rowAt: (key: string) => CallRow | undefined, event: DatedFact): CallRow | undefined {
  const { seq, at } = event
  const ended = (call: Pick<CallRow, 'step' | 'path'>, facts: Partial<CallRow>) => {
    const row = rowAt(callKey(call))
    return row && { ...row, ...facts, endedAt: at, endSeq: seq }
  }
  switch (event.kind) {
    case 'step.started': {
      const { step, model } = event.data
      return { ...begun, step, path: '0', kind: 'model', name: model, startedAt: at, startSeq: seq }
    }
    case 'step.restarted': {
      const row = rowAt(callKey({ step: event.data.step, path: '0' }))
      return row && { ...row, ...open, startedAt: at }
    }
    case 'model.completed': {
      const { step, inputTokens, outputTokens, firstTokenMs, durationMs, preview } = event.data
      const firstTokenAt = firstTokenMs === null ? null : Math.round(at - durationMs + firstTokenMs)
      return ended({ step, path: '0' }, { state: 'done', summary: preview, inputTokens, outputTokens, firstTokenAt })
    }
    case 'model.failed': {
      const { step, userMessage } = event.data
      return ended({ step, path: '0' }, { state: 'failed', summary: userMessage })
    }
    case 'action.started': {
      const { step, path, name, summary } = event.data
      return { ...begun, step, path, kind: 'action', name, summary, startedAt: at, startSeq: seq }
    }
    case 'action.finished':
      return ended(event.data, { state: endStateOf(event.data) })
    default:
      return undefined
  }
}

/** One event's change of a whole table: a thread that comes to rest ends what was under way. */
export function foldCall(table: CallTable, event: DatedFact): void {
  const row = callAfter((key) => table.get(key), event)
  if (row !== undefined) table.set(callKey(row), row)
  if (event.kind !== 'thread.state' || event.data.to === 'Running') return
  for (const each of table.values()) {
    if (each.endedAt === null) table.set(callKey(each), { ...each, state: 'cancelled', endedAt: event.at })
  }
}

const open = { state: 'started', firstTokenAt: null, endedAt: null, endSeq: null } as const
const begun = { ...open, summary: '', inputTokens: 0, outputTokens: 0 }

export function endStateOf({ ok, code }: ActionFinished): CallState {
  if (ok) return 'done'
  if (code === 'policy.denied' || code === 'action.unknown') return 'refused'
  return code === 'action.interrupted' ? 'interrupted' : 'failed'
}

import type { ErrorCode } from './error.ts'
import type { ActionFinished, EventFact } from './event.ts'
import type { CallRow, CallState, ThreadState } from './thread.ts'

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
      const { step, model } = event.data
      const row = rowAt(callKey({ step, path: '0' }))
      return row && { ...row, ...open, name: model ?? row.name, startedAt: at }
    }
    case 'model.completed': {
      const { step, inputTokens, outputTokens, usd, firstTokenMs, durationMs, preview } = event.data
      const firstTokenAt = firstTokenMs === null ? null : Math.round(at - durationMs + firstTokenMs)
      const used = { inputTokens, outputTokens, usd, firstTokenAt }
      return ended({ step, path: '0' }, { state: 'done', summary: preview, ...used })
    }
    case 'model.failed': {
      const { step, code, userMessage, inputTokens = 0, outputTokens = 0, usd = null } = event.data
      const state = code === 'cancelled' ? 'cancelled' : 'failed'
      return ended({ step, path: '0' }, { state, summary: userMessage, inputTokens, outputTokens, usd })
    }
    case 'action.started': {
      const { step, path, name, summary } = event.data
      return { ...begun, step, path, kind: 'action', name, summary, startedAt: at, startSeq: seq }
    }
    case 'action.finished':
      return ended(event.data, { state: endStateOf(event.data) })
    case 'approval.requested': {
      const { step, path, name, summary } = event.data
      return { ...begun, state: 'waiting', step, path, kind: 'action', name, summary, startedAt: at, startSeq: seq }
    }
    case 'code.started': {
      const { step, path, lines } = event.data
      const summary = `${lines} ${lines === 1 ? 'line' : 'lines'}`
      return { ...begun, step, path, kind: 'code', name: 'code', summary, startedAt: at, startSeq: seq }
    }
    case 'query.started': {
      const { step, path, purpose, model } = event.data
      const summary = purpose === 'compaction' ? 'compaction' : ''
      return { ...begun, step, path, kind: 'query', name: model, summary, startedAt: at, startSeq: seq }
    }
    case 'query.finished': {
      const { inputTokens, outputTokens, usd, summary, ok } = event.data
      return ended(event.data, { state: ok ? 'done' : 'failed', inputTokens, outputTokens, usd, summary })
    }
    case 'child.spawned': {
      const { step, path, childId, number, summary } = event.data
      const row = { step, path, kind: 'child', name: `#${number}`, childId, summary } as const
      return { ...begun, ...row, startedAt: at, startSeq: seq }
    }
    case 'code.finished':
    case 'child.finished':
      return ended(event.data, { state: event.data.ok ? 'done' : 'failed', summary: event.data.summary })
    default:
      return undefined
  }
}

/** One event's change of a whole table: a thread that ends, or is suspended, ends what was under way. */
export function foldCall(table: CallTable, event: DatedFact): void {
  const row = callAfter((key) => table.get(key), event)
  if (row !== undefined) table.set(callKey(row), row)
  if (event.kind !== 'thread.state' || !endsCalls(event.data.to)) return
  for (const each of table.values()) {
    if (each.endedAt === null && !(each.state === 'waiting' && event.data.to === 'Suspended')) {
      table.set(callKey(each), { ...each, state: 'cancelled', endedAt: event.at })
    }
  }
}

/** A thread that waits goes on at the very call: its code step, its child and its requests stay open. */
function endsCalls(to: ThreadState): boolean {
  return to !== 'Running' && to !== 'Waiting'
}

const open = { state: 'started', firstTokenAt: null, endedAt: null, endSeq: null } as const
const begun = { ...open, summary: '', inputTokens: 0, outputTokens: 0, usd: null, childId: null }

const refusals: ReadonlySet<ErrorCode> = new Set([
  'policy.denied',
  'action.unknown',
  'action.rate_limited',
  'approval.denied',
  'approval.expired',
])

/**
 * By its parts: `1.10` comes after `1.2`, and what a code step calls after the code step. A compaction, `0.1`, comes before the
 * model call that it made room for.
 */
export function comparePaths(a: string, b: string): number {
  if (a === '0' && b.startsWith('0.')) return 1
  if (b === '0' && a.startsWith('0.')) return -1
  const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)]
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    const difference = (left[at] ?? 0) - (right[at] ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

function endStateOf({ ok, code }: ActionFinished): CallState {
  if (ok) return 'done'
  if (code !== undefined && refusals.has(code)) return 'refused'
  return code === 'action.interrupted' ? 'interrupted' : 'failed'
}

import { comparePaths } from '../../../core/domain/calls.ts'
import type { CallRow } from '../../../core/domain/thread.ts'
import { callLooks, type StatusName } from '../../components/status.tsx'
import type { CallTable } from '../../state/model.ts'

/** One step as the card of a thread shows it: a row. */
export interface Knot {
  /** Counted from 1, as a person counts. */
  readonly number: number
  readonly status: StatusName
  readonly startedAt: number
  /** Null while something of it runs. */
  readonly endedAt: number | null
  readonly acts: readonly Act[]
  /** What the step was where it ran no action. */
  readonly remark: string
}

/** Calls of one action side by side in a step. */
export interface Act {
  readonly key: string
  readonly name: string
  readonly count: number
  readonly status: StatusName
  readonly summary: string
}

export function knotsOf(table: CallTable): readonly Knot[] {
  const steps = new Map<number, CallRow[]>()
  for (const row of Object.values(table)) {
    const rows = steps.get(row.step)
    if (rows) rows.push(row)
    else steps.set(row.step, [row])
  }
  return [...steps.entries()].sort(([a], [b]) => a - b).map(([step, rows]) => knotOf(step, rows))
}

/** Input and output tokens of the calls that are known. */
export function tokensOf(table: CallTable): number {
  return Object.values(table).reduce((sum, row) => sum + row.inputTokens + row.outputTokens, 0)
}

const order: readonly StatusName[] = ['running', 'failed', 'denied', 'waiting', 'queued', 'done']

function worst(statuses: readonly StatusName[]): StatusName {
  return order.find((status) => statuses.includes(status)) ?? 'done'
}

function knotOf(step: number, unsorted: readonly CallRow[]): Knot {
  const rows = [...unsorted].sort((a, b) => comparePaths(a.path, b.path))
  const ends = rows.map((row) => row.endedAt)
  const model = rows.find((row) => row.kind === 'model')
  return {
    number: step + 1,
    status: worst(leavesOf(rows).map((row) => callLooks[row.state].status)),
    startedAt: Math.min(...rows.map((row) => row.startedAt)),
    endedAt: ends.some((end) => end === null) ? null : Math.max(...ends.map((end) => end ?? 0)),
    acts: actsOf(rows.filter((row) => row.kind !== 'model')),
    remark: model ? remarkOf(model) : '',
  }
}

/** Code and children go on only as what they wait for does. */
function leavesOf(rows: readonly CallRow[]): readonly CallRow[] {
  const waits = rows.some(({ state }) => state === 'waiting')
  return waits ? rows.filter(({ kind, state }) => state !== 'started' || (kind !== 'code' && kind !== 'child')) : rows
}

function nameOf({ kind, name, path }: CallRow): string {
  if (kind === 'child') return `child ${name}`
  if (kind === 'query') return path.startsWith('0') ? 'context shortened' : 'llm_query'
  return name
}

function remarkOf(model: CallRow): string {
  switch (model.state) {
    case 'started':
      return model.firstTokenAt === null ? 'waits for the model' : 'the model answers'
    case 'waiting':
      return 'waits'
    case 'done':
      return 'answered'
    case 'cancelled':
      return 'stopped'
    case 'interrupted':
      return 'interrupted'
    case 'failed':
    case 'refused':
      return model.summary === '' ? 'the model call failed' : model.summary
  }
}

/** Calls of the same name and status become one act; the summary of one action alone is kept, what others said is not. */
function actsOf(rows: readonly CallRow[]): readonly Act[] {
  const acts = new Map<string, Act>()
  for (const row of rows) {
    const { status } = callLooks[row.state]
    const name = nameOf(row)
    const key = `${name} ${status}`
    const before = acts.get(key)
    acts.set(
      key,
      before
        ? { ...before, count: before.count + 1, summary: '' }
        : { key, name, count: 1, status, summary: row.kind === 'action' ? row.summary : '' },
    )
  }
  return [...acts.values()]
}

import { type CallTable, callKey, foldCall } from '../domain/calls.ts'
import type { EventHeader } from '../domain/event.ts'
import type { CallRow } from '../domain/thread.ts'
import type { Connection } from './connection.ts'

const columns = `step, path, kind, name, state, summary, startedAt, firstTokenAt, endedAt, inputTokens, outputTokens,
  startSeq, endSeq`

/** Reads a thread's event headers after a seq, oldest first. */
type ReadHeaders = (threadId: string, after: number, max: number) => readonly EventHeader[]

const foldPage = 1_000

/** The index of calls. Every reader sees it whole: what it does not hold yet is folded from the log. */
export function createCallRows(connection: Connection, headersOf: ReadHeaders) {
  const insert = connection.prepare(
    `INSERT OR REPLACE INTO call (threadId, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const setIndexed = connection.prepare('UPDATE thread SET indexedSeq = ? WHERE id = ?')
  const indexed = connection.prepare<{ indexedSeq: number }>('SELECT indexedSeq FROM thread WHERE id = ?')
  const page = connection.prepare<CallRow>(
    `SELECT ${columns} FROM call WHERE threadId = ? AND step > ? ORDER BY step, length(path), path LIMIT ?`,
  )
  const lastStep = connection.prepare<CallRow>(
    `SELECT ${columns} FROM call WHERE threadId = ?
       AND step = (SELECT step FROM call WHERE threadId = ? ORDER BY step DESC LIMIT 1) ORDER BY length(path), path`,
  )

  /** What happened since the index was written, with the rows of its last step to go on from. */
  function tail(threadId: string): CallTable {
    const table: CallTable = new Map(lastStep.all(threadId, threadId).map((row) => [callKey(row), row]))
    let after = indexed.get(threadId)?.indexedSeq ?? 0
    for (;;) {
      const events = headersOf(threadId, after, foldPage)
      for (const event of events) foldCall(table, event)
      const last = events.at(-1)
      if (last === undefined || events.length < foldPage) return table
      after = last.seq
    }
  }

  return {
    /** Rows that reach up to `indexedSeq`. Must run in a transaction. */
    index(threadId: string, rows: Iterable<CallRow>, indexedSeq: number): void {
      for (const row of rows) insert.run(threadId, ...valuesOf(row))
      setIndexed.run(indexedSeq, threadId)
    },
    tail,
    /** By step, actions after their model call. */
    page(threadId: string, afterStep: number, max: number): readonly CallRow[] {
      const rows = page.all(threadId, afterStep, max)
      if (rows.length === max) return rows
      const table: CallTable = new Map(rows.map((row) => [callKey(row), row]))
      for (const row of tail(threadId).values()) if (row.step > afterStep) table.set(callKey(row), row)
      return [...table.values()].sort(byPlace).slice(0, max)
    },
  }
}

function byPlace(a: CallRow, b: CallRow): number {
  return a.step - b.step || a.path.length - b.path.length || a.path.localeCompare(b.path)
}

function valuesOf(row: CallRow): (string | number | null)[] {
  const { step, path, kind, name, state, summary, startedAt, firstTokenAt, endedAt } = row
  const { inputTokens, outputTokens, startSeq, endSeq } = row
  return [
    step,
    path,
    kind,
    name,
    state,
    summary,
    startedAt,
    firstTokenAt,
    endedAt,
    inputTokens,
    outputTokens,
    startSeq,
    endSeq,
  ]
}

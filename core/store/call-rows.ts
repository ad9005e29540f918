import { type CallTable, callKey, comparePaths, foldCall } from '../domain/calls.ts'
import type { EventHeader } from '../domain/event.ts'
import { faultPoint } from '../domain/fault-point.ts'
import type { CallRow } from '../domain/thread.ts'
import type { Connection } from './connection.ts'

const columns = `step, path, kind, name, state, summary, startedAt, firstTokenAt, endedAt, inputTokens, outputTokens, usd,
  childId, startSeq, endSeq`

/** Reads a thread's event headers after a seq, oldest first. */
type ReadHeaders = (threadId: string, after: number, max: number) => readonly EventHeader[]

/** Tokens are input and output together. */
export interface Used {
  readonly tokens: number
  readonly usd: number
  readonly calls: number
}

const foldPage = 1_000
/** One statement for so many rows takes half the time of one for each. */
const rowsTogether = 32
const marks = Array.from({ length: 16 }, () => '?').join(', ')

/** The index of calls. Every reader sees it whole: what it does not hold yet is folded from the log. */
export function createCallRows(connection: Connection, headersOf: ReadHeaders) {
  const insertInto = (rows: number) =>
    connection.prepare(
      `INSERT OR REPLACE INTO call (threadId, ${columns}) VALUES ${Array.from({ length: rows }, () => `(${marks})`).join(', ')}`,
    )
  const insert = insertInto(1)
  const insertMany = insertInto(rowsTogether)
  const setIndexed = connection.prepare('UPDATE thread SET indexedSeq = ? WHERE id = ?')
  const indexed = connection.prepare<{ indexedSeq: number }>('SELECT indexedSeq FROM thread WHERE id = ?')
  const page = connection.prepare<CallRow>(
    `SELECT ${columns} FROM call WHERE threadId = ? AND step > ? ORDER BY step LIMIT ?`,
  )
  const lastStep = connection.prepare<CallRow>(
    `SELECT ${columns} FROM call WHERE threadId = ?
       AND step = (SELECT step FROM call WHERE threadId = ? ORDER BY step DESC LIMIT 1)`,
  )
  const failed = connection.prepare<{ found: number }>(
    `SELECT 1 AS found FROM call WHERE threadId = ? AND state IN ('failed','refused','interrupted') LIMIT 1`,
  )
  const used = connection.prepare<Used & { threadId: string }>(
    `SELECT threadId, sum(inputTokens + outputTokens) AS tokens, coalesce(sum(usd), 0) AS usd, count(*) AS calls
     FROM call INDEXED BY call_used WHERE kind IN ('model','query') AND startedAt >= ?
       AND startedAt >= (SELECT createdAt FROM thread WHERE id = threadId) GROUP BY threadId`,
  )

  const indexedSeq = (threadId: string): number => indexed.get(threadId)?.indexedSeq ?? 0

  /** What happened since the index was written, with the rows of its last step to go on from. */
  function tail(threadId: string): CallTable {
    const table: CallTable = new Map(lastStep.all(threadId, threadId).map((row) => [callKey(row), row]))
    let after = indexedSeq(threadId)
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
      const waiting = [...rows]
      while (waiting.length >= rowsTogether) {
        insertMany.run(...waiting.splice(0, rowsTogether).flatMap((row) => [threadId, ...valuesOf(row)]))
      }
      for (const row of waiting) insert.run(threadId, ...valuesOf(row))
      setIndexed.run(indexedSeq, threadId)
      faultPoint('calls.indexed')
    },
    tail,
    /** Up to where the rows reach; of a thread at rest, the event with which it came to rest. */
    indexedSeq,
    /** Of a thread at rest: whether any call did not end well. */
    hasFailures: (threadId: string): boolean => failed.get(threadId) !== undefined,
    /**
     * What models took since a moment, for each thread; a fork's copied calls are its source's. Of the index alone, which
     * every thread at rest is in.
     */
    usedSince: (at: number) => used.all(at),
    /** By step, actions after their model call. */
    page(threadId: string, afterStep: number, max: number): readonly CallRow[] {
      const rows = page.all(threadId, afterStep, max).sort(byPlace)
      if (rows.length === max) return rows
      const table: CallTable = new Map(rows.map((row) => [callKey(row), row]))
      for (const row of tail(threadId).values()) if (row.step > afterStep) table.set(callKey(row), row)
      return [...table.values()].sort(byPlace).slice(0, max)
    },
  }
}

function byPlace(a: CallRow, b: CallRow): number {
  return a.step - b.step || comparePaths(a.path, b.path)
}

function valuesOf(row: CallRow): (string | number | null)[] {
  const { step, path, kind, name, state, summary, startedAt, firstTokenAt, endedAt } = row
  const { inputTokens, outputTokens, usd, childId, startSeq, endSeq } = row
  const times = [startedAt, firstTokenAt, endedAt]
  return [step, path, kind, name, state, summary, ...times, inputTokens, outputTokens, usd, childId, startSeq, endSeq]
}

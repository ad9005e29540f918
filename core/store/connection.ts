import type Database from 'better-sqlite3'
import { faultPoint } from '../domain/fault-point.ts'
import type { Redactor } from '../domain/leaks/redactor.ts'
import { asStoreError, isSqliteError } from './store-error.ts'

export type Values = readonly (string | number | null | Uint8Array)[]

/**
 * A prepared statement whose every run is timed. Rows are typed by the caller: tables are STRICT, with checked columns.
 * @throws AppError for SQLite's own errors; see `asStoreError`.
 */
export interface Statement<Row> {
  /** How many rows it changed. */
  run(...values: Values): number
  get(...values: Values): Row | undefined
  all(...values: Values): Row[]
}

/** The slowest runs of the main connection, by statement. RULES 27: none over 8 ms. */
export interface StatementTime {
  readonly sql: string
  readonly runs: number
  readonly worstMs: number
}

/** The one main connection. Every statement of the engine goes through `prepare`, COMMIT included. */
export class Connection {
  readonly #db: Database.Database
  readonly #file: string
  readonly #redactor: Redactor
  readonly #times = new Map<string, { runs: number; worstMs: number }>()
  readonly #begin: Statement<unknown>
  readonly #commit: Statement<unknown>
  readonly #rollback: Statement<unknown>

  constructor(db: Database.Database, file: string, redactor: Redactor) {
    this.#db = db
    this.#file = file
    this.#redactor = redactor
    this.#begin = this.prepare('BEGIN IMMEDIATE')
    this.#commit = this.prepare('COMMIT')
    this.#rollback = this.prepare('ROLLBACK')
  }

  /**
   * To be called once per statement, when its module is made. Secrets are taken out of every text that `run` is given, whatever
   * module forgot it; `isLookedAt` where the caller does that itself.
   */
  prepare<Row>(sql: string, { isLookedAt = false } = {}): Statement<Row> {
    const statement = this.#mapped(() => this.#db.prepare<unknown[], Row>(sql))
    const time = { runs: 0, worstMs: 0 }
    this.#times.set(sql, time)
    const timed = <Result>(run: () => Result): Result => {
      const from = performance.now()
      const result = this.#mapped(run)
      const ms = performance.now() - from
      time.runs += 1
      if (ms > time.worstMs) time.worstMs = ms
      return result
    }
    return {
      run: (...values) => timed(() => statement.run(...(isLookedAt ? values : this.#clean(values))).changes),
      get: (...values) => timed(() => statement.get(...values)),
      all: (...values) => timed(() => statement.all(...values)),
    }
  }

  #clean(values: Values): Values {
    const isClean = values.every((value) => typeof value !== 'string' || !this.#redactor.mayHold(value))
    return isClean ? values : values.map((value) => (typeof value === 'string' ? this.#cleanText(value) : value))
  }

  /** JSON stays JSON: a secret may reach over a quote. */
  #cleanText(text: string): string {
    if (!this.#redactor.mayHold(text)) return text
    const parsed = /^[[{]/.test(text) ? parsedJson(text) : undefined
    if (parsed === undefined) return this.#redactor.text(text)
    const { value, hits } = this.#redactor.redact(parsed)
    return hits.length === 0 ? text : JSON.stringify(value)
  }

  #mapped<Result>(work: () => Result): Result {
    try {
      return work()
    } catch (error) {
      throw isSqliteError(error) ? asStoreError(error, this.#file) : error
    }
  }

  /** Runs `work` in one IMMEDIATE transaction; a throw rolls it back and goes on to the caller. Does not nest. */
  transaction<Result>(work: () => Result): Result {
    this.#begin.run()
    try {
      faultPoint('transaction.begun')
      const result = work()
      faultPoint('transaction.worked')
      this.#commit.run()
      faultPoint('transaction.committed')
      return result
    } catch (error) {
      // Some errors have rolled back already. A COMMIT that failed has not: the next BEGIN would find it open.
      if (this.#db.inTransaction) this.#rollback.run()
      throw error
    }
  }

  get statementTimes(): readonly StatementTime[] {
    return [...this.#times].map(([sql, time]) => ({ sql, ...time }))
  }

  /** The plan that SQLite chose, one line a node: a test asserts that no growing table is scanned. */
  explain(sql: string): readonly string[] {
    return this.#db
      .prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all(...Array.from(sql.matchAll(/\?/g), () => null))
      .map((row) => row.detail)
  }

  pragma(text: string): unknown {
    return this.#mapped(() => this.#db.pragma(text, { simple: true }))
  }

  close(): void {
    this.#db.close()
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

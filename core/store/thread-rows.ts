import { limits } from '../domain/limits.ts'
import type { Outcome, ThreadHeader, ThreadState } from '../domain/thread.ts'
import type { Connection, Statement } from './connection.ts'

const facts = `number, id, projectId, conversationId, title, state, outcome, reason, tier, model, maxSteps, steps, inputTokens,
  outputTokens, createdAt, updatedAt, endedAt`
const wholeColumns = `${facts}, goal`
/** A goal may have 100 kB: a list of hundreds carries only what a row shows. */
const listColumns = `${facts}, substr(goal, 1, ${limits.listGoalCharacters}) AS goal`

export interface ThreadFilter {
  readonly projectId?: string | undefined
  readonly state?: ThreadState | undefined
  readonly query?: string | undefined
  readonly conversations: boolean
  readonly limit: number
  /** Only threads with a smaller number. */
  readonly before?: number | undefined
}

export interface ThreadMove {
  readonly state: ThreadState
  readonly outcome: Outcome | null
  readonly reason: string | null
  readonly at: number
  readonly endedAt: number | null
}

export function createThreadRows(connection: Connection) {
  const nextNumber = connection.prepare<{ number: number }>('SELECT coalesce(max(number), 0) + 1 AS number FROM thread')
  const insert = connection.prepare(
    `INSERT INTO thread (number, id, projectId, conversationId, title, goal, state, tier, model, maxSteps, isNewest,
       createdAt, updatedAt) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?)`,
  )
  const unsetNewest = connection.prepare('UPDATE thread SET isNewest = 0 WHERE conversationId = ? AND number < ?')
  const byId = connection.prepare<ThreadHeader>(`SELECT ${wholeColumns} FROM thread WHERE id = ?`)
  const byNumber = connection.prepare<ThreadHeader>(`SELECT ${wholeColumns} FROM thread WHERE number = ?`)
  const ofConversation = connection.prepare<ThreadHeader>(
    `SELECT ${listColumns} FROM thread WHERE conversationId = ? ORDER BY number`,
  )
  const ofState = connection.prepare<ThreadHeader>(`SELECT ${listColumns} FROM thread WHERE state = ? ORDER BY number`)
  const move = connection.prepare(
    'UPDATE thread SET state = ?, outcome = ?, reason = ?, updatedAt = ?, endedAt = ? WHERE id = ?',
  )
  const setTotals = connection.prepare(
    `UPDATE thread SET steps = t.steps, inputTokens = t.input, outputTokens = t.output
     FROM (SELECT coalesce(max(step) + 1, 0) AS steps, coalesce(sum(inputTokens), 0) AS input,
       coalesce(sum(outputTokens), 0) AS output FROM call WHERE threadId = ? AND path = '0') AS t
     WHERE thread.id = ?`,
  )
  const lists = new Map<string, Statement<ThreadHeader>>()

  /** One statement for each combination of filters, so that each can use its index. */
  function listStatement(filter: ThreadFilter): Statement<ThreadHeader> {
    const where = ['number < ?']
    if (filter.projectId !== undefined) where.push('projectId = ?')
    if (filter.state !== undefined) where.push('state = ?')
    if (filter.query !== undefined) where.push("title LIKE ? ESCAPE '\\'")
    if (filter.conversations) where.push('isNewest = 1')
    const sql = `SELECT ${listColumns} FROM thread WHERE ${where.join(' AND ')} ORDER BY number DESC LIMIT ?`
    const known = lists.get(sql)
    if (known !== undefined) return known
    const statement = connection.prepare<ThreadHeader>(sql)
    lists.set(sql, statement)
    return statement
  }

  return {
    nextNumber: (): number => nextNumber.get()?.number ?? 1,

    /** Must run in a transaction: the thread becomes the newest of its chat. */
    insert(
      thread: Omit<ThreadHeader, 'outcome' | 'reason' | 'steps' | 'inputTokens' | 'outputTokens' | 'endedAt'>,
    ): void {
      const { number, id, projectId, conversationId, title, goal, state, tier, model, maxSteps } = thread
      insert.run(
        ...[number, id, projectId, conversationId, title, goal, state, tier, model, maxSteps],
        ...[thread.createdAt, thread.updatedAt],
      )
      unsetNewest.run(conversationId, number)
    },

    /** With its whole goal, as `find`; the lists have the beginning of it. */
    get: (id: string): ThreadHeader | undefined => byId.get(id),
    /** By id, or by number with or without `#`. */
    find: (idOrNumber: string): ThreadHeader | undefined =>
      /^#?\d{1,9}$/.test(idOrNumber) ? byNumber.get(Number(idOrNumber.replace('#', ''))) : byId.get(idOrNumber),
    ofConversation: (conversationId: string): readonly ThreadHeader[] => ofConversation.all(conversationId),
    /** Oldest first. */
    ofState: (state: ThreadState): readonly ThreadHeader[] => ofState.all(state),

    move(id: string, to: ThreadMove): void {
      move.run(to.state, to.outcome, to.reason, to.at, to.endedAt, id)
    },

    /** Steps and tokens as the ledger has them; run whenever a thread comes to rest. */
    setTotals(id: string): void {
      setTotals.run(id, id)
    },

    /** Newest first. */
    list(filter: ThreadFilter): readonly ThreadHeader[] {
      const values: (string | number)[] = [filter.before ?? Number.MAX_SAFE_INTEGER]
      if (filter.projectId !== undefined) values.push(filter.projectId)
      if (filter.state !== undefined) values.push(filter.state)
      if (filter.query !== undefined) values.push(`%${filter.query.replace(/[\\%_]/g, '\\$&')}%`)
      return listStatement(filter).all(...values, filter.limit)
    },
  }
}

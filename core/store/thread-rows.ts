import { limits } from '../domain/limits.ts'
import type { Outcome, ThreadHeader, ThreadState } from '../domain/thread.ts'
import type { Connection, Statement } from './connection.ts'

const facts = `number, id, projectId, conversationId, title, state, outcome, reason, tier, model, maxSteps, parentId, rootId,
  depth, maxTokens, maxUsd, maxMs, steps, inputTokens, outputTokens, usd, createdAt, updatedAt, endedAt,
  (SELECT missionId FROM firing WHERE firing.threadId = thread.id) AS missionId`
const wholeColumns = `${facts}, goal`
/** A goal may have 100 kB: a list of hundreds carries only what a row shows. */
const listColumns = `${facts}, substr(goal, 1, ${limits.listGoalCharacters}) AS goal`

interface ThreadRow extends Omit<ThreadHeader, 'budget'> {
  readonly maxTokens: number | null
  readonly maxUsd: number | null
  readonly maxMs: number | null
}

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
    `INSERT INTO thread (number, id, projectId, conversationId, title, goal, state, tier, model, maxSteps, parentId,
       rootId, depth, maxTokens, maxUsd, maxMs, isNewest, createdAt, updatedAt)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const unsetNewest = connection.prepare('UPDATE thread SET isNewest = 0 WHERE conversationId = ? AND number < ?')
  const byId = connection.prepare<ThreadRow>(`SELECT ${wholeColumns} FROM thread WHERE id = ?`)
  const byNumber = connection.prepare<ThreadRow>(`SELECT ${wholeColumns} FROM thread WHERE number = ?`)
  const ofConversation = connection.prepare<ThreadRow>(
    `SELECT ${listColumns} FROM thread WHERE conversationId = ? AND parentId IS NULL ORDER BY number`,
  )
  const ofState = connection.prepare<ThreadRow>(`SELECT ${listColumns} FROM thread WHERE state = ? ORDER BY number`)
  const ofParent = connection.prepare<ThreadRow>(`SELECT ${listColumns} FROM thread WHERE parentId = ? ORDER BY number`)
  const ofRoot = connection.prepare<ThreadRow>(`SELECT ${listColumns} FROM thread WHERE rootId = ? ORDER BY number`)
  const move = connection.prepare(
    'UPDATE thread SET state = ?, outcome = ?, reason = ?, updatedAt = ?, endedAt = ? WHERE id = ?',
  )
  const setTotals = connection.prepare(
    `UPDATE thread SET steps = t.steps, inputTokens = t.input, outputTokens = t.output, usd = t.usd
     FROM (SELECT coalesce(max(step) + 1, 0) AS steps, coalesce(sum(inputTokens) FILTER (WHERE isOwn), 0) AS input,
       coalesce(sum(outputTokens) FILTER (WHERE isOwn), 0) AS output, coalesce(sum(usd) FILTER (WHERE isOwn), 0.0) AS usd
       FROM (SELECT step, inputTokens, outputTokens, usd,
         startedAt >= (SELECT createdAt FROM thread WHERE id = ?) AS isOwn FROM call WHERE threadId = ?)) AS t
     WHERE thread.id = ?`,
  )
  const lists = new Map<string, Statement<ThreadRow>>()

  /** One statement for each combination of filters, so that each can use its index. */
  function listStatement(filter: ThreadFilter): Statement<ThreadRow> {
    const where = ['number < ?']
    if (filter.projectId !== undefined) where.push('projectId = ?')
    if (filter.state !== undefined) where.push('state = ?')
    if (filter.query !== undefined) where.push("title LIKE ? ESCAPE '\\'")
    // A chat that begins with a firing is one once a person has answered there.
    if (filter.conversations)
      where.push('isNewest = 1 AND NOT EXISTS (SELECT 1 FROM firing WHERE firing.threadId = thread.id)')
    const sql = `SELECT ${listColumns} FROM thread WHERE ${where.join(' AND ')} ORDER BY number DESC LIMIT ?`
    const known = lists.get(sql)
    if (known !== undefined) return known
    const statement = connection.prepare<ThreadRow>(sql)
    lists.set(sql, statement)
    return statement
  }

  const lastOfPeople = connection.prepare<{ at: number }>(
    `SELECT updatedAt AS at FROM thread WHERE parentId IS NULL AND updatedAt > ?
       AND NOT EXISTS (SELECT 1 FROM firing WHERE firing.threadId = thread.id)
     ORDER BY updatedAt DESC LIMIT 1`,
  )

  return {
    /** Epoch ms of the last that happened after `since` to a thread that no mission began; 0 for nothing. */
    lastOfPeople: (since: number): number => lastOfPeople.get(since)?.at ?? 0,
    nextNumber: (): number => nextNumber.get()?.number ?? 1,

    /** Must run in a transaction: the thread becomes the newest of its chat. */
    insert(
      thread: Omit<
        ThreadHeader,
        'outcome' | 'reason' | 'steps' | 'inputTokens' | 'outputTokens' | 'usd' | 'endedAt' | 'missionId'
      >,
    ): void {
      const { number, id, projectId, conversationId, title, goal, state, tier, model, maxSteps, budget } = thread
      // A child is no turn of the chat.
      const isNewest = thread.parentId === null ? 1 : 0
      insert.run(
        ...[number, id, projectId, conversationId, title, goal, state, tier, model, maxSteps],
        ...[thread.parentId, thread.rootId, thread.depth, budget.tokens, budget.usd, budget.ms],
        ...[isNewest, thread.createdAt, thread.updatedAt],
      )
      if (isNewest === 1) unsetNewest.run(conversationId, number)
    },

    /** With its whole goal, as `find`; the lists have the beginning of it. */
    get: (id: string): ThreadHeader | undefined => toHeader(byId.get(id)),
    /** By id, or by number with or without `#`. */
    find: (idOrNumber: string): ThreadHeader | undefined =>
      toHeader(
        /^#?\d{1,9}$/.test(idOrNumber) ? byNumber.get(Number(idOrNumber.replace('#', ''))) : byId.get(idOrNumber),
      ),
    /** The turns of one chat, without the children of their code. */
    ofConversation: (conversationId: string): readonly ThreadHeader[] => headers(ofConversation.all(conversationId)),
    /** Oldest first. */
    ofState: (state: ThreadState): readonly ThreadHeader[] => headers(ofState.all(state)),
    childrenOf: (threadId: string): readonly ThreadHeader[] => headers(ofParent.all(threadId)),
    /** A thread that a person began, with all its children. */
    ofRoot: (rootId: string): readonly ThreadHeader[] => headers(ofRoot.all(rootId)),

    move(id: string, to: ThreadMove): void {
      move.run(to.state, to.outcome, to.reason, to.at, to.endedAt, id)
    },

    /** Steps as the ledger has them, tokens and money without those of a fork's copied calls; run whenever a thread comes to rest. */
    setTotals(id: string): void {
      setTotals.run(id, id, id)
    },

    /** Newest first. */
    list(filter: ThreadFilter): readonly ThreadHeader[] {
      const values: (string | number)[] = [filter.before ?? Number.MAX_SAFE_INTEGER]
      if (filter.projectId !== undefined) values.push(filter.projectId)
      if (filter.state !== undefined) values.push(filter.state)
      if (filter.query !== undefined) values.push(`%${filter.query.replace(/[\\%_]/g, '\\$&')}%`)
      return headers(listStatement(filter).all(...values, filter.limit))
    },
  }
}

function headers(rows: readonly ThreadRow[]): readonly ThreadHeader[] {
  return rows.flatMap((row) => toHeader(row) ?? [])
}

function toHeader(row: ThreadRow | undefined): ThreadHeader | undefined {
  if (row === undefined) return undefined
  const { maxTokens, maxUsd, maxMs, ...facts } = row
  return { ...facts, budget: { tokens: maxTokens, usd: maxUsd, ms: maxMs } }
}

import { z } from 'zod'
import { type LearntItem, learntSourceSchema } from '../domain/learnt.ts'
import type { Connection } from './connection.ts'

interface Row extends Omit<LearntItem, 'sources' | 'isDamaged' | 'isUntrusted' | 'before'> {
  readonly isUntrusted: number
  readonly beforeThreads: number | null
  readonly beforeIssues: number | null
  readonly beforeFailures: number | null
  readonly sources: string
}

/** What one thread showed of a rule. */
export interface LearntUse {
  readonly itemId: string
  readonly threadId: string
  readonly at: number
  readonly hadIssue: boolean
  readonly isFailure: boolean
}
type StoredUse = Omit<LearntUse, 'hadIssue' | 'isFailure'> & { readonly hadIssue: number; readonly isFailure: number }

const columns = `id, projectId, kind, topic, text, sha256, state, reason, sources, isUntrusted, threadId, patternId, replaces, appliedBy,
  proposedAt, expiresAt, decidedAt, decisionReason, endedAt, endReason, beforeThreads, beforeIssues, beforeFailures`

/** What was learnt, waits for a person, or was taken back. Writes must run in a transaction. */
export function createLearntRows(connection: Connection) {
  const insert = connection.prepare(
    `INSERT INTO learnt (id, projectId, kind, topic, mergeKey, sha256, state, reason, isUntrusted, threadId, patternId, replaces,
       proposedAt, expiresAt, sources, text) VALUES (?, ?, ?, ?, ?, ?, 'pending', ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const update = connection.prepare(
    `UPDATE learnt SET state = ?, patternId = ?, appliedBy = ?, decidedAt = ?, decisionReason = ?, endedAt = ?, endReason = ?,
       beforeThreads = ?, beforeIssues = ?, beforeFailures = ? WHERE id = ?`,
  )
  const merge = connection.prepare('UPDATE learnt SET sources = ?, isUntrusted = ? WHERE id = ?')
  const measured = connection.prepare('UPDATE learnt SET isMeasured = 1 WHERE id = ? AND isMeasured = 0')
  const byId = connection.prepare<Row>(`SELECT ${columns} FROM learnt WHERE id = ?`)
  const same = connection.prepare<Row>(
    `SELECT ${columns} FROM learnt WHERE projectId = ? AND kind = ? AND mergeKey = ? ORDER BY proposedAt DESC LIMIT 50`,
  )
  const pending = connection.prepare<Row>(
    `SELECT ${columns} FROM learnt WHERE state = 'pending' ORDER BY proposedAt LIMIT ?`,
  )
  const countPending = connection.prepare<{ count: number }>(
    `SELECT count(*) AS count FROM learnt WHERE state = 'pending'`,
  )
  const live = connection.prepare<Row>(
    `SELECT ${columns} FROM learnt WHERE projectId = ? AND state = 'live' ORDER BY decidedAt LIMIT ?`,
  )
  const page = connection.prepare<Row>(
    `SELECT ${columns} FROM learnt WHERE proposedAt < ? ORDER BY proposedAt DESC, id DESC LIMIT ?`,
  )
  const addUse = connection.prepare(
    `INSERT INTO learnt_use (itemId, threadId, at, hadIssue, isFailure) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  )
  const uses = connection.prepare<StoredUse>(
    'SELECT itemId, threadId, at, hadIssue, isFailure FROM learnt_use WHERE itemId = ? ORDER BY at DESC LIMIT ?',
  )
  return {
    /** Pending. */
    insert(item: LearntItem & { readonly mergeKey: string }): void {
      insert.run(
        ...[item.id, item.projectId, item.kind, item.topic, item.mergeKey, item.sha256, item.reason],
        ...[item.isUntrusted ? 1 : 0, item.threadId, item.patternId, item.replaces, item.proposedAt, item.expiresAt],
        ...[JSON.stringify(item.sources), item.text],
      )
    },
    /** Everything of it that can change, but for what it rests on. */
    update(item: LearntItem): void {
      const { before } = item
      update.run(
        ...[item.state, item.patternId, item.appliedBy, item.decidedAt, item.decisionReason, item.endedAt],
        ...[item.endReason, before?.n ?? null, before?.issues ?? null, before?.failures ?? null, item.id],
      )
    },
    /** What it rests on, once it was seen again. */
    merge: ({ id, sources, isUntrusted }: Pick<LearntItem, 'id' | 'sources' | 'isUntrusted'>) =>
      merge.run(JSON.stringify(sources), isUntrusted ? 1 : 0, id),
    /** False where its effect was counted before. */
    markMeasured: (id: string): boolean => measured.run(id) === 1,
    get: (id: string): LearntItem | undefined => [byId.get(id)].flatMap(toItem)[0],
    /** Those that say the same, the newest first. */
    same: (projectId: string, kind: LearntItem['kind'], mergeKey: string): readonly LearntItem[] =>
      same.all(projectId, kind, mergeKey).flatMap(toItem),
    /** Of all projects, the oldest first. */
    pending: (max: number): readonly LearntItem[] => pending.all(max).flatMap(toItem),
    countPending: (): number => countPending.get()?.count ?? 0,
    /** In force in a project, in the order in which that was decided. */
    live: (projectId: string, max: number): readonly LearntItem[] => live.all(projectId, max).flatMap(toItem),
    /** Of all projects, the newest first, from before an instant. */
    page: (before: number, max: number): readonly LearntItem[] => page.all(before, max).flatMap(toItem),
    /** False where the thread was counted before. */
    addUse: ({ itemId, threadId, at, hadIssue, isFailure }: LearntUse): boolean =>
      addUse.run(itemId, threadId, at, hadIssue ? 1 : 0, isFailure ? 1 : 0) === 1,
    /** The newest first. */
    uses: (itemId: string, max: number): readonly LearntUse[] =>
      uses.all(itemId, max).map((use) => ({ ...use, hadIssue: use.hadIssue === 1, isFailure: use.isFailure === 1 })),
  }
}

const sourceList = z.array(learntSourceSchema)

function toItem(row: Row | undefined): readonly LearntItem[] {
  if (row === undefined) return []
  const { sources: stored, isUntrusted, beforeThreads, beforeIssues, beforeFailures, ...facts } = row
  const sources = sourceList.safeParse(parsed(stored))
  const before =
    beforeThreads === null ? null : { n: beforeThreads, issues: beforeIssues ?? 0, failures: beforeFailures ?? 0 }
  const from = { sources: sources.success ? sources.data : [], isDamaged: !sources.success }
  return [{ ...facts, ...from, isUntrusted: isUntrusted === 1, before }]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

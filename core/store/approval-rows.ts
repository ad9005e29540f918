import { z } from 'zod'
import { effectTypes } from '../domain/action.ts'
import type { Approval, ApprovalState, GrantScope } from '../domain/approval.ts'
import type { Connection } from './connection.ts'

type NewApproval = Omit<
  Approval,
  'kind' | 'threadNumber' | 'threadTitle' | 'state' | 'scope' | 'decisionReason' | 'decidedAt' | 'decidedSeq'
>
interface ApprovalRow extends Omit<Approval, 'kind' | 'effects'> {
  readonly effects: string
}
const effectList = z.array(z.enum(effectTypes))

export interface ApprovalDecision {
  readonly id: string
  readonly state: Exclude<ApprovalState, 'pending'>
  readonly scope: GrantScope
  readonly reason: string | null
  readonly at: number
  /** Of its event: an edit stands in its body. */
  readonly seq: number
}

const columns = `approval.id, approval.threadId, thread.number AS threadNumber, thread.title AS threadTitle,
  approval.projectId, approval.step, approval.path, approval.callId, approval.action, approval.hash, approval.summary,
  approval.effects, approval.reason, approval.scopeKey, approval.undo, approval.state, approval.scope,
  approval.decisionReason, approval.requestedAt, approval.expiresAt, approval.decidedAt, approval.requestSeq, approval.decidedSeq`
const joined = `SELECT ${columns} FROM approval CROSS JOIN thread ON thread.id = approval.threadId`

/** What waits for a person and what was decided. Writes must run in the transaction of their event. */
export function createApprovalRows(connection: Connection) {
  // A step that went another way after an update asks anew in the same place: the log keeps what was asked there before.
  const insert = connection.prepare(
    `INSERT OR REPLACE INTO approval (id, threadId, projectId, step, path, callId, action, hash, summary, effects, reason, scopeKey,
       undo, state, requestedAt, expiresAt, requestSeq)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?, ?)`,
  )
  const decide = connection.prepare(
    `UPDATE approval SET state = ?, scope = ?, decisionReason = ?, decidedAt = ?, decidedSeq = ? WHERE id = ? AND state = 'pending'`,
  )
  const byId = connection.prepare<ApprovalRow>(`${joined} WHERE approval.id = ?`)
  const pending = connection.prepare<ApprovalRow>(
    `${joined} WHERE approval.state = 'pending' ORDER BY approval.requestSeq LIMIT ?`,
  )
  const decided = connection.prepare<ApprovalRow>(
    `${joined} WHERE approval.state <> 'pending' AND approval.decidedSeq < ? ORDER BY approval.decidedSeq DESC LIMIT ?`,
  )
  const ofThread = connection.prepare<ApprovalRow>(`${joined} WHERE approval.threadId = ? ORDER BY approval.requestSeq`)
  const ofCall = connection.prepare<ApprovalRow>(
    `${joined} WHERE approval.threadId = ? AND approval.step = ? AND approval.path = ?`,
  )
  const countPending = connection.prepare<{ count: number }>(
    `SELECT count(*) AS count FROM approval WHERE state = 'pending'`,
  )
  const due = connection.prepare<ApprovalRow>(
    `${joined} WHERE approval.state = 'pending' AND approval.expiresAt <= ? ORDER BY approval.requestSeq`,
  )

  return {
    insert(a: NewApproval): void {
      insert.run(
        ...[a.id, a.threadId, a.projectId, a.step, a.path, a.callId, a.action, a.hash, a.summary],
        ...[JSON.stringify(a.effects), a.reason, a.scopeKey, a.undo, a.requestedAt, a.expiresAt, a.requestSeq],
      )
    },
    /** False where it was decided before: the first decision counts. */
    decide: ({ id, state, scope, reason, at, seq }: ApprovalDecision): boolean =>
      decide.run(state, scope, reason, at, seq, id) === 1,
    get: (id: string): Approval | undefined => [byId.get(id)].flatMap(toApproval)[0],
    /** Oldest first. */
    pending: (max: number): readonly Approval[] => pending.all(max).flatMap(toApproval),
    countPending: (): number => countPending.get()?.count ?? 0,
    /** Newest first; `before`: the number of a decision. */
    decided: (before: number, max: number): readonly Approval[] => decided.all(before, max).flatMap(toApproval),
    /** Of one call; undefined where nobody was asked. */
    ofCall: (threadId: string, step: number, path: string): Approval | undefined =>
      [ofCall.get(threadId, step, path)].flatMap(toApproval)[0],
    ofThread: (threadId: string): readonly Approval[] => ofThread.all(threadId).flatMap(toApproval),
    /** Whose time is over. */
    due: (now: number): readonly Approval[] => due.all(now).flatMap(toApproval),
  }
}

function toApproval(row: ApprovalRow | undefined): readonly Approval[] {
  if (row === undefined) return []
  const effects = effectList.safeParse(parsed(row.effects))
  return [{ ...row, kind: 'action', effects: effects.success ? effects.data : [] }]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

import type { Approval } from '../../core/domain/approval.ts'
import type { PushedEvent } from '../engine/client.ts'
import type { Known } from './model.ts'

/** Somebody is asked. What the window does not know of the thread is read when the request is shown. */
export function foldRequested(known: Known, event: Extract<PushedEvent, { kind: 'approval.requested' }>): Known {
  const { approvalId: id, step, path, callId, name, argsHash, summary, policy, scopeKey, undo, expiresAt } = event.data
  const thread = known.threads[event.threadId]
  const approval: Approval = {
    ...{ id, kind: 'action', threadId: event.threadId, step, path, callId, summary, scopeKey, undo, expiresAt },
    threadNumber: thread?.number ?? 0,
    threadTitle: thread?.title ?? '',
    projectId: thread?.projectId ?? '',
    ...{ action: name, hash: argsHash, effects: policy.effects, reason: policy.reason ?? '' },
    ...{ state: 'pending', scope: null, decisionReason: null, decidedAt: null, decidedSeq: null },
    ...{ requestedAt: event.at, requestSeq: event.seq },
  }
  return mergeApprovals(known, [approval])
}

export function foldDecided(known: Known, event: Extract<PushedEvent, { kind: 'approval.decided' }>): Known {
  const { approvalId, state, scope, reason } = event.data
  const before = known.approvals[approvalId]
  if (before?.state !== 'pending') return known
  const decided = { state, scope, decisionReason: reason, decidedAt: event.at, decidedSeq: event.seq }
  return { ...known, approvals: { ...known.approvals, [approvalId]: { ...before, ...decided } } }
}

/** A decision is never taken back, so of two accounts of one request the decided one is right. */
export function mergeApprovals(known: Known, rows: readonly Approval[]): Known {
  const fresh = rows.filter(({ id, state }) => {
    const before = known.approvals[id]
    return !before || before.threadNumber === 0 || (before.state === 'pending' && state !== 'pending')
  })
  if (fresh.length === 0) return known
  return { ...known, approvals: { ...known.approvals, ...Object.fromEntries(fresh.map((row) => [row.id, row])) } }
}

/** Everything that waits, as the store says; what waits in the window's account only was decided elsewhere. */
export function replacePending(known: Known, pending: readonly Approval[]): Known {
  const decided = Object.entries(known.approvals).filter(([, { state }]) => state !== 'pending')
  return mergeApprovals({ ...known, approvals: Object.fromEntries(decided) }, pending)
}

import { canonicalActionName } from '../domain/action.ts'
import type { Grant } from '../domain/approval.ts'
import type { PolicyDecision } from '../domain/policy.ts'
import type { Review } from './action.ts'

/** A call that would ask, and where. */
export interface AskingCall {
  readonly action: string
  readonly review: Review
  readonly policy: PolicyDecision
  readonly rootId: string
  readonly projectId: string
  /** Of whose firing it, or the thread that it is a child of, is; null for none. */
  readonly missionId: string | null
}

/**
 * The standing approval that answers a call which would ask. None answers what costs money, promotes what the agent wrote
 * about itself, or may be the idea of a text that the thread has read (RULES 11); only `*`, a person's word for one thread, covers calls that have no scope. Pure.
 */
export function coveringGrant(grants: readonly Grant[], call: AskingCall): Grant | undefined {
  const { review, policy } = call
  if (policy.verdict !== 'ask' || policy.effects.includes('Financial')) return undefined
  if (policy.check === 'origin' || (review.verdict === 'ask' && review.isEachTime === true)) return undefined
  const scopeKey = scopeKeyOf(call.action, review)
  return grants.find((grant) => isFor(grant, call) && (grant.action === '*' || isOfJust(grant, call.action, scopeKey)))
}

/** What standing approvals of just such calls say they cover: the words of whoever gave them. */
export function grantedKeys(
  grants: readonly Grant[],
  call: Pick<AskingCall, 'action' | 'review' | 'rootId' | 'projectId' | 'missionId'>,
): readonly string[] {
  const scopeKey = scopeKeyOf(call.action, call.review)
  return grants
    .filter((grant) => isFor(grant, call) && isOfJust(grant, call.action, scopeKey))
    .map((each) => each.scopeKey)
}

function isOfJust(grant: Grant, action: string, scopeKey: string | null): boolean {
  return canonicalActionName(grant.action) === canonicalActionName(action) && grant.scopeKey === scopeKey
}

/** What a wider approval of this call would cover; null where it can only be given once. */
export function scopeKeyOf(action: string, review: Review): string | null {
  if (review.verdict !== 'ask') return canonicalActionName(action)
  return review.isEachTime === true ? null : review.scopeKey
}

function isFor(grant: Grant, call: Pick<AskingCall, 'rootId' | 'projectId' | 'missionId'>): boolean {
  if (grant.revokedAt !== null) return false
  switch (grant.scope) {
    case 'thread':
      return grant.threadId === call.rootId
    case 'mission':
      return grant.missionId !== null && grant.missionId === call.missionId
    case 'project':
      return grant.projectId === call.projectId
    case 'always':
      return true
  }
}

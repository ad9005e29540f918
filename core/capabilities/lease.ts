import { canonicalActionName, type Lease } from '../domain/action.ts'

/** Why a lease does not cover a call; undefined when one does. Pure. */
export function coveringLease(leases: readonly Lease[], action: string, now: number): Lease | undefined {
  const name = canonicalActionName(action)
  return leases.find((lease) => isValid(lease, now) && lease.actions.some((each) => canonicalActionName(each) === name))
}

function isValid(lease: Lease, now: number): boolean {
  return lease.revokedAt === null && (lease.expiresAt === null || now < lease.expiresAt) && lease.usesLeft !== 0
}

/** In words, for the model and the timeline. */
export function refusalReason(leases: readonly Lease[], action: string, now: number): string {
  const name = canonicalActionName(action)
  const named = leases.filter((lease) => lease.actions.some((each) => canonicalActionName(each) === name))
  const last = named.at(-1)
  if (last === undefined) return `this thread has no lease on ${action}`
  if (last.revokedAt !== null) return `the lease on ${action} was revoked`
  if (last.expiresAt !== null && now >= last.expiresAt) return `the lease on ${action} has expired`
  return `the lease on ${action} has no uses left`
}

import { canonicalActionName, type Lease } from '../domain/action.ts'

/** The lease that covers a call now; undefined where none does. One for a single call covers no other. Pure. */
export function coveringLease(leases: readonly Lease[], action: string, now: number): Lease | undefined {
  return leases.find((lease) => lease.argsHash === null && isValid(lease, now) && names(lease, action))
}

/** The one-use lease that an approval made for exactly these arguments. Pure. */
export function approvedLease(
  leases: readonly Lease[],
  call: { readonly action: string; readonly argsHash: string },
  now: number,
): Lease | undefined {
  return leases.find((lease) => lease.argsHash === call.argsHash && isValid(lease, now) && names(lease, call.action))
}

function names(lease: Lease, action: string): boolean {
  const name = canonicalActionName(action)
  return lease.actions.some((each) => canonicalActionName(each) === name)
}

function isValid(lease: Lease, now: number): boolean {
  return lease.revokedAt === null && (lease.expiresAt === null || now < lease.expiresAt) && lease.usesLeft !== 0
}

/** In words, for the model and the timeline. */
export function refusalReason(leases: readonly Lease[], action: string, now: number): string {
  const last = leases.findLast((lease) => lease.argsHash === null && names(lease, action))
  if (last === undefined) return `this thread has no lease on ${action}`
  if (last.revokedAt !== null) return `the lease on ${action} was revoked`
  if (last.expiresAt !== null && now >= last.expiresAt) return `the lease on ${action} has expired`
  return `the lease on ${action} has no uses left`
}

/**
 * What a child is given: the same actions and effects at most, until the parent's lease ends. A lease for one approved call
 * is not passed on, and of an ended one nothing is left. Pure. Source: seed E, Leases; RULES 12.
 */
export function leasesForChild(
  parents: readonly Lease[],
  child: { readonly threadId: string; readonly now: number; readonly nextId: () => string },
): readonly Lease[] {
  return parents
    .filter((lease) => lease.argsHash === null && isValid(lease, child.now))
    .map((lease) => ({
      ...lease,
      id: child.nextId(),
      threadId: child.threadId,
      parentLeaseId: lease.id,
      grantedAt: child.now,
    }))
}

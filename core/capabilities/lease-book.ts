import type { Lease } from '../domain/action.ts'
import type { Grant } from '../domain/approval.ts'
import type { Store } from '../store/store.ts'

/**
 * Leases and standing approvals as they are now, read once and kept until somebody changes them: every call asks. Whoever
 * writes one says so here, once it is committed.
 */
export interface LeaseBook {
  of(threadId: string): readonly Lease[]
  grants(): readonly Grant[]
  /** How often a lease may still be used, its ancestors' counts included; null where nobody counts. */
  usesLeft(lease: Lease): number | null
  /** Of which mission a thread is a firing; null for none. */
  missionOf(rootId: string): string | null
  changed(): void
}

/** Threads whose leases are kept: more than run at once, fewer than a long day holds. */
const mostKept = 1_000

export function createLeaseBook(store: Store): LeaseBook {
  const leases = new Map<string, readonly Lease[]>()
  let grants: readonly Grant[] | undefined

  function ofThread(threadId: string): readonly Lease[] {
    const known = leases.get(threadId) ?? store.leases.ofThread(threadId)
    if (leases.size >= mostKept) leases.clear()
    leases.set(threadId, known)
    return known
  }

  return {
    of: ofThread,
    grants() {
      grants ??= store.grants.live()
      return grants
    },
    usesLeft(lease) {
      let least = lease.usesLeft
      let parent = lease.parentLeaseId
      while (parent !== null) {
        const above = store.leases.get(parent)
        if (above === undefined) return 0
        if (above.usesLeft !== null) least = Math.min(least ?? above.usesLeft, above.usesLeft)
        parent = above.parentLeaseId
      }
      return least
    },
    missionOf: (rootId) => store.threads.get(rootId)?.missionId ?? null,
    changed() {
      leases.clear()
      grants = undefined
    },
  }
}

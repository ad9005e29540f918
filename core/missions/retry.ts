import { faultPoint } from '../domain/fault-point.ts'
import { limits } from '../domain/limits.ts'
import type { Firing } from '../domain/mission.ts'
import type { Append } from '../events/events.ts'
import type { Store } from '../store/store.ts'
import { type Claim, carryOut, insertFree, noClaim } from './claim.ts'
import { firingEvent } from './facts.ts'
import type { FiringThread, MissionParts } from './parts.ts'

/** From a failure to the next try; after the last of them there is none. */
const ladderMs = [60_000, 5 * 60_000, 25 * 60_000] as const

const againReason = 'again after a failure'
const missedReason = 'it was to be tried again after a failure, and Threadsmith was not there'

/** Read at once of a thread's record. */
const pageEvents = 1_000

/**
 * When a firing that failed is made once more; null for never. What a budget or the steps were too few for would use them up again, and
 * what may have had an effect could have it twice.
 */
export function retryAt(
  { store, now }: Pick<MissionParts, 'store' | 'now'>,
  firing: Firing,
  thread: Extract<FiringThread, { readonly kind: 'ended' }>,
): number | null {
  const waitMs = ladderMs[firing.attempt]
  if (waitMs === undefined || firing.threadId === null) return null
  if (thread.outcome !== 'failed' && thread.outcome !== 'answered') return null
  return mayHaveHadEffect(store, firing.threadId) ? null : now() + waitMs
}

/** Whether it, or a child of it, began a call that does more than read: one that was refused or denied never began. */
function mayHaveHadEffect(store: Store, threadId: string): boolean {
  return store.threads.ofRoot(threadId).some(({ id }) => hasIntent(store, id))
}

function hasIntent({ events }: Store, threadId: string): boolean {
  for (let after = 0; ; ) {
    const page = events.headersOf(threadId, after, pageEvents)
    // A record that cannot be read may hold anything.
    if (page.some(({ kind }) => kind === 'unreadable')) return true
    if (page.some((event) => event.kind === 'action.started' && event.data.argsHash !== null)) return true
    const last = page.at(-1)
    if (last === undefined || page.length < pageEvents) return false
    after = last.seq
  }
}

/** Puts what is to be tried again by now into the ledger, as firings of their own with what set off the first. */
export function claimRetries(parts: MissionParts, now: number): readonly Firing[] {
  return parts.store.triggers.dueRetries(now, limits.tickRows).flatMap(({ missionId }) => {
    faultPoint('mission.claim.before')
    const claim = parts.events.commit((append) => {
      const claimed = claimRetry(parts, missionId, append)
      faultPoint('mission.claim.staged')
      return claimed
    })
    return carryOut(parts, claim).firings
  })
}

function claimRetry({ store, now, nextId }: MissionParts, missionId: string, append: Append): Claim {
  const row = store.triggers.retryOf(missionId)
  const failed = row === undefined ? undefined : store.missions.firing(row.firingId)
  const mission = store.missions.get(missionId)
  store.triggers.removeRetry(missionId)
  if (row === undefined || failed === undefined || mission?.status !== 'active') return noClaim
  // Another one works at it, or is about to.
  if (store.missions.liveOf(missionId).length > 0) return noClaim
  const { trigger, causeDepth } = failed
  const isStale = now() - row.at > limits.firingLatenessMs
  const firing = insertFree({ store, nextId }, mission, {
    ...{ state: isStale ? 'missed' : 'queued', reason: isStale ? missedReason : againReason },
    ...{ trigger, causeDepth, claimedAt: now() },
    ...{ attempt: failed.attempt + 1, payload: store.missions.payloadOf(failed.id) },
  })
  append(mission.id, firingEvent(mission, firing))
  return { firings: [firing], stop: [] }
}

import { canonicalActionName } from '../domain/action.ts'
import type { Rehearsal, RehearsedAction } from '../domain/mission.ts'
import type { Store } from '../store/store.ts'

/** Read at once of a thread's record. */
const pageEvents = 1_000

/**
 * What the newest rehearsal of a mission used, and what of it asks again: all that a firing needs, as far as one firing shows it.
 * Null where it was never rehearsed. Source: asks A07.
 */
export function rehearsalOf(store: Store, missionId: string): Rehearsal | null {
  const firing = store.missions.newestRehearsal(missionId)
  if (firing === undefined) return null
  const used = new Map<string, RehearsedAction>()
  const note = (name: string, facts: Partial<Omit<RehearsedAction, 'action'>>) => {
    const action = canonicalActionName(name)
    const { calls, asksAgain, denied } = used.get(action) ?? { calls: 0, asksAgain: 0, denied: 0 }
    used.set(action, {
      ...{ action, calls: calls + (facts.calls ?? 0) },
      ...{ asksAgain: asksAgain + (facts.asksAgain ?? 0), denied: denied + (facts.denied ?? 0) },
    })
  }
  const standing = new Set(store.grants.live().map(({ approvalId }) => approvalId))
  for (const { id } of firing.threadId === null ? [] : store.threads.ofRoot(firing.threadId)) {
    for (const name of callsOf(store, id)) note(name, { calls: 1 })
    for (const approval of store.approvals.ofThread(id)) {
      if (approval.state === 'denied') note(approval.action, { denied: 1 })
      const stands = approval.scope !== 'thread' && standing.has(approval.id)
      if (approval.state === 'approved' && !stands) note(approval.action, { asksAgain: 1 })
    }
  }
  return { firing, used: [...used.values()].sort((one, other) => one.action.localeCompare(other.action, 'en')) }
}

/** Names of the calls that ran: one that was denied or refused stands there with its verdict. */
function* callsOf({ events }: Store, threadId: string): Generator<string> {
  for (let after = 0; ; ) {
    const page = events.headersOf(threadId, after, pageEvents)
    for (const { kind, data } of page) if (kind === 'action.started' && data.policy.verdict === 'allow') yield data.name
    const last = page.at(-1)
    if (last === undefined || page.length < pageEvents) return
    after = last.seq
  }
}

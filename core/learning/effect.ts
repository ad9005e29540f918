import { isWorse, slowRuleUses } from '../domain/confidence.ts'
import { type LearntItem, type LearntTally, signatureOf } from '../domain/learnt.ts'
import type { ThreadHeader } from '../domain/thread.ts'
import type { Store } from '../store/store.ts'
import { issuesOf, isTelling } from './sound-threads.ts'

/** Threads that are looked through for so many telling ones. */
const looked = 4 * slowRuleUses.most

/** How the newest threads of a project fared, as far as they say something. `signature`: the issue that counts. */
export function tallyOf(store: Store, projectId: string, signature: string): LearntTally {
  const newest = store.threads.list({ projectId, conversations: false, limit: looked })
  const telling = newest.filter((thread) => isTelling(store, thread)).slice(0, slowRuleUses.most)
  return {
    n: telling.length,
    issues: telling.filter(({ id }) => hasIssue(store, id, signature)).length,
    failures: telling.filter(isFailure).length,
  }
}

/** What the newest threads under a rule showed. */
export function tallySince(store: Store, item: Pick<LearntItem, 'id'>): LearntTally {
  const uses = store.learnt.uses(item.id, slowRuleUses.most)
  return {
    n: uses.length,
    issues: uses.filter(({ hadIssue }) => hadIssue).length,
    failures: uses.filter((use) => use.isFailure).length,
  }
}

export function hasIssue(store: Store, threadId: string, signature: string): boolean {
  return issuesOf(store, threadId).some((issue) => signatureOf(issue) === signature)
}

/** Stopped by its steps, or failed by itself. */
export function isFailure({ outcome }: Pick<ThreadHeader, 'outcome'>): boolean {
  return outcome !== 'answered'
}

/** Why it is worse with a rule than without, by the slow rule; null where that cannot be said. Source: learning 4.3. */
export function worseBy(before: LearntTally, after: LearntTally): string | null {
  const went = (tally: LearntTally, bad: number) => ({ successes: tally.n - bad, n: tally.n })
  if (isWorse(went(after, after.issues), went(before, before.issues)))
    return `its issue came up in ${after.issues} of ${after.n} threads since, in ${before.issues} of ${before.n} before`
  if (isWorse(went(after, after.failures), went(before, before.failures)))
    return `${after.failures} of ${after.n} threads came to no answer since, ${before.failures} of ${before.n} before`
  return null
}

/** Enough threads were seen, and the issue has become rarer. */
export function isBetter(before: LearntTally, after: LearntTally): boolean {
  if (after.n < slowRuleUses.least || before.n === 0) return false
  return after.issues / after.n < before.issues / before.n
}

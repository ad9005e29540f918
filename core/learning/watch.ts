import { limits } from '../domain/limits.ts'
import { isTerminal, type ThreadHeader } from '../domain/thread.ts'
import type { Store } from '../store/store.ts'
import type { LearntBook } from './book.ts'
import { hasIssue, isBetter, isFailure, tallySince, worseBy } from './effect.ts'
import type { FixPatterns } from './fix-patterns.ts'
import { isTelling } from './sound-threads.ts'

/** Counts what threads show of rules that are in force, and takes back one under which it is worse. Source: learning 4.3. */
export interface LearntWatch {
  /** After its trace was looked at. A second time changes nothing. */
  ended(thread: ThreadHeader): void
  /** The newest threads that ended in a process that did not live to look. */
  catchUp(): void
}

export interface LearntWatchParts {
  readonly store: Store
  readonly book: Pick<LearntBook, 'takeBack'>
  readonly patterns: FixPatterns
  readonly now: () => number
}

/** More do not end in the moments before a crash. */
const newestThreads = 20

export function createLearntWatch({ store, book, patterns, now }: LearntWatchParts): LearntWatch {
  function ended(thread: ThreadHeader): void {
    const rules = store.learnt.live(thread.projectId, limits.pageRows).filter(({ kind }) => kind === 'overlay')
    // Its system message was made when it began: rules that came later it was never told.
    const told = rules.filter(({ decidedAt }) => decidedAt !== null && decidedAt < thread.createdAt)
    if (told.length === 0 || !isTelling(store, thread)) return
    for (const rule of told) {
      const hadIssue = hasIssue(store, thread.id, rule.topic)
      const use = { itemId: rule.id, threadId: thread.id, at: now(), hadIssue, isFailure: isFailure(thread) }
      if (!store.transaction(() => store.learnt.addUse(use)) || rule.before === null) continue
      const after = tallySince(store, rule)
      const worse = worseBy(rule.before, after)
      if (worse !== null) book.takeBack(rule, worse)
      else if (isBetter(rule.before, after)) noteSuccess(rule.id, rule.projectId, rule.patternId)
    }
  }

  /** Once for each rule: it is then the first to be tried for such an issue. */
  function noteSuccess(id: string, projectId: string, patternId: string | null): void {
    if (patternId === null) return
    store.transaction(() => {
      if (store.learnt.markMeasured(id)) patterns.tally(projectId, patternId, true)
    })
  }

  return {
    ended,
    catchUp() {
      const newest = store.threads.list({ conversations: false, limit: newestThreads })
      // As they ended.
      for (const thread of newest.toSorted((a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0)))
        if (isTerminal(thread.state)) ended(thread)
    },
  }
}

import { hash } from 'node:crypto'
import type { TraceIssue } from '../domain/issue.ts'
import { type LearntItem, signatureOf } from '../domain/learnt.ts'
import { limits } from '../domain/limits.ts'
import type { FixPattern, Store } from '../store/store.ts'
import { knownFixes } from './known-fixes.ts'

/** What is known to mend which issue, by project. A fix that was found once is the first to be tried again. */
export interface FixPatterns {
  /** Those that fit an issue, the best first; one that only ever failed is given up. */
  known(projectId: string, issue: TraceIssue): readonly FixPattern[]
  /** All of a project, the best first. */
  list(projectId: string): readonly FixPattern[]
  /** Of a rule that a thread found for an issue; the same rule twice is one. Answers its id. Within a transaction. */
  learn(item: LearntItem): string
  /** It went well, or did not. Within a transaction. */
  tally(projectId: string, id: string, isSuccess: boolean): void
}

/** Failures without a single success after which a fix is not offered any more. */
const givenUpAfter = 3

export function createFixPatterns(store: Store, now: () => number): FixPatterns {
  const bundled = (projectId: string): readonly FixPattern[] =>
    knownFixes.map((fix) => ({
      ...fix,
      projectId,
      id: `bundled:${fix.id}`,
      origin: 'bundled',
      successes: 0,
      failures: 0,
      createdAt: 0,
    }))

  function list(projectId: string): readonly FixPattern[] {
    const rows = store.fixes.list(projectId, limits.pageRows)
    const tallies = new Map(rows.map((row) => [row.id, row]))
    // The text of one that ships with the app is the app's, its tallies are the project's.
    const shipped = bundled(projectId).map((fix) => {
      const { successes = 0, failures = 0 } = tallies.get(fix.id) ?? {}
      return { ...fix, successes, failures }
    })
    const own = rows.filter(({ origin }) => origin !== 'bundled')
    return [...own, ...shipped].toSorted((a, b) => rankOf(b) - rankOf(a))
  }

  /** Room for one more: the weakest of those that threads found goes, of equal ones the oldest. */
  function makeRoom(projectId: string): void {
    const own = list(projectId).filter(({ origin }) => origin !== 'bundled')
    const weakest = own.toSorted((a, b) => rankOf(a) - rankOf(b) || a.createdAt - b.createdAt)
    for (const { id } of weakest.slice(0, Math.max(0, own.length - limits.fixPatterns + 1)))
      store.fixes.drop(projectId, id)
  }

  return {
    known: (projectId, issue) => list(projectId).filter((fix) => fits(fix, issue) && !isGivenUp(fix)),
    list,
    learn({ projectId, topic, text, threadId }) {
      const id = `fix_${hash('sha256', `${topic}\n${text}`).slice(0, 16)}`
      const known = store.fixes.list(projectId, limits.pageRows)
      if (known.some((each) => each.id === id)) return id
      makeRoom(projectId)
      const [issueClass = '', ...needs] = topic.toLowerCase().split(' ')
      const facts = { level: 'PROMPT', strategy: 'A rule that a thread found.', rule: text, origin: threadId } as const
      store.fixes.add({
        ...{ projectId, id, issueClass, needs, ...facts },
        ...{ successes: 0, failures: 0, createdAt: now() },
      })
      return id
    },
    tally(projectId, id, isSuccess) {
      const shipped = bundled(projectId).find((fix) => fix.id === id)
      if (shipped !== undefined) store.fixes.add({ ...shipped, createdAt: now() })
      store.fixes.tally(projectId, id, isSuccess)
    },
  }
}

/**
 * In (0, 1), by the rule of succession: half where nothing is known. A tally here is of rules, each of which counts once after many
 * threads, so one that helped once already comes before those that nobody tried, and one that failed once behind them.
 */
function rankOf({ successes, failures }: FixPattern): number {
  return (successes + 1) / (successes + failures + 2)
}

function isGivenUp({ successes, failures }: FixPattern): boolean {
  return successes === 0 && failures >= givenUpAfter
}

/** One that a thread found is for just the issue that it was found for. */
function fits({ issueClass, needs, origin }: FixPattern, issue: TraceIssue): boolean {
  if (origin !== 'bundled') return signatureOf(issue).toLowerCase() === [issueClass, ...needs].join(' ')
  if (issueClass !== issue.class) return false
  const text = [issue.subject ?? '', issue.code ?? '', issue.reason].join(' ').toLowerCase()
  return needs.every((word) => text.includes(word))
}

import type { BudgetCheck, BudgetKind, BudgetScope } from '../../core/domain/budget.ts'
import { factOf } from './fact.ts'
import type { Timeline } from './timeline.ts'

/** One limit over time, as far as it was checked: nothing of it comes from a setting. */
export interface BurnLine {
  readonly scope: BudgetScope
  readonly kind: BudgetKind
  readonly checks: readonly (BudgetCheck & { readonly at: number; readonly step: number })[]
}

/** Of each limit that was ever checked, its checks in order. */
export function burnLinesOf({ notes }: Timeline): readonly BurnLine[] {
  const lines = new Map<string, { scope: BudgetScope; kind: BudgetKind; checks: BurnLine['checks'][number][] }>()
  for (const note of notes) {
    const fact = note.kind === 'budget.checked' ? factOf(note) : null
    if (fact?.kind !== 'budget.checked') continue
    for (const check of fact.data.checks) {
      const key = `${check.scope} ${check.kind}`
      const line = lines.get(key) ?? { scope: check.scope, kind: check.kind, checks: [] }
      line.checks.push({ ...check, at: note.at, step: fact.data.step })
      lines.set(key, line)
    }
  }
  return [...lines.values()]
}

/** What was left when it was checked, in [0, 1]: of what was used, not of what the call might have taken. */
export function shareLeft({ used, limit }: Pick<BudgetCheck, 'used' | 'limit'>): number {
  return limit <= 0 ? 0 : Math.max(0, Math.min(1, 1 - used / limit))
}

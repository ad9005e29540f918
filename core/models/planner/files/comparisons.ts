import type { DateSpec } from '../language/dates.ts'
import type { Concept } from '../language/lexicon.ts'
import { isConcept, type Unit } from '../language/reading.ts'

/** The concepts that compare with an amount. */
export function comparisonOf(concept: Concept): 'over' | 'under' | 'atLeast' | 'atMost' | 'equals' | undefined {
  switch (concept) {
    case 'over':
    case 'under':
    case 'atLeast':
    case 'atMost':
    case 'equals':
      return concept
    default:
      return undefined
  }
}

/** How a date limits: "since" and "until" include the day, "after" and "before" do not. */
export function dateRelation(
  units: readonly Unit[],
  at: number,
  spec: DateSpec,
): 'after' | 'since' | 'before' | 'until' | 'in' {
  const before = units
    .slice(Math.max(0, at - 2), at)
    .findLast((u) => u.kind !== 'filler' || u.tokens[0]?.lower === 'from')
  const word = before?.text.toLowerCase() ?? ''
  if (isConcept(before, 'after'))
    return /^(since|as of|starting)/.test(word) ? 'since' : spec.kind === 'ago' ? 'since' : 'after'
  if (isConcept(before, 'before')) return /^(until|till|til|up)/.test(word) ? 'until' : 'before'
  if (isConcept(before, 'over')) return 'before'
  if (isConcept(before, 'under')) return 'since'
  if (word === 'from' && spec.kind === 'day') return 'in'
  return 'in'
}

import type { Concept } from '../language/lexicon.ts'
import { isConcept, type Reading, type UnitKind } from '../language/reading.ts'

/** The words that say which files are meant; every intent about files takes them. */
export const scopeConcepts: readonly Concept[] = [
  'file',
  'folder',
  'size',
  'time',
  'name',
  'startsWith',
  'endsWith',
  'over',
  'under',
  'atLeast',
  'atMost',
  'between',
  'after',
  'before',
  'and',
  'or',
  'which',
  'with',
  'type',
  'item',
  'level',
  'than',
]

export const scopeKinds: readonly UnitKind[] = ['fileKind', 'size', 'date', 'open', 'path', 'quoted', 'glob', 'number']

/** "The best project", "the worst file": no figure of a file says so. */
export function isJudged(reading: Reading): boolean {
  return reading.units.some((u) => isConcept(u, 'top', 'bottom') && /^(?:best|leading|worst)$/i.test(u.text))
}

/** "contain" that is about names or about what a folder holds, not about text inside files. */
export function isContainHarmless(reading: Reading): boolean {
  const { units } = reading
  const at = units.findIndex((u) => isConcept(u, 'contain'))
  if (at < 0 || units.some((u) => isConcept(u, 'name'))) return true
  const rest = units.slice(at + 1)
  return !rest.some((u) => u.kind === 'open' || u.kind === 'quoted' || u.kind === 'number')
}

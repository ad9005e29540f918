import type { Concept } from './lexicon.ts'
import { isConcept, type Reading, type Unit } from './reading.ts'

/** Where a noun stands: asked about, or the place that something is looked for in. */
export interface Noun {
  readonly at: number
  readonly concept: Concept
  readonly role: 'target' | 'container'
}

const nounConcepts: readonly Concept[] = [
  'file',
  'folder',
  'line',
  'word',
  'character',
  'row',
  'column',
  'value',
  'key',
  'item',
  'size',
  'type',
  'name',
  'time',
  'hash',
]
const prepositions = new Set('in of from inside within to for among on at into'.split(' '))
const skipped = new Set('the a an this that these those my our your all any whole entire both same'.split(' '))
const beforeOf: readonly Concept[] = [
  'count',
  'which',
  'each',
  'largest',
  'smallest',
  'newest',
  'oldest',
  'top',
  'list',
  'name',
]

/** The things that a request names, in order. "csvs" alone is a file, too. */
export function nounsOf(reading: Reading): readonly Noun[] {
  const { units } = reading
  const nouns: Noun[] = []
  units.forEach((_, at) => {
    const concept = nounAt(units, at)
    if (concept) nouns.push({ at, concept, role: roleOf(units, at) })
  })
  return nouns
}

function nounAt(units: readonly Unit[], at: number): Concept | undefined {
  const unit = units[at]
  if (unit?.kind === 'concept') return nounConcepts.find((c) => c === unit.concept)
  if (unit?.kind !== 'fileKind' && unit?.kind !== 'glob') return undefined
  return units.slice(at + 1, at + 4).some((u) => isConcept(u, 'file')) ? undefined : 'file'
}

function roleOf(units: readonly Unit[], at: number): Noun['role'] {
  for (let left = at - 1; left >= 0; left -= 1) {
    const unit = units[left]
    if (!unit) break
    const word = unit.tokens[0]?.lower ?? ''
    if (unit.kind === 'filler' && prepositions.has(word)) {
      return word === 'of' && isConcept(units[left - 1], ...beforeOf) ? 'target' : 'container'
    }
    if (isConcept(unit, 'under', 'per', 'contain')) return 'container'
    const isModifier = ['open', 'fileKind', 'number', 'quoted', 'path'].includes(unit.kind)
    const isDescribing = isConcept(
      unit,
      'each',
      'largest',
      'smallest',
      'newest',
      'oldest',
      'first',
      'last',
      'longest',
      'shortest',
    )
    if (!isModifier && !isDescribing && !(unit.kind === 'filler' && skipped.has(word))) return 'target'
  }
  return 'target'
}

/** What an intent takes into account; everything else in the request is left over and speaks against it. */
export interface Accepted {
  readonly concepts: readonly Concept[]
  readonly kinds: readonly Unit['kind'][]
}

/** Words that the intent does not account for. A request with any is about something else. */
export function leftOver(reading: Reading, accepted: Accepted): readonly Unit[] {
  return reading.units.filter((unit) => {
    if (unit.kind === 'filler') return false
    if (unit.kind === 'sign') return !/^[?.,!:;()"'-]$/.test(unit.text) && !accepted.kinds.includes('sign')
    if (unit.kind === 'concept') return !accepted.concepts.includes(unit.concept)
    return !accepted.kinds.includes(unit.kind)
  })
}

export function has(reading: Reading, ...concepts: readonly Concept[]): boolean {
  return reading.units.some((unit) => isConcept(unit, ...concepts))
}

export function unitsOf<Kind extends Unit['kind']>(reading: Reading, kind: Kind): readonly (Unit & { kind: Kind })[] {
  return reading.units.filter((unit): unit is Unit & { kind: Kind } => unit.kind === kind)
}

/** The first unit that stands for one of the concepts, and where. */
export function findConcept(reading: Reading, ...concepts: readonly Concept[]): { unit: Unit; at: number } | undefined {
  const at = reading.units.findIndex((unit) => isConcept(unit, ...concepts))
  const unit = reading.units[at]
  return unit && { unit, at }
}

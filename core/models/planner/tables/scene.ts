import type { Concept } from '../language/lexicon.ts'
import { isConcept } from '../language/reading.ts'
import type { Filters } from './filter-draft.ts'
import type { Piece } from './pieces.ts'
import { type Column, type ColumnValues, isIdentifier, measuresOf, type Schema } from './schema.ts'
import { synonymsOf } from './synonyms.ts'

export type AggregateName = 'count' | 'sum' | 'avg' | 'min' | 'max' | 'median' | 'distinct'
export interface Aggregate {
  readonly fn: AggregateName
  readonly column: string | null
}

/** What is asked of one table. */
export type Question =
  | { readonly ask: 'schema' }
  | { readonly ask: 'count' }
  | { readonly ask: 'distinct'; readonly column: string }
  | { readonly ask: 'figures'; readonly aggregates: readonly Aggregate[] }
  | {
      readonly ask: 'groups'
      readonly by: readonly string[]
      readonly aggregates: readonly Aggregate[]
      readonly order: 'asc' | 'desc'
      readonly limit: number | null
    }
  | { readonly ask: 'extremes'; readonly column: string; readonly order: 'asc' | 'desc'; readonly limit: number }
  | { readonly ask: 'values'; readonly column: string }
  | { readonly ask: 'columns'; readonly columns: readonly [string, string] }
  | { readonly ask: 'share'; readonly column: string | null }
  | {
      readonly ask: 'rows'
      readonly columns: readonly string[]
      readonly sort: { readonly column: string; readonly order: 'asc' | 'desc' } | null
      readonly limit: number | null
      readonly fromEnd: boolean
    }
  | { readonly ask: 'duplicates'; readonly column: string | null }
  | { readonly ask: 'unclear'; readonly why: string }

export type ColumnPiece = Extract<Piece, { kind: 'column' }>
export interface At {
  readonly piece: ColumnPiece
  readonly at: number
}

export interface Scene {
  readonly pieces: readonly Piece[]
  readonly filters: Filters
  readonly schema: Schema
  readonly values: readonly ColumnValues[]
  readonly columns: readonly At[]
  readonly used: Set<number>
}

export const unit = (piece: Piece | undefined) =>
  piece?.kind === 'unit' || piece?.kind === 'column' ? piece.unit : undefined
const superlatives: readonly Concept[] = [
  'highest',
  'lowest',
  'largest',
  'smallest',
  'newest',
  'oldest',
  'longest',
  'shortest',
  'top',
  'bottom',
]

export function find(scene: Scene, ...concepts: readonly Concept[]): number {
  return scene.pieces.findIndex((p) => p.kind === 'unit' && isConcept(p.unit, ...concepts))
}

export function saidOps(scene: Scene): readonly AggregateName[] {
  const ops: AggregateName[] = []
  const names: readonly (readonly [Concept, AggregateName])[] = [
    ['sum', 'sum'],
    ['average', 'avg'],
    ['median', 'median'],
    ['highest', 'max'],
    ['lowest', 'min'],
    ['count', 'count'],
  ]
  for (const piece of scene.pieces) {
    const said = unit(piece)
    if (isConcept(said, 'range')) ops.push('min', 'max')
    for (const [concept, fn] of names) if (isConcept(said, concept) && !ops.includes(fn)) ops.push(fn)
  }
  // "total number of", "average total", "the cheapest, and how much": the sum is only a word there, or a column.
  const isIdle =
    ops.includes('avg') ||
    ops.includes('median') ||
    (ops.length > 1 && scene.pieces.every((p) => !isConcept(unit(p), 'sum') || /^how much$/i.test(p.text)))
  return isIdle ? ops.filter((fn) => fn !== 'sum') : ops
}

export function numberSaid(scene: Scene): number | null {
  const at = scene.pieces.findIndex(
    (p, i) => p.kind === 'unit' && p.unit.kind === 'number' && !scene.filters.used.has(i),
  )
  const piece = scene.pieces[at]
  if (piece?.kind !== 'unit' || piece.unit.kind !== 'number') return null
  scene.used.add(at)
  return Number(piece.unit.value)
}

/** The column to group by or to name rows with: text before figures, a name before an identifier. */
export function labelColumn({ columns }: ColumnPiece): Column {
  const [first] = columns
  const named = columns.find((c) => c.type !== 'number' && !/^(id|key|code)$/.test(c.words.at(-1) ?? ''))
  const found = named ?? columns.find((c) => c.type !== 'number') ?? first
  if (!found) throw new RangeError('a column piece without columns')
  return found
}

export const numericColumn = ({ columns }: ColumnPiece): Column | undefined =>
  columns.find((c) => c.type === 'number' && !isIdentifier(c))

export function measureIn(scene: Scene, without: readonly string[]): Column | undefined {
  const named = scene.columns
    .map(({ piece }) => ({ piece, column: numericColumn(piece) }))
    .filter((m) => m.column !== undefined && !without.includes(m.column.name))
  // "total price" beside a column "total": the word is the sum there, the other column is meant.
  const plain = named.filter(({ piece }) => !isConcept(piece.unit, 'sum', 'count', 'average', 'value'))
  return (plain[0] ?? named[0])?.column
}

export function whichColumn(schema: Schema): string {
  const names = measuresOf(schema).map((c) => c.name)
  return names.length === 0
    ? 'There is no column with numbers to work with.'
    : `It is not clear which column is meant. The columns with numbers are ${names.join(', ')}.`
}

export interface Superlative {
  readonly at: number
  readonly order: 'asc' | 'desc'
  readonly limit: number
  readonly hint: Column | undefined
  readonly isMost: boolean
}

export function superlativeOf(scene: Scene): Superlative | undefined {
  const at = find(scene, ...superlatives)
  const said = unit(scene.pieces[at])
  if (!said) return undefined
  const isAscending = isConcept(said, 'lowest', 'smallest', 'oldest', 'shortest', 'bottom')
  const hint = hintedColumn(
    scene,
    said.tokens.map((t) => t.lemma),
  )
  const isAge = hint?.type === 'number' && hint.words.includes('age') && isConcept(said, 'oldest', 'newest')
  const word = said.text.toLowerCase()
  return {
    at,
    order: isAscending === isAge ? 'desc' : 'asc',
    limit: isConcept(said, 'top', 'bottom') ? 5 : 1,
    hint,
    isMost: word === 'most' || word === 'least' || word === 'fewest' || isConcept(said, 'top', 'bottom'),
  }
}

function hintedColumn(scene: Scene, lemmas: readonly string[]): Column | undefined {
  for (const word of lemmas.flatMap((l) => synonymsOf(l))) {
    const found = scene.schema.columns.find((c) => (c.type === 'number' || c.type === 'date') && c.words.includes(word))
    if (found) return found
  }
  return undefined
}

// "the best region" is one, "the best regions" are several.
export function isOne(scene: Scene, at: number): boolean {
  const next = scene.pieces.slice(at + 1).find((p) => p.kind === 'column' || p.kind === 'source' || p.kind === 'rows')
  return /^(best|worst|leading)$/i.test(scene.pieces[at]?.text ?? '') && next !== undefined && !/s$/i.test(next.text)
}

export function isRepeated(scene: Scene, column: Column): boolean {
  const known = scene.values.find((v) => v.column === column.name)
  return known !== undefined && known.groups < column.filled
}

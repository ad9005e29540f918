import { isConcept, type Unit } from '../language/reading.ts'
import type { Piece } from './pieces.ts'
import type { ColumnValues, Schema } from './schema.ts'

/** A condition as the `table` action takes it; `label` says it in words. */
export interface Condition {
  readonly column: string
  readonly op: string
  readonly value?: string | number
}

/** What limits the rows, which pieces said so, and what is not clear. */
export interface Filters {
  readonly conditions: readonly Condition[]
  /** Values of one column that are alternatives: "Germany and France". */
  readonly alternatives: { readonly column: string; readonly values: readonly string[] } | undefined
  readonly used: ReadonlySet<number>
  readonly question: string | undefined
}

/** The table that a request was tied to. */
export interface Ground {
  readonly schema: Schema
  readonly values: readonly ColumnValues[]
}

/** What is found while the pieces are read. */
export interface Draft {
  readonly conditions: Condition[]
  readonly used: Set<number>
  question: string | undefined
}

export const unitOf = (piece: Piece | undefined): Unit | undefined =>
  piece?.kind === 'unit' || piece?.kind === 'column' ? piece.unit : undefined
export const says = (piece: Piece | undefined, ...concepts: Parameters<typeof isConcept>[1][]): boolean =>
  piece?.kind === 'unit' && isConcept(piece.unit, ...concepts)
export const isFiller = (piece: Piece | undefined): boolean =>
  piece?.kind === 'unit' && (piece.unit.kind === 'filler' || piece.unit.kind === 'sign')

/** The number that a piece is, if it is one. */
export function numberAt(piece: Piece | undefined): number | undefined {
  return piece?.kind === 'unit' && piece.unit.kind === 'number' ? Number(piece.unit.value) : undefined
}

/** The last piece before `at`, within reach, that passes; -1 for none. */
export function lastIndexBefore(
  pieces: readonly Piece[],
  at: number,
  test: (piece: Piece) => boolean,
  reach: number,
): number {
  for (let i = at - 1; i >= Math.max(0, at - reach); i -= 1) {
    const piece = pieces[i]
    if (piece && test(piece)) return i
  }
  return -1
}

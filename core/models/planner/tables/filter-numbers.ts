import { comparisonOf } from '../files/comparisons.ts'
import { type Draft, isFiller, lastIndexBefore, numberAt, says, unitOf } from './filter-draft.ts'
import type { Piece } from './pieces.ts'
import { type Column, isIdentifier, measuresOf, type Schema } from './schema.ts'
import { synonymsOf } from './synonyms.ts'

const operators = { over: 'gt', under: 'lt', atLeast: 'ge', atMost: 'le', equals: 'eq' } as const

/** Comparisons with numbers: "over 100", "quantity is 2", "between 5 and 10", "order 1003". */
export function readNumbers(pieces: readonly Piece[], schema: Schema, draft: Draft): void {
  pieces.forEach((piece, at) => {
    const value = numberAt(piece)
    if (value === undefined || draft.used.has(at)) return
    const between = lastIndexBefore(pieces, at, (p) => says(p, 'between'), 2)
    const found = between >= 0 ? undefined : comparisonNear(pieces, at)
    const isRange = found?.concept === 'equals' && saysTo(pieces[at + 1]) && numberAt(pieces[at + 2]) !== undefined
    if (isRange) {
      readBetween(pieces, { at, between: found.at, value }, schema, draft)
      return
    }
    if (between >= 0) readBetween(pieces, { at, between, value }, schema, draft)
    else if (!found) readIdentifier(pieces, at, schema, draft)
    if (!found) return
    const column = comparedColumn(pieces, at, schema, found.at)
    draft.used.add(at).add(found.at)
    if (!column) {
      draft.question ??= `It is not clear which column is meant with ${value}. The columns with numbers are ${measuresOf(
        schema,
      )
        .map((c) => c.name)
        .join(', ')}.`
      return
    }
    if (column.at !== undefined) draft.used.add(column.at)
    const named = column.at === undefined ? undefined : pieces[column.at]
    if (
      named?.kind === 'column' &&
      named.by === 'part' &&
      named.columns.length > 1 &&
      named.columns.every((c) => c.type === 'number')
    ) {
      draft.question ??= `It is not clear whether "${named.text}" means ${named.columns.map((c) => c.name).join(' or ')}.`
    }
    const isNegated = says(pieces[found.at - 1], 'not') && found.concept === 'equals'
    draft.conditions.push({ column: column.name, op: isNegated ? 'ne' : operators[found.concept], value })
  })
}

/** "order 1003": the number behind the thing itself is its identifier. */
function readIdentifier(pieces: readonly Piece[], at: number, schema: Schema, draft: Draft): void {
  const before = pieces[at - 1]
  const column = schema.columns.find((c) => isIdentifier(c) && c.type === 'number')
  const isNamed =
    before?.kind === 'source' ||
    before?.kind === 'rows' ||
    (before?.kind === 'column' && before.columns.some(isIdentifier))
  if (!column || !isNamed || says(pieces[at - 2], 'top', 'first', 'last')) return
  draft.used.add(at)
  if (before?.kind === 'column') draft.used.add(at - 1)
  draft.conditions.push({ column: column.name, op: 'eq', value: numberAt(pieces[at]) ?? 0 })
}

function readBetween(
  pieces: readonly Piece[],
  { at, between, value }: { at: number; between: number; value: number },
  schema: Schema,
  draft: Draft,
): void {
  const end = pieces.findIndex((p, i) => i > at && i <= at + 3 && numberAt(p) !== undefined)
  const upper = numberAt(pieces[end])
  const column = comparedColumn(pieces, at, schema, between)
  if (upper === undefined || !column) {
    draft.question ??= 'It is not clear which column should be between these numbers.'
    return
  }
  for (let i = between; i <= end; i += 1) draft.used.add(i)
  if (column.at !== undefined) draft.used.add(column.at)
  draft.conditions.push({ column: column.name, op: 'ge', value }, { column: column.name, op: 'le', value: upper })
}

const saysTo = (piece: Piece | undefined): boolean => isFiller(piece) && /^(?:to|-)$/i.test(piece?.text ?? '')

type Comparing = keyof typeof operators

function comparisonNear(pieces: readonly Piece[], at: number): { concept: Comparing; at: number } | undefined {
  for (let i = at - 1; i >= Math.max(0, at - 3); i -= 1) {
    const concept = comparing(pieces[i])
    if (concept) return { concept, at: i }
    const isPassable = isFiller(pieces[i]) || says(pieces[i], 'than')
    if (!isPassable) break
  }
  const after = pieces[at + 1]
  const behind = comparing(after)
  if (behind === 'atLeast' || behind === 'atMost') return { concept: behind, at: at + 1 }
  // "where quantity is 2", "stock = 0": the column stands right before.
  const before = lastIndexBefore(pieces, at, (p) => p.kind === 'column', 3)
  const gap = pieces.slice(before + 1, at)
  if (before < 0 || !gap.every((p) => /^(is|are|was|were|of|=|:|equals)$/.test(p.text.toLowerCase()))) return undefined
  const isName = gap.length > 0 || pieces[before]?.kind === 'column'
  return isName ? { concept: 'equals', at: gap.length > 0 ? before + 1 : before } : undefined
}

function comparing(piece: Piece | undefined): Comparing | undefined {
  if (piece?.kind !== 'unit' || piece.unit.kind !== 'concept') return undefined
  return comparisonOf(piece.unit.concept)
}

/** The column that a number is compared with: named before it, named behind it, hinted at by the comparison, or the only one. */
function comparedColumn(
  pieces: readonly Piece[],
  at: number,
  schema: Schema,
  cue: number,
): { name: string; at: number | undefined } | undefined {
  const isNumeric = (p: Piece | undefined) => p?.kind === 'column' && p.columns.some((c) => c.type === 'number')
  for (let i = cue; i >= 0; i -= 1) {
    const piece = pieces[i]
    if (i < cue && (numberAt(piece) !== undefined || piece?.kind === 'value')) break
    if (isNumeric(piece)) return { name: numericOf(piece), at: i }
  }
  const after = pieces.findIndex((p, i) => i > at && i <= at + 3 && isNumeric(p))
  if (after >= 0) return { name: numericOf(pieces[after]), at: after }
  const hint = (unitOf(pieces[cue])?.tokens ?? []).flatMap((t) => synonymsOf(t.lemma))
  const hinted = hint
    .map((word) => schema.columns.find((c) => c.type === 'number' && c.words.includes(word)))
    .find((c) => c !== undefined)
  if (hinted) return { name: hinted.name, at: undefined }
  const main = mainMeasure(schema)
  return main && { name: main.name, at: undefined }
}

function numericOf(piece: Piece | undefined): string {
  return (piece?.kind === 'column' && piece.columns.find((c) => c.type === 'number')?.name) || ''
}

/** The one column that figures are most likely about; undefined when there are several as good. */
export function mainMeasure(schema: Schema): Column | undefined {
  const measures = measuresOf(schema)
  if (measures.length === 1) return measures[0]
  const money = measures.filter((c) =>
    c.words.some((w) => /^(amount|total|revenue|sale|price|cost|value|salary)$/.test(w)),
  )
  return money.length === 1 ? money[0] : undefined
}

import type { PlanContext } from '../intent.ts'
import type { Plan } from '../plan.ts'
import { readDates } from './filter-dates.ts'
import { type Draft, type Filters, type Ground, isFiller, lastIndexBefore, says, unitOf } from './filter-draft.ts'
import { readNumbers } from './filter-numbers.ts'
import type { Piece } from './pieces.ts'
import type { ColumnValues, Schema } from './schema.ts'
import { synonymsOf } from './synonyms.ts'

/** Reads the conditions: values, comparisons with numbers, dates, text, empty cells. */
export function* filtersOf(pieces: readonly Piece[], { schema, values }: Ground, context: PlanContext): Plan<Filters> {
  const draft: Draft = { conditions: [], used: new Set(), question: undefined }
  readNumbers(pieces, schema, draft)
  readTexts(pieces, draft)
  readEmpty(pieces, draft)
  readFlags(pieces, values, draft)
  readSoldOut(pieces, schema, draft)
  yield* readDates(pieces, schema, { draft, context })
  const alternatives = readValues(pieces, draft)
  return { ...draft, alternatives }
}

const textOperators = { contain: 'contains', startsWith: 'startsWith', endsWith: 'endsWith', equals: 'eq' } as const

function readTexts(pieces: readonly Piece[], draft: Draft): void {
  pieces.forEach((piece, at) => {
    if (piece.kind !== 'column' || draft.used.has(at)) return
    const cue = pieces.findIndex(
      (p, i) => i > at && i <= at + 3 && says(p, 'contain', 'startsWith', 'endsWith', 'equals'),
    )
    const unit = cue >= 0 ? unitOf(pieces[cue]) : undefined
    const concept = unit?.kind === 'concept' ? unit.concept : undefined
    const from = cue >= 0 ? cue + 1 : at + 1
    const textAt = pieces.findIndex(
      (p, i) =>
        i >= from &&
        i <= from + 2 &&
        (p.kind === 'quoted' ||
          p.kind === 'unknown' ||
          (p.kind === 'rows' && p.lemma !== 'row') ||
          (cue >= 0 && p.kind === 'value')),
    )
    const between = pieces.slice(at + 1, textAt)
    if (textAt < 0 || !between.every((p) => isFiller(p) || p === pieces[cue] || says(p, 'not', 'word', 'with'))) return
    // "Which customer is happiest" is no condition; "where customer is Zoe" is one.
    const isClause =
      pieces[textAt]?.kind === 'quoted' || lastIndexBefore(pieces, at, (p) => says(p, 'with', 'where'), 6) >= 0
    const isSaid = cue >= 0 || (isClause && between.some((p) => /^(is|are|was|=)$/.test(p.text.toLowerCase())))
    if (!isSaid || (cue < 0 && pieces[textAt]?.kind === 'value')) return
    const op =
      concept === 'contain' || concept === 'startsWith' || concept === 'endsWith' ? textOperators[concept] : 'eq'
    const isNegated = between.some((p) => says(p, 'not'))
    for (let i = at; i <= textAt; i += 1) draft.used.add(i)
    if (isNegated && op !== 'eq') draft.question ??= 'It cannot leave out rows by a part of their text.'
    draft.conditions.push({
      column: piece.columns[0]?.name ?? '',
      op: isNegated ? 'ne' : op,
      value: pieces[textAt]?.text ?? '',
    })
  })
}

function readEmpty(pieces: readonly Piece[], draft: Draft): void {
  pieces.forEach((piece, at) => {
    if (piece.kind !== 'column' || draft.used.has(at)) return
    const near = pieces.slice(Math.max(0, at - 3), at + 5)
    const emptyAt = pieces.findIndex((p, i) => Math.abs(i - at) <= 4 && says(p, 'empty'))
    const noAt = lastIndexBefore(pieces, at, (p) => says(p, 'not'), 3)
    const gap = pieces.slice(noAt + 1, at)
    const isWithout =
      noAt >= 0 &&
      gap.every(isFiller) &&
      emptyAt < 0 &&
      /^(no|without|lack|lacks|lacking)$/.test(pieces[noAt]?.text.toLowerCase() ?? '')
    if (emptyAt < 0 && !isWithout) return
    const isFilled = emptyAt >= 0 && near.some((p) => says(p, 'not')) && !isWithout
    if (emptyAt >= 0) draft.used.add(emptyAt)
    if (noAt >= 0) draft.used.add(noAt)
    draft.used.add(at)
    draft.conditions.push({ column: piece.columns[0]?.name ?? '', op: isFilled ? 'notEmpty' : 'isEmpty' })
  })
}

/** "Out of stock": the column of what is left is 0. */
function readSoldOut(pieces: readonly Piece[], schema: Schema, draft: Draft): void {
  const at = pieces.findIndex((p) => says(p, 'soldOut'))
  const words = synonymsOf('stock')
  const column = schema.columns.find((c) => c.type === 'number' && c.words.some((w) => words.includes(w)))
  if (at < 0 || !column) return
  draft.used.add(at)
  draft.conditions.push({ column: column.name, op: 'eq', value: 0 })
}

/** Columns of yes and no used as an adjective: "how many are paid", "not active". */
function readFlags(pieces: readonly Piece[], values: readonly ColumnValues[], draft: Draft): void {
  pieces.forEach((piece, at) => {
    if (piece.kind !== 'column' || draft.used.has(at) || piece.columns[0]?.type !== 'boolean') return
    if (says(pieces[at - 1], 'per', 'each') || says(pieces[at - 2], 'per', 'each')) return
    const no = lastIndexBefore(pieces, at, (p) => says(p, 'not'), 2)
    if (no >= 0) draft.used.add(no)
    draft.used.add(at)
    const stored = piece.columns[0]
    const value = pieces[at + 1]
    const said = value?.kind === 'value' && value.column === stored.name ? value.value : undefined
    if (said !== undefined) draft.used.add(at + 1)
    const saysNo = said === undefined ? noBehind(pieces, at) : -1
    if (saysNo >= 0) draft.used.add(saysNo)
    draft.conditions.push({
      column: stored.name,
      op: no >= 0 !== saysNo >= 0 ? 'ne' : 'eq',
      value: said ?? writtenYes(values, stored.name),
    })
  })
}

/** "Where paid is no": the answer stands behind the column, and nothing that it could deny behind it. */
function noBehind(pieces: readonly Piece[], at: number): number {
  const behind = pieces.findIndex((p, i) => i > at && !isFiller(p) && !says(p, 'equals', 'with'))
  const next = pieces[behind + 1]
  const isEnd = next === undefined || isFiller(next) || says(next, 'and', 'or', 'per')
  return says(pieces[behind], 'not') && /^no$/i.test(pieces[behind]?.text ?? '') && isEnd ? behind : -1
}

// Tables write it in several ways.
function writtenYes(values: readonly ColumnValues[], column: string): string {
  const known = values.find((v) => v.column === column)?.values ?? []
  return known.find((v) => /^(true|yes|y|1)$/i.test(v)) ?? (known.some((v) => /^(no|n)$/i.test(v)) ? 'yes' : 'true')
}

/** Named values. Two of one column are alternatives; one of each column must all hold. */
function readValues(pieces: readonly Piece[], draft: Draft): Filters['alternatives'] {
  const values = pieces.flatMap((p, at) => (p.kind === 'value' && !draft.used.has(at) ? [{ ...p, at }] : []))
  const byColumn = Map.groupBy(values, (v) => v.column)
  let alternatives: Filters['alternatives']
  for (const [column, found] of byColumn) {
    for (const { at } of found) draft.used.add(at)
    const negated = found.filter(({ at }) => lastIndexBefore(pieces, at, (p) => says(p, 'not'), 3) >= 0)
    const columnAt = pieces.findIndex(
      (p, i) =>
        p.kind === 'column' &&
        p.columns.some((c) => c.name === column) &&
        found.some((f) => Math.abs(f.at - i) <= 3) &&
        isBeforeValue(pieces, i),
    )
    if (columnAt >= 0) draft.used.add(columnAt)
    const plain = found.filter((f) => !negated.includes(f))
    for (const { at, value, isPart } of negated) {
      draft.used.add(lastIndexBefore(pieces, at, (p) => says(p, 'not'), 3))
      if (isPart) draft.question ??= `It is not clear which ${column} is meant with "${value}".`
      draft.conditions.push({ column, op: 'ne', value })
    }
    const distinct = [...new Map(plain.map((p) => [p.value, p])).values()]
    const [only] = distinct
    if (distinct.length === 1 && only)
      draft.conditions.push({ column, op: only.isPart ? 'contains' : 'eq', value: only.value })
    if (distinct.length > 1 && distinct.every((d) => d.isPart))
      for (const d of distinct) draft.conditions.push({ column, op: 'contains', value: d.value })
    else if (distinct.length > 1) {
      if (alternatives) draft.question ??= 'It can compare the values of one column at a time.'
      alternatives = { column, values: distinct.map((d) => d.value) }
    }
  }
  return alternatives
}

// "where category is books" and "category books" name the column of the value; "customers from Germany" does not.
function isBeforeValue(pieces: readonly Piece[], at: number): boolean {
  const next = pieces.slice(at + 1, at + 4).find((p) => !isFiller(p) && !says(p, 'equals', 'not', 'with'))
  return next?.kind === 'value'
}

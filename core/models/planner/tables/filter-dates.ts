import { dateRelation } from '../files/comparisons.ts'
import type { PlanContext } from '../intent.ts'
import type { Unit } from '../language/reading.ts'
import { periodOf } from '../periods.ts'
import type { Plan } from '../plan.ts'
import { table } from '../results.ts'
import { type Draft, lastIndexBefore, says } from './filter-draft.ts'
import type { Piece } from './pieces.ts'
import { dateColumnsOf, type Schema } from './schema.ts'

/** Where the conditions go, and whose today is meant. */
export interface DateReading {
  readonly draft: Draft
  readonly context: PlanContext
}

/** Dates and periods, against the date column that is named or the only one; a year against a column of years. */
export function* readDates(pieces: readonly Piece[], schema: Schema, { draft, context }: DateReading): Plan<void> {
  const dates = pieces.flatMap((p, at) =>
    p.kind === 'unit' && p.unit.kind === 'date' ? [{ spec: p.unit.spec, at }] : [],
  )
  const [first, second] = dates
  if (!first) return
  const column = dateColumnFor(pieces, schema, first.at, draft)
  if (column === undefined) {
    const years = schema.columns.filter((c) => c.words.includes('year'))
    const [year] = years
    if (years.length !== 1 || !year || first.spec.kind !== 'year') {
      draft.question ??= `There is no single date column for "${pieces[first.at]?.text}".`
      return
    }
    return readYears(pieces, { column: year.name, first: { ...first, year: first.spec.year }, second }, draft)
  }
  const units = pieces.map((p) => (p.kind === 'unit' ? p.unit : undefined))
  const known = units.map((u): Unit => u ?? { kind: 'filler', text: '', tokens: [] })
  const isInYear = first.spec.kind === 'month' && first.spec.year === null
  const spec =
    isInYear && first.spec.kind === 'month' ? { ...first.spec, year: yield* onlyYear(schema.path, column) } : first.spec
  const start = yield* periodOf(spec, context)
  const [op1, op2] = [
    { column, op: 'ge', value: start.from },
    { column, op: 'lt', value: start.before },
  ]
  draft.used.add(first.at)
  if (second) {
    draft.used.add(second.at)
    const between = lastIndexBefore(pieces, first.at, (p) => says(p, 'between'), 2)
    if (between >= 0) draft.used.add(between)
    const end = yield* periodOf(second.spec, context)
    draft.conditions.push(op1, { column, op: 'lt', value: end.before })
    return
  }
  switch (dateRelation(known, first.at, first.spec)) {
    case 'after':
      draft.conditions.push({ column, op: 'ge', value: start.before })
      break
    case 'since':
      draft.conditions.push(op1)
      break
    case 'before':
      draft.conditions.push({ column, op: 'lt', value: start.from })
      break
    case 'until':
      draft.conditions.push(op2)
      break
    case 'in':
      draft.conditions.push(op1, op2)
  }
  markRelation(pieces, first.at, draft)
}

function markRelation(pieces: readonly Piece[], at: number, draft: Draft): void {
  const relation = lastIndexBefore(pieces, at, (p) => says(p, 'after', 'before', 'over', 'under'), 2)
  if (relation >= 0) draft.used.add(relation)
}

function readYears(
  pieces: readonly Piece[],
  {
    column,
    first,
    second,
  }: {
    column: string
    first: { at: number; year: string }
    second: { spec: { kind: string; year?: string | null }; at: number } | undefined
  },
  draft: Draft,
): void {
  const year = Number(first.year)
  draft.used.add(first.at)
  markRelation(pieces, first.at, draft)
  if (second) {
    draft.used.add(second.at)
    const between = lastIndexBefore(pieces, first.at, (p) => says(p, 'between'), 2)
    if (between >= 0) draft.used.add(between)
    draft.conditions.push({ column, op: 'ge', value: year }, { column, op: 'le', value: Number(second.spec.year) })
    return
  }
  const near = pieces.slice(Math.max(0, first.at - 2), first.at)
  const isSince = near.some((p) => says(p, 'after') && /^since/.test(p.text.toLowerCase()))
  const op = isSince
    ? 'ge'
    : near.some((p) => says(p, 'after', 'over'))
      ? 'gt'
      : near.some((p) => says(p, 'before', 'under'))
        ? 'lt'
        : 'eq'
  draft.conditions.push({ column, op, value: year })
}

function dateColumnFor(pieces: readonly Piece[], schema: Schema, at: number, draft: Draft): string | undefined {
  const named = pieces.findIndex(
    (p, i) => p.kind === 'column' && p.columns.some((c) => c.type === 'date') && Math.abs(i - at) <= 6,
  )
  const piece = pieces[named]
  if (piece?.kind === 'column') {
    draft.used.add(named)
    return piece.columns.find((c) => c.type === 'date')?.name
  }
  const dates = dateColumnsOf(schema)
  return dates.length === 1 ? dates[0]?.name : undefined
}

/** "in March" where all rows are of one year means that year; else the last March that has begun. */
function* onlyYear(path: string, column: string): Plan<string | null> {
  const result = yield* table.one({
    path,
    aggregate: [
      { fn: 'min', column, as: 'first' },
      { fn: 'max', column, as: 'last' },
    ],
  })
  const [first, last] = [
    String(result.rows[0]?.first ?? '').slice(0, 4),
    String(result.rows[0]?.last ?? '').slice(0, 4),
  ]
  return /^\d{4}$/.test(first) && first === last ? first : null
}

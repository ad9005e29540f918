import { amount, code, figureText, inWords, paragraphs, valueText } from '../answer.ts'
import { type Answer, answered, declined, type Plan } from '../plan.ts'
import { calculate, table } from '../results.ts'
import {
  aggregateCalls,
  aggregateName,
  figureWord,
  groupTable,
  moreGroups,
  type TableTask,
  where,
  whereText,
} from './query.ts'
import type { Aggregate } from './scene.ts'
import { gridText, notesText } from './show.ts'

const groupsShown = 50

/** How many rows there are, or fit the conditions. */
export function* countAnswer({ schema, filters }: TableTask): Plan<Answer> {
  const result = yield* table.one({ path: schema.path, ...where(filters.conditions), limit: 5 })
  const rows =
    filters.conditions.length > 0 && result.rowsMatched > 0 && (result.rowsMatched <= 5 ? gridText(result.rows) : '')
  const of = filters.conditions.length > 0 ? ` of ${result.rowsTotal}` : ''
  return answered(
    paragraphs(
      `${code(schema.path)} has **${amount(result.rowsMatched, 'row')}**${whereText(filters.conditions)}${of && `, ${of.trim()} in all`}.`,
      rows,
      notesText(result),
    ),
  )
}

/** How many different values a column has, and which. */
export function* distinctAnswer({ schema, filters }: TableTask, column: string): Plan<Answer> {
  const result = yield* groupTable({ schema, filters }, [column], [{ fn: 'count', column: null }], {
    order: 'desc',
    limit: groupsShown,
  })
  const filled = result.rows.filter((row) => valueText(row[column]) !== '')
  const hasEmpty = filled.length < result.rows.length
  const distinct = yield* table.one({
    path: schema.path,
    ...where(filters.conditions),
    aggregate: [{ fn: 'distinct', column, as: 'different' }],
  })
  const figure = valueText(distinct.rows[0]?.different)
  const head = `${code(schema.path)} has **${figure}** different values of ${code(column)}${whereText(filters.conditions)}, in ${amount(result.rowsMatched, 'row')}${hasEmpty ? ', some of them without one' : ''}.`
  return answered(paragraphs(head, gridText(result.rows, '(empty)'), moreGroups(result), notesText(result)))
}

/** Sums, averages and the like over all rows that fit. */
export function* figuresAnswer({ schema, filters }: TableTask, aggregates: readonly Aggregate[]): Plan<Answer> {
  const result = yield* table.one({ path: schema.path, ...where(filters.conditions), ...aggregateCalls(aggregates) })
  const row = result.rows[0] ?? {}
  if (result.rowsMatched === 0)
    return answered(
      `${code(schema.path)} has **0 rows**${whereText(filters.conditions)}, so there is nothing to work out.`,
    )
  const parts = aggregates.map(
    (a) =>
      `${a.column === null ? 'the number of rows' : `the ${figureWord(a)} ${code(a.column)}`} is **${figureText(row[aggregateName(a)]) || 'not known (no numbers)'}**`,
  )
  const text = inWords(parts)
  return answered(
    paragraphs(
      `In ${code(schema.path)}, ${text}${whereText(filters.conditions)} (${amount(result.rowsMatched, 'row')}).`,
      notesText(result),
    ),
  )
}

/** Two columns side by side, and their difference. */
export function* columnsAnswer({ schema, filters }: TableTask, [a, b]: readonly [string, string]): Plan<Answer> {
  const aggregates = [a, b].map((column) => ({ fn: 'sum', column }) as const)
  const result = yield* table.one({ path: schema.path, ...where(filters.conditions), ...aggregateCalls(aggregates) })
  if (result.rowsMatched === 0) return answered(`${code(schema.path)} has **0 rows**${whereText(filters.conditions)}.`)
  const [x, y] = aggregates.map((aggregate) => valueText(result.rows[0]?.[aggregateName(aggregate)]) || '0')
  const { result: difference } = yield* calculate.one({ expression: `(${x}) - (${y})` })
  const totals = result.rowsMatched === 1 ? '' : ' (totals)'
  return answered(
    paragraphs(
      `In ${code(schema.path)}${whereText(filters.conditions)}: ${code(a)} is ${x} and ${code(b)} is ${y}${totals}. The difference (${a} minus ${b}) is **${difference}**.`,
      notesText(result),
    ),
  )
}

/** The part of the rows, or of a sum, that fits the conditions. */
export function* shareAnswer({ schema, filters }: TableTask, column: string | null): Plan<Answer> {
  if (filters.conditions.length === 0) return declined('It is not clear which rows the share is of.')
  const aggregate = column === null ? { fn: 'count', as: 'figure' } : { fn: 'sum', column, as: 'figure' }
  const [part, whole] = yield* table.all([
    { path: schema.path, ...where(filters.conditions), aggregate: [aggregate] },
    { path: schema.path, aggregate: [aggregate] },
  ])
  if (!part?.ok || !whole?.ok) return declined('The rows could not be counted.')
  const [a, b] = [valueText(part.value.rows[0]?.figure) || '0', valueText(whole.value.rows[0]?.figure) || '0']
  if (Number(b) === 0) return answered(`${code(schema.path)} has no rows to take a share of.`)
  const { result } = yield* calculate.one({ expression: `round(${a} / ${b} * 100, 2)` })
  const what = column === null ? `${a} of ${amount(whole.value.rowsTotal, 'row')}` : `${a} of ${b} in ${code(column)}`
  return answered(
    paragraphs(
      `**${result} %** of ${code(schema.path)}: ${what}${whereText(filters.conditions)}.`,
      notesText(part.value),
    ),
  )
}

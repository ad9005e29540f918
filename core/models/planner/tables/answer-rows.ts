import { amount, code, paragraphs, tableText, valueText } from '../answer.ts'
import { type Answer, answered, type Plan } from '../plan.ts'
import { calculate, table } from '../results.ts'
import type { Filters } from './filter-draft.ts'
import { aggregateCalls, aggregateName, groupTable, moreGroups, type TableTask, where, whereText } from './query.ts'
import type { Question } from './scene.ts'
import type { Schema } from './schema.ts'
import { gridText, notesText } from './show.ts'

const rowsShown = 50

/** The columns of a table. */
export function schemaText({ path, columns, rowsTotal, result }: Schema): string {
  const rows = columns.map((c) => [c.name, c.type, String(c.filled)])
  return paragraphs(
    `${code(path)} has **${amount(columns.length, 'column')}** and ${amount(rowsTotal, 'row')}:`,
    tableText(['Column', 'Type', 'Filled'], rows),
    notesText(result),
  )
}

/** The different values of a column. */
export function* valuesAnswer({ schema, filters }: TableTask, column: string): Plan<Answer> {
  const result = yield* table.one({
    path: schema.path,
    ...where(filters.conditions),
    groupBy: [column],
    aggregate: [{ fn: 'count', as: 'rows' }],
    sort: [{ column, order: 'asc' }],
    limit: 100,
  })
  const distinct = yield* table.one({
    path: schema.path,
    ...where(filters.conditions),
    aggregate: [{ fn: 'distinct', column, as: 'different' }],
  })
  const head = `${code(column)} in ${code(schema.path)} has **${valueText(distinct.rows[0]?.different)}** different values${whereText(filters.conditions)}:`
  return answered(paragraphs(head, gridText(result.rows, '(empty)'), moreGroups(result), notesText(result)))
}

/** What stands in more than one row. */
export function* duplicatesAnswer({ schema, filters }: TableTask, column: string | null): Plan<Answer> {
  const by = column === null ? schema.columns.map((c) => c.name).slice(0, 10) : [column]
  const conditions = column === null ? filters.conditions : [...filters.conditions, { column, op: 'notEmpty' }]
  const result = yield* groupTable(
    { schema, filters: { ...filters, conditions } },
    by,
    [{ fn: 'count', column: null }],
    { order: 'desc', limit: 50 },
  )
  const repeated = result.rows.filter((row) => Number(valueText(row.rows)) > 1)
  const what =
    column === null
      ? 'rows that are the same in all columns'
      : `values of ${code(column)} that stand in more than one row`
  if (repeated.length === 0)
    return answered(`${code(schema.path)} has **no** ${what} (${amount(result.rowsMatched, 'row')} looked at).`)
  const rest = repeated.length === result.rowsReturned && !result.complete ? 'There may be more.' : ''
  return answered(paragraphs(`${code(schema.path)} has ${what}:`, gridText(repeated), rest, notesText(result)))
}

/** The rows that fit, all columns or some. */
export function* rowsAnswer(
  { schema, filters }: TableTask,
  question: Extract<Question, { ask: 'rows' }>,
): Plan<Answer> {
  const { columns, sort, fromEnd } = question
  const limit = question.limit ?? rowsShown
  const offset = fromEnd ? yield* endOffset({ schema, filters }, limit) : 0
  const chosen = columns.length === 0 ? [] : [...new Set([...labels(schema, filters), ...columns])]
  const result = yield* table.one({
    path: schema.path,
    ...where(filters.conditions),
    ...(sort && { sort: [{ ...sort }] }),
    ...(chosen.length > 0 && { columns: chosen }),
    limit: Math.min(limit, 200),
    ...(offset > 0 && { offset }),
  })
  const order = sort ? `, sorted by ${code(sort.column)}${sort.order === 'desc' ? ', highest first' : ''}` : ''
  const [only] = result.rows
  const [column] = columns
  const isOne = result.rowsMatched === 1 && only !== undefined && columns.length === 1 && column !== undefined
  const lead = isOne && `${code(column)} is **${valueText(only[column]) || 'empty'}**.`
  const head = `${code(schema.path)}: **${amount(result.rowsMatched, 'row')}**${whereText(filters.conditions)}${filters.conditions.length > 0 ? ` of ${result.rowsTotal}` : ''}${order}.`
  const measures = columns.filter((name) => schema.columns.some((c) => c.name === name && c.type === 'number'))
  const isSummed = measures.length === 1 && filters.conditions.length > 0 && result.rowsMatched > 1
  const sums = isSummed ? yield* sumText({ schema, filters }, measures[0] ?? '') : ''
  const rest =
    result.rowsReturned < result.rowsMatched &&
    `Shown are ${result.rowsReturned} of them${fromEnd ? ', the last' : ''}.`
  return answered(paragraphs(lead, head, sums, gridText(result.rows), rest, notesText(result)))
}

function* sumText({ schema, filters }: Pick<TableTask, 'schema' | 'filters'>, column: string): Plan<string> {
  const aggregates = [
    { fn: 'sum', column },
    { fn: 'avg', column },
  ] as const
  const result = yield* table.one({ path: schema.path, ...where(filters.conditions), ...aggregateCalls(aggregates) })
  const [sum, average] = aggregates.map((a) => valueText(result.rows[0]?.[aggregateName(a)]))
  return `Over all of them, ${code(column)} comes to ${sum} in total and ${average} on average.`
}

function* endOffset({ schema, filters }: Pick<TableTask, 'schema' | 'filters'>, limit: number): Plan<number> {
  const { rowsMatched } = yield* table.one({ path: schema.path, ...where(filters.conditions), limit: 1 })
  const { value } = yield* calculate.one({ expression: `max(0, ${rowsMatched} - ${limit})` })
  return value ?? 0
}

/** Columns that say which row it is: those of the conditions, else the first one with words. */
function labels(schema: Schema, { conditions }: Filters): readonly string[] {
  const named = schema.columns.find((c) => c.words.some((w) => /^(name|title)$/.test(w)))
  const first = schema.columns.find((c) => c.type === 'text')
  return [...new Set([...conditions.map((c) => c.column), ...(named ? [named.name] : first ? [first.name] : [])])]
}

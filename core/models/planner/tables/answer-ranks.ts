import { amount, code, figureText, inWords, paragraphs, valueText } from '../answer.ts'
import { type Answer, answered, type Plan } from '../plan.ts'
import { type TableResult, table } from '../results.ts'
import { aggregateName, figureWord, groupTable, moreGroups, type TableTask, where, whereText } from './query.ts'
import type { Aggregate, Question } from './scene.ts'
import type { Schema } from './schema.ts'
import { gridText, notesText } from './show.ts'

const groupsShown = 50

/** Figures for each group; with a limit of one, the group that leads. */
export function* groupsAnswer(
  task: TableTask,
  { by, aggregates, order, limit }: Extract<Question, { ask: 'groups' }>,
): Plan<Answer> {
  const result = yield* groupTable(task, by, aggregates, { order, limit: limit ?? groupsShown })
  const what = inWords(aggregates.map((a) => (a.column === null ? 'rows' : `${figureWord(a)} ${code(a.column)}`)))
  const [first] = result.rows
  const { path } = task.schema
  if (!first) return answered(`${code(path)} has **0 rows**${whereText(task.filters.conditions)}.`)
  const [aggregate] = aggregates
  if (limit === 1 && aggregate) return yield* topGroup(task, { by, aggregate, row: first, order, result })
  const rank = limit === null ? '' : `${order === 'desc' ? 'top' : 'lowest'} ${limit}, `
  const head = `In ${code(path)}${whereText(task.filters.conditions)}: ${rank}${what} for each ${inWords(by.map(code))} (${amount(result.groups ?? result.rowsReturned, 'group')}, ${amount(result.rowsMatched, 'row')}).`
  return answered(
    paragraphs(head, gridText(result.rows, '(empty)'), limit === null && moreGroups(result), notesText(result)),
  )
}

interface TopGroup {
  readonly by: readonly string[]
  readonly aggregate: Aggregate
  readonly row: TableResult['rows'][number]
  readonly order: 'asc' | 'desc'
  readonly result: TableResult
}

function* topGroup(task: TableTask, { by, aggregate, row, order, result }: TopGroup): Plan<Answer> {
  const name = aggregateName(aggregate)
  const all = yield* groupTable(task, by, [aggregate], { order, limit: 10 })
  const ties = all.rows.filter((r) => valueText(r[name]) === valueText(row[name]))
  const who = inWords(ties.map((r) => `**${by.map((column) => valueText(r[column]) || '(empty)').join(', ')}**`))
  const most = order === 'desc' ? 'highest' : 'lowest'
  const what =
    aggregate.column === null
      ? order === 'desc'
        ? 'most rows'
        : 'fewest rows'
      : `${most} ${figureWord(aggregate)} ${code(aggregate.column)}`
  const verb = ties.length > 1 ? 'share' : 'has'
  const head = `In ${code(task.schema.path)}${whereText(task.filters.conditions)}, ${who} ${verb} the ${what}: **${figureText(row[name])}**.`
  return answered(
    paragraphs(
      head,
      `The order of all ${code(by[0] ?? '')} values begins:`,
      gridText(all.rows, '(empty)'),
      notesText(result),
    ),
  )
}

/** The rows with the highest or lowest value. */
export function* extremesAnswer(
  { schema, filters }: TableTask,
  { column, order, limit }: Extract<Question, { ask: 'extremes' }>,
): Plan<Answer> {
  const conditions = [...filters.conditions, { column, op: 'notEmpty' }]
  const result = yield* table.one({ path: schema.path, ...where(conditions), sort: [{ column, order }], limit })
  const [first] = result.rows
  if (!first)
    return answered(
      `${code(schema.path)} has **0 rows**${whereText(filters.conditions)} with a value in ${code(column)}.`,
    )
  const isDate = schema.columns.some((c) => c.name === column && c.type === 'date')
  const word = isDate ? (order === 'desc' ? 'latest' : 'earliest') : order === 'desc' ? 'highest' : 'lowest'
  if (limit > 1) {
    return answered(
      paragraphs(
        `The ${amount(result.rowsReturned, 'row')} of ${code(schema.path)}${whereText(filters.conditions)} with the ${word} ${code(column)}:`,
        gridText(result.rows),
        notesText(result),
      ),
    )
  }
  const ties = yield* table.one({
    path: schema.path,
    ...where([...filters.conditions, { column, op: 'eq', value: cellValue(first[column]) }]),
    limit: 10,
  })
  const rows = ties.rowsMatched > 1 ? `${amount(ties.rowsMatched, 'row')} have it` : 'It stands in this row'
  return answered(
    paragraphs(
      `The ${word} ${code(column)} in ${code(schema.path)}${whereText(filters.conditions)} is **${valueText(first[column])}**${nameOf(schema, ties)}.`,
      `${rows}:`,
      gridText(ties.rows),
      notesText(result),
    ),
  )
}

function cellValue(cell: TableResult['rows'][number][string] | undefined): string | number {
  return typeof cell === 'number' ? cell : valueText(cell)
}

/** Which row it is, by its first column of words. */
function nameOf(schema: Schema, rows: TableResult): string {
  const label =
    schema.columns.find(
      (c) =>
        c.words.some((w) => /^(name|title|product|item|customer|employee|city|country)$/.test(w)) && c.type === 'text',
    ) ?? schema.columns.find((c) => c.type === 'text')
  const names = label ? rows.rows.map((row) => valueText(row[label.name])).filter((n) => n !== '') : []
  return names.length === 0 ? '' : ` (${inWords([...new Set(names)].slice(0, 5))})`
}

import { z } from 'zod'
import type { Json } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { type ActionContext, defineAction } from '../action.ts'
import { openProject, type Root, withFile } from '../paths.ts'
import { createPace } from './pace.ts'
import { columnName, flag, listOf, pathText, summaryText, wholeNumber } from './parameters.ts'
import { refusal } from './refusal.ts'
import { functions } from './table/aggregate.ts'
import { type Columns, createColumns, requireColumn } from './table/columns.ts'
import { comparisons, createRowFilter, type RowFilter } from './table/filter.ts'
import { createGroupCollector } from './table/groups.ts'
import { describeOutput } from './table/output.ts'
import { type Collector, createRowCollector } from './table/selection.ts'
import { formatOf, placeHeader, readRows } from './table/source.ts'
import { type TableFormat, tableFormats } from './table/source-options.ts'

const signs = new Map([
  ['=', 'eq'],
  ['==', 'eq'],
  ['!=', 'ne'],
  ['<>', 'ne'],
  ['<', 'lt'],
  ['<=', 'le'],
  ['>', 'gt'],
  ['>=', 'ge'],
])
const comparison = z.preprocess(
  (value) => (typeof value === 'string' ? (signs.get(value.trim()) ?? value) : value),
  z.enum(comparisons),
)
const condition = z.strictObject({
  column: columnName,
  op: comparison,
  value: z.union([z.string().max(1_000), z.number(), z.boolean(), z.null()]).optional(),
})
const aggregate = z.strictObject({
  fn: z.enum(functions),
  column: columnName.optional().describe('Needed for all but count; count of a column counts its filled cells.'),
  as: columnName.optional().describe('Name in the result; default fn_column, or count.'),
})
const sortColumn = z.strictObject({ column: columnName, order: z.enum(['asc', 'desc']).default('asc') })

const parameters = z.strictObject({
  path: pathText.min(1).optional().describe('One file: CSV, TSV, JSON, JSON lines, or any text by its lines.'),
  paths: listOf(pathText.min(1), 100)
    .optional()
    .describe('Several files with the same columns, read as one table; a column "file" says where a row stands.'),
  format: z.enum(tableFormats).optional().describe('Default: by the extension. lines gives the columns line and text.'),
  at: z.string().max(500).optional().describe('JSON only: where the list is, as in result.items.'),
  where: listOf(condition, 20)
    .optional()
    .describe('All must hold. Text compares without regard to case, numbers and ISO dates as such.'),
  groupBy: listOf(columnName, 10).optional(),
  aggregate: listOf(aggregate, 20).optional().describe('Exact figures, per group or over all rows.'),
  sort: listOf(sortColumn, 10).optional().describe('With groupBy or aggregate: by the columns of the result.'),
  columns: listOf(columnName, 100).optional().describe('Only these columns. Default: all.'),
  distinct: flag().default(false).describe('Each row (of the chosen columns) once. Default false.'),
  limit: wholeNumber(1, limits.tableRows).default(50).describe('Rows to return, at most 200. Default 50.'),
  offset: wholeNumber(0, 100_000).default(0).describe('Rows to leave out at the start. Default 0.'),
})
type Parameters = z.output<typeof parameters>

export const table = defineAction({
  name: 'table',
  description:
    'Reads a table file and filters, groups, counts, sums and sorts its rows, over all rows however many. columns tells names and types, rowsTotal and rowsMatched count, notes say what was assumed. Sums are exact.',
  parameters,
  effects: ['ReadLocal'],
  isIdempotent: true,
  summarize: ({ path, paths, groupBy }) =>
    summaryText(`${path ?? paths?.join(', ') ?? ''}${groupBy ? ` by ${groupBy.join(', ')}` : ''}`),
  run: readTable,
})

async function readTable(asked: Parameters, context: ActionContext): Promise<Json> {
  const root = await openProject(context)
  const paths = asked.paths ?? (asked.path === undefined ? [] : [asked.path])
  if (paths.length === 0) throw refusal('action.args', 'Say which file to read: path, or paths for several.')
  const columns = createColumns()
  const filter = createRowFilter(asked.where ?? [], columns, context.timeZone)
  const scan: Scan = {
    root,
    asked,
    context,
    columns,
    filter,
    collector: createCollector(asked, columns, context),
    notes: [],
  }
  const counts = { rowsTotal: 0, rowsMatched: 0 }
  const formats = new Set<TableFormat>()
  const fileColumn = asked.paths === undefined ? undefined : columns.add('file')
  for (const path of paths) formats.add(await scanFile(path, fileColumn, scan, counts))
  if (counts.rowsTotal > 0) for (const { column } of asked.where ?? []) requireColumn(columns, column)
  const output = await scan.collector.finish(createPace(context.signal))
  return describeOutput({
    path: paths.join(', ').slice(0, 300),
    format: [...formats].join(', '),
    columns,
    counts,
    output,
    offset: asked.offset,
    notes: [...scan.notes, ...filter.notes(), ...output.notes],
  })
}

interface Scan {
  readonly root: Root
  readonly asked: Parameters
  readonly context: ActionContext
  readonly columns: Columns
  readonly filter: RowFilter
  readonly collector: Collector
  readonly notes: string[]
}

function createCollector(asked: Parameters, columns: Columns, { timeZone }: ActionContext): Collector {
  const { limit, offset, distinct } = asked
  const selection = { columns: asked.columns, sort: asked.sort ?? [], distinct, limit, offset, timeZone }
  if (asked.groupBy === undefined && asked.aggregate === undefined) return createRowCollector(selection, columns)
  return createGroupCollector({ groupBy: asked.groupBy ?? [], aggregates: asked.aggregate ?? [] }, selection, columns)
}

async function scanFile(
  path: string,
  fileColumn: number | undefined,
  { root, asked, context, columns, filter, collector, notes }: Scan,
  counts: { rowsTotal: number; rowsMatched: number },
): Promise<TableFormat> {
  return withFile(root, path, async (file) => {
    const format = asked.format ?? (await formatOf(file, context.signal))
    const pace = createPace(context.signal)
    const batches = readRows(file, columns, {
      format,
      at: asked.at,
      signal: context.signal,
      placeHeader: (names) => placeHeader(columns, names, fileColumn === undefined ? [] : [fileColumn]),
      note: (text) => notes.push(text),
    })
    for await (const batch of batches) {
      for (const [at, fields] of batch.entries()) {
        if (at % 32 === 0) await pace()
        const row = fileColumn === undefined ? fields : Object.assign([...fields], { [fileColumn]: file.path })
        columns.observe(row)
        counts.rowsTotal += 1
        if (!filter.matches(row)) continue
        counts.rowsMatched += 1
        collector.add(row)
      }
    }
    return format
  })
}

import { refusal } from '../refusal.ts'
import { createTopItems } from '../top-items.ts'
import { type Accumulator, type AggregateFunction, createAccumulator } from './aggregate.ts'
import { type Cell, cellText } from './cell.ts'
import { type Columns, type Row, requireColumn } from './columns.ts'
import { createRowOrder, type SortKey, sortKey } from './row-order.ts'
import type { Collector, Output, Selection } from './selection.ts'

interface Aggregate {
  readonly fn: AggregateFunction
  readonly column?: string | undefined
  readonly as?: string | undefined
}

interface Grouping {
  readonly groupBy: readonly string[]
  readonly aggregates: readonly Aggregate[]
}

interface Group {
  readonly cells: readonly Cell[]
  readonly accumulators: readonly Accumulator[]
  rows: number
}

/** One row for each group (one in all without `groupBy`), in the order in which the groups turned up, unless sorted. */
export function createGroupCollector(grouping: Grouping, selection: Selection, columns: Columns): Collector {
  const aggregates: readonly Aggregate[] = grouping.aggregates.length > 0 ? grouping.aggregates : [{ fn: 'count' }]
  for (const { fn, column } of aggregates) {
    if (fn !== 'count' && column === undefined) throw refusal('action.args', `The function ${fn} needs a column.`)
  }
  const groups = new Map<string, Group>()
  const groupOf = (cells: readonly Cell[]): Group => {
    const key = JSON.stringify(cells.map(cellText))
    const known = groups.get(key)
    if (known) return known
    const accumulators = aggregates.map(({ fn }) => createAccumulator(fn, selection.timeZone))
    const group = { cells, accumulators, rows: 0 }
    groups.set(key, group)
    return group
  }
  if (grouping.groupBy.length === 0) groupOf([])
  return {
    add(row) {
      const cellOf = (name: string) => row[columns.find(name) ?? -1] ?? null
      const group = groupOf(grouping.groupBy.map(cellOf))
      group.rows += 1
      for (const [at, accumulator] of group.accumulators.entries()) {
        const column = aggregates[at]?.column
        if (column !== undefined) accumulator.add(cellOf(column))
      }
    },
    async finish(pace) {
      const keyColumns = grouping.groupBy.map((name) => requireColumn(columns, name))
      for (const { column } of aggregates) if (column !== undefined) requireColumn(columns, column)
      const names = [
        ...keyColumns.map((position) => columns.names[position] ?? ''),
        ...figureNames(aggregates, columns),
      ]
      const arrangement = createArrangement(names, selection)
      const leftOut = createLeftOut(aggregates)
      for (const group of groups.values()) {
        await pace()
        arrangement.add([...group.cells, ...figures(group, aggregates)])
        leftOut.add(group)
      }
      const output = arrangement.finish()
      return {
        ...output,
        sources: output.names.map((name) => keyColumns[names.indexOf(name)]),
        available: groups.size,
        groups: groups.size,
        notes: [...leftOut.notes(), ...caseNotes(groups)],
      }
    },
  }
}

function figures(group: Group, aggregates: readonly Aggregate[]): Cell[] {
  return group.accumulators.map((accumulator, at) =>
    aggregates[at]?.column === undefined ? group.rows : accumulator.result(),
  )
}

function figureNames(aggregates: readonly Aggregate[], columns: Columns): string[] {
  return aggregates.map(({ fn, column, as }) => {
    if (as !== undefined) return as
    if (column === undefined) return fn
    return `${fn}_${columns.names[columns.find(column) ?? -1] ?? column}`
  })
}

function createArrangement(names: readonly string[], selection: Selection) {
  const find = (name: string) => {
    const exact = names.indexOf(name)
    const position = exact >= 0 ? exact : names.findIndex((other) => other.toLowerCase() === name.trim().toLowerCase())
    return position < 0 ? undefined : position
  }
  const output = { names, find }
  const sortPositions = selection.sort.map(({ column }) => requireColumn(output, column))
  const chosen = selection.columns?.map((name) => requireColumn(output, name)) ?? [...names.keys()]
  const top = createTopItems<{ row: Row; keys: readonly SortKey[] }>(
    selection.offset + selection.limit,
    createRowOrder(selection.sort),
  )
  return {
    add(row: Row) {
      top.add({ row, keys: sortPositions.map((position) => sortKey(row[position], selection.timeZone)) })
    },
    finish: (): Pick<Output, 'names' | 'rows'> => ({
      names: chosen.map((position) => names[position] ?? ''),
      rows: top
        .sorted()
        .slice(selection.offset)
        .map(({ row }) => chosen.map((position) => row[position])),
    }),
  }
}

/** Counts, for each figure, the values that were no numbers. */
function createLeftOut(aggregates: readonly Aggregate[]) {
  const sums = aggregates.map((aggregate) => ({ ...aggregate, count: 0, example: '' }))
  return {
    add({ accumulators }: Group) {
      for (const [at, accumulator] of accumulators.entries()) {
        const sum = sums[at]
        const leftOut = accumulator.leftOut()
        if (!sum || leftOut.count === 0) continue
        sum.count += leftOut.count
        sum.example ||= leftOut.example
      }
    },
    notes: () =>
      sums
        .filter(({ count }) => count > 0)
        .map(
          ({ fn, column, count, example }) =>
            `${fn} of "${column}" leaves out ${count} values that are no numbers, such as "${example}".`,
        ),
  }
}

/** Groups are kept apart by case; a reader who expects otherwise should know. */
function caseNotes(groups: ReadonlyMap<string, Group>): string[] {
  if (groups.size > 10_000) return []
  const folded = new Set([...groups.keys()].map((key) => key.toLowerCase()))
  return folded.size === groups.size ? [] : ['Some groups differ only in upper and lower case.']
}

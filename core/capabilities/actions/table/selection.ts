import { createTopItems } from '../top-items.ts'
import { type Columns, type Row, requireColumn } from './columns.ts'
import { createRowOrder, type SortColumn, type SortKey, sortKey } from './row-order.ts'

/** What a table becomes: rows with named columns. `available` counts all of them, `rows` starts at the offset asked. */
export interface Output {
  readonly names: readonly string[]
  readonly rows: readonly Row[]
  /** For each name: its position in the source, or undefined for a figure. */
  readonly sources: readonly (number | undefined)[]
  readonly available: number
  readonly groups?: number
  readonly notes: readonly string[]
}

/** Takes matching rows one by one and makes the output at the end. */
export interface Collector {
  add(row: Row): void
  /** `pace` is called between groups: there may be as many as rows. */
  finish(pace: () => Promise<void> | undefined): Promise<Output>
}

export interface Selection {
  readonly columns: readonly string[] | undefined
  readonly sort: readonly SortColumn[]
  readonly distinct: boolean
  readonly limit: number
  readonly offset: number
  readonly timeZone: string
}

interface KeyedRow {
  readonly row: Row
  readonly keys: readonly SortKey[]
}

/** Rows as they are, sorted, cut to columns, without repetitions. Holds only what can still be returned. */
export function createRowCollector(selection: Selection, columns: Columns): Collector {
  const wanted = selection.offset + selection.limit
  const top = createTopItems<KeyedRow>(wanted, createRowOrder(selection.sort))
  const seen = new Set<string>()
  let available = 0
  const cellsOf = (row: Row, names: readonly string[]) =>
    names.map((name) => {
      const position = columns.find(name)
      return position === undefined ? null : row[position]
    })
  return {
    add(row) {
      if (selection.distinct && !isNew(seen, selection.columns ? cellsOf(row, selection.columns) : row)) return
      available += 1
      // Without an order the first ones are the right ones.
      if (selection.sort.length === 0 && available > wanted) return
      const keys = selection.sort.map(({ column }) => sortKey(row[columns.find(column) ?? -1], selection.timeZone))
      top.add({ row, keys })
    },
    async finish() {
      for (const { column } of selection.sort) requireColumn(columns, column)
      const sources = selection.columns?.map((name) => requireColumn(columns, name)) ?? [...columns.names.keys()]
      const rows = top.sorted().slice(selection.offset)
      return {
        names: sources.map((position) => columns.names[position] ?? ''),
        rows: rows.map(({ row }) => sources.map((position) => row[position])),
        sources,
        available,
        notes: [],
      }
    },
  }
}

function isNew(seen: Set<string>, cells: Row): boolean {
  const key = JSON.stringify(Array.from(cells, (cell) => cell ?? null))
  if (seen.has(key)) return false
  seen.add(key)
  return true
}

import type { Json } from '../../../domain/json.ts'
import { createAllowance, takeFitting } from '../allowance.ts'
import type { Cell } from './cell.ts'
import type { Columns } from './columns.ts'
import type { Output } from './selection.ts'

interface TableResult {
  readonly path: string
  readonly format: string
  readonly columns: Columns
  readonly counts: { readonly rowsTotal: number; readonly rowsMatched: number }
  readonly output: Output
  readonly offset: number
  readonly notes: readonly string[]
}

const cellCharacters = 1_000
const columnsShown = 100

/** The result that a model reads, cut to size; what was cut stands in the notes. */
export function describeOutput({ path, format, columns, counts, output, offset, notes }: TableResult): Json {
  let cutCells = 0
  const show = (cell: Cell | undefined, source: number | undefined): Cell => {
    if (cell === undefined || cell === null) return null
    if (source !== undefined && columns.isPlainNumber(source)) return plainNumber(cell)
    if (typeof cell !== 'string' || cell.length <= cellCharacters) return cell
    cutCells += 1
    return `${cell.slice(0, cellCharacters).toWellFormed()}…`
  }
  const rows = output.rows.map((row) =>
    Object.fromEntries(output.names.map((name, at) => [name, show(row[at], output.sources[at])])),
  )
  const shown = takeFitting(rows, createAllowance(0.75))
  const all = [...notes, ...columns.notes()]
  if (counts.rowsTotal === 0) all.push('There are no rows.')
  if (cutCells > 0) all.push(`${cutCells} long values were cut to ${cellCharacters} characters.`)
  if (shown.length < rows.length)
    all.push(`Only ${shown.length} rows fit into one result: choose columns, or use offset.`)
  if (columns.names.length > columnsShown)
    all.push(`Only ${columnsShown} of ${columns.names.length} columns are described.`)
  const described = columns.names.slice(0, columnsShown).map((name, position) => ({
    name: name.slice(0, 120),
    type: columns.type(position),
    filled: columns.filled(position),
  }))
  return {
    path,
    format,
    columns: takeFitting(described, createAllowance(0.15)),
    ...counts,
    rows: shown,
    rowsReturned: shown.length,
    ...(output.groups !== undefined && { groups: output.groups }),
    complete: cutCells === 0 && offset + shown.length >= output.available,
    notes: takeFitting(
      [...new Set(all)].slice(0, 30).map((note) => note.slice(0, 400)),
      createAllowance(0.1),
    ),
  }
}

/** Digits beyond what a JSON number can hold stay text. */
function plainNumber(cell: Cell): Cell {
  if (typeof cell !== 'string') return cell
  if (cell.trim() === '') return null
  const number = Number(cell)
  return cell.replace(/\D/g, '').length <= 15 ? number : cell
}

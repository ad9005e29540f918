import { amount, code, paragraphs, tableText, valueText } from '../answer.ts'
import type { TableResult } from '../results.ts'

const columnsShown = 12

/** Rows as a Markdown table, with how many there are and what the reading noted. */
export function rowsText(result: TableResult, path: string): string {
  const head = `${code(path)} has **${amount(result.rowsTotal, 'row')}** and ${amount(result.columns.length, 'column')}.`
  const rest = result.rowsReturned < result.rowsMatched && `Shown are the first ${result.rowsReturned}.`
  return paragraphs(head, gridText(result.rows), rest, notesText(result))
}

/** Recorded rows as they are; more than twelve columns are cut, and the table says so. */
export function gridText(rows: TableResult['rows'], empty = ''): string {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  if (rows.length === 0) return ''
  const shown = names.slice(0, columnsShown)
  const grid = tableText(
    shown,
    rows.map((row) => shown.map((name) => valueText(row[name]) || empty)),
  )
  return names.length > shown.length ? `${grid}\n\nShown are the first ${shown.length} columns.` : grid
}

/** What the action said about how it read the file. */
export function notesText({ notes }: TableResult): string {
  return notes.length === 0 ? '' : `Note: ${notes.slice(0, 5).join(' ')}`
}

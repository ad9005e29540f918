import { isJsonObject, type Json } from '../../../domain/json.ts'
import type { OpenedFile } from '../../paths.ts'
import { nestingOf, parseJsonPath, readJsonFile, valueAt } from '../files/json-file.ts'
import { readLines } from '../files/text-stream.ts'
import { refusal } from '../refusal.ts'
import { type Cell, flattenJson } from './cell.ts'
import type { Columns, Row } from './columns.ts'
import type { SourceOptions } from './source-options.ts'

/** Rows of the list at `options.at`, or of the only list that the file holds at its top. */
export async function* readJsonRows(
  file: OpenedFile,
  columns: Columns,
  options: SourceOptions,
): AsyncGenerator<readonly Row[]> {
  const top = await readJsonFile(file, options.signal)
  const list = findList(file, options.at === undefined ? top : valueAt(top, parseJsonPath(options.at)), options)
  for (let at = 0; at < list.length; at += 1_000) {
    yield list.slice(at, at + 1_000).map((item) => toRow(item, columns))
  }
}

/** Rows of a file with one JSON value a line; lines that hold none are counted in the notes. */
export async function* readJsonLines(
  file: OpenedFile,
  columns: Columns,
  options: SourceOptions,
): AsyncGenerator<readonly Row[]> {
  let damaged = 0
  let line = 0
  let firstDamaged = 0
  for await (const batch of readLines(file, options.signal)) {
    const rows: Row[] = []
    for (const text of batch) {
      line += 1
      if (text.trim() === '') continue
      const value = parseLine(text)
      if (value !== undefined) rows.push(toRow(value, columns))
      else if (++damaged === 1) firstDamaged = line
    }
    yield rows
  }
  if (damaged > 0)
    options.note(
      `${damaged} lines of "${file.path}" are not JSON and were left out, the first is line ${firstDamaged}.`,
    )
}

function parseLine(text: string): Json | undefined {
  if (nestingOf(text) > 64) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function toRow(item: Json, columns: Columns): Row {
  const row: (Cell | undefined)[] = []
  const put = (name: string, cell: Cell) => {
    row[columns.find(name) ?? columns.add(name)] = cell
  }
  if (Array.isArray(item)) for (const [at, cell] of item.entries()) flattenJson(cell, put, `column${at + 1}`)
  else flattenJson(item, put)
  return row
}

function findList(file: OpenedFile, value: Json, options: SourceOptions): readonly Json[] {
  if (Array.isArray(value)) return value
  if (!isJsonObject(value))
    throw refusal('action.args', `"${file.path}" holds no list there, but ${JSON.stringify(value).slice(0, 80)}.`)
  const lists = listsIn(value)
  const atTop = Object.entries(value).flatMap(([name, list]) => (Array.isArray(list) ? [{ name, list }] : []))
  const [only] = atTop
  if (only !== undefined && atTop.length === 1) {
    options.note(`The rows are the list "${only.name}" of "${file.path}".`)
    return only.list
  }
  if (lists.length > 0) {
    throw refusal(
      'action.args',
      `"${file.path}" holds more than one list: say which by at. There are: ${lists.join(', ')}.`,
      { lists },
    )
  }
  const fields = Object.entries(value)
  if (fields.length > 1 && fields.every(([, field]) => isJsonObject(field))) {
    options.note(`The rows are the ${fields.length} objects of "${file.path}"; the column key holds their names.`)
    return fields.map(([key, field]) => ({ key, ...(isJsonObject(field) && field) }))
  }
  options.note(`"${file.path}" holds one object: it is one row.`)
  return [value]
}

/** Dotted paths of the lists in an object, three levels deep, at most 30. */
function listsIn(value: Json, prefix = '', depth = 0): string[] {
  if (!isJsonObject(value) || depth > 2) return []
  const found = Object.entries(value).flatMap(([key, field]) => {
    const name = prefix === '' ? key : `${prefix}.${key}`
    return Array.isArray(field) ? [name] : listsIn(field, name, depth + 1)
  })
  return found.slice(0, 30)
}

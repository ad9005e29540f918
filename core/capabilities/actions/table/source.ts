import path from 'node:path'
import { limits } from '../../../domain/limits.ts'
import type { OpenedFile } from '../../paths.ts'
import { readLines, readText, refuseLarge } from '../files/text-stream.ts'
import type { Columns, Row } from './columns.ts'
import { findDelimiter, readCsvRows } from './csv-rows.ts'
import { readJsonLines, readJsonRows } from './json-rows.ts'
import type { SourceOptions, TableFormat } from './source-options.ts'

/** The rows of one file, in batches. New columns are added to `columns` as they turn up. */
export function readRows(file: OpenedFile, columns: Columns, options: SourceOptions): AsyncGenerator<readonly Row[]> {
  refuseLarge(file, limits.tableBytes, 'Use search_files to find lines in it.')
  if (options.format === 'json') return readJsonRows(file, columns, options)
  if (options.format === 'jsonl') return readJsonLines(file, columns, options)
  if (options.format === 'lines') return readLineRows(file, options)
  return readCsvRows(file, columns, options)
}

async function* readLineRows(file: OpenedFile, options: SourceOptions): AsyncGenerator<readonly Row[]> {
  const [lineAt = 0, textAt = 1] = options.placeHeader(['line', 'text'])
  let line = 0
  for await (const batch of readLines(file, options.signal)) {
    yield batch.map((text) => {
      line += 1
      const row: (string | number)[] = []
      row[lineAt] = line
      row[textAt] = text
      return row
    })
  }
}

/** Finds or adds columns for the names of a header. A name that stands there twice gets a column of its own. */
export function placeHeader(columns: Columns, names: readonly string[], taken: readonly number[]): number[] {
  const used = new Set(taken)
  return names.map((given, at) => {
    const name = given.trim() === '' ? `column${at + 1}` : given.trim()
    let position = columns.find(name)
    for (let copy = 2; position !== undefined && used.has(position); copy += 1)
      position = columns.find(`${name}_${copy}`)
    position ??= columns.add(name)
    used.add(position)
    return position
  })
}

const byExtension: Readonly<Record<string, TableFormat>> = {
  '.csv': 'csv',
  '.tsv': 'tsv',
  '.tab': 'tsv',
  '.json': 'json',
  '.geojson': 'json',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.txt': 'lines',
  '.log': 'lines',
  '.md': 'lines',
}

/** By extension, else by how the text begins. */
export async function formatOf(file: OpenedFile, signal: AbortSignal): Promise<TableFormat> {
  const known = byExtension[path.extname(file.path).toLowerCase()]
  if (known !== undefined) return known
  for await (const text of readText(file, signal)) return sniffFormat(text)
  return 'lines'
}

function sniffFormat(text: string): TableFormat {
  const lines = text
    .slice(0, 65_536)
    .split('\n')
    .filter((line) => line.trim() !== '')
  const [first = '', second = ''] = lines
  if (/^\s*[[{]/.test(first)) return /^\s*\{.*\}\s*$/.test(first) && /^\s*\{/.test(second) ? 'jsonl' : 'json'
  const delimiter = findDelimiter(text, ',')
  const fields = lines.slice(0, 5).map((line) => line.split(delimiter).length)
  if (lines.length < 2 || fields.some((count) => count !== fields[0] || count < 2)) return 'lines'
  return delimiter === '\t' ? 'tsv' : 'csv'
}

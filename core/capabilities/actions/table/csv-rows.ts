import type { OpenedFile } from '../../paths.ts'
import { readText } from '../files/text-stream.ts'
import type { Columns, Row } from './columns.ts'
import { createRecordReader } from './csv-records.ts'
import { readNumber } from './number-text.ts'
import type { SourceOptions } from './source-options.ts'

/** Rows of a CSV or TSV file, in batches. Short and long rows are kept and said in the notes. */
export async function* readCsvRows(
  file: OpenedFile,
  columns: Columns,
  options: SourceOptions,
): AsyncGenerator<readonly Row[]> {
  let positions: number[] | undefined
  let ragged = 0
  for await (const records of readRecords(file, options)) {
    const [first] = records
    let start = 0
    if (positions === undefined) {
      if (first === undefined) continue
      const isHeader = !first.every((field) => readNumber(field)?.form === 'plain')
      positions = options.placeHeader(isHeader ? first : first.map((_, at) => `column${at + 1}`))
      start = isHeader ? 1 : 0
      if (!isHeader) {
        options.note(
          `The first row of "${file.path}" holds numbers only, so the columns are column1 to column${first.length}.`,
        )
      }
    }
    const width = positions.length
    const rows: Row[] = []
    for (let at = start; at < records.length; at += 1) {
      const fields = records[at] ?? []
      if (fields.length !== width) ragged += 1
      while (positions.length < fields.length) positions.push(columns.add(''))
      rows.push(placeFields(fields, positions))
    }
    yield rows
  }
  if (ragged > 0) options.note(`${ragged} rows of "${file.path}" have more or fewer fields than its first row.`)
}

function placeFields(fields: readonly string[], positions: readonly number[]): Row {
  const row: (string | undefined)[] = []
  for (let at = 0; at < fields.length; at += 1) row[positions[at] ?? at] = fields[at]
  return row
}

async function* readRecords(file: OpenedFile, options: SourceOptions): AsyncGenerator<readonly string[][]> {
  let reader: ReturnType<typeof createRecordReader> | undefined
  for await (const text of readText(file, options.signal)) {
    reader ??= createReader(file, text, options)
    yield reader.push(text)
  }
  if (reader === undefined) return
  yield reader.end()
  if (reader.unpaired > 0) {
    options.note(
      `${reader.unpaired} quotation marks of "${file.path}" never close; they were read as ordinary characters.`,
    )
  }
}

function createReader(file: OpenedFile, text: string, options: SourceOptions) {
  const delimiter = findDelimiter(text, options.format === 'tsv' ? '\t' : ',')
  if (delimiter !== ',' && options.format === 'csv') {
    options.note(`Fields of "${file.path}" are separated by ${delimiter === '\t' ? 'tabs' : `"${delimiter}"`}.`)
  }
  return createRecordReader(delimiter, text.includes('\n') || !text.includes('\r') ? '\n' : '\r')
}

/** The separator that the first lines hold most of, outside quotes; `usual` when it is a draw. */
export function findDelimiter(text: string, usual: string): string {
  const lines = text
    .slice(0, 16_384)
    .replace(/"[^"]*"/g, '')
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, 5)
  const least = (delimiter: string) => Math.min(...lines.map((line) => line.split(delimiter).length - 1))
  const first = (delimiter: string) => (lines[0]?.split(delimiter).length ?? 1) - 1
  const candidates = [usual, ',', ';', '\t', '|']
  const score = (delimiter: string) => least(delimiter) * 1_000 + first(delimiter)
  return candidates.reduce((best, candidate) => (score(candidate) > score(best) ? candidate : best), usual)
}

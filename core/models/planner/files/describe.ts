import { amount, byteText, quote, valueText } from '../answer.ts'
import type { Attempt, FileFact, FileReading, TableResult } from '../results.ts'
import { extensionOf } from './catalogue.ts'
import { headingOf, prose, sentencesOf } from './prose.ts'

/** What is known of one file: its facts, and its head or its columns where they could be read. */
export interface FileGlimpse {
  readonly fact: FileFact
  readonly head?: Attempt<FileReading>
  readonly columns?: Attempt<TableResult>
}

/** One line that says what a file holds, in its own words; for what has none, its type and size. */
export function describeFile({ fact, head, columns }: FileGlimpse): string {
  if (fact.bytes === 0) return 'an empty file'
  if (fact.type === 'binary') return `${binaryName(fact.path)}, ${byteText(fact.bytes)}`
  if (columns?.ok && columns.value.columns.length > 0) return describeTable(fact.path, columns.value)
  if (head === undefined) return `text, ${byteText(fact.bytes)}`
  if (!head.ok) return `could not be read: ${head.message}`
  return describeText(fact, head.value)
}

function describeTable(path: string, table: TableResult): string {
  const isObject =
    extensionOf(path) === '.json' && table.rowsTotal === 1 && table.notes.some((n) => n.includes('one object'))
  const names = [...new Set(table.columns.map((c) => (isObject ? c.name.replace(/\..*$/, '') : c.name)))]
  if (isObject)
    return `JSON, one object with the keys ${names.slice(0, 12).join(', ')}${names.length > 12 ? ' and more' : ''}`
  const shown = names.slice(0, 12).join(', ')
  const rest = names.length > 12 ? ' and more' : ''
  return `a table of ${amount(table.rowsTotal, 'row')} with the columns ${shown}${rest}`
}

function describeText(fact: FileFact, head: FileReading): string {
  const keys = jsonKeys(fact.path, head.text)
  if (keys) return keys
  if (isLog(fact.path, head.text))
    return `a log of ${amount(head.totalLines, 'line')}, the first is ${quote(firstLine(head.text), 160)}`
  const heading = headingOf(fact.path, head.text)
  const sentence = sentencesOf(prose(fact.path, head.text)).find((s) => s.text !== heading)?.text
  const parts = [heading, sentence].filter((part) => part !== undefined)
  if (parts.length > 0) return parts.map((part) => quote(part)).join(': ')
  const line = firstLine(head.text)
  return line === '' ? 'only blank lines' : `${amount(head.totalLines, 'line')}, the first is ${quote(line, 120)}`
}

const firstLine = (text: string): string => text.split('\n').find((l) => l.trim() !== '') ?? ''

function isLog(path: string, text: string): boolean {
  return extensionOf(path) === '.log' || /^\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(text)
}

// Only keys are named here, so a file cut by the reading simply falls back to its first line.
function jsonKeys(path: string, text: string): string | undefined {
  if (extensionOf(path) !== '.json') return undefined
  const keys = [...text.matchAll(/^(?: {1,4}|\t)?"([^"\\]{1,60})"\s*:/gm)].map((m) => m[1] ?? '')
  const distinct = [...new Set(keys)].slice(0, 8)
  return distinct.length === 0 ? undefined : `JSON with the keys ${distinct.map(valueText).join(', ')}`
}

const binaryNames: Readonly<Record<string, string>> = {
  '.png': 'an image (PNG)',
  '.jpg': 'an image (JPEG)',
  '.jpeg': 'an image (JPEG)',
  '.gif': 'an image (GIF)',
  '.webp': 'an image (WebP)',
  '.bmp': 'an image (BMP)',
  '.ico': 'an icon',
  '.pdf': 'a PDF document',
  '.zip': 'a ZIP archive',
  '.gz': 'a gzip archive',
  '.tar': 'a tar archive',
  '.xlsx': 'an Excel workbook',
  '.xls': 'an Excel workbook',
  '.docx': 'a Word document',
  '.doc': 'a Word document',
  '.pptx': 'a PowerPoint file',
  '.mp3': 'audio (MP3)',
  '.wav': 'audio (WAV)',
  '.mp4': 'a video (MP4)',
  '.mov': 'a video',
  '.sqlite': 'an SQLite database',
  '.db': 'a database file',
}

function binaryName(path: string): string {
  const extension = extensionOf(path)
  const known = Object.hasOwn(binaryNames, extension) ? binaryNames[extension] : undefined
  return known ?? (extension === '' ? 'a binary file' : `a binary file (${extension})`)
}

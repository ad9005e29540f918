import type { Folder } from './folders.ts'

/** The independent count behind the expectations: plain TypeScript over the data, none of it from the product. */

export type Row = Readonly<Record<string, string>>

const months = 'January February March April May June July August September October November December'.split(' ')
const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

export const baseName = (path: string): string => path.split('/').at(-1) ?? path

const pathOf = (folder: Folder, name: string): string => {
  const found = Object.keys(folder.files).filter((path) => baseName(path) === name)
  if (found.length !== 1) throw new Error(`${folder.name}: ${found.length} files are called ${name}`)
  return found[0] ?? ''
}

export const textOf = (folder: Folder, name: string): string => folder.files[pathOf(folder, name)] ?? ''

export const linesOf = (text: string): readonly string[] => text.replace(/\n$/, '').split('\n')

export const extensionOf = (path: string): string => /\.([^.]+)$/.exec(baseName(path))?.[1] ?? ''

export const bytesOf = (text: string): number => new TextEncoder().encode(text).length

const cells = (line: string): readonly string[] =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map((m) => m[1]?.replaceAll('""', '"') ?? m[2] ?? '')

export const headings = (folder: Folder, name: string): readonly string[] =>
  cells(linesOf(textOf(folder, name))[0] ?? '')

export const rowsOf = (folder: Folder, name: string): readonly Row[] => {
  const [head = '', ...rest] = linesOf(textOf(folder, name))
  const names = cells(head)
  return rest.map((line) => {
    const row = cells(line)
    if (row.length !== names.length) throw new Error(`${name}: a row with ${row.length} cells: ${line}`)
    return Object.fromEntries(names.map((heading, index) => [heading, row[index] ?? '']))
  })
}

export const cell = (row: Row, heading: string): string => {
  const found = row[heading]
  if (found === undefined) throw new Error(`no column ${heading}`)
  return found
}

export const number = (row: Row, heading: string): number => {
  const text = cell(row, heading)
  if (!/^-?\d+(\.\d+)?$/.test(text)) throw new Error(`${heading}: ${text} is no number`)
  return Number(text)
}

/** The objects of a JSON file's array, at the top or one level below, each value as text. */
export const objectsOf = (folder: Folder, name: string): readonly Row[] => {
  const whole: unknown = JSON.parse(textOf(folder, name))
  const list = Array.isArray(whole) ? whole : Object.values(Object(whole)).find((value) => Array.isArray(value))
  if (!Array.isArray(list)) throw new Error(`${name} has no array`)
  return list.map((item: unknown) =>
    Object.fromEntries(Object.entries(Object(item)).map(([key, value]) => [key, String(value)])),
  )
}

const clean = (value: number): number => Math.round(value * 1e9) / 1e9

export const sum = (values: readonly number[]): number => clean(values.reduce((total, value) => total + value, 0))

export const mean = (values: readonly number[]): number => sum(values) / values.length

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  const at = (index: number): number => sorted[index] ?? Number.NaN
  return clean(Number.isInteger(middle) ? (at(middle - 1) + at(middle)) / 2 : at(Math.floor(middle)))
}

export const groups = <T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, readonly T[]> =>
  Map.groupBy(items, keyOf)

const grouped = (figure: string): string => {
  const [whole = '', fraction] = figure.split('.')
  const parted = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? parted : `${parted}.${fraction}`
}

/**
 * The ways to write a figure: with and without a thousands separator and zeros behind it. Only a figure with more than
 * two decimals may be rounded, to one place or more, and a half either way.
 */
export const figure = (value: number): readonly string[] => {
  const exact = clean(value)
  const decimals = String(exact).split('.')[1]?.length ?? 0
  const least = decimals > 2 ? 1 : decimals
  const places = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13].filter((count) => count >= least)
  const rounded = places.flatMap((count) =>
    [exact, exact + 1e-9, exact - 1e-9].slice(0, count < 4 ? 3 : 1).map((near) => near.toFixed(count)),
  )
  const full = decimals > 8 ? places.map((count) => value.toFixed(count)) : []
  const texts = [String(exact), String(value), ...rounded, ...full].filter(
    (text) => Math.abs(Number(text) - value) < 0.06,
  )
  return [...new Set(texts.flatMap((text) => [text, grouped(text)]))]
}

/** The ways to write a number of bytes. */
export const size = (bytes: number): readonly string[] => [
  ...figure(bytes),
  ...[1000, 1024].flatMap((unit) =>
    [1, 2].flatMap((places) => ['', ' '].map((gap) => `${(bytes / unit).toFixed(places)}${gap}k`)),
  ),
]

/** The ways to write a date. */
export const day = (date: Date): readonly string[] => {
  const [d, y] = [date.getUTCDate(), date.getUTCFullYear()]
  const month = months[date.getUTCMonth()] ?? ''
  const short = month.slice(0, 3)
  return [
    date.toISOString().slice(0, 10),
    ...[month, short].flatMap((name) => [`${d} ${name} ${y}`, `${name} ${d}, ${y}`, `${name} ${d} ${y}`]),
  ]
}

const utc = (iso: string): Date => new Date(`${iso}T00:00:00Z`)

export const daysBetween = (from: string, to: string): number => (utc(to).getTime() - utc(from).getTime()) / 86_400_000

export const later = (iso: string, days: number): Date => new Date(utc(iso).getTime() + days * 86_400_000)

export const weekday = (iso: string): string => weekdays[utc(iso).getUTCDay()] ?? ''

export const otherWeekdays = (iso: string): readonly string[] => weekdays.filter((name) => name !== weekday(iso))

/** How often a word stands in a text as a whole word, in any case. */
export const occurrences = (text: string, word: string): number =>
  (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((token) => token === word.toLowerCase()).length

/** Fair counts of the words of a text: by spaces, or only what holds a letter or digit, or with parts split up. */
export const wordCounts = (text: string): readonly number[] => [
  text.split(/\s+/).filter((part) => part !== '').length,
  text.split(/\s+/).filter((part) => /[\p{L}\p{N}]/u.test(part)).length,
  (text.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu) ?? []).length,
]

/** What a line says without the marks of Markdown before it. */
export const bare = (line: string): string => line.replace(/^\s*(#+|[-*]|\d+\.)\s+(\[[ x]\]\s+)?/, '').trim()

/** The first words of each sentence of a text, long enough to be told apart. */
export const sentences = (text: string): readonly string[] =>
  linesOf(text)
    .flatMap((line) => bare(line).split(/(?<=[.!?])\s/))
    .filter((sentence) => sentence.length >= 20 && /[\p{L}]/u.test(sentence))
    .map((sentence) => sentence.slice(0, 40).trim())

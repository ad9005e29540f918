import type { TableCell } from './results.ts'

/** A file or folder name, safe inside Markdown. */
export function code(name: string): string {
  const fence = name.includes('`') ? '``' : '`'
  return `${fence}${name.replace(/\s+/g, ' ')}${fence}`
}

/** Bytes as recorded, with a rounded figure beside them where that is easier to read. */
export function byteText(bytes: number): string {
  const exact = `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`
  const unit = [...byteSteps].find((step) => bytes >= step.size)
  return unit ? `${(bytes / unit.size).toFixed(1)} ${unit.name} (${exact})` : exact
}
const byteSteps = [
  { name: 'GB', size: 1_000_000_000 },
  { name: 'MB', size: 1_000_000 },
  { name: 'kB', size: 1_000 },
]

/** `1 file`, `3 files`: the figure is a recorded one. */
export function amount(figure: number, one: string, many = `${one}s`): string {
  return `${figure} ${figure === 1 ? one : many}`
}

/** A recorded time (ISO, UTC) for people. */
export function timeText(iso: string): string {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(iso)
  return match ? `${match[1]} ${match[2]} UTC` : iso
}

/** A Markdown table. Cells are cut at 200 characters, and say so by an ellipsis. */
export function tableText(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cellText).join(' | ')} |`
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n')
}

function cellText(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|')
  return flat.length > 200 ? `${flat.slice(0, 199)}…` : flat
}

/** A recorded value as it stands. */
export function valueText(value: TableCell | undefined): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Words taken from a file: in double quotes, on one line, cut at `max` characters. */
export function quote(text: string, max = 240): string {
  const flat = text.replace(/\s+/g, ' ').trim().replaceAll('"', "'")
  return `"${flat.length > max ? `${flat.slice(0, max - 1)}…` : flat}"`
}

/** A block of a file's text, fenced so that nothing in it is taken for Markdown. */
export function block(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((m) => m[0].length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}text\n${text}\n${fence}`
}

/** `a, b and c`. */
export function inWords(items: readonly string[], link = 'and'): string {
  if (items.length <= 1) return items[0] ?? ''
  return `${items.slice(0, -1).join(', ')} ${link} ${items.at(-1)}`
}

/** Paragraphs; empty ones are left out. */
export function paragraphs(...parts: readonly (string | undefined | false)[]): string {
  return parts.filter((part) => part !== undefined && part !== false && part !== '').join('\n\n')
}

/** A recorded figure; a long fraction also rounded, which is easier to read. */
export function figureText(value: TableCell | undefined): string {
  const text = valueText(value)
  const rounded = /^-?\d+\.\d{7,}$/.test(text) ? Number(text).toFixed(2) : undefined
  return rounded === undefined ? text : `${rounded} (${text})`
}

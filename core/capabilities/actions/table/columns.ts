import { refusal } from '../refusal.ts'
import { type Cell, isEmptyCell } from './cell.ts'
import { isDateText } from './date-text.ts'
import { type NumberForm, readNumber } from './number-text.ts'

type ColumnType = 'number' | 'date' | 'boolean' | 'text' | 'empty'

/** A row of a source: cells by the position of their column. A short row ends early. */
export type Row = readonly (Cell | undefined)[]

interface ColumnFacts {
  filled: number
  dates: number
  booleans: number
  readonly forms: Record<NumberForm, number>
  /** A value that is a number, but not written plainly. */
  decorated: string | undefined
}

/** The columns of a source, in the order in which they turned up, and what their cells look like. */
export interface Columns {
  readonly names: readonly string[]
  /** Adds a column under a name that is still free, and returns its position. */
  add(name: string): number
  /** Case and blanks around a name do not matter. undefined: no such column (yet). */
  find(name: string): number | undefined
  observe(row: Row): void
  type(position: number): ColumnType
  filled(position: number): number
  /** All cells are plain numbers: they are shown as JSON numbers. */
  isPlainNumber(position: number): boolean
  notes(): string[]
}

export function createColumns(): Columns {
  const names: string[] = []
  const exact = new Map<string, number>()
  const loose = new Map<string, number>()
  const facts: ColumnFacts[] = []
  const numbersOf = (of: ColumnFacts) => Object.values(of.forms).reduce((sum, count) => sum + count, 0)
  return {
    names,
    add(name) {
      const wanted = name.trim() === '' ? `column${names.length + 1}` : name.trim()
      let free = wanted
      for (let copy = 2; exact.has(free); copy += 1) free = `${wanted}_${copy}`
      const position = names.push(free) - 1
      exact.set(free, position)
      if (!loose.has(free.toLowerCase())) loose.set(free.toLowerCase(), position)
      facts.push(createFacts())
      return position
    },
    find: (name) => exact.get(name) ?? loose.get(name.trim().toLowerCase()),
    observe(row) {
      for (const [position, cell] of row.entries()) {
        const of = facts[position]
        if (of && cell !== undefined && !isEmptyCell(cell)) observeCell(of, cell)
      }
    },
    type(position) {
      const of = facts[position]
      if (!of || of.filled === 0) return 'empty'
      if (numbersOf(of) === of.filled) return 'number'
      if (of.dates === of.filled) return 'date'
      return of.booleans === of.filled ? 'boolean' : 'text'
    },
    filled: (position) => facts[position]?.filled ?? 0,
    isPlainNumber(position) {
      const of = facts[position]
      return of !== undefined && of.filled > 0 && of.forms.plain === of.filled
    },
    notes: () => facts.flatMap((of, position) => describeForms(names[position] ?? '', of, numbersOf(of))),
  }
}

function createFacts(): ColumnFacts {
  return {
    filled: 0,
    dates: 0,
    booleans: 0,
    forms: { plain: 0, code: 0, grouped: 0, decorated: 0, ambiguous: 0 },
    decorated: undefined,
  }
}

function observeCell(of: ColumnFacts, cell: Cell): void {
  of.filled += 1
  const number = readNumber(cell)
  if (number) {
    of.forms[number.form] += 1
    if (number.form !== 'plain' && number.form !== 'code') of.decorated ??= String(cell).trim()
  } else if (isDateText(cell)) of.dates += 1
  else if (typeof cell === 'boolean' || /^(true|false|yes|no)$/i.test(String(cell).trim())) of.booleans += 1
}

function describeForms(name: string, of: ColumnFacts, numbers: number): string[] {
  const { grouped, decorated, ambiguous } = of.forms
  if (of.decorated === undefined || numbers < of.filled / 2) return []
  const notes = [
    `${grouped + decorated + ambiguous} values of "${name}" such as "${of.decorated}" were read as numbers.`,
  ]
  if (ambiguous > 0) notes.push(`"${name}" has values such as 1,234: they were read as 1234, not as 1.234.`)
  return notes
}

/** The position of a column, or action.args with the names that there are. */
export function requireColumn(columns: Pick<Columns, 'find' | 'names'>, name: string): number {
  const position = columns.find(name)
  if (position !== undefined) return position
  const names = columns.names.slice(0, 60)
  throw refusal('action.args', `There is no column "${name}". The columns are: ${names.join(', ') || 'none'}.`, {
    columns: names,
  })
}

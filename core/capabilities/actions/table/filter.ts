import { type Cell, cellText, isEmptyCell } from './cell.ts'
import type { Columns, Row } from './columns.ts'
import { compareMoments, readMoment } from './date-text.ts'
import { readNumber } from './number-text.ts'

export const comparisons = [
  'eq',
  'ne',
  'lt',
  'le',
  'gt',
  'ge',
  'contains',
  'startsWith',
  'endsWith',
  'isEmpty',
  'notEmpty',
] as const
type Comparison = (typeof comparisons)[number]

interface Condition {
  readonly column: string
  readonly op: Comparison
  readonly value?: Cell | undefined
}

export interface RowFilter {
  matches(row: Row): boolean
  notes(): string[]
}

/** All conditions must hold. Numbers and ISO dates compare as such, everything else as text without regard to case. */
export function createRowFilter(conditions: readonly Condition[], columns: Columns, timeZone: string): RowFilter {
  const tests = conditions.map((condition) => createTest(condition, columns, timeZone))
  return {
    matches: (row) => tests.every((test) => test.holds(row)),
    notes: () => tests.flatMap((test) => test.notes()),
  }
}

function createTest({ column, op, value = null }: Condition, columns: Columns, timeZone: string) {
  const compare = createComparison(value, timeZone)
  const wanted = cellText(value).toLowerCase()
  let incomparable = 0
  const holds = (row: Row): boolean => {
    // Looked up each time: in JSON a column may turn up late.
    const position = columns.find(column)
    const cell = (position === undefined ? null : row[position]) ?? null
    if (op === 'isEmpty') return isEmptyCell(cell)
    if (op === 'notEmpty') return !isEmptyCell(cell)
    if (op === 'contains' || op === 'startsWith' || op === 'endsWith')
      return holdsText(op, cellText(cell).toLowerCase(), wanted)
    const order = compare(cell)
    if (op === 'eq' || op === 'ne') return (order === 0) === (op === 'eq')
    if (order === undefined && !isEmptyCell(cell)) incomparable += 1
    return order !== undefined && holdsOrder(op, order)
  }
  const notes = () =>
    incomparable === 0
      ? []
      : [
          `${incomparable} values of "${column}" are no ${typeof value === 'number' ? 'numbers' : 'numbers or dates'} like "${cellText(value)}" and do not match.`,
        ]
  return { holds, notes }
}

function holdsText(op: 'contains' | 'startsWith' | 'endsWith', text: string, wanted: string): boolean {
  if (op === 'contains') return text.includes(wanted)
  return op === 'startsWith' ? text.startsWith(wanted) : text.endsWith(wanted)
}

function holdsOrder(op: 'lt' | 'le' | 'gt' | 'ge', order: number): boolean {
  if (op === 'lt') return order < 0
  if (op === 'le') return order <= 0
  return op === 'gt' ? order > 0 : order >= 0
}

/** Below zero: the cell comes before the value. undefined: the two cannot be compared. */
function createComparison(value: Cell, timeZone: string): (cell: Cell) => number | undefined {
  const number = readNumber(value)
  const moment = readMoment(value, timeZone)
  const text = cellText(value).toLowerCase()
  const isText = !number && !moment
  return (cell) => {
    if (isEmptyCell(cell)) return text === '' ? 0 : undefined
    const cellNumber = number && readNumber(cell)
    if (number && cellNumber) return cellNumber.value - number.value
    const cellMoment = moment && readMoment(cell, timeZone)
    if (moment && cellMoment) return compareMoments(cellMoment, moment)
    const folded = cellText(cell).toLowerCase()
    if (folded === text) return 0
    if (!isText) return undefined
    return folded < text ? -1 : 1
  }
}

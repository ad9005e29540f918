import { compareNames } from '../files/name-order.ts'
import { type Cell, isEmptyCell } from './cell.ts'
import { readMoment } from './date-text.ts'
import { readNumber } from './number-text.ts'

export interface SortColumn {
  readonly column: string
  readonly order: 'asc' | 'desc'
}

/** What a cell is sorted by: numbers, then dates, then text; empty ones stay last in either direction. */
export type SortKey = readonly [rank: number, value: number | string]

export function sortKey(cell: Cell | undefined, timeZone: string): SortKey {
  if (cell === undefined || cell === null || isEmptyCell(cell)) return [3, 0]
  const number = readNumber(cell)
  if (number) return [0, number.value]
  const moment = readMoment(cell, timeZone)
  return moment ? [1, moment.wallMs] : [2, String(cell)]
}

/** For rows with their keys, in the order of `sort`. */
export function createRowOrder(sort: readonly SortColumn[]) {
  return (a: { readonly keys: readonly SortKey[] }, b: { readonly keys: readonly SortKey[] }): number => {
    for (const [at, { order }] of sort.entries()) {
      const compared = compareKeys(a.keys[at], b.keys[at], order === 'asc' ? 1 : -1)
      if (compared !== 0) return compared
    }
    return 0
  }
}

function compareKeys(a: SortKey = [3, 0], b: SortKey = [3, 0], sign: 1 | -1): number {
  if (a[0] !== b[0]) return a[0] === 3 || b[0] === 3 ? a[0] - b[0] : sign * (a[0] - b[0])
  if (typeof a[1] === 'number' && typeof b[1] === 'number') return sign * (a[1] - b[1])
  return sign * compareNames(String(a[1]), String(b[1]))
}

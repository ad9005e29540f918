import { type Cell, cellText, isEmptyCell } from './cell.ts'
import { readMoment } from './date-text.ts'
import { add, type Decimal, decimalJson, divide, parseDecimal, zero } from './decimal.ts'
import { type NumberText, readNumber } from './number-text.ts'

export const functions = ['count', 'sum', 'avg', 'min', 'max', 'median', 'distinct'] as const
export type AggregateFunction = (typeof functions)[number]

/** Takes the cells of one group and one column; `result` is null where nothing could be counted. */
export interface Accumulator {
  add(cell: Cell): void
  result(): Cell
  /** Filled cells that were left out because they are no numbers. */
  leftOut(): { readonly count: number; readonly example: string }
}

export function createAccumulator(fn: AggregateFunction, timeZone: string): Accumulator {
  if (fn === 'count') return counting()
  if (fn === 'distinct') return distinguishing()
  if (fn === 'min' || fn === 'max') return extreme(fn === 'min' ? -1 : 1, timeZone)
  return numeric(fn === 'median' ? createMedian() : createSum(fn === 'avg'))
}

const nothing = { count: 0, example: '' }

function counting(): Accumulator {
  let count = 0
  return {
    add(cell) {
      if (!isEmptyCell(cell)) count += 1
    },
    result: () => count,
    leftOut: () => nothing,
  }
}

function distinguishing(): Accumulator {
  const seen = new Set<string>()
  return {
    add(cell) {
      if (!isEmptyCell(cell)) seen.add(cellText(cell))
    },
    result: () => seen.size,
    leftOut: () => nothing,
  }
}

interface NumberSink {
  add(number: NumberText): void
  result(): Cell
}

function numeric(sink: NumberSink): Accumulator {
  const leftOut = { count: 0, example: '' }
  return {
    add(cell) {
      if (isEmptyCell(cell)) return
      const number = readNumber(cell)
      if (number) return sink.add(number)
      leftOut.count += 1
      leftOut.example ||= cellText(cell).slice(0, 40)
    },
    result: () => sink.result(),
    leftOut: () => leftOut,
  }
}

function createSum(isAverage: boolean): NumberSink {
  let sum: Decimal = zero
  let count = 0
  return {
    add({ digits }) {
      const decimal = parseDecimal(digits)
      if (!decimal) return
      sum = add(sum, decimal)
      count += 1
    },
    result: () => (count === 0 ? null : decimalJson(isAverage ? divide(sum, count) : sum)),
  }
}

function createMedian(): NumberSink {
  const values: number[] = []
  return {
    add({ value }) {
      values.push(value)
    },
    result() {
      if (values.length === 0) return null
      const sorted = Float64Array.from(values).sort()
      const upper = sorted[sorted.length >> 1] ?? 0
      const lower = sorted[(sorted.length - 1) >> 1] ?? 0
      const [a, b] = [parseDecimal(String(lower)), parseDecimal(String(upper))]
      return a && b ? decimalJson(divide(add(a, b), 2)) : upper
    },
  }
}

/** Dates when all are dates; else numbers, the rest left out; else text. */
function extreme(sign: 1 | -1, timeZone: string): Accumulator {
  const leftOut = { count: 0, example: '' }
  let filled = 0
  let dates = 0
  let number: NumberText | undefined
  let date: { cell: Cell; wallMs: number } | undefined
  let text: string | undefined
  return {
    add(cell) {
      if (isEmptyCell(cell)) return
      filled += 1
      const asNumber = readNumber(cell)
      if (asNumber) {
        if (!number || sign * (asNumber.value - number.value) > 0) number = asNumber
        return
      }
      leftOut.count += 1
      leftOut.example ||= cellText(cell).slice(0, 40)
      const moment = readMoment(cell, timeZone)
      if (moment) {
        dates += 1
        if (!date || sign * (moment.wallMs - date.wallMs) > 0) date = { cell, wallMs: moment.wallMs }
      }
      const candidate = cellText(cell)
      if (text === undefined || (candidate < text ? -1 : 1) === sign) text = candidate
    },
    result() {
      if (number) return decimalJson(parseDecimal(number.digits) ?? zero)
      return date && dates === filled ? date.cell : (text ?? null)
    },
    leftOut: () => (number ? leftOut : nothing),
  }
}

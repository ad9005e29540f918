import { DateTime } from 'luxon'
import { type Cell, cellText } from './cell.ts'

const iso = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d\d:?\d\d)?)?$/i

export function isDateText(cell: Cell): boolean {
  return readMoment(cell, 'UTC') !== undefined
}

/** An ISO date or date-time as ms of the wall clock in `timeZone`; `isDay` where no time was given. */
interface Moment {
  readonly wallMs: number
  readonly isDay: boolean
}

export function readMoment(cell: Cell, timeZone: string): Moment | undefined {
  if (typeof cell !== 'string' || !/^\s*\d{4}-/.test(cell)) return undefined
  const parts = iso.exec(cellText(cell))
  if (!parts) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '0', zone] = parts
  const millisecond = Math.floor(Number(`0.${fraction}`) * 1_000)
  const date = [Number(year), Number(month) - 1, Number(day)] as const
  const wallMs = Date.UTC(...date, Number(hour), Number(minute), Number(second), millisecond)
  // Date.UTC turns 2024-02-30 into March: such a text is no date.
  if (new Date(Date.UTC(...date)).getUTCDate() !== date[2] || Number(hour) > 24 || Number(minute) > 59) return undefined
  if (zone === undefined || zone === '') return { wallMs, isDay: parts[4] === undefined }
  const at = DateTime.fromISO(cellText(cell).replace(' ', 'T'), { zone: timeZone })
  return at.isValid ? { wallMs: at.toMillis() + at.offset * 60_000, isDay: false } : undefined
}

/** Below zero when `a` is earlier. A whole day equals every time of that day. */
export function compareMoments(a: Moment, b: Moment): number {
  const toDay = a.isDay || b.isDay
  return toDay ? dayOf(a) - dayOf(b) : a.wallMs - b.wallMs
}

function dayOf({ wallMs }: Moment): number {
  return Math.floor(wallMs / 86_400_000)
}

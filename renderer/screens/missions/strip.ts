import type { Firing, FiringState, MissionDays } from '../../../core/domain/mission.ts'
import { counted } from '../../format/figures.ts'

/** How a cell is drawn: each has a shape of its own, so that it is told apart without its colour. */
export type CellLook = 'failed' | 'missed' | 'live' | 'late' | 'ran' | 'left' | 'planned' | 'none' | 'unread'

export const lookWords: Readonly<Record<Exclude<CellLook, 'none'>, string>> = {
  ran: 'ran',
  late: 'ran late',
  live: 'at work or in line',
  failed: 'failed or blocked',
  missed: 'missed',
  left: 'skipped, merged or cancelled',
  planned: 'planned',
  unread: 'not counted',
}

const looks: Readonly<Record<FiringState, CellLook>> = {
  queued: 'live',
  running: 'live',
  ran: 'ran',
  late: 'late',
  coalesced: 'left',
  skipped: 'left',
  missed: 'missed',
  blocked: 'failed',
  cancelled: 'left',
  failed: 'failed',
  unknown: 'failed',
}

/** What stands out first: a cell that stands for several shows the worst of them. */
const worstFirst: readonly CellLook[] = ['failed', 'missed', 'live', 'late', 'ran', 'left', 'planned', 'none']

type Row = Pick<Firing, 'instant' | 'until' | 'state' | 'reason'>

/** Of some time: what became of its instants, how many are to come, and whether there may be more than was read. */
interface Counted {
  readonly firings: readonly Row[]
  readonly planned: readonly number[]
  readonly lacksFirings: boolean
  readonly lacksPlans: boolean
}

/** One day of a mission. */
export interface MissionDay extends Counted {
  readonly from: number
  readonly to: number
  readonly firingsFrom: number
  readonly plannedUntil: number
}

/** Its days, each from one midnight to the next. A row that stands for a stretch belongs to each day of it. */
export function daysOf({
  midnights,
  firings,
  firingsFrom,
  planned,
  plannedUntil,
}: Pick<MissionDays, 'midnights' | 'firingsFrom' | 'planned' | 'plannedUntil'> & {
  readonly firings: readonly Row[]
}): readonly MissionDay[] {
  return midnights.slice(0, -1).map((from, index) => {
    const to = midnights[index + 1] ?? from
    return {
      ...{ from, to, firingsFrom, plannedUntil },
      firings: firings.filter(({ instant, until }) => instant < to && (until ?? instant) >= from),
      planned: planned.filter((at) => at >= from && at < to),
      lacksFirings: firingsFrom > from,
      lacksPlans: plannedUntil < to,
    }
  })
}

export function dayLook({ firings, planned, lacksFirings, lacksPlans }: Counted): CellLook {
  const found = new Set<CellLook>(firings.map(({ state }) => looks[state]))
  if (planned.length > 0) found.add('planned')
  return worstFirst.find((look) => found.has(look)) ?? (lacksFirings || lacksPlans ? 'unread' : 'none')
}

const stateWords: Readonly<Record<FiringState, string>> = {
  ran: 'ran',
  late: 'late',
  running: 'at work',
  queued: 'in line',
  failed: 'failed',
  blocked: 'blocked',
  unknown: 'unknown',
  missed: 'missed',
  coalesced: 'merged',
  skipped: 'skipped',
  cancelled: 'cancelled',
}

/** 23 ran, 1 failed, 9 planned; at least 200 planned, where that is all that was read. */
export function dayText({ firings, planned, lacksFirings, lacksPlans }: Counted): string {
  const became = Object.entries(stateWords).flatMap(([state, word]) => {
    const count = firings.filter((firing) => firing.state === state).length
    return count === 0 ? [] : [`${count} ${word}`]
  })
  const toCome = planned.length === 0 ? [] : [`${planned.length} planned`]
  const parts = [...atLeast(became, lacksFirings), ...atLeast(toCome, lacksPlans)]
  if (parts.length > 0) return parts.join(', ')
  return lacksFirings || lacksPlans ? lookWords.unread : 'nothing'
}

function atLeast([first, ...others]: readonly string[], isCut: boolean): readonly string[] {
  if (first === undefined) return []
  return [isCut ? `at least ${first}` : first, ...others]
}

/** One cell of the loom: what fell into one part of one day. */
export interface LoomCell {
  readonly look: CellLook
  readonly title: string
}

export interface Loom {
  readonly bucketMinutes: number
  /** Minutes after midnight at which each column begins. */
  readonly columns: readonly number[]
  readonly rows: readonly (readonly LoomCell[])[]
}

const mostColumns = 36
const bucketSizes = [1, 5, 10, 15, 30, 60, 120, 240] as const

/** Thu 26: what the days of a zone are called. */
export function dayNames(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: '2-digit', timeZone })
}

/** The clocks of a zone. */
export interface ZoneClock {
  /** 09:15. */
  textOf(at: number): string
  /** After midnight. */
  minuteOf(at: number): number
}

export function zoneClock(timeZone: string): ZoneClock {
  const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone })
  return {
    textOf: (at) => clock.format(at),
    minuteOf(at) {
      const [hour, minute] = clock.format(at).split(':').map(Number)
      return (hour ?? 0) * 60 + (minute ?? 0)
    },
  }
}

/** The days as a table of parts of the day: as fine as there is room for, from the first instant of any day to the last. */
export function loomOf(days: readonly MissionDay[], clock: ZoneClock): Loom {
  const minutes = days.flatMap(({ firings, planned, from, to }) =>
    [...firings.map(({ instant }) => instant), ...planned].filter((at) => at >= from && at < to).map(clock.minuteOf),
  )
  if (minutes.length === 0) return { bucketMinutes: 60, columns: [], rows: days.map(() => []) }
  const first = Math.min(...minutes)
  const last = Math.max(...minutes)
  const gap = smallestGap(minutes)
  const fits = (size: number) => Math.floor(last / size) - Math.floor(first / size) < mostColumns
  const bucketMinutes = bucketSizes.find((size) => size >= Math.min(gap, 60) && fits(size)) ?? 240
  const begin = Math.floor(first / bucketMinutes)
  const columns = Array.from({ length: Math.floor(last / bucketMinutes) - begin + 1 }, (_each, index) => {
    return (begin + index) * bucketMinutes
  })
  const rows = days.map((day) => {
    const placed = placedIn(day, clock)
    return columns.map((minute) => cellOf(placed, { from: minute, to: minute + bucketMinutes }, clock))
  })
  return { bucketMinutes, columns, rows }
}

const dayMinutes = 1_440

interface Placed {
  readonly firings: readonly { readonly row: Row; readonly minute: number }[]
  readonly planned: readonly { readonly at: number; readonly minute: number }[]
  /** Minutes of the day between which all is read: firings from the first, plans up to the second. */
  readonly readFrom: number
  readonly readUntil: number
}

function placedIn({ firings, planned, from, to, firingsFrom, plannedUntil }: MissionDay, clock: ZoneClock): Placed {
  const cut = (at: number) => (at <= from ? 0 : at >= to ? dayMinutes : clock.minuteOf(at))
  return {
    firings: firings
      .filter(({ instant }) => instant >= from && instant < to)
      .map((row) => ({ row, minute: clock.minuteOf(row.instant) })),
    planned: planned.map((at) => ({ at, minute: clock.minuteOf(at) })),
    readFrom: cut(firingsFrom),
    readUntil: cut(plannedUntil),
  }
}

interface Minutes {
  readonly from: number
  readonly to: number
}

function cellOf(day: Placed, { from, to }: Minutes, clock: ZoneClock): LoomCell {
  const isIn = ({ minute }: { readonly minute: number }) => minute >= from && minute < to
  const firings = day.firings.filter(isIn).map(({ row }) => row)
  const planned = day.planned.filter(isIn).map(({ at }) => at)
  const counted = { firings, planned, lacksFirings: from < day.readFrom, lacksPlans: to > day.readUntil }
  const look = dayLook(counted)
  const [one] = firings
  const isWhole = !counted.lacksFirings && !counted.lacksPlans
  if (isWhole && firings.length === 1 && one && planned.length === 0) {
    const word = stateWords[one.state]
    return { look, title: `${clock.textOf(one.instant)} ${word}${one.reason === null ? '' : `: ${one.reason}`}` }
  }
  if (isWhole && firings.length === 0 && planned.length === 1)
    return { look, title: `${clock.textOf(planned[0] ?? 0)} planned` }
  return { look, title: look === 'none' ? '' : dayText(counted) }
}

function smallestGap(minutes: readonly number[]): number {
  const sorted = [...new Set(minutes)].sort((a, b) => a - b)
  return sorted.reduce((least, at, index) => Math.min(least, at - (sorted[index - 1] ?? -1_440)), 1_440)
}

/** What one cell stands for: `15 minutes`, `an hour`. */
export function bucketText(bucketMinutes: number): string {
  return bucketMinutes < 60 ? counted(bucketMinutes, 'minute') : counted(bucketMinutes / 60, 'hour')
}

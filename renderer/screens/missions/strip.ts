import { limits } from '../../../core/domain/limits.ts'
import type { Firing, FiringState, MissionDays } from '../../../core/domain/mission.ts'
import { counted } from '../../format/figures.ts'

/** How a cell is drawn: each has a shape of its own, so that it is told apart without its colour. */
export type CellLook = 'failed' | 'missed' | 'live' | 'late' | 'ran' | 'left' | 'planned' | 'none' | 'unread'

export const lookWords: Readonly<Record<Exclude<CellLook, 'none' | 'unread'>, string>> = {
  ran: 'ran',
  late: 'ran late',
  live: 'at work or in line',
  failed: 'failed or blocked',
  missed: 'missed',
  left: 'skipped, merged or cancelled',
  planned: 'planned',
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

/** One day of a mission: what became of its instants, and how many are to come. */
export interface MissionDay {
  readonly from: number
  readonly to: number
  readonly firings: readonly Row[]
  readonly planned: readonly number[]
  /** Older than what was read: nothing is said of it. */
  readonly isUnread: boolean
}

/** The days between these midnights. A row that stands for a stretch belongs to each day of it. */
export function daysOf(
  { firings, planned }: Pick<MissionDays, 'firings' | 'planned'>,
  midnights: readonly number[],
  mostRows: number = limits.missionDayRows,
): readonly MissionDay[] {
  // The newest come first: where there are as many as may be, the days before the last of them may hold more.
  const readFrom = firings.length < mostRows ? Number.NEGATIVE_INFINITY : (firings.at(-1)?.instant ?? 0)
  return midnights.slice(0, -1).map((from, index) => {
    const to = midnights[index + 1] ?? from
    return {
      ...{ from, to },
      firings: firings.filter(({ instant, until }) => instant < to && (until ?? instant) >= from),
      planned: planned.filter((at) => at >= from && at < to),
      isUnread: to <= readFrom,
    }
  })
}

export function dayLook({ firings, planned, isUnread }: MissionDay): CellLook {
  if (isUnread) return 'unread'
  const found = new Set<CellLook>(firings.map(({ state }) => looks[state]))
  if (planned.length > 0) found.add('planned')
  return worstFirst.find((look) => found.has(look)) ?? 'none'
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

/** 23 ran, 1 failed, 9 planned. */
export function dayText(day: MissionDay): string {
  if (day.isUnread) return 'more than can be counted here'
  const parts = Object.entries(stateWords).flatMap(([state, word]) => {
    const count = day.firings.filter((firing) => firing.state === state).length
    return count === 0 ? [] : [`${count} ${word}`]
  })
  const all = day.planned.length === 0 ? parts : [...parts, `${day.planned.length} planned`]
  return all.length === 0 ? 'nothing' : all.join(', ')
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

/** The days as a table of parts of the day: as fine as there is room for, from the first instant of any day to the last. */
export function loomOf(days: readonly MissionDay[], clockOf: (at: number) => string): Loom {
  const minutes = days.flatMap(({ firings, planned, from, to }) =>
    [...firings.map(({ instant }) => instant), ...planned].filter((at) => at >= from && at < to).map(minuteOf),
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
  const rows = days.map((day) => columns.map((minute) => cellOf(day, { minute, bucketMinutes }, clockOf)))
  return { bucketMinutes, columns, rows }
}

function cellOf(
  day: MissionDay,
  { minute, bucketMinutes }: { readonly minute: number; readonly bucketMinutes: number },
  clockOf: (at: number) => string,
): LoomCell {
  const isIn = (at: number) => {
    if (at < day.from || at >= day.to) return false
    const offset = minuteOf(at) - minute
    return offset >= 0 && offset < bucketMinutes
  }
  const firings = day.firings.filter(({ instant }) => isIn(instant))
  const planned = day.planned.filter(isIn)
  const look = dayLook({ ...day, firings, planned })
  const [one] = firings
  if (firings.length === 1 && one && planned.length === 0) {
    const word = stateWords[one.state]
    return { look, title: `${clockOf(one.instant)} ${word}${one.reason === null ? '' : `: ${one.reason}`}` }
  }
  if (firings.length === 0 && planned.length === 1) return { look, title: `${clockOf(planned[0] ?? 0)} planned` }
  return { look, title: look === 'none' ? '' : dayText({ ...day, firings, planned }) }
}

function minuteOf(at: number): number {
  const date = new Date(at)
  return date.getHours() * 60 + date.getMinutes()
}

function smallestGap(minutes: readonly number[]): number {
  const sorted = [...new Set(minutes)].sort((a, b) => a - b)
  return sorted.reduce((least, at, index) => Math.min(least, at - (sorted[index - 1] ?? -1_440)), 1_440)
}

/** What one cell stands for: `15 minutes`, `an hour`. */
export function bucketText(bucketMinutes: number): string {
  return bucketMinutes < 60 ? counted(bucketMinutes, 'minute') : counted(bucketMinutes / 60, 'hour')
}

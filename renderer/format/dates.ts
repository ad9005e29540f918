const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short' })
const longDay = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long' })
const shortDay = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short' })
const yearDay = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short', year: 'numeric' })
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'medium' })

export const dateGroups = ['Today', 'Yesterday', 'Last week', 'Older'] as const
export type DateGroup = (typeof dateGroups)[number]

/** Calendar days between two instants in the local zone, right over clock changes. */
export function daysBetween(earlier: number, later: number): number {
  const midnight = (at: number) => {
    const date = new Date(at)
    return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())
  }
  return Math.round((midnight(later) - midnight(earlier)) / day)
}

export function dateGroupOf(at: number, now: number): DateGroup {
  const days = daysBetween(at, now)
  if (days <= 0) return 'Today'
  if (days === 1) return 'Yesterday'
  return days <= 7 ? 'Last week' : 'Older'
}

/** Rows in their groups, groups in order, empty groups left out; rows keep the order that they came in. */
export function groupByDate<Row>(
  rows: readonly Row[],
  atOf: (row: Row) => number,
  now: number,
): readonly { readonly group: DateGroup; readonly rows: readonly Row[] }[] {
  const groups = new Map<DateGroup, Row[]>()
  for (const row of rows) {
    const group = dateGroupOf(atOf(row), now)
    const members = groups.get(group)
    if (members) members.push(row)
    else groups.set(group, [row])
  }
  return dateGroups.flatMap((group) => {
    const members = groups.get(group)
    return members ? [{ group, rows: members }] : []
  })
}

/** now, 4 min, 3 h, 16:20 (yesterday), Fri (last week), 09 Nov, 09 Nov 2025. */
export function relativeText(at: number, now: number): string {
  const age = now - at
  const days = daysBetween(at, now)
  if (age < minute) return 'now'
  if (age < hour) return `${Math.floor(age / minute)} min`
  if (days <= 0) return `${Math.floor(age / hour)} h`
  if (days === 1) return clock.format(at)
  if (days <= 7) return weekday.format(at)
  return new Date(at).getFullYear() === new Date(now).getFullYear() ? shortDay.format(at) : yearDay.format(at)
}

/** 14:51 (today), yesterday 16:20, Fri (last week), 09 Nov: when something was done, after its verb. */
export function momentText(at: number, now: number): string {
  const days = daysBetween(at, now)
  if (days <= 0) return clock.format(at)
  return days === 1 ? `yesterday ${clock.format(at)}` : relativeText(at, now)
}

/** 15:00 (today), tomorrow 02:00, Fri 09:00, 09 Dec 09:00: an instant that is to come. */
export function momentAhead(at: number, now: number): string {
  const days = daysBetween(now, at)
  if (days <= 0) return clock.format(at)
  if (days === 1) return `tomorrow ${clock.format(at)}`
  return days < 7 ? `${weekday.format(at)} ${clock.format(at)}` : `${momentDay(at, now)} ${clock.format(at)}`
}

function momentDay(at: number, now: number): string {
  return new Date(at).getFullYear() === new Date(now).getFullYear() ? shortDay.format(at) : yearDay.format(at)
}

/** in 4 min, in 3 h, in 2 days; now where it is due. */
export function untilText(at: number, now: number): string {
  const left = at - now
  if (left <= 0) return 'now'
  if (left < hour) return `in ${Math.max(1, Math.ceil(left / minute))} min`
  if (left < 2 * day) return `in ${Math.floor(left / hour)} h`
  return `in ${Math.floor(left / day)} days`
}

/** Thu 26 Nov 2026, 15:00: an instant by the clocks of a zone. */
export function zonedText(at: number, zone: string): string {
  const text = new Intl.DateTimeFormat('en-GB', {
    ...{ weekday: 'short', day: '2-digit', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
    timeZone: zone,
  })
  return text.format(at)
}

/** 15:00 (today), tomorrow 02:00, yesterday 16:20, Fri 09:00 (within six days), 09 Dec 09:00: by the clocks of a zone. */
export function zonedMoment(at: number, now: number, timeZone: string): string {
  const text = (options: Intl.DateTimeFormatOptions, of = at) =>
    new Intl.DateTimeFormat('en-GB', { ...options, timeZone }).format(of)
  const dayOf = (of: number) => {
    const [date, month, year] = text({ year: 'numeric', month: '2-digit', day: '2-digit' }, of).split('/').map(Number)
    return Date.UTC(year ?? 0, (month ?? 1) - 1, date) / day
  }
  const time = text({ hour: '2-digit', minute: '2-digit' })
  const days = dayOf(at) - dayOf(now)
  if (days === 0) return time
  if (days === 1) return `tomorrow ${time}`
  if (days === -1) return `yesterday ${time}`
  return Math.abs(days) < 7
    ? `${text({ weekday: 'short' })} ${time}`
    : `${text({ day: '2-digit', month: 'short' })} ${time}`
}

export function clockTime(at: number): string {
  return clock.format(at)
}

export function longDayText(at: number): string {
  return longDay.format(at).replace(',', '')
}

/** Monday 7 December, 03:40: an instant that somebody plans by. */
export function dayTimeText(at: number): string {
  return `${longDayText(at)}, ${clock.format(at)}`
}

/** For titles: the whole instant, to the second. */
export function exactText(at: number): string {
  return exact.format(at)
}

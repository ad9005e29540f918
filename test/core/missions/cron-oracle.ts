/**
 * A second opinion on cron, with nothing in common with the module under test: it walks the days of a zone, and on days on which
 * the clocks change every single minute of them. Knows nothing of names; the offsets come from the runtime's own tables.
 * Rules: a time of the day that is skipped fires at the first minute after the gap of that day, one that repeats fires the first
 * time; whatever has a star, a step or several values follows the clocks.
 */
export interface OracleFields {
  readonly minutes: ReadonlySet<number>
  readonly hours: ReadonlySet<number>
  readonly days: ReadonlySet<number> | null
  readonly months: ReadonlySet<number>
  readonly weekdays: ReadonlySet<number> | null
  readonly isFixed: boolean
}

const minuteMs = 60_000
const dayMs = 1_440 * minuteMs

/** Numbers only: what the generator of expressions writes. */
export function oracleFields(expression: string): OracleFields {
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = expression.split(' ')
  const minutes = members(minute, 0, 59)
  const hours = members(hour, 0, 23)
  return {
    minutes,
    hours,
    days: day === '*' ? null : members(day, 1, 31),
    months: members(month, 1, 12),
    weekdays: weekday === '*' ? null : new Set([...members(weekday, 0, 7)].map((each) => each % 7)),
    isFixed: minutes.size === 1 && hours.size === 1 && !/[*/]/.test(minute + hour),
  }
}

function members(field: string, low: number, high: number): Set<number> {
  const found = new Set<number>()
  for (const item of field.split(',')) {
    const [range = '', step = '1'] = item.split('/')
    const [from = '', to = from] = range === '*' ? [String(low), String(high)] : range.split('-')
    for (let value = Number(from); value <= Number(to); value += Number(step)) found.add(value)
  }
  return found
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** What the clocks of a zone are ahead of UTC, in ms. */
function offsetAt(at: number, zone: string): number {
  const format =
    formats.get(zone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  formats.set(zone, format)
  return Date.parse(`${format.format(at).replace(' ', 'T')}Z`) - at
}

export interface OracleZone {
  readonly name: string
  readonly from: number
  /** Instants at which the offset changes, with the one that holds from there on; the first entry is `from`. */
  readonly stretches: readonly { readonly at: number; readonly offset: number }[]
}

/** The clock changes of a zone between two whole minutes. */
export function oracleZone(name: string, from: number, to: number): OracleZone {
  const stretches = [{ at: from, offset: offsetAt(from, name) }]
  for (let at = from; at < to; at += dayMs / 4) {
    const next = Math.min(at + dayMs / 4, to)
    if (offsetAt(at, name) === offsetAt(next, name)) continue
    for (let minute = at + minuteMs; minute <= next; minute += minuteMs) {
      const offset = offsetAt(minute, name)
      if (offset !== stretches.at(-1)?.offset) stretches.push({ at: minute, offset })
    }
  }
  return { name, from, stretches }
}

function offsetIn({ stretches }: OracleZone, at: number): number {
  return stretches.findLast((each) => each.at <= at)?.offset ?? stretches[0]?.offset ?? 0
}

/** Every instant of an expression after `from` and up to `to`, ascending. */
export function oracleInstants(fields: OracleFields, zone: OracleZone, from: number, to: number): readonly number[] {
  const found: number[] = []
  const firstDay = Math.floor((from + offsetIn(zone, from)) / dayMs) - 1
  const lastDay = Math.floor((to + offsetIn(zone, to)) / dayMs) + 1
  for (let day = firstDay; day <= lastDay; day += 1) {
    if (isDay(fields, day)) found.push(...ofDay(fields, zone, day))
  }
  return [...new Set(found)].filter((at) => at > from && at <= to).sort((a, b) => a - b)
}

function isDay({ days, months, weekdays }: OracleFields, day: number): boolean {
  const date = new Date(day * dayMs)
  if (!months.has(date.getUTCMonth() + 1)) return false
  const [isDayOfMonth, isWeekday] = [days?.has(date.getUTCDate()), weekdays?.has(date.getUTCDay())]
  if (isDayOfMonth === undefined) return isWeekday ?? true
  return isDayOfMonth || isWeekday === true
}

function ofDay(fields: OracleFields, zone: OracleZone, day: number): readonly number[] {
  const start = day * dayMs
  const widest = 15 * 3_600_000
  const offset = offsetIn(zone, start - widest)
  const changes = zone.stretches.some(({ at }) => at > start - widest && at < start + dayMs + widest)
  if (!changes) {
    const times = [...fields.hours].flatMap((hour) => [...fields.minutes].map((minute) => hour * 60 + minute))
    return times.map((time) => start + time * minuteMs - offset)
  }
  return ofChangingDay(fields, zone, start)
}

/** Minute by minute through all instants that this day has anywhere on earth. */
function ofChangingDay(fields: OracleFields, zone: OracleZone, start: number): readonly number[] {
  const wanted = new Set([...fields.hours].flatMap((hour) => [...fields.minutes].map((minute) => hour * 60 + minute)))
  const minutes: { readonly at: number; readonly time: number }[] = []
  for (let at = start - 15 * 3_600_000; at < start + dayMs + 15 * 3_600_000; at += minuteMs) {
    const local = at + offsetIn(zone, at)
    if (local >= start && local < start + dayMs) minutes.push({ at, time: (local - start) / minuteMs })
  }
  const hits = minutes.filter(({ time }) => wanted.has(time)).map(({ at }) => at)
  if (!fields.isFixed || hits.length > 0) return fields.isFixed ? hits.slice(0, 1) : hits
  // The one time of the day is skipped: the first minute after a later one was shown.
  const [time = 0] = wanted
  const after = minutes.find((each, index) => each.time > time && (minutes[index - 1]?.time ?? -1) < time)
  return after === undefined ? [] : [after.at]
}

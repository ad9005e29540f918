/** A time as the clocks of a zone show it, to the minute. */
export interface LocalTime {
  /** `2026-03-08` */
  readonly day: string
  /** `03:00` */
  readonly time: string
  /** What its clocks are ahead of UTC, in minutes. */
  readonly offsetMinutes: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** The zone as the system spells it; null where there is none of that name. Offsets such as +02:00 are no zones. */
export function zoneOf(name: string): string | null {
  if (!/^[A-Za-z]/.test(name)) return null
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

/** `zone` must be one that `zoneOf` knows. */
export function localTime(at: number, zone: string): LocalTime {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? ''
  const day = `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
  const time = `${part('hour')}:${part('minute')}`
  const shown = Date.parse(`${day}T${time}:${part('second')}Z`)
  return { day, time, offsetMinutes: Math.round((shown - Math.floor(at / 1_000) * 1_000) / 60_000) }
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const numeric = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const
  const format = new Intl.DateTimeFormat('en-US', { ...numeric, second: '2-digit', hourCycle: 'h23', timeZone: zone })
  formats.set(zone, format)
  return format
}

const dayMs = 86_400_000

/**
 * The instant at which the clocks of a zone show this time: the first of two; where they skip it, the first after the gap.
 * `day` as `2026-03-08`, `time` as `02:30`.
 */
export function instantOf(day: string, time: string, zone: string): number {
  const shown = Date.parse(`${day}T${time}:00Z`)
  const offsets = [shown - dayMs, shown + dayMs].map((at) => localTime(at, zone).offsetMinutes)
  const found = offsets.map((offset) => shown - offset * 60_000).filter((at) => isShown(at, day, time, zone))
  if (found.length > 0) return Math.min(...found)
  return changeBetween(shown - dayMs, shown + dayMs, zone)
}

function isShown(at: number, day: string, time: string, zone: string): boolean {
  const local = localTime(at, zone)
  return local.day === day && local.time === time
}

/** The first instant with the offset of `to`, where the clocks change once between the two. */
function changeBetween(from: number, to: number, zone: string): number {
  const after = localTime(to, zone).offsetMinutes
  let [low, high] = [from, to]
  while (high - low > 1_000) {
    const middle = Math.floor((low + high) / 2_000) * 1_000
    if (localTime(middle, zone).offsetMinutes === after) high = middle
    else low = middle
  }
  return high
}

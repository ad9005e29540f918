/** At most so many calls of an action within a minute and within an hour, over all threads (RULES 3). */
export interface RateLimit {
  readonly perMinute: number
  readonly perHour: number
}

export interface RateMeter {
  /** Counts a call, or answers in how many ms one is free again; then it counts nothing. */
  take(action: string, limit: RateLimit, now: number): number
}

const minuteMs = 60_000
const hourMs = 3_600_000

export function createRateMeter(): RateMeter {
  const taken = new Map<string, number[]>()
  return {
    take(action, { perMinute, perHour }, now) {
      const times = (taken.get(action) ?? []).filter((at) => at > now - hourMs)
      const lastMinute = times.filter((at) => at > now - minuteMs)
      const waitMs = Math.max(freeIn(lastMinute, perMinute, minuteMs, now), freeIn(times, perHour, hourMs, now))
      if (waitMs === 0) times.push(now)
      taken.set(action, times)
      return waitMs
    },
  }
}

function freeIn(times: readonly number[], most: number, windowMs: number, now: number): number {
  const oldest = times[times.length - most]
  return oldest === undefined ? 0 : Math.max(1, oldest + windowMs - now)
}

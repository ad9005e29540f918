import type { CronInstant, CronPreview, CronRefusal } from '../domain/cron.ts'
import type { Cadence, MissionDefinition } from '../domain/mission.ts'
import { type CronSchedule, cronSchedule, cronWords, previewCron } from './cron.ts'
import { instantOf, localTime, zoneOf } from './local-time.ts'
import { eventWords } from './trigger-filter.ts'

/** The instants of a cadence: a pure function of definition, zone and where its intervals are counted from. Epoch ms. */
export interface Timing {
  /** The first instant strictly after `at`; null where none is to come. */
  after(at: number): number | null
  /** The last `max` instants after `since` and up to and including `at`, ascending. */
  newest(of: { readonly since: number; readonly at: number; readonly max: number }): readonly number[]
}

/** Null for what does not fire by the clock. @throws Error for a cadence that was not checked when it was saved. */
export function timingOf(
  { cadence, zone }: Pick<MissionDefinition, 'cadence' | 'zone'>,
  anchorAt: number,
): Timing | null {
  switch (cadence.kind) {
    case 'cron':
      return cronTiming(cadence.expression, zone)
    case 'every':
      return everyTiming(cadence.everyMs, anchorAt)
    case 'once':
      return onceTiming(instantOf(cadence.day, cadence.time, zone))
    case 'event':
    case 'webhook':
    case 'manual':
      return null
  }
}

function cronTiming(expression: string, zone: string): Timing {
  const schedule = cronSchedule(expression, zone)
  if ('code' in schedule) throw new Error(`${expression}: ${schedule.message}`)
  return {
    after: (at) => schedule.after(at),
    newest({ since, at, max }) {
      // Nearly always it is one or none; to walk back from now costs as many steps as rows are allowed.
      const few: number[] = []
      for (let next = schedule.after(since); next <= at; next = schedule.after(next)) {
        if (few.length === forwardSteps) return manyOf(schedule, { since, at, max })
        few.push(next)
      }
      return few.slice(Math.max(0, few.length - max))
    },
  }
}

const forwardSteps = 50

function manyOf(
  schedule: CronSchedule,
  { since, at, max }: { readonly since: number; readonly at: number; readonly max: number },
): readonly number[] {
  return schedule
    .newestUntil(at, max)
    .filter((instant) => instant > since)
    .reverse()
}

function everyTiming(everyMs: number, anchorAt: number): Timing {
  const after = (at: number) => anchorAt + (Math.floor((at - anchorAt) / everyMs) + 1) * everyMs
  return {
    after,
    newest({ since, at, max }) {
      const last = after(at) - everyMs
      const count = Math.min(max, Math.max(0, Math.floor((last - after(since)) / everyMs) + 1))
      return Array.from({ length: count }, (_each, index) => last - (count - 1 - index) * everyMs)
    },
  }
}

function onceTiming(instant: number): Timing {
  return {
    after: (at) => (instant > at ? instant : null),
    newest: ({ since, at, max }) => (instant > since && instant <= at && max > 0 ? [instant] : []),
  }
}

/** Why a cadence cannot be saved; null where it can. */
export function cadenceFault({ cadence, zone }: Pick<MissionDefinition, 'cadence' | 'zone'>): CronRefusal | null {
  if (cadence.kind === 'cron') {
    const schedule = cronSchedule(cadence.expression, zone)
    return 'code' in schedule ? schedule : null
  }
  if (zoneOf(zone) !== null) return null
  return {
    ok: false,
    code: 'cron.zone',
    message: `There is no time zone ${zone}. Zones are named as Europe/Berlin is.`,
  }
}

/** What a cadence means, for whoever chooses it: `count` instants after `from`, none for what the clock does not set off. */
export function previewCadence(
  { cadence, zone }: Pick<MissionDefinition, 'cadence' | 'zone'>,
  { from, count }: { readonly from: number; readonly count: number },
): CronPreview | CronRefusal {
  if (cadence.kind === 'cron') return previewCron({ expression: cadence.expression, zone, from, count })
  const fault = cadenceFault({ cadence, zone })
  if (fault !== null) return fault
  const timing = timingOf({ cadence, zone }, from)
  const next: CronInstant[] = []
  for (let at = timing?.after(from) ?? null; at !== null && next.length < count; at = timing?.after(at) ?? null) {
    const { day, time } = localTime(at, zone)
    next.push({ at, local: `${day} ${time}`, clockChange: null })
  }
  return { ok: true, words: cadenceWords(cadence), next, notes: [] }
}

/** `Every 90 minutes`; `At 09:00, Monday through Friday`. */
export function cadenceWords(cadence: Cadence): string {
  switch (cadence.kind) {
    case 'cron':
      return cronWords(cadence.expression)
    case 'every':
      return `Every ${durationWords(cadence.everyMs)}`
    case 'once':
      return `Once, on ${cadence.day} at ${cadence.time}`
    case 'event':
      return eventWords(cadence)
    case 'webhook':
      return 'By webhook'
    case 'manual':
      return 'By hand'
  }
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1_000],
] as const

/** In the largest unit that says it whole: `90 minutes`, `2 hours`. */
export function durationWords(ms: number): string {
  const [name, unit] = units.find(([, size]) => ms >= size && ms % size === 0) ?? ['millisecond', 1]
  const count = ms / unit
  return `${count} ${name}${count === 1 ? '' : 's'}`
}

/** `90 minutes`, `6 h`, `2 days`, `30 s` in ms; null for what is none. */
export function durationOf(text: string): number | null {
  const [, count = '', letter = ''] =
    /^(\d{1,6})\s*(d|h|m|s)(?:ays?|ours?|in|ins|inutes?|ec|ecs|econds?)?$/i.exec(text.trim()) ?? []
  const unit = units.find(([name]) => name.startsWith(letter.toLowerCase()))
  return count === '' || unit === undefined ? null : Number(count) * unit[1]
}

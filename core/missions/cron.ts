import { Cron } from 'croner'
import cronstrue from 'cronstrue'
import type { ClockChange, CronInstant, CronPreview, CronRefusal } from '../domain/cron.ts'
import { limits } from '../domain/limits.ts'
import { type CronFields, parseCronFields, refusal } from './cron-fields.ts'
import { localTime, zoneOf } from './local-time.ts'

/** A checked expression in a zone: preview and firing ask the same one. Instants are epoch ms. */
export interface CronSchedule {
  readonly zone: string
  /** The first instant strictly after `at`. */
  after(at: number): number
  /** The last `max` instants up to and including `at`, the newest first. */
  newestUntil(at: number, max: number): readonly number[]
}

/** @returns the refusal with the place and the sentence where the expression or the zone cannot be used. */
export function cronSchedule(expression: string, zoneName: string): CronSchedule | CronRefusal {
  const fields = parseCronFields(expression)
  if ('code' in fields) return fields
  const zone = zoneOf(zoneName)
  if (zone === null)
    return refusal('cron.zone', undefined, `There is no time zone ${zoneName}. Zones are named as Europe/Berlin is.`)
  return scheduleOf(fields, zone)
}

function scheduleOf({ text }: CronFields, zone: string): CronSchedule {
  const cron = new Cron(text, { mode: '5-part', timezone: zone, paused: true })
  return {
    zone,
    after(at) {
      const next = cron.nextRun(new Date(at))
      // An expression without any instant was refused: see `cron.never`.
      if (next === null || next.getTime() <= at) throw new Error(`${text} in ${zone} has no instant after ${at}`)
      return next.getTime()
    },
    newestUntil(at, max) {
      // croner leaves out the second of the reference itself.
      const runs = cron.previousRuns(max + 1, new Date(at + 1_000)).map((run) => run.getTime())
      return runs.filter((run) => run <= at).slice(0, max)
    },
  }
}

export interface CronQuestion {
  readonly expression: string
  readonly zone: string
  /** Strictly after it. Epoch ms. */
  readonly from: number
  /** Five by default; at most `limits.cronPreview`. */
  readonly count?: number
}

/** What an expression means, for whoever writes it. Never throws. Source: RULES 24, CLI.md `cron`. */
export function previewCron({ expression, zone, from, count = 5 }: CronQuestion): CronPreview | CronRefusal {
  const fields = parseCronFields(expression)
  if ('code' in fields) return fields
  const schedule = cronSchedule(expression, zone)
  if ('code' in schedule) return schedule
  const next = nextInstants(fields, schedule, { from, count: Math.min(count, limits.cronPreview) })
  return { ok: true, words: wordsOf(fields), next, notes: notesOf(fields, schedule, next) }
}

/** An expression in words, the same in every zone; itself where it cannot be used. */
export function cronWords(expression: string): string {
  const fields = parseCronFields(expression)
  return 'code' in fields ? expression : wordsOf(fields)
}

function nextInstants(
  fields: CronFields,
  schedule: CronSchedule,
  { from, count }: { readonly from: number; readonly count: number },
): readonly CronInstant[] {
  const next: CronInstant[] = []
  let last = from
  while (next.length < count) {
    const at = schedule.after(last)
    const { day, time } = localTime(at, schedule.zone)
    next.push({ at, local: `${day} ${time}`, clockChange: clockChangeAt(fields, schedule, { last, at }) })
    last = at
  }
  return next
}

function clockChangeAt(
  { fixedTime }: CronFields,
  { zone }: CronSchedule,
  { last, at }: { readonly last: number; readonly at: number },
): ClockChange | null {
  const here = localTime(at, zone)
  if (fixedTime !== null && here.time !== fixedTime) return 'skipped'
  if (isRepeated(at, zone)) return 'repeated'
  return localTime(last, zone).offsetMinutes === here.offsetMinutes ? null : 'shifted'
}

/** The clocks show this very time once more, or did before. */
function isRepeated(at: number, zone: string): boolean {
  const here = localTime(at, zone)
  const later = localTime(at + 3 * 3_600_000, zone).offsetMinutes
  const before = localTime(at - 3 * 3_600_000, zone).offsetMinutes
  return [later, before].some((offset) => {
    if (offset === here.offsetMinutes) return false
    const twin = localTime(at + (here.offsetMinutes - offset) * 60_000, zone)
    return twin.offsetMinutes === offset && twin.day === here.day && twin.time === here.time
  })
}

function wordsOf({ text, isEitherDay }: CronFields): string {
  const words = cronstrue.toString(text, { use24HourTimeFormat: true, throwExceptionOnParseError: true })
  // It says “and” where either day is enough.
  return isEitherDay ? words.replace(/, and (?=[^,]*$)/, ', or ') : words
}

function notesOf(fields: CronFields, { zone }: CronSchedule, next: readonly CronInstant[]): readonly string[] {
  const either = fields.isEitherDay
    ? ['It fires on the days of the month or on the days of the week: one of them is enough.']
    : []
  return [...either, ...next.flatMap((instant) => clockNote(fields, zone, instant))]
}

function clockNote({ fixedTime }: CronFields, zone: string, { local, clockChange }: CronInstant): readonly string[] {
  const [day, time] = local.split(' ')
  switch (clockChange) {
    case 'skipped':
      return [
        `Clock change: on ${day} that time does not exist in ${zone}; it fires at ${time}, when the clocks have moved.`,
      ]
    case 'repeated':
      return [
        fixedTime === null
          ? `Clock change: ${time} happens twice on ${day} in ${zone}; it fires both times.`
          : `Clock change: ${time} happens twice on ${day} in ${zone}; it fires the first time only.`,
      ]
    case 'shifted':
      return [`Clock change: the clocks of ${zone} change before ${local}.`]
    case null:
      return []
  }
}

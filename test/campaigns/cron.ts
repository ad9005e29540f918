import { parseArgs } from 'node:util'
import { cronSchedule } from '../../core/missions/cron.ts'
import { type OracleZone, oracleFields, oracleInstants, oracleZone } from '../core/missions/cron-oracle.ts'

export const zones = [
  ...['UTC', 'America/New_York', 'America/Chicago', 'America/Los_Angeles', 'America/St_Johns', 'America/Sao_Paulo'],
  ...['America/Havana', 'America/Asuncion', 'America/Santiago', 'America/Scoresbysund', 'America/Phoenix'],
  ...['America/Caracas', 'Europe/London', 'Europe/Berlin', 'Europe/Lisbon', 'Europe/Moscow', 'Europe/Istanbul'],
  ...['Europe/Chisinau', 'Europe/Dublin', 'Africa/Cairo', 'Africa/Casablanca', 'Africa/Johannesburg', 'Asia/Beirut'],
  ...['Asia/Jerusalem', 'Asia/Tehran', 'Asia/Kolkata', 'Asia/Kathmandu', 'Asia/Dhaka', 'Asia/Shanghai', 'Asia/Tokyo'],
  ...['Asia/Gaza', 'Asia/Amman', 'Australia/Sydney', 'Australia/Lord_Howe', 'Australia/Adelaide', 'Pacific/Auckland'],
  ...['Pacific/Chatham', 'Pacific/Kiritimati', 'Pacific/Apia', 'Antarctica/Troll'],
] as const

export interface CronCampaign {
  readonly expressions: number
  readonly zones: number
  readonly years: number
  readonly seed: number
  /** In the place of the schedule under test. */
  readonly next?: (expression: string, zone: string, at: number) => number
}

export interface CronFigures {
  readonly pairs: number
  readonly clockChanges: number
  readonly instants: number
  readonly differences: readonly string[]
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const from = Date.parse('2020-01-01T00:00:00Z')

/**
 * Random expressions in many zones, compared with the day-walking oracle: at each clock change of the years, all instants of the three
 * days around it (at most 60 of them), and at each month's beginning those that follow it. Between two clock changes nothing but
 * the calendar can go wrong.
 */
export function runCron({ expressions, zones: zoneCount, years, seed, next = nextOf }: CronCampaign): CronFigures {
  const chance = random(seed)
  const to = from + Math.round(years * 365.25) * dayMs
  const known = zones.slice(0, zoneCount).map((name) => oracleZone(name, from, to))
  const figures = { pairs: 0, clockChanges: 0, instants: 0 }
  const differences: string[] = []
  for (let at = 0; at < expressions; at += 1) {
    const expression = randomExpression(chance)
    for (const zone of known) {
      figures.pairs += 1
      figures.clockChanges += zone.stretches.length - 1
      for (const [start, end, most] of windowsOf(zone, to, chance)) {
        const expected = oracleInstants(oracleFields(expression), zone, start, end).slice(0, most)
        let last = start
        for (const instant of expected) {
          const got = next(expression, zone.name, last)
          figures.instants += 1
          if (got !== instant) {
            differences.push(`${expression} | ${zone.name} | after ${iso(last)}: ${iso(got)}, expected ${iso(instant)}`)
            break
          }
          last = instant
        }
      }
    }
  }
  return { ...figures, differences }
}

type Window = readonly [start: number, end: number, most: number]

function windowsOf({ stretches }: OracleZone, to: number, chance: () => number): readonly Window[] {
  const changes = stretches.slice(1).map(({ at }): Window => [at - 36 * hourMs, at + 36 * hourMs, 60])
  const years = Array.from({ length: Math.floor((to - from) / (365 * dayMs)) }, (_each, year): Window => {
    const start = from + Math.floor((year + chance()) * 365 * 1_440) * 60_000
    return [start, Math.min(start + 60 * dayMs, to), 3]
  })
  return [...changes, ...years]
}

const schedules = new Map<string, ReturnType<typeof cronSchedule>>()

function nextOf(expression: string, zone: string, at: number): number {
  const key = `${expression} ${zone}`
  let schedule = schedules.get(key)
  if (schedule === undefined) {
    schedules.clear()
    schedule = cronSchedule(expression, zone)
    schedules.set(key, schedule)
  }
  if ('code' in schedule) throw new Error(`${expression}: ${schedule.message}`)
  return schedule.after(at)
}

function iso(at: number): string {
  return new Date(at).toISOString()
}

/** Half of them are one time of a day in the hours in which clocks change. */
export function randomExpression(chance: () => number): string {
  const whole = (low: number, high: number) => low + Math.floor(chance() * (high - low + 1))
  const range = (low: number, high: number) => {
    const first = whole(low, high)
    return `${first}-${whole(first, high)}`
  }
  const field = (low: number, high: number): string => {
    const kind = whole(0, 9)
    if (kind < 3) return '*'
    if (kind < 5) return String(whole(low, high))
    if (kind === 5) return `*/${whole(1, high - low + 1)}`
    if (kind === 6) return range(low, high)
    if (kind === 7) return `${range(low, high)}/${whole(1, 5)}`
    return Array.from({ length: whole(2, 4) }, () => whole(low, high)).join(',')
  }
  const isNight = chance() < 0.5
  const clock = isNight ? `${whole(0, 59)} ${whole(0, 4)}` : `${field(0, 59)} ${field(0, 23)}`
  const day = chance() < 0.6 ? '*' : field(1, 28)
  const month = chance() < 0.7 ? '*' : field(1, 12)
  const weekday = chance() < 0.6 ? '*' : field(0, 7).replace(/^\*\/8$/, '*/7')
  return `${clock} ${day} ${month} ${weekday}`
}

export function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

if (import.meta.main) {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { expressions: text, zones: text, years: text, seed: text } })
  const number = (value: string | undefined, usual: number) => Number(value ?? usual)
  const figures = runCron({
    expressions: number(values.expressions, 500),
    zones: number(values.zones, 40),
    years: number(values.years, 10),
    seed: number(values.seed, 1),
  })
  const { differences, ...counts } = figures
  console.log(JSON.stringify({ ...counts, differences: differences.length, first: differences.slice(0, 10) }, null, 2))
  process.exitCode = differences.length === 0 ? 0 : 1
}

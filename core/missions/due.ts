import { limits } from '../domain/limits.ts'
import type { Mission, MissionDefinition } from '../domain/mission.ts'
import type { Timing } from './cadence.ts'

/** What becomes of one instant that is due. `queued`: it is to run. */
export interface DueInstant {
  readonly instant: number
  /** The last one that it stands for; null for itself alone. */
  readonly until: number | null
  readonly state: 'queued' | 'coalesced' | 'missed'
  readonly reason: string | null
  readonly lateMs: number
}

export interface DuePlan {
  /** Ascending. */
  readonly instants: readonly DueInstant[]
  /** The newest of them; as before where there are none. */
  readonly claimedUntil: number
  readonly nextFireAt: number | null
}

export interface DueQuestion {
  readonly definition: Pick<MissionDefinition, 'missed' | 'catchUp' | 'maxLatenessMs'>
  readonly timing: Timing
  readonly claimedUntil: number
  readonly now: number
  /** Instants that are in the ledger: skipped by a person, or claimed before the clock went back. */
  readonly known: ReadonlySet<number>
}

/**
 * Every instant since the last one claimed, and what the mission's policy makes of it. Pure: the same question has the same answer,
 * and asking changes nothing. A stretch longer than `limits.firingRows` is one row, up to its newest instants.
 */
export function dueOf(question: DueQuestion): DuePlan {
  const { timing, claimedUntil, now, known } = question
  const newest = timing.newest({ since: claimedUntil, at: now, max: limits.firingRows + 1 })
  const nextFireAt = firstFree(timing, now, known)
  const last = newest.at(-1)
  if (last === undefined) return { instants: [], claimedUntil, nextFireAt }
  const isLong = newest.length > limits.firingRows
  const [stretchEnd = last, ...rest] = newest
  const own = (isLong ? rest : newest).filter((instant) => !known.has(instant))
  const stretch = isLong ? stretchUntil(timing, claimedUntil, stretchEnd, now) : []
  return { instants: [...stretch, ...judged(own, question)], claimedUntil: last, nextFireAt }
}

/** The first instant after `at` that no row stands for. */
export function firstFree(timing: Timing, at: number, known: ReadonlySet<number>): number | null {
  let next = timing.after(at)
  while (next !== null && known.has(next)) next = timing.after(next)
  return next
}

function stretchUntil(timing: Timing, since: number, until: number, now: number): readonly DueInstant[] {
  const instant = timing.after(since) ?? until
  const reason = `Threadsmith was not there for more than ${limits.firingRows} instants: these are the older ones`
  return [{ instant, until: until > instant ? until : null, state: 'missed', reason, lateMs: now - instant }]
}

function judged(instants: readonly number[], question: DueQuestion): readonly DueInstant[] {
  const { definition, now } = question
  const running = new Set(toRun(instants, question))
  const [first] = running
  return instants.map((instant) => {
    const lateMs = now - instant
    const facts = { instant, until: null, lateMs }
    if (running.has(instant)) return { ...facts, state: 'queued', reason: null }
    if (definition.missed === 'once' && first !== undefined)
      return { ...facts, state: 'coalesced', reason: 'a later instant runs in its place' }
    if (first !== undefined && lateMs <= limits.firingGraceMs)
      return { ...facts, state: 'coalesced', reason: 'a later instant runs in its place' }
    return { ...facts, state: 'missed', reason: missedReason(instant, question) }
  })
}

function missedReason(instant: number, { definition, timing, now }: DueQuestion): string {
  const lateMs = now - instant
  if (definition.missed === 'skip') return 'Threadsmith was not there, and this mission leaves out what it missed'
  if (definition.missed === 'all' && lateMs <= maxLatenessOf(instant, definition, timing))
    return `there are more than the ${definition.catchUp} that are caught up`
  return `Threadsmith was not there; ${lateWords(lateMs)} is later than it may run`
}

const lateUnits = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
] as const

/** In the largest unit of which there are two. */
function lateWords(ms: number): string {
  const [name, size] = lateUnits.find((unit) => ms >= 2 * unit[1]) ?? ['seconds', 1_000]
  return `${Math.floor(ms / size)} ${name}`
}

/** Ascending. */
function toRun(instants: readonly number[], { definition, timing, now }: DueQuestion): readonly number[] {
  const isInTime = (instant: number) => now - instant <= maxLatenessOf(instant, definition, timing)
  switch (definition.missed) {
    case 'skip':
      return instants.filter((instant) => now - instant <= limits.firingGraceMs).slice(-1)
    case 'once':
      // Only the newest instant of all: an older one that may still run would be out of date beside it.
      return instants.slice(-1).filter(isInTime)
    case 'all':
      return instants.filter(isInTime).slice(-definition.catchUp)
  }
}

/** Never less than what counts as being on time: a tick may come that late. Source: RULES 23. */
function maxLatenessOf(
  instant: number,
  { missed, maxLatenessMs }: Pick<MissionDefinition, 'missed' | 'maxLatenessMs'>,
  timing: Timing,
): number {
  const { firingGraceMs, firingLatenessMs } = limits
  if (maxLatenessMs !== null) return Math.max(firingGraceMs, maxLatenessMs)
  // Half a period would leave one instant of each: there would be nothing to catch up.
  const next = missed === 'all' ? null : timing.after(instant)
  if (next === null) return firingLatenessMs
  return Math.max(firingGraceMs, Math.min((next - instant) / 2, firingLatenessMs))
}

/** An instant is due and no tick has claimed it. */
export function isOverdue({ nextFireAt }: Pick<Mission, 'nextFireAt'>, now: number): boolean {
  return nextFireAt !== null && now - nextFireAt > limits.firingGraceMs
}

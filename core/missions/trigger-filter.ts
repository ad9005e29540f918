import { RE2JS, RE2JSException } from 're2js'
import { compileGlob } from '../capabilities/capabilities.ts'
import { AppError } from '../domain/error.ts'
import { limits } from '../domain/limits.ts'
import type { Cadence, EventFilter } from '../domain/mission.ts'
import { type MissionEvent, missionEvents, missionEventWords } from '../domain/mission-event.ts'
import { type Outcome, outcomes } from '../domain/thread.ts'
import type { TriggerKind } from '../store/store.ts'

export type EventCadence = Extract<Cadence, { readonly kind: 'event' }>

/** All of a filter, with what is usual in the place of what was not said. */
export interface WholeFilter {
  readonly projects: 'own' | 'all'
  readonly threads: 'people' | 'missions' | 'all'
  /** Null for all that fit the event. */
  readonly outcomes: readonly Outcome[] | null
  readonly goal: string | null
  readonly each: number
  readonly paths: readonly string[]
  readonly idleMs: number
}

/** A mission hears of threads of its own project that a person began: not of what it set off itself. */
const usualFilter: WholeFilter = {
  ...{ projects: 'own', threads: 'people', outcomes: null, goal: null, each: 1 },
  ...{ paths: ['**'], idleMs: limits.missionIdleMs },
}

export function filterOf({ only }: EventCadence): WholeFilter {
  return { ...usualFilter, ...only }
}

export function isEventName(text: string): text is MissionEvent {
  return missionEvents.some((each) => each === text)
}

/** By what a mission of this cadence is told; null where that is the clock, or a person. */
export function triggerKindOf(cadence: Cadence): TriggerKind | null {
  if (cadence.kind === 'webhook') return 'webhook'
  if (cadence.kind !== 'event') return null
  switch (cadence.on) {
    case 'file-changed':
      return 'file'
    case 'app-start':
      return 'start'
    case 'idle':
      return 'idle'
    case 'thread-done':
    case 'thread-failed':
    case 'thread-ended':
    case 'thread-waiting':
    case 'thread-issues':
      return 'thread'
  }
}

/** The keys of a file, and to which kind of trigger each of them belongs. */
const keysOf = {
  projects: 'thread',
  threads: 'thread',
  outcomes: 'thread',
  'goal-matches': 'thread',
  each: 'thread',
  paths: 'file',
  'idle-for': 'idle',
} as const
type FilterKey = keyof typeof keysOf
export const filterKeys: readonly string[] = Object.keys(keysOf)

const kindWords = { thread: 'for threads', file: 'with on file-changed', idle: 'with on idle' } as const

interface FilterFields {
  readonly fields: Readonly<Record<string, unknown>>
  /** Readers of one key each, as those of a mission's file. */
  readonly read: {
    text(key: string): string | null
    oneOf<Value extends string>(key: string, values: readonly Value[], usual: Value): Value
    count(key: string, range: { readonly least: number; readonly most: number }): number | null
    duration(key: string): number | null
    list(key: string): readonly string[] | null
  }
  readonly wrong: (key: string, message: string) => void
}

/** The cadence with what its file says counts. A key that means nothing with it is refused: it would be taken to be in force. */
export function readFilter(cadence: Cadence, { fields, read, wrong }: FilterFields): Cadence {
  const kind = triggerKindOf(cadence)
  for (const [key, of] of Object.entries(keysOf)) {
    if (Object.hasOwn(fields, key) && of !== kind) wrong(key, `${key} means something only ${kindWords[of]}.`)
  }
  if (cadence.kind !== 'event') return cadence
  const has = (key: FilterKey) => Object.hasOwn(fields, key) && keysOf[key] === kind
  const only: EventFilter = {
    ...(has('projects') && { projects: read.oneOf('projects', ['own', 'all'], usualFilter.projects) }),
    ...(has('threads') && { threads: read.oneOf('threads', ['people', 'missions', 'all'], usualFilter.threads) }),
    ...(has('outcomes') && { outcomes: outcomesIn(read.list('outcomes'), wrong) }),
    ...(has('goal-matches') && { goal: read.text('goal-matches') ?? '' }),
    ...(has('each') && { each: read.count('each', { least: 1, most: limits.triggerEach }) ?? usualFilter.each }),
    ...(has('paths') && { paths: read.list('paths') ?? usualFilter.paths }),
    ...(has('idle-for') && { idleMs: read.duration('idle-for') ?? usualFilter.idleMs }),
  }
  return Object.keys(only).length === 0 ? cadence : { ...cadence, only }
}

function outcomesIn(names: readonly string[] | null, wrong: FilterFields['wrong']): readonly Outcome[] {
  const known = outcomes.filter((each) => names?.includes(each))
  const unknown = names?.find((name) => !outcomes.some((each) => each === name))
  if (unknown !== undefined) wrong('outcomes', `There is no outcome ${unknown}; there are ${outcomes.join(', ')}.`)
  return known
}

/** Why what counts cannot be used, and by which key of its file; null where it can. */
export function triggerFault(cadence: Cadence): { readonly key: FilterKey; readonly message: string } | null {
  if (cadence.kind !== 'event') return null
  const { outcomes: named, goal, each, paths, idleMs } = filterOf(cadence)
  if (named?.length === 0) return { key: 'outcomes', message: 'There must be at least one outcome.' }
  if (goal !== null && goalFault(goal) !== null) return { key: 'goal-matches', message: goalFault(goal) ?? '' }
  if (each < 1 || each > limits.triggerEach)
    return { key: 'each', message: `each must be a whole number from 1 to ${limits.triggerEach}.` }
  const fault = pathsFault(paths)
  if (fault !== null) return { key: 'paths', message: fault }
  if (idleMs < limits.missionLeastIdleMs)
    return { key: 'idle-for', message: `idle-for is at least ${limits.missionLeastIdleMs / 60_000} minute.` }
  return null
}

function goalFault(goal: string): string | null {
  if (goal === '' || goal.length > limits.triggerPatternCharacters)
    return `goal-matches must be a pattern of at most ${limits.triggerPatternCharacters} characters.`
  return goalPattern(goal) === null ? 'goal-matches cannot be used: RE2 patterns have no look-around, for one.' : null
}

/** Without regard to case; null for what is no pattern. */
export function goalPattern(goal: string): RE2JS | null {
  try {
    return RE2JS.compile(goal, RE2JS.CASE_INSENSITIVE)
  } catch (error) {
    if (error instanceof RE2JSException) return null
    throw error
  }
}

function pathsFault(paths: readonly string[]): string | null {
  if (paths.length === 0 || paths.length > limits.triggerPaths)
    return `There must be from 1 to ${limits.triggerPaths} paths.`
  for (const path of paths) {
    if (path.length > limits.triggerPatternCharacters)
      return `A path has more than ${limits.triggerPatternCharacters} characters.`
    if (/^(?:\/|~|[A-Za-z]:)/.test(path)) return `${path} is not inside the project's folder: paths begin in it.`
    try {
      compileGlob(path)
    } catch (error) {
      if (error instanceof AppError) return error.userMessage
      throw error
    }
  }
  return null
}

/** `When a thread has answered, each 5th`; `When files of the project change, in docs/**`. */
export function eventWords(cadence: EventCadence): string {
  const { only = {}, on } = cadence
  const what = on === 'idle' ? `nothing happened for ${minutesWords(filterOf(cadence).idleMs)}` : missionEventWords[on]
  const parts = [
    only.projects === 'all' ? 'in any project' : '',
    only.threads === 'missions' ? 'begun by a mission' : '',
    only.threads === 'all' ? 'begun by a person or a mission' : '',
    only.outcomes === undefined ? '' : `that ended as ${only.outcomes.join(' or ')}`,
    only.goal === undefined ? '' : `whose goal matches ${only.goal}`,
    only.each === undefined || only.each === 1 ? '' : `each ${ordinal(only.each)}`,
    only.paths === undefined ? '' : `in ${only.paths.join(' or ')}`,
  ].filter((part) => part !== '')
  return [`When ${what}`, ...parts].join(', ')
}

function minutesWords(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  return minutes === 1 ? 'a minute' : `${minutes} minutes`
}

/** 2nd, 5th, 11th. */
function ordinal(count: number): string {
  const ends: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' }
  return `${count}${ends[new Intl.PluralRules('en', { type: 'ordinal' }).select(count)] ?? 'th'}`
}

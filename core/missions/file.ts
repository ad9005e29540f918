import { limits } from '../domain/limits.ts'
import {
  type Cadence,
  type MissedPolicy,
  type MissionDefinition,
  missedPolicies,
  type OverlapPolicy,
  overlapPolicies,
} from '../domain/mission.ts'
import { missionEvents } from '../domain/mission-event.ts'
import { sanitizeText } from '../domain/text.ts'
import { type Tier, tiers } from '../domain/thread.ts'
import { readHeader } from '../skills/skills.ts'
import { cadenceFault, durationOf, durationWords } from './cadence.ts'
import { filterKeys, isEventName, readFilter, triggerFault } from './trigger-filter.ts'

/** What is wrong with a mission's file, and where. */
export interface MissionProblem {
  /** From 1; null where it is about the whole file. */
  readonly line: number | null
  readonly key: string | null
  /** One sentence for whoever wrote it. */
  readonly message: string
}

export type MissionVerdict =
  | { readonly ok: true; readonly definition: MissionDefinition }
  /** All that is wrong, in the order of the file. */
  | { readonly ok: false; readonly problems: readonly [MissionProblem, ...MissionProblem[]] }

/**
 * Reads a `missions/<name>.md`: front matter with the keys of `readers`, the goal below it. Strictly: a key that is not known or a
 * value that is not understood is refused, because a mission that means something else than it says would run unattended.
 * `zone`: where the file names none.
 */
export function parseMission(bytes: Uint8Array, { zone }: { readonly zone: string }): MissionVerdict {
  const header = readHeader(bytes)
  if (!header.ok) {
    const { line, message } = header.diagnostic
    return { ok: false, problems: [{ line, key: null, message }] }
  }
  const { fields, source } = header
  const lines = source.header.split('\n')
  const lineOf = (key: string) => {
    const at = lines.findIndex((line) => line.startsWith(`${key}:`))
    return at < 0 ? source.headerLine : source.headerLine + at
  }
  const found = readFields(fields, source.body, zone)
  const [first, ...rest] = found.problems
    .map(({ key, message }) => ({ line: key === goalKey ? source.bodyLine : lineOf(key), key, message }))
    .toSorted((a, b) => a.line - b.line)
  return first === undefined ? { ok: true, definition: found.definition } : { ok: false, problems: [first, ...rest] }
}

/** The same of keys and a goal that were not in a file: an agent's proposal, say. */
export function missionOf(fields: Readonly<Record<string, unknown>>, goal: string, zone: string): MissionVerdict {
  const { definition, problems } = readFields(fields, goal, zone)
  const [first, ...rest] = problems.map(({ key, message }) => ({ line: null, key, message }))
  return first === undefined ? { ok: true, definition } : { ok: false, problems: [first, ...rest] }
}

const goalKey = 'goal'

const keys = [
  ...['name', 'description', 'cadence', 'zone', 'success', 'focus', 'missed', 'catch-up', 'max-lateness', 'overlap'],
  ...['daily-cap', 'cooldown', 'dedupe', 'pause-after', 'budget-tokens', 'budget-usd', 'budget-steps', 'budget-time'],
  ...['tier', 'skills', 'actions', ...filterKeys],
]

interface Problem {
  readonly key: string
  readonly message: string
}

function readFields(
  fields: Readonly<Record<string, unknown>>,
  body: string,
  usualZone: string,
): { readonly definition: MissionDefinition; readonly problems: readonly Problem[] } {
  const problems: Problem[] = []
  const wrong = (key: string, message: string) => void problems.push({ key, message })
  for (const key of Object.keys(fields)) {
    if (!keys.includes(key)) wrong(key, `${key} is not a key of a mission; there are ${keys.join(', ')}.`)
  }
  const read = readersOf(fields, wrong)
  const plain = cadenceOf(read.text('cadence'), wrong)
  const cadence = readFilter(plain, { fields, read, wrong })
  const isEvent = cadence.kind === 'event' || cadence.kind === 'webhook'
  const zone = read.text('zone') ?? usualZone
  const fault = cadenceFault({ cadence, zone })
  if (fault !== null) wrong(fault.code === 'cron.zone' ? 'zone' : 'cadence', placed(fault))
  const only = triggerFault(cadence)
  if (only !== null) wrong(only.key, only.message)
  const name = read.text('name') ?? ''
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) || name.length > 64)
    wrong('name', 'The name must be lower-case letters and digits with single hyphens, at most 64.')
  const goal = sanitizeText(body).trim()
  if (goal === '') wrong(goalKey, 'There is no goal: it is the text below the front matter.')
  if (goal.length > limits.missionGoalCharacters)
    wrong(goalKey, `The goal has more than ${limits.missionGoalCharacters} characters.`)
  const dailyCap = isEvent ? limits.missionEventDailyCap : limits.missionDailyCap
  const definition: MissionDefinition = {
    ...{ name, goal, cadence, zone },
    description: read.text('description') ?? '',
    success: read.text('success') ?? null,
    focus: read.text('focus') ?? null,
    missed: read.oneOf<MissedPolicy>('missed', missedPolicies, 'once'),
    catchUp: read.count('catch-up', { least: 1, most: limits.missionCatchUp }) ?? limits.missionCatchUp,
    maxLatenessMs: read.duration('max-lateness'),
    overlap: read.oneOf<OverlapPolicy>('overlap', overlapPolicies, 'skip'),
    dailyCap: read.count('daily-cap', { least: 1, most: 10_000 }) ?? dailyCap,
    cooldownMs: read.duration('cooldown') ?? (isEvent ? limits.missionEventCooldownMs : 0),
    dedupeMs: read.duration('dedupe') ?? 0,
    pauseAfter: read.count('pause-after', { least: 1, most: 1_000 }) ?? limits.missionFailures,
    budget: {
      tokens: read.count('budget-tokens', { least: 1, most: 1_000_000_000 }),
      usd: read.amount('budget-usd'),
      steps: read.count('budget-steps', { least: 1, most: limits.maxStepsCeiling }),
      ms: read.duration('budget-time'),
    },
    tier: read.oneOf<Tier>('tier', tiers, 'allegro'),
    skills: read.list('skills') ?? [],
    actions: read.list('actions'),
  }
  return { definition, problems }
}

function placed({ message, position }: { readonly message: string; readonly position?: number }): string {
  return position === undefined ? message : `${message} (character ${position + 1})`
}

/** Each reads one key: null, or what is usual, where it is not there or not understood, and then a problem is noted. */
function readersOf(fields: Readonly<Record<string, unknown>>, wrong: (key: string, message: string) => void) {
  function text(key: string): string | null {
    if (!Object.hasOwn(fields, key)) return null
    const value = fields[key]
    if (typeof value === 'string' && value.trim() !== '') return sanitizeText(value).trim()
    wrong(key, `${key} must be a text.`)
    return null
  }
  function as<Value>(key: string, take: (value: string) => Value | null, expected: string): Value | null {
    const value = text(key)
    if (value === null) return null
    const taken = take(value)
    if (taken === null) wrong(key, `${key} must be ${expected}, not ${value}.`)
    return taken
  }
  return {
    text,
    oneOf: <Value extends string>(key: string, values: readonly Value[], usual: Value): Value =>
      as(key, (value) => values.find((each) => each === value) ?? null, `one of ${values.join(', ')}`) ?? usual,
    count: (key: string, { least, most }: { readonly least: number; readonly most: number }): number | null =>
      as(
        key,
        (value) => (/^\d{1,10}$/.test(value) && Number(value) >= least && Number(value) <= most ? Number(value) : null),
        `a whole number from ${least} to ${most}`,
      ),
    amount: (key: string): number | null =>
      as(key, (value) => (/^\d{1,6}(?:\.\d{1,6})?$/.test(value) ? Number(value) : null), 'an amount such as 0.50'),
    duration: (key: string): number | null => as(key, durationOf, 'a time such as 90 minutes or 6 h'),
    list(key: string): readonly string[] | null {
      if (!Object.hasOwn(fields, key)) return null
      const value = fields[key]
      if (Array.isArray(value)) {
        const texts = value.flatMap((each) => (typeof each === 'string' && each.trim() !== '' ? [each.trim()] : []))
        if (texts.length === value.length) return texts
      }
      wrong(key, `${key} must be a list of names.`)
      return null
    },
  }
}

/** `0 9 * * 1-5`, `every 90 minutes`, `at 2026-12-01 09:00`, `on thread-done`, `webhook`, `manual`. */
function cadenceOf(text: string | null, wrong: (key: string, message: string) => void): Cadence {
  const manual: Cadence = { kind: 'manual' }
  if (text === null) {
    wrong('cadence', 'There is no cadence: when is it to fire? A cron expression, every 90 minutes, or manual, say.')
    return manual
  }
  const [word = ''] = text.split(/\s/, 1)
  const rest = text.slice(word.length).trim()
  switch (word) {
    case 'every': {
      const everyMs = durationOf(rest)
      if (everyMs !== null && everyMs >= limits.missionEveryMs) return { kind: 'every', everyMs }
      wrong(
        'cadence',
        `every is followed by a time of at least ${durationWords(limits.missionEveryMs)}, such as every 90 minutes.`,
      )
      return manual
    }
    case 'at': {
      const [, day = '', time = ''] = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})$/.exec(rest) ?? []
      if (isDate(day, time)) return { kind: 'once', day, time }
      wrong('cadence', 'at is followed by a day and a time that there are, such as at 2026-12-01 09:00.')
      return manual
    }
    case 'on':
      if (isEventName(rest)) return { kind: 'event', on: rest }
      wrong('cadence', `on is followed by what sets it off, one of ${missionEvents.join(', ')}.`)
      return manual
    case 'webhook':
    case 'manual':
      if (rest === '') return { kind: word }
      wrong('cadence', `${word} stands alone.`)
      return manual
    default:
      return { kind: 'cron', expression: text }
  }
}

function isDate(day: string, time: string): boolean {
  const at = Date.parse(`${day}T${time}:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(`${day}T${time}`)
}

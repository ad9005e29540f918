import { isJsonObject } from '../../../core/domain/json.ts'
import { limits } from '../../../core/domain/limits.ts'
import type { Cadence, EventFilter, MissionDefinition } from '../../../core/domain/mission.ts'
import { type MissionEvent, missionEvents } from '../../../core/domain/mission-event.ts'

/** How a person says when: the first two are cron expressions that nobody has to write. */
export const whens = ['weekdays', 'daily', 'every', 'once', 'cron', 'event', 'webhook', 'manual'] as const
export type When = (typeof whens)[number]

export const misseds = ['skip', 'once', 'all'] as const satisfies readonly MissionDefinition['missed'][]
export const overlaps = ['skip', 'queue', 'cancel'] as const satisfies readonly MissionDefinition['overlap'][]
export const everyUnits = ['seconds', 'minutes', 'hours', 'days'] as const

/** What stands in the form, as it was typed. */
export interface MissionDraft {
  readonly name: string
  readonly description: string
  readonly goal: string
  readonly success: string
  readonly focus: string
  readonly when: When
  readonly time: string
  readonly everyCount: string
  readonly everyUnit: (typeof everyUnits)[number]
  readonly day: string
  readonly expression: string
  readonly on: MissionEvent
  /** Of that event, as JSON: kept as long as the event stays; '' for none. */
  readonly only: string
  /** Patterns of files, with commas between. */
  readonly paths: string
  readonly zone: string
  readonly missed: MissionDefinition['missed']
  readonly catchUp: string
  readonly lateness: string
  readonly overlap: MissionDefinition['overlap']
  readonly dailyCap: string
  readonly cooldown: string
  readonly dedupe: string
  readonly pauseAfter: string
  readonly tokens: string
  readonly usd: string
  readonly steps: string
  readonly minutes: string
  readonly tier: MissionDefinition['tier']
  readonly skills: string
  readonly actions: string
}

const ownZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

export function emptyDraft(): MissionDraft {
  return {
    ...{ name: '', description: '', goal: '', success: '', focus: '' },
    ...{ when: 'weekdays', time: '09:00', everyCount: '60', everyUnit: 'minutes', day: '' },
    ...{ on: 'thread-done', only: '', paths: '' },
    expression: '0 9 * * 1-5',
    zone: ownZone(),
    ...{ missed: 'once', catchUp: String(limits.missionCatchUp), lateness: '', overlap: 'skip' },
    ...{ dailyCap: String(limits.missionDailyCap), cooldown: '', dedupe: '' },
    pauseAfter: String(limits.missionFailures),
    ...{ tokens: '', usd: '', steps: '', minutes: '' },
    ...{ tier: 'allegro', skills: '', actions: '' },
  }
}

const minute = 60_000
const unitMs = { seconds: 1_000, minutes: minute, hours: 60 * minute, days: 1_440 * minute } as const

/** The form of a mission that there is. */
export function draftFrom(definition: MissionDefinition): MissionDraft {
  const { budget, maxLatenessMs, actions } = definition
  return {
    ...emptyDraft(),
    name: definition.name,
    description: definition.description,
    goal: definition.goal,
    success: definition.success ?? '',
    focus: definition.focus ?? '',
    ...cadenceFields(definition.cadence),
    zone: definition.zone,
    missed: definition.missed,
    catchUp: String(definition.catchUp),
    lateness: minutesText(maxLatenessMs),
    overlap: definition.overlap,
    dailyCap: String(definition.dailyCap),
    cooldown: definition.cooldownMs === 0 ? '' : minutesText(definition.cooldownMs),
    dedupe: definition.dedupeMs === 0 ? '' : minutesText(definition.dedupeMs),
    pauseAfter: String(definition.pauseAfter),
    tokens: numberText(budget.tokens),
    usd: numberText(budget.usd),
    steps: numberText(budget.steps),
    minutes: minutesText(budget.ms),
    tier: definition.tier,
    skills: definition.skills.join(', '),
    actions: actions === null ? '' : actions.length === 0 ? noActions : actions.join(', '),
  }
}

/** What stands for an empty list: an empty field means all. */
const noActions = 'none'

function cadenceFields(cadence: Cadence): Partial<MissionDraft> {
  switch (cadence.kind) {
    case 'cron': {
      const [, min, hour, days] = /^(\d{1,2}) (\d{1,2}) \* \* (1-5|\*)$/.exec(cadence.expression) ?? []
      const { expression } = cadence
      if (min === undefined || hour === undefined) return { when: 'cron', expression }
      const time = `${hour.padStart(2, '0')}:${min.padStart(2, '0')}`
      return { when: days === '*' ? 'daily' : 'weekdays', time, expression }
    }
    case 'every': {
      const everyUnit = everyUnits.findLast((unit) => cadence.everyMs % unitMs[unit] === 0) ?? 'seconds'
      return { when: 'every', everyUnit, everyCount: String(cadence.everyMs / unitMs[everyUnit]) }
    }
    case 'once':
      return { when: 'once', day: cadence.day, time: cadence.time }
    case 'event':
      return {
        when: 'event',
        on: cadence.on,
        only: cadence.only === undefined ? '' : JSON.stringify(cadence.only),
        paths: cadence.only?.paths?.join(', ') ?? '',
      }
    case 'webhook':
    case 'manual':
      return { when: cadence.kind }
  }
}

/** The cadence that stands in the form; null where it is not written yet. */
export function cadenceOf(draft: MissionDraft): Cadence | null {
  switch (draft.when) {
    case 'weekdays':
    case 'daily': {
      const [, hour, min] = /^(\d{2}):(\d{2})$/.exec(draft.time) ?? []
      if (hour === undefined || min === undefined) return null
      const expression = `${Number(min)} ${Number(hour)} * * ${draft.when === 'daily' ? '*' : '1-5'}`
      return { kind: 'cron', expression }
    }
    case 'every': {
      const count = wholeOf(draft.everyCount)
      return count === null || count < 1 ? null : { kind: 'every', everyMs: count * unitMs[draft.everyUnit] }
    }
    case 'once':
      return isDay(draft.day) && /^\d{2}:\d{2}$/.test(draft.time)
        ? { kind: 'once', day: draft.day, time: draft.time }
        : null
    case 'cron':
      return { kind: 'cron', expression: draft.expression }
    case 'event':
      return eventOf(draft)
    case 'webhook':
    case 'manual':
      return { kind: draft.when }
  }
}

function eventOf({ on, only, paths }: MissionDraft): Cadence {
  const kept = filterOf(only)
  const filter = on === 'file-changed' ? { ...kept, paths: partsOf(paths, /,/) } : kept
  return { kind: 'event', on, ...(filter !== undefined && { only: filter }) }
}

/** Which of its events count; undefined for all. What it may be, the engine says: this window compiles no schema. */
export function filterOf(only: string): EventFilter | undefined {
  if (only === '') return undefined
  try {
    const kept = JSON.parse(only)
    return isJsonObject(kept) ? kept : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** What a person chooses from: of another event the filter would mean nothing. */
export function withEvent(on: string): Partial<MissionDraft> {
  const event = missionEvents.find((each) => each === on)
  return event === undefined ? {} : { on: event, only: '', paths: '' }
}

function isDay(day: string): boolean {
  const at = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day)
}

export type Fields = Readonly<Partial<Record<keyof MissionDefinition | 'budget' | 'when', string>>>

/** A form, as each part of it is shown. */
export interface FormState {
  readonly draft: MissionDraft
  /** By field, what is wrong with it; from the form itself or from the engine. */
  readonly problems: Fields
  change(patch: Partial<MissionDraft>): void
}

export type DraftVerdict =
  | { readonly ok: true; readonly definition: MissionDefinition }
  | { readonly ok: false; readonly problems: Fields }

/** The definition that a form means, or what of it is no number, day or time at all. What it may be, the engine says. */
export function definitionOf(draft: MissionDraft): DraftVerdict {
  const problems: { -readonly [Field in keyof Fields]: string } = {}
  function number(text: string, field: keyof Fields, { isWhole = true } = {}): number | null {
    if (text.trim() === '') return null
    const value = isWhole ? wholeOf(text) : amountOf(text)
    if (value === null) problems[field] = `“${text}” is no ${isWhole ? 'whole number' : 'amount'}.`
    return value
  }
  /** Minutes, or parts of one, as whole seconds. */
  function duration(text: string, field: keyof Fields): number | null {
    const minutes = number(text, field, { isWhole: false })
    return minutes === null ? null : Math.round((minutes * minute) / 1_000) * 1_000
  }
  function count(text: string, field: keyof Fields): number {
    const value = number(text, field)
    if (value === null) problems[field] ??= 'A number has to stand here.'
    return value ?? 1
  }
  const cadence = cadenceOf(draft)
  if (cadence === null) problems.cadence = cadenceMissing[draft.when]
  const definition: MissionDefinition = {
    name: draft.name.trim(),
    description: draft.description.trim(),
    goal: draft.goal.trim(),
    success: textOrNull(draft.success),
    focus: textOrNull(draft.focus),
    cadence: cadence ?? { kind: 'manual' },
    zone: draft.zone.trim(),
    missed: draft.missed,
    catchUp: count(draft.catchUp, 'catchUp'),
    maxLatenessMs: duration(draft.lateness, 'maxLatenessMs'),
    overlap: draft.overlap,
    dailyCap: count(draft.dailyCap, 'dailyCap'),
    cooldownMs: duration(draft.cooldown, 'cooldownMs') ?? 0,
    dedupeMs: duration(draft.dedupe, 'dedupeMs') ?? 0,
    pauseAfter: count(draft.pauseAfter, 'pauseAfter'),
    budget: {
      tokens: number(draft.tokens, 'budget'),
      usd: number(draft.usd, 'budget', { isWhole: false }),
      steps: number(draft.steps, 'budget'),
      ms: duration(draft.minutes, 'budget'),
    },
    tier: draft.tier,
    skills: namesOf(draft.skills),
    actions: draft.actions.trim() === '' ? null : namesOf(draft.actions === noActions ? '' : draft.actions),
  }
  return Object.keys(problems).length === 0 ? { ok: true, definition } : { ok: false, problems }
}

const cadenceMissing: Readonly<Record<When, string>> = {
  weekdays: 'A time of the day has to stand here, such as 09:00.',
  daily: 'A time of the day has to stand here, such as 09:00.',
  every: 'A whole number has to stand here.',
  once: 'A day and a time have to stand here.',
  cron: 'A cron expression has to stand here.',
  event: '',
  webhook: '',
  manual: '',
}

function namesOf(text: string): readonly string[] {
  return partsOf(text, /[,\s]+/)
}
function partsOf(text: string, between: RegExp): readonly string[] {
  return text
    .split(between)
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
function textOrNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim()
}
function wholeOf(text: string): number | null {
  return /^\d{1,10}$/.test(text.trim()) ? Number(text.trim()) : null
}
function amountOf(text: string): number | null {
  return /^\d{1,6}(?:\.\d{1,6})?$/.test(text.trim()) ? Number(text.trim()) : null
}
function numberText(value: number | null): string {
  return value === null ? '' : String(value)
}
/** Durations of a file may be shorter than a minute: they are shown, and written, as parts of one. */
function minutesText(ms: number | null): string {
  return ms === null ? '' : String(Number((ms / minute).toFixed(3)))
}

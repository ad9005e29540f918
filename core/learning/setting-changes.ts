import { canonicalJson, type Json } from '../domain/json.ts'
import { type SettingChange, settingChangeSchema } from '../domain/learnt.ts'
import { type Settings, type SettingsPatch, settingsSchema } from '../domain/settings.ts'
import { notTaken } from './refusals.ts'

/** Settings as far as a proposal may change them. */
export interface ProposableSettings {
  readonly current: Settings
  set(patch: Pick<SettingsPatch, 'budgets' | 'runsCode'>): unknown
}

interface Proposable {
  /** As a person reads it. */
  readonly title: string
  readonly words: (value: Json) => string
  readonly read: (settings: Settings) => Json
  readonly with: (settings: Settings, value: Json) => unknown
}

const limitWords = (value: Json): string => (typeof value === 'number' ? value.toLocaleString('en') : 'no limit')
const minuteMs = 60_000

const ofThread = (name: keyof Settings['budgets']['thread'], title: string): Proposable => ({
  title,
  words: limitWords,
  read: ({ budgets }) => budgets.thread[name],
  with: ({ budgets, ...rest }, value) => ({
    ...rest,
    budgets: { ...budgets, thread: { ...budgets.thread, [name]: value } },
  }),
})

/** None of them opens a door: what the agent may do, whom it may reach and what it may change of itself is no setting for it. */
const proposable: Readonly<Record<string, Proposable>> = {
  'budgets.thread.steps': ofThread('steps', 'Budget of steps for each thread'),
  'budgets.thread.tokens': ofThread('tokens', 'Budget of tokens for each thread'),
  'budgets.thread.ms': {
    ...ofThread('ms', 'Running time of each thread'),
    words: (value) => (typeof value === 'number' ? `${limitWords(value / minuteMs)} min` : limitWords(value)),
  },
  runsCode: {
    title: 'Run code that a model writes',
    words: (value) => (value === true ? 'on' : 'off'),
    read: ({ runsCode }) => runsCode,
    with: (settings, value) => ({ ...settings, runsCode: value }),
  },
}
export const proposableSettings: readonly string[] = Object.keys(proposable)

/** The text that a decision is bound to. @throws AppError learn.invalid for one that may not be proposed, or says nothing new. */
export function settingText(settings: Settings, setting: string, after: Json): string {
  const before = readSetting(settings, setting)
  if (canonicalJson(before) === canonicalJson(after)) throw notTaken(`The setting ${setting} is that already.`)
  withSetting(settings, setting, after)
  return canonicalJson({ setting, before, after })
}

/** @throws AppError learn.invalid */
export function settingChangeOf(text: string): SettingChange {
  const change = readSettingChange(text)
  if (change === null)
    throw notTaken('The change of the setting cannot be read: change the setting yourself under Settings.')
  return change
}

/** Null for a text that is damaged. */
export function readSettingChange(text: string): SettingChange | null {
  const parsed = settingChangeSchema.safeParse(parsedJson(text))
  return parsed.success ? parsed.data : null
}

export function settingTitle(setting: string): string {
  return Object.hasOwn(proposable, setting) ? (proposable[setting]?.title ?? setting) : setting
}

/** `Budget of steps for each thread: no limit → 80`. `now`: also what it is by now, where it began from something else. */
export function changeWords({ setting, before, after }: SettingChange, now: Settings | null): string {
  const known = Object.hasOwn(proposable, setting) ? proposable[setting] : undefined
  if (known === undefined) return `${setting}: ${canonicalJson(before)} → ${canonicalJson(after)}`
  const { title, words, read } = known
  const isMoved = now !== null && canonicalJson(read(now)) !== canonicalJson(before)
  return `${title}: ${words(before)} → ${words(after)}${isMoved ? `; it is ${words(read(now))} now` : ''}`
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** @throws AppError learn.invalid */
export function readSetting(settings: Settings, setting: string): Json {
  return named(setting).read(settings)
}

/** What of the settings changes with it. @throws AppError learn.invalid for a value that the setting does not take. */
export function withSetting(settings: Settings, setting: string, value: Json): Pick<Settings, 'budgets' | 'runsCode'> {
  const parsed = settingsSchema.safeParse(named(setting).with(settings, value))
  if (!parsed.success) throw notTaken(`The setting ${setting} does not take ${canonicalJson(value).slice(0, 80)}.`)
  const { budgets, runsCode } = parsed.data
  return { budgets, runsCode }
}

function named(setting: string): Proposable {
  const found = Object.hasOwn(proposable, setting) ? proposable[setting] : undefined
  if (found !== undefined) return found
  throw notTaken(`Only these settings can be proposed: ${proposableSettings.join(', ')}.`)
}

import { isWorse, slowRuleUses } from '../../../core/domain/confidence.ts'
import type { LearntEntry, LearntTally } from '../../../core/domain/learnt.ts'
import type { StatusLook } from '../../components/status.tsx'
import { counted } from '../../format/figures.ts'

/** What a person knows it as: an insight by what it is about. */
export const learntKinds = [
  ...(['rule', 'preference', 'correction', 'fact', 'workflow', 'setting', 'lesson'] as const),
  ...(['missing', 'code', 'skill', 'loop'] as const),
] as const
export type LearntKind = (typeof learntKinds)[number]

export const kindWords: Readonly<Record<LearntKind, string>> = {
  rule: 'Rule',
  preference: 'Preference',
  correction: 'Correction',
  fact: 'Fact',
  workflow: 'Workflow',
  setting: 'Setting',
  lesson: 'Lesson',
  missing: 'Missing capability',
  code: 'Code proposal',
  skill: 'Version of a skill',
  loop: 'Version of the loop',
}

export function kindOf({ kind, topic }: Pick<LearntEntry, 'kind' | 'topic'>): LearntKind {
  switch (kind) {
    case 'overlay':
      return 'rule'
    case 'spec':
      return 'missing'
    case 'insight':
      return topic === 'preference' || topic === 'correction' || topic === 'workflow' ? topic : 'fact'
    default:
      return kind
  }
}

/** What is only kept, to be read: nothing is in force by it. */
function isNote({ kind }: Pick<LearntEntry, 'kind'>): boolean {
  return kind === 'lesson' || kind === 'spec' || kind === 'code'
}

const stateLooks: Readonly<Record<LearntEntry['state'], StatusLook>> = {
  pending: { status: 'waiting', word: 'Waits for you' },
  live: { status: 'done', word: 'In force' },
  rejected: { status: 'denied', word: 'Rejected' },
  expired: { status: 'denied', word: 'Expired, rejected' },
  undone: { status: 'queued', word: 'Taken back' },
  replaced: { status: 'queued', word: 'Replaced' },
  gone: { status: 'queued', word: 'Gone' },
}

export function stateLook(entry: Pick<LearntEntry, 'kind' | 'state'>): StatusLook {
  if (!isNote(entry)) return stateLooks[entry.state]
  if (entry.state === 'live') return { status: 'done', word: 'Kept' }
  return entry.state === 'undone' ? { status: 'queued', word: 'Put away' } : stateLooks[entry.state]
}

/** What its time is the time of. */
export function momentWord({ kind, state }: Pick<LearntEntry, 'kind' | 'state'>): string {
  if (state === 'live') return isNote({ kind }) || kind === 'skill' ? 'Written' : 'In force since'
  return state === 'pending' ? 'Proposed' : state === 'replaced' && kind === 'skill' ? 'Written' : 'Ended'
}

/** Who put it in force; null where that is not on record. */
export function byWords({ kind, appliedBy }: Pick<LearntEntry, 'kind' | 'appliedBy'>): string | null {
  if (appliedBy === 'rule') return 'by itself, as the settings allow'
  if (appliedBy === 'person') return 'by you'
  return isNote({ kind }) ? 'by a learning mission' : null
}

/** What a yes would change; null where there is none to give here. */
export function wouldChangeWords(entry: Pick<LearntEntry, 'kind' | 'topic'>, folder: string): string | null {
  switch (entry.kind) {
    case 'overlay':
      return `Threads of ${folder} that begin from then on are told this rule. It changes nothing that runs now, and can be taken back.`
    case 'insight':
      return `Threads of ${folder} that begin from then on are told that you said this${isToldAlways(entry) ? '' : ', where it bears on their goal'}. It can be taken back.`
    case 'setting':
      return 'The setting changes for all folders, for threads that begin from then on. It can be taken back.'
    default:
      return null
  }
}

/** The other insights are found as docs of the memory are. */
function isToldAlways({ topic }: Pick<LearntEntry, 'topic'>): boolean {
  return topic === 'preference' || topic === 'correction'
}

/** The button that puts it in force. */
export function approveWords({ kind }: Pick<LearntEntry, 'kind'>): string {
  if (kind === 'setting') return 'Change the setting'
  return kind === 'overlay' ? 'Put the rule in force' : 'Keep this in mind'
}

/** The button that takes it back. */
export function undoButton(entry: Pick<LearntEntry, 'kind'>): string {
  if (isNote(entry)) return 'Put it away'
  return entry.kind === 'insight' ? 'Forget it' : 'Take it back'
}

/** `from #1, #2 and 3 more`. */
export function fromWords({ sources }: Pick<LearntEntry, 'sources'>): string {
  const numbers = [...new Set(sources.map(({ threadNumber }) => threadNumber))]
  if (numbers.length === 0) return 'from no thread on record'
  const shown = numbers.slice(0, shownThreads).map((number) => `#${number}`)
  const more = numbers.length - shown.length
  if (more > 0) return `from ${shown.join(', ')} and ${more} more`
  return `from ${shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`}`
}
const shownThreads = 3

/** What was counted of it, and what that allows to say. */
export interface EffectView {
  readonly counts: readonly { readonly of: string; readonly tally: LearntTally }[]
  readonly verdict: string
  /** Of a rule: whether its issue came up is another thing than whether there was an answer. */
  readonly hasIssue: boolean
  readonly unit: 'Threads' | 'Uses'
}

/** Null where nothing of it can be measured. */
export function effectOf({ kind, state, effect }: Pick<LearntEntry, 'kind' | 'state' | 'effect'>): EffectView | null {
  if (effect === null) return null
  const isRule = kind === 'overlay'
  const { before, after } = effect
  const counts = [
    ...(before === null ? [] : [{ of: isRule ? 'Before' : 'Version before', tally: before }]),
    ...(state === 'pending' ? [] : [{ of: isRule ? 'Since' : 'This version', tally: after }]),
  ]
  const unit = isRule ? 'Threads' : 'Uses'
  const verdict = state === 'pending' ? 'It is measured once it is in force.' : verdictOf(before, after, unit)
  return { counts, verdict, hasIssue: isRule, unit }
}

function verdictOf(before: LearntTally | null, after: LearntTally, unit: EffectView['unit']): string {
  const least = slowRuleUses.least
  const one = unit === 'Threads' ? 'thread' : 'use'
  if (after.n < least) return `Too few to say: ${counted(after.n, one)} so far, it takes ${least}.`
  if (before === null || before.n === 0) return 'There is nothing before it to compare with.'
  if (isClearlyWorse(after, before)) return 'Clearly worse than before.'
  if (isClearlyWorse(before, after)) return 'Clearly better than before.'
  return 'No clear difference: so few could differ by chance.'
}

/** Issues, or ends without an answer. */
function isClearlyWorse(one: LearntTally, other: LearntTally): boolean {
  const went = ({ n }: LearntTally, bad: number) => ({ successes: n - bad, n })
  return (
    isWorse(went(one, one.issues), went(other, other.issues)) ||
    isWorse(went(one, one.failures), went(other, other.failures))
  )
}

/** In a row: `3 of 3 before, 0 of 6 since`, or that it is too early; empty where there is nothing to tell. */
export function effectWords(entry: Pick<LearntEntry, 'kind' | 'state' | 'effect'>): string {
  const { effect, state } = entry
  if (effect === null || state === 'pending') return ''
  const { before, after } = effect
  if (after.n < slowRuleUses.least) return 'too few to say'
  const now = `${after.issues} of ${after.n} ${entry.kind === 'overlay' ? 'since' : 'failed'}`
  return before === null || before.n === 0 ? now : `${before.issues} of ${before.n} before, ${now}`
}

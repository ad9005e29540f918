import { z } from 'zod'
import type { TraceIssue } from './issue.ts'
import type { Json } from './json.ts'

/**
 * What may be learnt of earlier threads and then changes something by itself. `overlay`: one rule in the system message;
 * `insight`: one fact that a person said; `setting`: a change of the settings. Source: seed E, Self-Improvement Loop; RULES 25.
 */
export const proposalKinds = ['overlay', 'insight', 'setting'] as const
export type ProposalKind = (typeof proposalKinds)[number]

/** What an insight is about. Source: seed E, Learning Missions. */
export const insightTopics = ['preference', 'correction', 'knowledge', 'workflow'] as const
export type InsightTopic = (typeof insightTopics)[number]

/** `live` is in force; none of the others is. `undone`: taken back; `replaced`: another one stands for it. */
export const learntStates = ['pending', 'live', 'rejected', 'expired', 'undone', 'replaced'] as const
export type LearntState = (typeof learntStates)[number]

/** Where the record shows it. */
export const learntSourceSchema = z.strictObject({
  threadId: z.string(),
  threadNumber: z.number(),
  /** Of the event; null where it is about the whole thread. */
  seq: z.number().nullable(),
  quote: z.string(),
})
export type LearntSource = z.infer<typeof learntSourceSchema>

/** How often something went wrong in so many threads. */
export interface LearntTally {
  readonly n: number
  /** Threads with the issue that a rule is about. */
  readonly issues: number
  /** Threads that came to no answer. */
  readonly failures: number
}

/** One proposal and what became of it. Times are epoch ms. */
export interface LearntItem {
  readonly id: string
  readonly projectId: string
  readonly kind: ProposalKind
  /** Of a rule: the issue that it is about, see `signatureOf`. Of an insight: its topic. Of a setting: its name. */
  readonly topic: string
  /** The rule, the fact, or the change as JSON. */
  readonly text: string
  /** Of the text: what a decision is bound to. */
  readonly sha256: string
  readonly state: LearntState
  readonly reason: string
  readonly sources: readonly LearntSource[]
  /** Where it comes from is on record, and cannot be read. */
  readonly isDamaged: boolean
  /** A thread that it comes from had read what no person of this computer wrote. */
  readonly isUntrusted: boolean
  /** The thread that proposed it. */
  readonly threadId: string
  /** The known fix that it comes from, or became. */
  readonly patternId: string | null
  /** The item that it is to stand for. */
  readonly replaces: string | null
  /** `rule`: by itself, as the settings allow (RULES 14). */
  readonly appliedBy: 'rule' | 'person' | null
  readonly proposedAt: number
  readonly expiresAt: number
  readonly decidedAt: number | null
  readonly decisionReason: string | null
  readonly endedAt: number | null
  readonly endReason: string | null
  /** Of a rule: the threads before it was in force, or as long as it is not, before it was proposed. */
  readonly before: LearntTally | null
}

/** A change of one setting, with what it is before. */
export const settingChangeSchema = z.strictObject({ setting: z.string(), before: z.json(), after: z.json() })
export interface SettingChange {
  readonly setting: string
  readonly before: Json
  readonly after: Json
}

/** What stands under “what I learnt”: an item of the queue, or a doc, a version of a skill or of the loop that learning made. */
export interface LearntEntry {
  readonly id: string
  readonly kind: ProposalKind | 'lesson' | 'spec' | 'code' | 'skill' | 'loop'
  readonly projectId: string | null
  readonly text: string
  readonly state: LearntState | 'gone'
  readonly reason: string
  readonly topic: string
  readonly sources: readonly LearntSource[]
  readonly isUntrusted: boolean
  readonly at: number
  /** What a decision on it is bound to; null where there is none to take. */
  readonly sha256: string | null
  readonly appliedBy: LearntItem['appliedBy']
  /** The id of what it stands for, or would. */
  readonly replaces: string | null
  /** Of what waits: from then on, no answer was a no. */
  readonly expiresAt: number | null
  /** Why it is not in force: what somebody said to it, or what was measured. */
  readonly endReason: string | null
  /** Of a rule or a version: before it and since. */
  readonly effect: { readonly before: LearntTally | null; readonly after: LearntTally } | null
  /** What taking it back does, in a sentence; null where that cannot be done. */
  readonly undo: string | null
}

export interface LearntStatus {
  readonly autoApply: boolean
  readonly pending: number
  readonly live: Readonly<Record<ProposalKind, number>>
  readonly fixes: number
  /** Up to which event each learning mission has looked. */
  readonly cursors: readonly { readonly mission: string; readonly projectId: string; readonly seq: number }[]
}

/** What kinds of issues are the same: class, action and code. The same issue gives the same text. */
export function signatureOf({ class: issueClass, subject, code }: TraceIssue): string {
  return [issueClass, subject ?? '', code ?? ''].join(' ').trimEnd()
}

/** Made for each project; their own threads are never learnt from (RULES 33). */
export const learningMissions: readonly string[] = ['self-improvement', 'skill-extraction', 'conversation-insights']

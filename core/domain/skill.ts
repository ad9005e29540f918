/** How a version of a skill came to be. Source: RULES 36. */
export const skillSources = ['authored', 'extracted', 'imported', 'migrated'] as const
export type SkillSource = (typeof skillSources)[number]

/** `installed`: from elsewhere; while one is active, whatever does more than read and compute asks each time. Source: RULES 36. */
export const skillTrusts = ['trusted', 'installed'] as const
export type SkillTrust = (typeof skillTrusts)[number]

/**
 * Begins the list of a skill's functions in the prompt, and stands behind one whose value is all that was asked for. The planner
 * calls by that list: no other text of a skill may hold either.
 */
export const functionsHeading = 'Functions of this skill, to call in code:'
export const wholeAnswerMark = '[its value is the whole answer]'

/** Why a skill was chosen or not, in the points of each part. Source: seed E, Deterministic Selection Pipeline; RULES 16. */
export interface SkillScore {
  readonly name: string
  /** What it requires is there, and it may be chosen without being named. */
  readonly gate: boolean
  /** 10 for each word; with `substring` at most 30. */
  readonly keyword: number
  /** 5 for each phrase, or word with an ending. */
  readonly substring: number
  /** 3 each, at most 15. */
  readonly tag: number
  /** 20 each, at most 40. */
  readonly pattern: number
  readonly veto: boolean
  /** 0.5 + 0.5 × confidence for an extracted skill, 1 for any other. */
  readonly confidenceFactor: number
  readonly score: number
  /** Of what the prompt would hold of it, estimated. */
  readonly tokens: number
  readonly picked: boolean
  readonly reason: string
}

/** How a skill would be chosen for a goal: a dry run. `unknown`: what was named by `/name` and is none. */
export interface SkillChoice {
  readonly selected: readonly string[]
  readonly table: readonly SkillScore[]
  readonly unknown: readonly string[]
}

/** A skill that a thread works with, as it was when it joined. */
export interface ActiveSkill {
  readonly id: string
  readonly name: string
  readonly version: number
  readonly score: number
  /** 0: its text was never told here, it only holds the thread to its ceiling. */
  readonly tokens: number
  readonly trust: SkillTrust
  /** Named by a person as `/name`. */
  readonly isForced: boolean
}

/** Of a skill that the host of the engine brought: it has no row, and is none of the app's, whatever its name. */
export function hostedSkillId(name: string): string {
  return `hosted:${name}`
}

export function isHostedSkill({ id }: Pick<ActiveSkill, 'id'>): boolean {
  return id.startsWith('hosted:')
}

/** Skills were chosen for what was said. `skills`: those that join; those of before stay. */
export interface SkillSelected {
  readonly step: number
  readonly skills: readonly ActiveSkill[]
  /** How many were looked at. */
  readonly looked: number
  /** Named as `/name`, but there is no such skill, or not here. */
  readonly unavailable: readonly string[]
}
export interface SkillSelectedBody {
  /** The best first; rows without any points only as far as there is room. */
  readonly table: readonly SkillScore[]
}
/** Successes ÷ uses with its 95 % Wilson interval; 1 where nothing is known, which `n` = 0 says. Source: seed E, Confidence Tracking. */
export interface SkillConfidence {
  readonly value: number
  readonly low: number
  readonly high: number
  readonly n: number
}

/**
 * `active`: its live version can be chosen. `suspended`: its only version failed and was taken back. `quarantined`: a person
 * put it out of use. `gone`: the file that it came from is no longer there. None but an active one is ever chosen or loaded.
 */
export const skillStates = ['active', 'suspended', 'quarantined', 'gone'] as const
export type SkillState = (typeof skillStates)[number]

export interface SkillHeader {
  readonly id: string
  readonly name: string
  /** Null: everywhere; else of one project, which wins there over one that is everywhere. */
  readonly projectId: string | null
  readonly state: SkillState
  /** The live one; the newest where none is live. */
  readonly version: number
  readonly description: string
  readonly source: SkillSource
  readonly trust: SkillTrust
  /** Where the live version lies or came from, in words: `built in`, `~/.agents/skills`, `thread #12`. */
  readonly place: string
  /** Of the live version. */
  readonly confidence: SkillConfidence
  /** Of all versions, as far as they count. */
  readonly uses: number
  readonly successes: number
  /** Epoch ms; null for never. */
  readonly lastUsedAt: number | null
  /** Of what the prompt holds of it, estimated. */
  readonly tokens: number
  /** What it requires and this computer does not have; empty where it can be used. */
  readonly missing: readonly string[]
}

/** One approved version. Exactly one of a skill is live, or none. A version never changes. */
export interface SkillVersionHeader {
  readonly version: number
  /** The version that it was made from, and returns to; null for a first one. */
  readonly parent: number | null
  /** `rolledBack`: it is never live again by itself, only by a recorded decision. */
  readonly state: 'live' | 'retired' | 'rolledBack'
  /** Of the whole file. */
  readonly sha256: string
  readonly source: SkillSource
  readonly trust: SkillTrust
  readonly place: string
  /** What changed, in a sentence. */
  readonly reason: string
  /** The thread that it was learnt in. */
  readonly threadId: string | null
  readonly createdAt: number
  readonly confidence: SkillConfidence
  /** Why it was taken back, and the threads that failed with it. */
  readonly rolledBack: { readonly at: number; readonly reason: string; readonly threadIds: readonly string[] } | null
}

/** A whole skill, as one of its versions. */
export interface SkillDetail extends SkillHeader {
  /** The whole file, and its text without front matter. */
  readonly content: string
  readonly body: string
  readonly sha256: string
  readonly keywords: readonly string[]
  readonly excludeKeywords: readonly string[]
  readonly patterns: readonly string[]
  readonly tags: readonly string[]
  readonly snippets: readonly { readonly name: string; readonly description: string; readonly code: string }[]
  /** Actions that it asks for (`allowed-tools`, `tools`): shown, never a grant. */
  readonly actions: readonly string[]
  /** Chosen only by `/name`. */
  readonly isOnlyByName: boolean
  /** Absolute; null where the version lies in the store only. */
  readonly file: string | null
  /** What lies beside SKILL.md: read on demand, never run by itself. */
  readonly resources: readonly SkillResource[]
  /** The newest first. */
  readonly versions: readonly SkillVersionHeader[]
  readonly diagnostics: readonly SkillDiagnostic[]
}

/** A file of a skill's folder. `path` is relative to it, with `/`. */
export interface SkillResource {
  readonly path: string
  readonly bytes: number
  readonly kind: 'script' | 'reference' | 'asset' | 'other'
}

/** The place of a version that a person wrote in the editor. */
export const writtenHere = 'written here'

/** A file beside a SKILL.md that is text. */
export interface SkillResourceText {
  readonly path: string
  readonly bytes: number
  readonly text: string
}

/** What is the matter with a file, and where. Codes: `core/skills/file/diagnostic.ts`. `line` counts from 1; null: the whole file. */
export interface SkillDiagnostic {
  readonly code: string
  readonly line: number | null
  readonly message: string
}

/**
 * A file that is no skill, or is one and has flaws, or has a name that another source wins. `mend`: what one click would write
 * in the place of it, bound to the bytes that were read (`sha256`); null where no change is safe without a person.
 */
export interface SkillProblem {
  readonly file: string
  readonly place: string
  readonly kind: 'rejected' | 'warning' | 'shadowed'
  readonly diagnostics: readonly SkillDiagnostic[]
  readonly sha256: string
  readonly mend: { readonly title: string; readonly before: string; readonly text: string } | null
}

/**
 * What one thread shows about a version that was in its prompt or called. `outcome` null: it does not count (an outage, a stop by
 * a person, a guard of the skill), and `reason` says why. Source: RULES 21, learning 4.1.
 */
export interface SkillUse {
  readonly skillId: string
  readonly version: number
  readonly threadId: string
  readonly threadNumber: number
  readonly threadTitle: string
  readonly at: number
  readonly how: SkillUseHow
  readonly outcome: 'success' | 'failure' | null
  readonly reason: string
}
/** `selected`: its text was given to the model; `loaded`: the model asked for it; `called`: a function of it ran; `run`: by `run_skill`. */
export const skillUseHows = ['selected', 'loaded', 'called', 'run'] as const
export type SkillUseHow = (typeof skillUseHows)[number]

/** A list of skills on a server. `state` failed: what it held before is still in use; `problem` says why. */
export interface SkillList {
  readonly url: string
  readonly state: 'unread' | 'ready' | 'failed'
  readonly skills: number
  readonly hasHeaders: boolean
  readonly problem: string | null
}

/** How a skill came to be. Source: RULES 36. */
export type SkillSource = 'authored' | 'extracted' | 'imported' | 'migrated'

/** `installed`: from elsewhere; while one is active, whatever does more than read and compute asks each time. Source: RULES 36. */
export type SkillTrust = 'trusted' | 'installed'

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
  readonly name: string
  readonly version: string
  readonly score: number
  readonly tokens: number
  readonly trust: SkillTrust
  /** Named by a person as `/name`. */
  readonly isForced: boolean
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
/** Successes ÷ uses with an 80 % interval; 1 where nothing is known, which `n` = 0 says. Source: seed E, Confidence Tracking. */
export interface SkillConfidence {
  readonly value: number
  readonly low: number
  readonly high: number
  readonly n: number
}

export interface SkillHeader {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly source: SkillSource
  readonly trust: SkillTrust
  readonly confidence: SkillConfidence
  readonly tokens: number
}

/** A whole skill. */
export interface SkillDetail extends SkillHeader {
  readonly body: string
  readonly keywords: readonly string[]
  readonly excludeKeywords: readonly string[]
  readonly patterns: readonly string[]
  readonly tags: readonly string[]
  readonly snippets: readonly { readonly name: string; readonly description: string; readonly code: string }[]
  /** Chosen only by `/name`. */
  readonly isOnlyByName: boolean
  /** What it requires and this computer does not have; empty where it can be used. */
  readonly missing: readonly string[]
  /** Of the whole file. */
  readonly sha256: string
  readonly file: string
}

import type { CandidateKind, CandidateState } from './candidate.ts'
import type { ActiveSkill, SkillUseHow } from './skill.ts'
import type { Outcome } from './thread.ts'

export interface SkillLoaded {
  readonly step: number
  readonly path: string
  readonly skill: ActiveSkill
}

/** `call`: of `run_skill`, which finds its thread by it again after a crash; absent for a run that a person asked for. */
export interface SkillRunMark {
  readonly skill: string
  readonly version: number
  readonly call?: string
}

/** Source: seed L, Side effects on completion; RULES 40. Time is that in which it ran, not that in which it waited. */
export interface SkillRan {
  readonly skill: string
  readonly version: number
  readonly objective: string
  readonly outcome: Outcome
  readonly elapsedMs: number
  readonly turns: number
  readonly resultCharacters: number
}

/** A candidate waits for a person. */
export interface SkillProposed {
  readonly candidateId: string
  readonly kind: CandidateKind
  readonly name: string
  readonly sha256: string
}
/**
 * `proposed`: a candidate came of it and of others like it. `skipped`: not good enough, with the bar that it missed. `unfit`:
 * nothing is learnt from such a thread.
 */
export interface SkillMined {
  readonly subjectId: string
  readonly subjectNumber: number
  readonly verdict: 'proposed' | 'skipped' | 'unfit'
  /** One word: `support`, `replay`, `outage`. */
  readonly reason: string
  readonly detail: string
  readonly candidateId: string | null
}
export interface SkillDecided extends SkillProposed {
  readonly state: Exclude<CandidateState, 'pending'>
  /** The version that it became. */
  readonly version: number | null
  readonly reason: string | null
}

/**
 * What is live of a skill changed. `from`, `to`: versions, null for none. `by`: a candidate's decision, a person's own change,
 * a file that changed, or the tracker, which names the threads that failed.
 */
export interface SkillVersioned {
  readonly skillId: string
  readonly name: string
  readonly from: number | null
  readonly to: number | null
  readonly sha256: string | null
  readonly by: 'candidate' | 'person' | 'file' | 'tracker'
  readonly candidateId?: string
  readonly reason: string
  readonly threadIds?: readonly string[]
}

/** What a thread that ended shows about a version. */
export interface SkillUsed {
  readonly skillId: string
  readonly name: string
  readonly version: number
  readonly how: SkillUseHow
  readonly outcome: 'success' | 'failure' | null
  readonly reason: string
}

import type { EffectType } from './action.ts'

/** In ascending strength: a stronger verdict always wins. Source: seed E, Policy Engine. */
export const verdicts = ['allow', 'ask', 'deny'] as const
export type Verdict = (typeof verdicts)[number]

/** A rule of a capability, or of the person. An `allow` rule lifts nothing: it only says that the rule was seen. */
export interface PolicyRule {
  readonly name: string
  readonly when:
    | { readonly kind: 'always' }
    | { readonly kind: 'action'; readonly action: string }
    | { readonly kind: 'effect'; readonly effect: EffectType }
  readonly verdict: Verdict
}

/** The five checks in their order, and what may answer an `ask`: a standing grant or a person's approval. */
export type PolicyCheck = 'global' | 'origin' | 'rule' | 'approval' | 'skill' | 'lease' | 'grant' | 'approved'

/** What was decided of one call, and by which check. Recorded with the call; the inspector draws nothing else. */
export interface PolicyDecision {
  readonly verdict: Verdict
  /** The check that decided; null where none had anything to say. */
  readonly check: PolicyCheck | null
  /** In words: the rule's name, the effect, the missing lease. */
  readonly reason: string | null
  readonly effects: readonly EffectType[]
  /** The grant or the approval that answered. */
  readonly by?: string
}

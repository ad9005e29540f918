import type { EffectType, Lease } from '../domain/action.ts'
import { canonicalActionName } from '../domain/action.ts'
import type { PolicyCheck, PolicyDecision, PolicyRule, Verdict } from '../domain/policy.ts'
import { verdicts } from '../domain/policy.ts'
import type { Review } from './action.ts'

/** All that a thread may do unasked while a skill from elsewhere is active. Source: RULES 36. */
const withinCeiling: readonly EffectType[] = ['ReadLocal', 'ReadExternal', 'Compute']

/** The skill for whose sake these effects ask each time; undefined where none is active, or nothing goes beyond. Pure. */
export function cappingSkill(installed: string | undefined, effects: readonly EffectType[]): string | undefined {
  return effects.every((effect) => withinCeiling.includes(effect)) ? undefined : installed
}

/** Everything that a decision rests on. */
export interface PolicyQuestion {
  readonly action: string
  readonly effects: readonly EffectType[]
  readonly review: Review
  /** Why the effect may be the idea of a text that the thread has read; null where it is explained by what people said. */
  readonly origin: string | null
  readonly deniedEffects: readonly EffectType[]
  readonly rules: readonly PolicyRule[]
  /** The lease that covers the action now; undefined where none does, for the reason given. */
  readonly lease: Lease | undefined
  readonly withoutLease: string
  /** A skill from elsewhere that is active; undefined for none. */
  readonly installedSkill: string | undefined
}

interface Finding {
  readonly check: PolicyCheck
  readonly verdict: Verdict
  readonly reason: string | null
}

/**
 * Global denials, then where the arguments come from, then rules, then what the action itself says of these arguments, then the
 * trust of the active skills, then its effects against the lease. The strongest verdict wins, of equal ones the first:
 * Deny > RequireApproval > Allow. Pure. Source: seed E, Policy Engine.
 */
export function decide(question: PolicyQuestion): PolicyDecision {
  const findings = [
    ...[globalFinding(question), originFinding(question), ruleFinding(question)],
    ...[reviewFinding(question), skillFinding(question), leaseFinding(question)],
  ]
  let strongest: Finding = { check: 'global', verdict: 'allow', reason: null }
  for (const finding of findings) {
    if (finding !== null && strength(finding.verdict) > strength(strongest.verdict)) strongest = finding
  }
  const { verdict, check, reason } = strongest
  return { verdict, check: verdict === 'allow' ? null : check, reason, effects: question.effects }
}

const strength = (verdict: Verdict) => verdicts.indexOf(verdict)

function globalFinding({ effects, deniedEffects }: PolicyQuestion): Finding | null {
  const denied = effects.find((effect) => deniedEffects.includes(effect))
  if (denied === undefined) return null
  return { check: 'global', verdict: 'deny', reason: `${denied} is switched off in the settings` }
}

/** What the action would have asked about anyway is worth knowing too. */
function originFinding({ origin, review }: PolicyQuestion): Finding | null {
  if (origin === null) return null
  const reason = review.verdict === 'ask' ? `${origin}. ${sentence(review.reason)}` : origin
  return { check: 'origin', verdict: 'ask', reason }
}

const sentence = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`

/** A rule is about a kind of call; what the action says of this one tells a person more. */
function ruleFinding({ action, effects, rules, review }: PolicyQuestion): Finding | null {
  let strongest: Finding | null = null
  for (const rule of rules) {
    if (!isAbout(rule, action, effects)) continue
    if (strongest !== null && strength(rule.verdict) <= strength(strongest.verdict)) continue
    const isTold = rule.verdict === 'ask' && review.verdict === 'ask'
    const reason = isTold ? `${rule.name}. ${sentence(review.reason)}` : rule.name
    strongest = { check: 'rule', verdict: rule.verdict, reason }
  }
  return strongest
}

function isAbout({ when }: PolicyRule, action: string, effects: readonly EffectType[]): boolean {
  switch (when.kind) {
    case 'always':
      return true
    case 'action':
      return canonicalActionName(when.action) === canonicalActionName(action)
    case 'effect':
      return effects.includes(when.effect)
  }
}

function reviewFinding({ review }: PolicyQuestion): Finding | null {
  return review.verdict === 'allow' ? null : { check: 'approval', verdict: review.verdict, reason: review.reason }
}

function skillFinding({ installedSkill, effects }: PolicyQuestion): Finding | null {
  const skill = cappingSkill(installedSkill, effects)
  if (skill === undefined) return null
  return { check: 'skill', verdict: 'ask', reason: `the skill ${skill} comes from elsewhere, so this asks each time` }
}

function leaseFinding({ lease, effects, withoutLease }: PolicyQuestion): Finding | null {
  if (lease === undefined) return { check: 'lease', verdict: 'deny', reason: withoutLease }
  const missing = effects.find((effect) => !lease.effects.includes(effect))
  if (missing === undefined) return null
  return { check: 'lease', verdict: 'deny', reason: `the lease on ${lease.capability} does not cover ${missing}` }
}

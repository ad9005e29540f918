import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decide, type PolicyQuestion } from '../../../core/capabilities/policy.ts'
import { type EffectType, effectTypes, type Lease } from '../../../core/domain/action.ts'
import type { PolicyRule, Verdict } from '../../../core/domain/policy.ts'

const effects = fc.subarray([...effectTypes])
const verdict = fc.constantFrom<Verdict>('allow', 'ask', 'deny')
const action = fc.constantFrom('read_file', 'write_file', 'write-file', 'http', 'pay')
const when: fc.Arbitrary<PolicyRule['when']> = fc.oneof(
  fc.constant({ kind: 'always' } as const),
  action.map((name) => ({ kind: 'action', action: name }) as const),
  fc.constantFrom(...effectTypes).map((effect) => ({ kind: 'effect', effect }) as const),
)
const rules = fc.array(fc.record({ name: fc.constant('r'), when, verdict }), { maxLength: 5 })
const leaseOf = (granted: readonly EffectType[]): Lease => ({
  ...{
    id: 'l',
    threadId: 't',
    capability: 'c',
    actions: ['any'],
    effects: granted,
    argsHash: null,
    parentLeaseId: null,
  },
  ...{ grantedAt: 0, expiresAt: null, usesLeft: null, revokedAt: null },
})
const review: fc.Arbitrary<PolicyQuestion['review']> = verdict.map((each) =>
  each === 'allow' ? { verdict: each } : { verdict: each, reason: 'because', scopeKey: null },
)
const question: fc.Arbitrary<PolicyQuestion> = fc.record({
  ...{ action, effects, review, deniedEffects: effects, rules, withoutLease: fc.constant('none') },
  lease: fc.option(effects.map(leaseOf), { nil: undefined }),
  origin: fc.option(fc.constant('evil.example is not from you'), { nil: null }),
  installedSkill: fc.option(fc.constant('tide'), { nil: undefined }),
})

/** The rules of the seed, said once more and as plainly as they can be. */
function oracle(q: PolicyQuestion): Verdict {
  const name = q.action.replaceAll('-', '_')
  const said: Verdict[] = [q.review.verdict]
  if (q.effects.some((effect) => q.deniedEffects.includes(effect))) said.push('deny')
  for (const rule of q.rules) {
    const isAbout =
      rule.when.kind === 'always' ||
      (rule.when.kind === 'action' && rule.when.action.replaceAll('-', '_') === name) ||
      (rule.when.kind === 'effect' && q.effects.includes(rule.when.effect))
    if (isAbout) said.push(rule.verdict)
  }
  const unasked: readonly EffectType[] = ['ReadLocal', 'ReadExternal', 'Compute']
  if (q.installedSkill !== undefined && q.effects.some((effect) => !unasked.includes(effect))) said.push('ask')
  const { lease } = q
  if (lease === undefined || q.effects.some((effect) => !lease.effects.includes(effect))) said.push('deny')
  if (q.origin !== null) said.push('ask')
  if (said.includes('deny')) return 'deny'
  return said.includes('ask') ? 'ask' : 'allow'
}

test('every decision is the oracle’s, with a check and a reason where it is not an allowance', () => {
  fc.assert(
    fc.property(question, (q) => {
      const decision = decide(q)
      expect(decision.verdict).toBe(oracle(q))
      expect(decision.effects).toEqual(q.effects)
      if (decision.verdict !== 'allow') expect(decision.reason).not.toBeNull()
      expect(decision.check === null).toBe(decision.verdict === 'allow')
    }),
    { numRuns: 3_000 },
  )
})

test('a rule more never makes a decision weaker', () => {
  const strength = { allow: 0, ask: 1, deny: 2 }
  fc.assert(
    fc.property(question, fc.record({ name: fc.constant('more'), when, verdict }), (q, rule) => {
      const before = strength[decide(q).verdict]
      expect(strength[decide({ ...q, rules: [...q.rules, rule] }).verdict]).toBeGreaterThanOrEqual(before)
    }),
    { numRuns: 1_000 },
  )
})

describe('of equally strong checks the first is named', () => {
  const base: PolicyQuestion = {
    ...{ action: 'pay', effects: ['Financial'], review: { verdict: 'allow' }, deniedEffects: [], rules: [] },
    ...{ lease: leaseOf(effectTypes), withoutLease: 'none', origin: null, installedSkill: undefined },
  }
  const denies: PolicyRule = { name: 'no money', when: { kind: 'effect', effect: 'Financial' }, verdict: 'deny' }
  test.each<[string, Partial<PolicyQuestion>, string, string]>([
    ['global', { deniedEffects: ['Financial'], rules: [denies], lease: undefined }, 'global', 'switched off'],
    ['rule', { rules: [denies], review: { verdict: 'deny', reason: 'x' }, lease: undefined }, 'rule', 'no money'],
    ['approval', { review: { verdict: 'deny', reason: 'x' }, lease: undefined }, 'approval', 'x'],
    ['lease', { lease: leaseOf(['ReadLocal']) }, 'lease', 'does not cover Financial'],
    ['lease', { lease: undefined }, 'lease', 'none'],
  ])('%s', (_name, change, check, reason) => {
    expect(decide({ ...base, ...change })).toMatchObject({
      verdict: 'deny',
      check,
      reason: expect.stringContaining(reason),
    })
  })
})

test('where the arguments come from is said before rules, and with what the action itself asks about', () => {
  const asked = decide({
    ...{
      action: 'post',
      effects: ['WriteExternal'],
      deniedEffects: [],
      withoutLease: 'none',
      installedSkill: undefined,
      lease: leaseOf(effectTypes),
    },
    origin: '“evil.example” is not from you',
    review: { verdict: 'ask', reason: 'it sends a file', scopeKey: 'post' },
    rules: [{ name: 'asks', when: { kind: 'always' }, verdict: 'ask' }],
  })
  expect(asked).toMatchObject({
    ...{ verdict: 'ask', check: 'origin', reason: '“evil.example” is not from you. It sends a file' },
  })
})

import { expect, test } from 'vitest'
import type { PolicyDecision } from '../../../core/domain/policy.ts'
import { policyStepsOf } from '../../../renderer/approval/policy-steps.tsx'

const effects = ['WriteLocal'] as const
const none = { id: null, usesLeft: null }
const words = (policy: PolicyDecision, lease: { id: string | null; usesLeft: number | null } = none) =>
  policyStepsOf(policy, lease).map(({ verdict, isHit }) => `${isHit ? '*' : ''}${verdict?.word ?? '–'}`)

test('a call that asks is marked at the check that asked, and nothing is claimed of the others', () => {
  const policy: PolicyDecision = { verdict: 'ask', check: 'approval', reason: 'It writes a file.', effects }
  expect(words(policy)).toEqual(['–', '–', '–', '*asked', '–'])
  expect(words({ ...policy, check: 'rule' })).toEqual(['–', '–', '*asked', '–', '–'])
  expect(words({ ...policy, check: 'origin' })).toEqual(['–', '*asked', '–', '–', '–'])
  expect(words({ ...policy, check: 'skill' })).toEqual(['–', '–', '–', '–', '*asked', '–'])
})

test('what was denied shows by whom; checks after it did not matter', () => {
  const policy: PolicyDecision = { verdict: 'deny', check: 'rule', reason: 'no writes', effects }
  const steps = policyStepsOf(policy, none)
  expect(steps.map(({ detail }) => detail)).toEqual([
    'did not deny it',
    'did not deny it',
    'no writes',
    'no matter any more',
    'no matter any more',
  ])
})

test('what ran names its lease and what is left of it', () => {
  const allowed: PolicyDecision = { verdict: 'allow', check: null, reason: null, effects }
  expect(words(allowed, { id: 'lea_1', usesLeft: 3 })).toEqual(['–', '–', '–', '–', '*valid'])
  expect(policyStepsOf(allowed, { id: 'lea_1', usesLeft: 3 })[4]?.detail).toBe('lea_1 covers it, 3 left with this one')
  const answered: PolicyDecision = { ...allowed, check: 'approved', by: 'app_1' }
  expect(words(answered, { id: 'lea_2', usesLeft: 0 })).toEqual(['–', '–', '–', '*answered', 'valid'])
})

import { describe, expect, test } from 'vitest'
import type { LearntEntry, LearntTally } from '../../../../core/domain/learnt.ts'
import {
  byWords,
  effectOf,
  effectWords,
  fromWords,
  kindOf,
  kindWords,
  stateLook,
  wouldChangeWords,
} from '../../../../renderer/screens/learnt/words.ts'
import { learnt, source } from './support.ts'

test.each([
  [{ kind: 'overlay' }, 'Rule'],
  [{ kind: 'insight', topic: 'preference' }, 'Preference'],
  [{ kind: 'insight', topic: 'correction' }, 'Correction'],
  [{ kind: 'insight', topic: 'knowledge' }, 'Fact'],
  [{ kind: 'insight', topic: 'workflow' }, 'Workflow'],
  [{ kind: 'setting' }, 'Setting'],
  [{ kind: 'lesson' }, 'Lesson'],
  [{ kind: 'spec' }, 'Missing capability'],
  [{ kind: 'code' }, 'Code proposal'],
  [{ kind: 'skill' }, 'Version of a skill'],
  [{ kind: 'loop' }, 'Version of the loop'],
] as const)('%o is called %s', (patch, word) => {
  expect(kindWords[kindOf(learnt(patch))]).toBe(word)
})

test.each([
  [{ state: 'pending' }, 'Waits for you'],
  [{ state: 'live' }, 'In force'],
  [{ state: 'live', kind: 'code' }, 'Kept'],
  [{ state: 'undone', kind: 'lesson' }, 'Put away'],
  [{ state: 'undone' }, 'Taken back'],
  [{ state: 'expired' }, 'Expired, rejected'],
] as const)('%o stands as %s', (patch, word) => {
  expect(stateLook(learnt(patch)).word).toBe(word)
})

test('who put it in force is told where it is on record, and only there', () => {
  expect(byWords(learnt({ appliedBy: 'rule' }))).toBe('by itself, as the settings allow')
  expect(byWords(learnt({ appliedBy: 'person' }))).toBe('by you')
  expect(byWords(learnt({ kind: 'lesson' }))).toBe('by a learning mission')
  expect(byWords(learnt({ kind: 'skill' }))).toBeNull()
})

test('each thread is named once, and many are counted', () => {
  expect(fromWords({ sources: [] })).toBe('from no thread on record')
  expect(fromWords({ sources: [source(7, 1), source(7, 2)] })).toBe('from #7')
  expect(fromWords({ sources: [1, 2, 3].map((n) => source(n)) })).toBe('from #1, #2 and #3')
  expect(fromWords({ sources: [1, 2, 3, 4, 5].map((n) => source(n)) })).toBe('from #1, #2, #3 and 2 more')
})

test('what a yes changes is told of what can be answered here, and of nothing else', () => {
  expect(wouldChangeWords(learnt(), 'saltmarsh')).toContain('Threads of saltmarsh')
  expect(wouldChangeWords(learnt({ kind: 'insight', topic: 'knowledge' }), 'saltmarsh')).toContain(
    'bears on their goal',
  )
  expect(wouldChangeWords(learnt({ kind: 'setting' }), 'saltmarsh')).toContain('for all folders')
  expect(wouldChangeWords(learnt({ kind: 'loop' }), 'saltmarsh')).toBeNull()
})

describe('the effect', () => {
  const tally = (n: number, issues: number, failures = 0): LearntTally => ({ n, issues, failures })
  const of = (before: LearntTally | null, after: LearntTally, patch: Partial<LearntEntry> = {}) =>
    learnt({ state: 'live', effect: { before, after }, ...patch })

  test('is not told where nothing can be measured', () => {
    expect(effectOf(learnt({ kind: 'insight' }))).toBeNull()
    expect(effectWords(learnt({ kind: 'insight' }))).toBe('')
  })

  test('of what waits is only what was before', () => {
    const waits = learnt({ effect: { before: tally(3, 3), after: tally(0, 0) } })
    expect(effectOf(waits)).toMatchObject({
      counts: [{ of: 'Before' }],
      verdict: 'It is measured once it is in force.',
    })
    expect(effectWords(waits)).toBe('')
  })

  test('below five threads is too few to say, with five it is told', () => {
    expect(effectOf(of(tally(20, 20), tally(4, 0)))?.verdict).toBe('Too few to say: 4 threads so far, it takes 5.')
    expect(effectWords(of(tally(20, 20), tally(4, 0)))).toBe('too few to say')
    expect(effectOf(of(tally(20, 20), tally(5, 0)))?.verdict).toBe('Clearly better than before.')
    expect(effectWords(of(tally(20, 20), tally(5, 0)))).toBe('20 of 20 before, 0 of 5 since')
  })

  test('that could be chance is called no difference; a loss of answers is worse though the issue is gone', () => {
    expect(effectOf(of(tally(5, 3), tally(5, 1)))?.verdict).toMatch(/^No clear difference/)
    expect(effectOf(of(tally(20, 2), tally(20, 20)))?.verdict).toBe('Clearly worse than before.')
    expect(effectOf(of(tally(20, 20, 0), tally(20, 0, 20)))?.verdict).toBe('Clearly worse than before.')
  })

  test('without anything before has nothing to be compared with', () => {
    expect(effectOf(of(null, tally(9, 1)))?.verdict).toBe('There is nothing before it to compare with.')
    expect(effectWords(of(tally(0, 0), tally(9, 1)))).toBe('1 of 9 since')
  })

  test('of a skill is counted in uses, beside the version before', () => {
    const skill = of(tally(8, 4, 4), tally(6, 1, 1), { kind: 'skill' })
    expect(effectOf(skill)).toMatchObject({
      unit: 'Uses',
      hasIssue: false,
      counts: [{ of: 'Version before' }, { of: 'This version' }],
    })
    expect(effectWords(skill)).toBe('4 of 8 before, 1 of 6 failed')
  })
})

import { expect, test } from 'vitest'
import { issueClasses } from '../../../core/domain/issue.ts'
import type { LearntItem } from '../../../core/domain/learnt.ts'
import { limits } from '../../../core/domain/limits.ts'
import { createFixPatterns } from '../../../core/learning/fix-patterns.ts'
import { knownFixes } from '../../../core/learning/known-fixes.ts'
import { issueOf, learnWorld } from './learn-world.ts'

function patternsOf() {
  const world = learnWorld()
  return { ...world, patterns: createFixPatterns(world.store, () => world.now) }
}
const rule = (n: number, of: Partial<LearntItem> = {}): LearntItem => ({
  ...{ id: `lrn_${n}`, projectId: 'p', kind: 'overlay', topic: 'tool_error read_file action.not_found' },
  ...{
    text: `Rule ${n}.`,
    sha256: '',
    state: 'live',
    reason: '',
    sources: [],
    isDamaged: false,
    isUntrusted: false,
    threadId: 'thr_1',
  },
  ...{ patternId: null, replaces: null, appliedBy: 'person', proposedAt: 0, expiresAt: 0, decidedAt: 0 },
  ...{ decisionReason: null, endedAt: null, endReason: null, before: null },
  ...of,
})

test('an issue that is known has its fix; one that is not has none', () => {
  const { patterns } = patternsOf()
  const ids = (of: Parameters<typeof issueOf>[0]) => patterns.known('p', issueOf(of)).map(({ id }) => id)
  expect(ids({})).toEqual(['bundled:missing-file'])
  expect(ids({ class: 'code_name_lookup' })).toEqual(['bundled:name-error'])
  const typed = 'Code stopped at an error of its own once: TypeError: list indices must be integers, not str'
  expect(ids({ class: 'code_runtime_error', reason: typed })).toEqual(['bundled:indices-must-be-integers'])
  expect(ids({ code: 'action.encoding' })).toEqual([])
})

test('what ships with the app fits in a rule, is about issues that there are, and stands there once', () => {
  const classes: readonly string[] = issueClasses
  for (const { issueClass, rule: text, level } of knownFixes) {
    expect(classes.includes(issueClass) || issueClass.startsWith('code_')).toBe(true)
    expect(text.length).toBeLessThanOrEqual(limits.overlayRuleCharacters)
    expect(text === '').toBe(level === 'CODE')
  }
  expect(new Set(knownFixes.map(({ id }) => id)).size).toBe(knownFixes.length)
})

test('a fix that a thread found is known from then on, in its project alone', () => {
  const { patterns, store } = patternsOf()
  const id = store.transaction(() => patterns.learn(rule(1)))
  expect(patterns.known('p', issueOf()).map((fix) => fix.id)).toContain(id)
  expect(patterns.known('q', issueOf()).map((fix) => fix.id)).not.toContain(id)
  expect(patterns.known('p', issueOf({ subject: 'table' })).map((fix) => fix.id)).not.toContain(id)
  expect(store.transaction(() => patterns.learn(rule(1)))).toBe(id)
})

test('one that helped once comes before those that nobody tried, and one that failed once behind them', () => {
  const { patterns, store } = patternsOf()
  const tally = (id: string, isSuccess: boolean) => store.transaction(() => patterns.tally('p', id, isSuccess))
  tally('bundled:missing-file', true)
  tally('bundled:name-error', false)
  const ids = patterns.list('p').map(({ id }) => id)
  expect(ids[0]).toBe('bundled:missing-file')
  expect(ids.at(-1)).toBe('bundled:name-error')
})

test('the one that helped comes first, one that failed loses rank, and one that only ever failed is given up', () => {
  const { patterns, store } = patternsOf()
  const [first, second] = store.transaction(() => [patterns.learn(rule(1)), patterns.learn(rule(2))])
  const tally = (id: string, isSuccess: boolean) => store.transaction(() => patterns.tally('p', id, isSuccess))
  const order = () => patterns.known('p', issueOf()).map(({ id }) => id)
  for (let n = 0; n < 3; n += 1) tally(second ?? '', true)
  expect(order()[0]).toBe(second)
  tally('bundled:missing-file', false)
  expect(order()).toEqual([second, first, 'bundled:missing-file'])
  for (let n = 0; n < 2; n += 1) tally('bundled:missing-file', false)
  expect(order()).toEqual([second, first])
  // A success once keeps it on offer.
  for (let n = 0; n < 9; n += 1) tally(second ?? '', false)
  expect(order()).toEqual([first, second])
})

test('of those that threads found so many are kept: the weakest goes, and none that ships with the app', () => {
  const { patterns, store } = patternsOf()
  store.transaction(() => {
    for (let n = 0; n < limits.fixPatterns; n += 1) patterns.learn(rule(n))
  })
  const own = () => patterns.list('p').filter(({ origin }) => origin !== 'bundled')
  expect(own()).toHaveLength(limits.fixPatterns)
  const weakest = own()[7]?.id ?? ''
  store.transaction(() => {
    patterns.tally('p', weakest, false)
    patterns.learn(rule(limits.fixPatterns))
  })
  expect(own()).toHaveLength(limits.fixPatterns)
  expect(own().map(({ id }) => id)).not.toContain(weakest)
  expect(patterns.list('p')).toHaveLength(limits.fixPatterns + knownFixes.length)
})

import { expect, test } from 'vitest'
import { goalParts } from '../../../../renderer/screens/skills/goal-marks.ts'
import { patternSpans } from '../../../../renderer/screens/skills/pattern-spans.ts'

/** What is marked, in brackets. */
function marked(goal: string, ...words: string[]): string {
  return goalParts(goal, words)
    .map(({ text, isMarked }) => (isMarked ? `[${text}]` : text))
    .join('')
}

test.each([
  ['Find every Page', ['page'], 'Find every [Page]'],
  ['check pages, checked and checking', ['page', 'check'], '[check] [pages], [checked] and [checking]'],
  // Never inside a word.
  ['homepage and pagers', ['page'], 'homepage and pagers'],
  ['the pull request of a pull requester', ['pull request'], 'the [pull request] of a pull requester'],
  ['Ärger mit Seiten', ['rger'], 'Ärger mit Seiten'],
  ['nothing', [''], 'nothing'],
  ['', ['page'], ''],
])('“%s” with %o', (goal, words, expected) => {
  expect(marked(goal, ...words)).toBe(expected)
})

test('a goal that grows when it is written small is shown without marks, never with wrong ones', () => {
  expect(marked('İstanbul page', 'page')).toBe('İstanbul page')
})

test.each([
  ['issues of octo/tides', ['(?i)\\bISSUES?\\b'], '[issues] of octo/tides'],
  ['the page and issues of octo/tides', ['[\\w.-]+/[\\w.-]+'], 'the [page] and issues of [octo/tides]'],
  // What the engine of the choice does not have, or what is no pattern at all, is found nowhere.
  ['aa page', ['(a)\\1', '(a'], 'aa [page]'],
] as const)('“%s” with the patterns %o', async (goal, patterns, expected) => {
  const parts = goalParts(goal, ['page'], await patternSpans(goal, patterns))
  expect(parts.map(({ text, isMarked }) => (isMarked ? `[${text}]` : text)).join('')).toBe(expected)
})

test('a pattern that would take an engine for ever that goes back takes this one no time', async () => {
  expect(await patternSpans(`${'a'.repeat(4_000)}!`, ['(a+)+$'])).toEqual([])
})

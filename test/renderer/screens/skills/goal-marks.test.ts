import { expect, test } from 'vitest'
import { goalParts } from '../../../../renderer/screens/skills/goal-marks.ts'

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

import { expect, test } from 'vitest'
import { groupsOf, kindCounts, type LearntView, shownAmong } from '../../../../renderer/screens/learnt/groups.ts'
import type { LearntKind } from '../../../../renderer/screens/learnt/words.ts'
import { learnt } from './support.ts'

const entries = [
  learnt({ id: 'a', state: 'live' }),
  learnt({ id: 'b', kind: 'insight', topic: 'preference' }),
  learnt({ id: 'c', state: 'undone' }),
  learnt({ id: 'd', kind: 'lesson', state: 'live' }),
  learnt({ id: 'e', state: 'expired' }),
]
const ids = (view: 'all' | 'waits' | 'force' | 'past', kind: Parameters<typeof groupsOf>[1]['kind'] = null) =>
  groupsOf(entries, { view, kind }).map((group) => [group.view, ...group.rows.map(({ id }) => id)])

test('what waits comes first, then what is in force, then what was, each in the order that it came in', () => {
  expect(ids('all')).toEqual([
    ['waits', 'b'],
    ['force', 'a', 'd'],
    ['past', 'c', 'e'],
  ])
})

test('a state and a kind leave what is of both; a group without rows is left out', () => {
  expect(ids('force')).toEqual([['force', 'a', 'd']])
  expect(ids('all', 'rule')).toEqual([
    ['force', 'a'],
    ['past', 'c', 'e'],
  ])
  expect(ids('waits', 'lesson')).toEqual([])
})

test('what is shown stays where the filter leaves it in the list; else the first of the list is shown, or none', () => {
  const among = (view: LearntView, shownId: string | null, kind: LearntKind | null = null) =>
    shownAmong(groupsOf(entries, { view, kind }), shownId)
  expect(among('force', 'd')).toBe('d')
  expect(among('past', 'd')).toBe('c')
  expect(among('past', null)).toBe('c')
  expect(among('waits', 'd', 'lesson')).toBeNull()
})

test('only kinds that there are can be chosen, with how many', () => {
  expect([...kindCounts(entries)]).toEqual([
    ['rule', 3],
    ['preference', 1],
    ['lesson', 1],
  ])
})

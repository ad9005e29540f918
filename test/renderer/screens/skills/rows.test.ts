import { describe, expect, test } from 'vitest'
import { problemKey, rowsOf } from '../../../../renderer/screens/skills/rows.ts'
import { nextRow } from '../../../../renderer/screens/skills/skill-list.tsx'
import { candidate } from '../../support.ts'
import { problem, skill } from './support.ts'

const shelf = {
  skills: [
    skill({ id: 'skl_old', name: 'old', lastUsedAt: 1 }),
    skill({ id: 'skl_out', name: 'out', state: 'quarantined', lastUsedAt: 9 }),
    skill({ id: 'skl_b', name: 'b', lastUsedAt: null, description: 'Sweeps the docs.' }),
    skill({ id: 'skl_a', name: 'a', lastUsedAt: null }),
    skill({ id: 'skl_new', name: 'new', lastUsedAt: 5 }),
  ],
  candidates: [candidate({ id: 'can_1', name: 'tide' })],
  problems: [problem(), problem({ file: '/p/flawed/SKILL.md', kind: 'warning' })],
}

describe('the list', () => {
  test.each([
    ['all', '', ['new', 'old', 'a', 'b', 'tide', 'notes', 'out']],
    ['active', '', ['new', 'old', 'a', 'b']],
    ['candidates', '', ['tide']],
    ['problems', '', ['notes', 'flawed']],
    ['all', 'DOCS sweeps', ['b']],
    ['all', '.agents', ['notes']],
    ['all', 'nothing of it', []],
  ] as const)(
    'of %s with “%s”: last used first, then what waits or did not load, then what is out of use',
    (view, text, names) => {
      expect(rowsOf(shelf, view, text).map(({ name }) => name)).toEqual(names)
    },
  )

  test('a file that is no skill has a key that no id can be', () => {
    expect(rowsOf(shelf, 'problems', '')[0]?.key).toBe(problemKey(problem().file))
    expect(problemKey('/a')).toMatch(/^~/)
  })

  test('a thousand skills are ordered, none lost', () => {
    const skills = Array.from({ length: 1_000 }, (_, at) => skill({ id: `skl_${at}`, name: `s${at}`, lastUsedAt: at }))
    const rows = rowsOf({ ...shelf, skills }, 'active', '')
    expect(rows).toHaveLength(1_000)
    expect(rows[0]?.name).toBe('s999')
  })
})

test('the keys pass over candidates, which are shown on another screen, and stop at the ends', () => {
  const rows = rowsOf(shelf, 'all', '')
  const name = (from: number, by: number) => nextRow(rows, from, by)?.name
  expect(name(3, 1)).toBe('notes')
  expect(name(5, -1)).toBe('b')
  expect(name(6, 1)).toBe('out')
  expect(name(0, -1)).toBe('new')
  expect(name(-1, 1)).toBe('new')
  expect(nextRow(rowsOf(shelf, 'candidates', ''), 0, 1)).toBeUndefined()
})

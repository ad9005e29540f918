import { describe, expect, test } from 'vitest'
import { decidedRows, groupsOf, isCandidateId, rowsOf } from '../../../../renderer/screens/approvals/groups.ts'
import { waitingCount } from '../../../../renderer/state/select.ts'
import { initialState } from '../../../../renderer/state/store.ts'
import { approval, candidate, noon } from '../../support.ts'

const day = 86_400_000
const list = [
  approval({ id: 'a_late', requestSeq: 9 }),
  approval({ id: 'a_first', requestSeq: 3 }),
  approval({ id: 'a_done', state: 'approved', decidedAt: noon - 1_000 }),
  approval({ id: 'a_old', state: 'denied', decidedAt: noon - 2 * day }),
]
const queue = {
  approvals: Object.fromEntries(list.map((each) => [each.id, each])),
  candidates: [candidate({ id: 'can_1' })],
  decidedCandidates: [
    candidate({ id: 'can_done', state: 'rejected', decidedAt: noon - 500 }),
    candidate({ id: 'can_old', state: 'approved', decidedAt: noon - 3 * day }),
  ],
}
const ids = (view: Parameters<typeof groupsOf>[1]) => rowsOf(groupsOf(queue, view, noon)).map(({ id }) => id)

describe('one queue of two kinds', () => {
  test.each([
    ['all', ['a_first', 'a_late', 'can_1', 'can_done', 'a_done']],
    ['actions', ['a_first', 'a_late', 'a_done']],
    ['skills', ['can_1', 'can_done']],
    ['history', ['can_done', 'a_done', 'a_old', 'can_old']],
    ['standing', []],
  ] as const)('%s: who is held up first, then what nothing waits for, then what was decided', (view, expected) => {
    expect(ids(view)).toEqual(expected)
  })

  test('what was decided last stands first, whichever kind it is', () => {
    expect(decidedRows(queue)[0]?.id).toBe('can_done')
  })

  test('the badge counts both', () => {
    const known = { ...initialState.known, approvals: queue.approvals }
    expect(waitingCount({ known, candidates: queue.candidates })).toBe(3)
  })

  test('an address names a candidate by its id alone', () => {
    expect(isCandidateId('can_1')).toBe(true)
    expect(isCandidateId('apr_can_1')).toBe(false)
  })
})

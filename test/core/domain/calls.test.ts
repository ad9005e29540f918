import { expect, test } from 'vitest'
import { comparePaths } from '../../../core/domain/calls.ts'

test('paths of a step stand in the order in which things happened', () => {
  const shuffled = ['1.10', '2', '1', '0', '1.2.1', '10', '1.2', '0.1', '1.2.10', '1.2.2']
  expect(shuffled.toSorted(comparePaths)).toEqual([
    '0.1',
    '0',
    '1',
    '1.2',
    '1.2.1',
    '1.2.2',
    '1.2.10',
    '1.10',
    '2',
    '10',
  ])
})

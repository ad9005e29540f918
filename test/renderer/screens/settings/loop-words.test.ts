import { describe, expect, test } from 'vitest'
import {
  currentVersion,
  type LoopVersion,
  pinOf,
  pinOptions,
  reviewText,
  versionLook,
} from '../../../../renderer/screens/settings/loop-words.ts'

function loop(version: number, state: LoopVersion['state']): LoopVersion {
  return {
    ...{ version, parent: 0, code: 'x', sha256: 's', reason: 'r', source: 'user', state },
    ...{ failures: 0, createdAt: 1, decidedAt: null },
  }
}
const bundled = loop(0, 'retired')

describe('the version that new threads begin with', () => {
  test('is the bundled one where no other is active', () => {
    expect(currentVersion([bundled, loop(1, 'candidate')], null)?.version).toBe(0)
  })

  test('is the one that is active, unless another is pinned', () => {
    const all = [bundled, loop(1, 'candidate'), loop(2, 'active')]
    expect(currentVersion(all, null)?.version).toBe(2)
    expect(currentVersion(all, 1)?.version).toBe(1)
    expect(currentVersion(all, 0)?.version).toBe(0)
  })

  test('is never a pinned one that failed, nor one that is not there', () => {
    const all = [bundled, loop(1, 'failed'), loop(2, 'active')]
    expect(currentVersion(all, 1)?.version).toBe(2)
    expect(currentVersion(all, 9)?.version).toBe(2)
  })
})

test('a version that is active behind a pin says so', () => {
  expect(versionLook(loop(2, 'active'), false).word).toBe('Active, not pinned')
  expect(versionLook(loop(1, 'candidate'), true).word).toBe('In use')
})

test('what can be pinned: no version that failed, and what is pinned is always offered', () => {
  const all = [bundled, loop(1, 'failed'), loop(2, 'active')]
  expect(pinOptions(all, null).map(({ value }) => value)).toEqual(['newest', '2', '0'])
  expect(pinOptions(all, 1).map(({ value }) => value)).toEqual(['newest', '2', '1', '0'])
  expect(pinOptions(all, null).map(({ value }) => pinOf(value))).toEqual([null, 2, 0])
})

test('a review is told with its number', () => {
  const run = (verdict: 'same' | 'other') => ({ thread: 1, verdict, detail: '' })
  expect(reviewText({ version: bundled, runs: [run('same'), run('other')] })).toBe('1 of 2 took the same way')
})

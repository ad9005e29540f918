import { describe, expect, it, test } from 'vitest'
import { confidenceOf, cusumAfter, cusumLimit, isWorse, wilson80, wilson95 } from '../../../core/domain/confidence.ts'

describe('the interval of a confidence', () => {
  it.each([
    [3, 3, 0.44, 1, 0.65, 1],
    [5, 5, 0.57, 1, 0.75, 1],
    [0, 3, 0, 0.56, 0, 0.35],
    [2, 5, 0.12, 0.77, 0.18, 0.67],
    [9, 10, 0.6, 0.98, 0.72, 0.97],
    [27, 30, 0.74, 0.97, 0.81, 0.95],
  ])('of %i successes in %i uses is Wilson’s', (successes, n, low95, high95, low80, high80) => {
    expect(wilson95(successes, n).low).toBeCloseTo(low95, 2)
    expect(wilson95(successes, n).high).toBeCloseTo(high95, 2)
    expect(wilson80(successes, n).low).toBeCloseTo(low80, 2)
    expect(wilson80(successes, n).high).toBeCloseTo(high80, 2)
  })

  it('is everything where nothing is known, and the value is 1', () => {
    expect(confidenceOf(0, 0)).toEqual({ value: 1, low: 0, high: 1, n: 0 })
    expect(confidenceOf(3, 4).value).toBe(0.75)
  })
})

/** F and S: the sum after each. */
function sums(outcomes: string, parent: { readonly successes: number; readonly n: number }): readonly number[] {
  const all: number[] = []
  for (const letter of outcomes) all.push(cusumAfter(all.at(-1) ?? 0, letter === 'F' ? 'failure' : 'success', parent))
  return all.map((sum) => Math.round(sum * 100) / 100)
}

describe('the sum of the fast rule', () => {
  const good = { successes: 27, n: 30 }
  it('reaches its limit at the third failure in a row', () => {
    expect(sums('FFF', good)).toEqual([1.25, 2.51, 3.76])
  })
  it('is lowered by a success, and reaches it at the fifth of F F S F F', () => {
    expect(sums('FFSFF', good)).toEqual([1.25, 2.51, 1.52, 2.78, 4.03])
  })
  it('of a parent with few uses asks for three in a row too; one success between them begins anew', () => {
    expect(sums('FFF', { successes: 3, n: 3 }).at(-1)).toBeGreaterThan(cusumLimit)
    expect(Math.max(...sums('FFSFF', { successes: 3, n: 3 }))).toBeLessThan(cusumLimit)
  })
  it('is no larger for a long good record: a change is seen as soon', () => {
    const before = 'S'.repeat(1_000)
    expect(sums(`${before}FFF`, good).slice(-3)).toEqual([1.25, 2.51, 3.76])
  })
})

/** Deterministic, so that a share of a thousand lives is the same everywhere. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const lives = 1_000
const parents = [
  { successes: 3, n: 3 },
  { successes: 10, n: 10 },
  { successes: 28, n: 30 },
]

/** The use at which a version is taken back; null where it is not within `uses`. */
function fastRule(seed: number, parent: { readonly successes: number; readonly n: number }, p: readonly number[]) {
  const chance = random(seed)
  let sum = 0
  for (const [at, each] of p.entries()) {
    sum = cusumAfter(sum, chance() < each ? 'success' : 'failure', parent)
    if (sum >= cusumLimit) return at + 1
  }
  return null
}

describe.each(parents)('over a thousand lives after a parent of $successes in $n, the fast rule', (parent) => {
  test('takes a version that succeeds 95 times of 100 back within 50 uses in at most 1 of 100', () => {
    const always = Array.from({ length: 50 }, () => 0.95)
    const taken = Array.from({ length: lives }, (_, seed) => fastRule(seed, parent, always)).filter((at) => at !== null)
    expect(taken.length / lives).toBeLessThanOrEqual(0.01)
  })

  test.each([2, 10, 50])('sees a total break after %i good uses within 3', (good) => {
    const then = [...Array.from({ length: good }, () => 1), ...Array.from({ length: 10 }, () => 0)]
    const seen = Array.from({ length: lives }, (_, seed) => fastRule(seed, parent, then))
    expect(Math.max(...seen.map((at) => (at ?? 99) - good))).toBeLessThanOrEqual(3)
  })
})

describe('the slow rule', () => {
  it('waits for five uses, and for a parent that was used', () => {
    expect(isWorse({ successes: 0, n: 4 }, { successes: 28, n: 30 })).toBe(false)
    expect(isWorse({ successes: 0, n: 5 }, { successes: 0, n: 0 })).toBe(false)
    expect(isWorse({ successes: 0, n: 5 }, { successes: 28, n: 30 })).toBe(true)
  })

  test('over a thousand lives proposes nothing against a version that is as good as its parent, in 99 of 100', () => {
    const parent = { successes: 57, n: 60 }
    const proposed = Array.from({ length: lives }, (_, seed) => {
      const chance = random(seed)
      const outcomes = Array.from({ length: 50 }, () => chance() < 0.95)
      return outcomes.some((_outcome, at) => {
        const recent = outcomes.slice(Math.max(0, at - 19), at + 1)
        return isWorse({ successes: recent.filter(Boolean).length, n: recent.length }, parent)
      })
    })
    expect(proposed.filter(Boolean).length / lives).toBeLessThanOrEqual(0.01)
  })

  test('sees one that fails half of the time within 20 uses, in nine lives of ten', () => {
    const parent = { successes: 57, n: 60 }
    const seen = Array.from({ length: lives }, (_, seed) => {
      const chance = random(seed)
      const outcomes = Array.from({ length: 20 }, () => chance() < 0.5)
      return outcomes.some((_outcome, at) =>
        isWorse({ successes: outcomes.slice(0, at + 1).filter(Boolean).length, n: at + 1 }, parent),
      )
    })
    expect(seen.filter(Boolean).length / lives).toBeGreaterThanOrEqual(0.9)
  })
})

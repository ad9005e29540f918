import type { SkillConfidence } from './skill.ts'

/** Of a normal distribution: 95 % and 80 % of it lie within so many deviations. */
const z95 = 1.96
const z80 = 1.28

export interface Interval {
  readonly low: number
  readonly high: number
}

/** Wilson's interval for `successes` of `n`, within [0, 1]; the whole of it where n is 0. Source: learning 4.2. */
function wilson(successes: number, n: number, z: number): Interval {
  if (n === 0) return { low: 0, high: 1 }
  const p = successes / n
  const centre = (p + z ** 2 / (2 * n)) / (1 + z ** 2 / n)
  const half = (z / (1 + z ** 2 / n)) * Math.sqrt((p * (1 - p)) / n + z ** 2 / (4 * n ** 2))
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) }
}

export const wilson95 = (successes: number, n: number): Interval => wilson(successes, n, z95)
export const wilson80 = (successes: number, n: number): Interval => wilson(successes, n, z80)

/** Confidence in [0, 1]: successes ÷ uses; 1 when unused, which n = 0 says. Source: seed E, Confidence Tracking; RULES 16. */
export function confidenceOf(successes: number, n: number): SkillConfidence {
  return { value: n === 0 ? 1 : successes / n, ...wilson95(successes, n), n }
}

/** How often a failure is expected of a version, and of one that the world has changed under. */
interface Rates {
  readonly usual: number
  readonly changed: number
}

/** Where the sum reaches this, the version is taken back: the odds are 20 to 1 that the world has changed. Source: RULES 21. */
export const cusumLimit = Math.log(20)

/** `parent`: what the version before achieved, or work without any skill. */
function ratesOf(parent: { readonly successes: number; readonly n: number }): Rates {
  const usual = 1 - Math.min(0.8, Math.max(0.7, wilson80(parent.successes, parent.n).low))
  return { usual, changed: Math.min(0.95, 3.5 * usual) }
}

/**
 * The sum after one more use: the fast rule, for a change of the world. It never falls below 0, so no number of earlier
 * successes delays it: three failures in a row suffice. Source: learning 4.3.
 */
export function cusumAfter(
  sum: number,
  outcome: 'success' | 'failure',
  parent: { readonly successes: number; readonly n: number },
): number {
  const { usual, changed } = ratesOf(parent)
  const step = outcome === 'failure' ? Math.log(changed / usual) : Math.log((1 - changed) / (1 - usual))
  return Math.max(0, sum + step)
}

/** Uses that the slow rule looks back on, and how many it needs. */
export const slowRuleUses = { most: 20, least: 5 } as const

/** The slow rule, for a bit worse: the version's upper end lies under its parent's lower end. Source: RULES 21. */
export function isWorse(
  recent: { readonly successes: number; readonly n: number },
  parent: { readonly successes: number; readonly n: number },
): boolean {
  if (recent.n < slowRuleUses.least || parent.n === 0) return false
  return wilson95(recent.successes, recent.n).high < wilson95(parent.successes, parent.n).low
}

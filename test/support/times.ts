import { expect } from 'vitest'

/** By the clock nothing is judged on a machine that does other work: only where whoever runs the tests asks for it. */
const areTimesHeld = process.env.THREADSMITH_TIMES === '1'

/** `ms` of wall time; counts with `THREADSMITH_TIMES=1` alone. */
export function expectWithin(ms: number, most: number, what?: string): void {
  if (areTimesHeld) expect(ms, what).toBeLessThan(most)
}

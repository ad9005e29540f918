import type { Plan } from './plan.ts'
import { calculate } from './results.ts'

const figuresInCall = 60

/** The largest or smallest of many figures, worked out by `calculate` in as many rounds as it takes. */
export function* extremeFigure(figures: readonly number[], end: 'max' | 'min'): Plan<number | undefined> {
  let left = [...figures]
  while (left.length > 1) {
    const parts: (readonly number[])[] = []
    for (let from = 0; from < left.length; from += figuresInCall) parts.push(left.slice(from, from + figuresInCall))
    const results = yield* calculate.all(parts.map((part) => ({ expression: `${end}(${part.join(', ')})` })))
    left = results.flatMap((r) => (r.ok && r.value.value !== null ? [r.value.value] : []))
  }
  return left[0]
}

import { type FaultPoint, faultPoints } from '../../core/domain/fault-point.ts'

/** How a life is to end. */
export type Plan =
  /** At the first of these boundaries that it reaches for the n-th time. */
  | { readonly kind: 'point'; readonly dieAt: Readonly<Partial<Record<FaultPoint, number>>> }
  /** So many ms after its threads run again, or after the process was started at all. */
  | { readonly kind: 'running'; readonly afterMs: number }
  | { readonly kind: 'started'; readonly afterMs: number }
  /** It is not: it goes on to the end of its threads. */
  | { readonly kind: 'none' }

export interface Chance {
  /** In [0, 1). */
  next(): number
}

/** Mulberry32: small, and the same everywhere. */
export function chanceOf(seed: number): Chance {
  let state = seed >>> 0
  return {
    next() {
      state = (state + 0x6d2b79f5) >>> 0
      let mixed = Math.imul(state ^ (state >>> 15), state | 1)
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
    },
  }
}

const below = (chance: Chance, most: number) => Math.floor(chance.next() * most)

/**
 * Three of four lives end at a boundary at which none has died yet, as long as there is one; of the others half end at any
 * boundary, the rest at any time.
 */
export function planOf(chance: Chance, missing: ReadonlySet<FaultPoint>): Plan {
  const kind = chance.next()
  if (missing.size > 0 && kind < 0.75) {
    return { kind: 'point', dieAt: Object.fromEntries([...missing].map((name) => [name, 1])) }
  }
  const other = chance.next()
  if (other < 0.5) {
    const name = faultPoints[below(chance, faultPoints.length)] ?? 'effect.after'
    return { kind: 'point', dieAt: { [name]: 1 + below(chance, 12) } }
  }
  // The square: more kills early, a few after a long while.
  if (other < 0.85) return { kind: 'running', afterMs: Math.floor(chance.next() ** 2 * 400) }
  return { kind: 'started', afterMs: 60 + below(chance, 300) }
}

/** What a life is told beside: a message, a quit. */
export function extrasOf(chance: Chance, life: number) {
  return {
    says: chance.next() < 0.3 ? `and mind this, number ${life}` : null,
    quitAfterMs: chance.next() < 0.05 ? below(chance, 300) : null,
  }
}

export function pointNamed(name: string): FaultPoint | null {
  return faultPoints.find((each) => each === name) ?? null
}

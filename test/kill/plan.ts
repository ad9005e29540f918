import { type FaultPoint, faultPoints } from '../../core/domain/fault-point.ts'
import type { Life } from './life.ts'

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

/**
 * Three of four lives end at a boundary at which none has died yet, as long as there is one; of the others half end at any
 * boundary, the rest at any time. Every plan takes as many numbers, so that a seed means the same whatever was hit before.
 */
export function planOf(chance: Chance, missing: ReadonlySet<FaultPoint>): Plan {
  const isAimed = chance.next() < 0.75
  const [other, which, when] = [chance.next(), chance.next(), chance.next()]
  if (isAimed && missing.size > 0) {
    return { kind: 'point', dieAt: Object.fromEntries([...missing].map((name) => [name, 1])) }
  }
  if (other < 0.5) {
    const name = faultPoints[Math.floor(which * faultPoints.length)] ?? 'effect.after'
    return { kind: 'point', dieAt: { [name]: 1 + Math.floor(when * 12) } }
  }
  // The square: more kills early, a few after a long while.
  if (other < 0.85) return { kind: 'running', afterMs: Math.floor(when ** 2 * 400) }
  return { kind: 'started', afterMs: 60 + Math.floor(when * 300) }
}

/** What a life is told beside: how the person behaves, a message, a quit. */
export function extrasOf(chance: Chance, life: number): Pick<Life, 'says' | 'quitAfterMs' | 'isPatient' | 'recover'> {
  const [says, quits, when] = [chance.next(), chance.next(), chance.next()]
  return {
    says: says < 0.3 ? `and mind this, number ${life}` : null,
    quitAfterMs: quits < 0.05 ? Math.floor(when * 300) : null,
    isPatient: chance.next() < 0.5,
    recover: chance.next() < 0.2 ? 'suspend' : 'resume',
  }
}
/** Of a life that goes on to the end. */
export const noExtras = { says: null, quitAfterMs: null, isPatient: true, recover: 'resume' } as const

export function pointNamed(name: string): FaultPoint | null {
  return faultPoints.find((each) => each === name) ?? null
}

import type { Chance } from '../kill/plan.ts'
import type { Fault } from '../support/fault-proxy.ts'

/** Of an answer of the campaign's model; a cut beyond its end is none. */
const answerBytes = 4_500
const longestStorm = 5

/** What becomes of each request: so large a share of them is hit. A storm hits the next ones with the same. */
export function faultsOf(chance: Chance, share: number): () => Fault | null {
  let storm: Fault | null = null
  let left = 0
  return () => {
    const [hit, which, where] = [chance.next(), chance.next(), chance.next()]
    if (left > 0) {
      left -= 1
      return storm
    }
    if (hit >= share) return null
    const fault = kinds[Math.floor(which * kinds.length)]?.(where) ?? null
    if (fault?.kind === 'status') {
      storm = fault
      left = Math.floor(where * longestStorm)
    }
    return fault
  }
}

const at = (where: number) => Math.floor(where * answerBytes)
const kinds: readonly ((where: number) => Fault)[] = [
  () => ({ kind: 'refused' }),
  (where) => ({ kind: 'reset', afterBytes: at(where) }),
  () => ({ kind: 'reset', afterBytes: 0 }),
  (where) => ({ kind: 'stall', afterBytes: at(where) }),
  () => ({ kind: 'stall', afterBytes: 0 }),
  (where) => ({ kind: 'trickle', afterBytes: at(where) }),
  () => ({ kind: 'status', status: 429, retryAfter: null }),
  (where) => ({ kind: 'status', status: 429, retryAfter: where < 0.5 ? '1' : 'Wed, 21 Oct 2015 07:28:00 GMT' }),
  () => ({ kind: 'status', status: 500, retryAfter: null }),
  () => ({ kind: 'status', status: 503, retryAfter: null }),
]

/** For the report: storms by their status. */
export function nameOf(fault: Fault): string {
  if (fault.kind !== 'status') return fault.kind
  return `${fault.status}${fault.retryAfter === null ? '' : ' with Retry-After'}`
}

import { limits } from '../../domain/limits.ts'
import { type Activation, isOffered } from './activation.ts'
import { type Skip, skip } from './bar.ts'
import type { Episode } from './episode.ts'
import type { Synthesis } from './synthesis.ts'

/** A function that is known already: of a skill, or of a candidate that was refused. */
export interface KnownProgram {
  readonly skill: string
  readonly fingerprint: string
  /** Of its calls, in its order. */
  readonly sequence: readonly string[]
  /** `rolledBack`: it was live and failed; other work in its place is another version of it. */
  readonly state: 'live' | 'pending' | 'rejected' | 'rolledBack'
  readonly activation: Activation
  /** Threads that it was learnt from. */
  readonly support: readonly string[]
}

/** So many threads alike make a group, or a reason to change what is known. */
export const leastSupport = 3

/** What it calls, by the literal beginnings of its addresses: the same for another version of the same work. */
export function sequenceOf({ nodes }: Synthesis): readonly string[] {
  return nodes.flatMap(({ calls }) =>
    calls.map((call) => {
      const address = call.arguments.get('url') ?? call.arguments.get('path') ?? call.arguments.get('from')
      const literal = /^"((?:[^"\\]|\\.)*)"/.exec(address?.code ?? '')?.[1] ?? ''
      return [call.action, call.shape.method ?? '', literal].join(' ')
    }),
  )
}

interface Found {
  readonly synthesis: Synthesis
  readonly threads: readonly Episode[]
  readonly known: readonly KnownProgram[]
}

/** Nothing new: it is there already, it was refused, or too little has come since to change it. Source: learning 3.13. */
export function knownAs({ synthesis, threads, known }: Found): Skip | null {
  const sequence = sequenceOf(synthesis)
  for (const [at, { skill, fingerprint, state, support, sequence: other }] of known.entries()) {
    const isSame = fingerprint === synthesis.fingerprint
    if (state === 'rejected') {
      if (isSame && threads.length < 2 * support.length) return skip('rejected', skill)
      continue
    }
    if (isSame && state === 'rolledBack') return skip('rejected', skill)
    if (isSame) return isMissed(threads, known[at]) ? null : skip('duplicate', skill)
    const isPart = other.length > sequence.length && other.join('\n').includes(sequence.join('\n'))
    if (isPart && synthesis.unexplained !== null) return { ...skip('duplicate', skill), isBeginning: true }
    const fresh = threads.filter(({ threadId }) => !support.includes(threadId))
    if (isSameWork(sequence, other) && fresh.length < leastSupport) return skip('duplicate', skill)
  }
  return null
}

/** The same work was done without it, for goals that it was not offered for: told now and then, not after each of them. */
function isMissed(threads: readonly Episode[], known: KnownProgram | undefined): boolean {
  if (known === undefined) return false
  const isDue = askedAt.some((size) => size > known.support.length && threads.length >= size)
  return isDue && threads.some(({ goal }) => !isOffered(known.activation, goal))
}

const askedAt = [5, 8, limits.minerSupport]

export function isSameWork(a: readonly string[], b: readonly string[]): boolean {
  return a.join('\n') === b.join('\n')
}

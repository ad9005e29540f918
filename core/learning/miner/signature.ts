import type { Call } from './canonical.ts'
import { splitOnce } from './canonical.ts'

/** What kind of call it is: calls of one signature do the same work on other values. */
export type Signature = string

/** A call in its thread's order, with its signature. */
export interface Signed {
  readonly call: Call
  readonly signature: Signature
}

/** How large a share of the threads that come to a place must have the same piece there: half, or any that three have. */
export const coarse = 0.5
export const fine = 0

/**
 * Learns from all threads which pieces of paths are literal: one that at least three threads, and such a share of those that come
 * to its place, have there. Source: learning 3.2.
 */
export function signThreads(threads: readonly (readonly Call[])[], share = coarse): readonly (readonly Signed[])[] {
  const pieces: Pieces = { counts: countPieces(threads), share }
  const loose = looseKeys(threads, pieces)
  return threads.map((calls) =>
    calls.map((call) => {
      const shape = shapeOf(call)
      return { call, signature: loose.has(shape.loose) ? shape.loose : signatureOf(shape, pieces) }
    }),
  )
}

/** `loose`: what calls of one parallel step have in common, whatever stands in their paths. */
interface Shape {
  readonly head: string
  readonly pieces: readonly string[]
  readonly loose: string
}

function shapeOf({ action, args }: Call): Shape {
  if (action === 'http' && typeof args.url === 'string') {
    const [scheme, rest = ''] = splitOnce(args.url, '://')
    const [host = '', ...pieces] = rest.split('/')
    const head = `http ${String(args.method)} ${scheme}://${host}`
    return { head, pieces, loose: `${head}/${pieces[0] ?? ''}/…${pieces.length}` }
  }
  const path = args.path ?? args.from
  const pieces = typeof path === 'string' ? path.split('/').slice(0, 1) : []
  return { head: action, pieces, loose: `${action} …` }
}

/** How many kinds of calls there are, whatever stands in their paths: requests count by service, resource and depth. */
export function kindsOf(calls: readonly Call[]): number {
  return new Set(calls.map((call) => shapeOf(call).loose)).size
}

type Counts = Map<string, { readonly threads: Set<number>; readonly byPiece: Map<string, Set<number>> }>
interface Pieces {
  readonly counts: Counts
  readonly share: number
}

/** Pieces are compared where action, length and first piece agree. */
function placeOf({ head, pieces }: Shape, at: number): string {
  return [head, pieces.length, at === 0 ? '' : pieces[0], at].join(' ')
}

function countPieces(threads: readonly (readonly Call[])[]): Counts {
  const counts: Counts = new Map()
  for (const [thread, calls] of threads.entries()) {
    for (const call of calls) {
      const shape = shapeOf(call)
      for (const [at, piece] of shape.pieces.entries()) {
        const place = placeOf(shape, at)
        const count = counts.get(place) ?? { threads: new Set(), byPiece: new Map() }
        counts.set(place, count)
        count.threads.add(thread)
        const having = count.byPiece.get(piece) ?? new Set()
        count.byPiece.set(piece, having.add(thread))
      }
    }
  }
  return counts
}

function signatureOf(shape: Shape, { counts, share }: Pieces): Signature {
  const isFile = !shape.head.startsWith('http ')
  const pieces = shape.pieces.map((piece, at) => {
    const count = counts.get(placeOf(shape, at))
    const having = count?.byPiece.get(piece)?.size ?? 0
    // What stands first - a service's resource, a project's folder - is enough of a sign: many tasks share one host.
    return having >= 3 && (isFile || at === 0 || having >= share * (count?.threads.size ?? 0)) ? piece : '*'
  })
  return [shape.head, ...pieces].join('/')
}

/** Kinds of requests of which one step made three or more beside each other: there the paths say nothing. */
function looseKeys(threads: readonly (readonly Call[])[], pieces: Pieces): ReadonlySet<string> {
  const loose = new Set<string>()
  for (const calls of threads) {
    const bySteps = new Map<string, Shape[]>()
    for (const call of calls) {
      const shape = shapeOf(call)
      if (!shape.head.startsWith('http ')) continue
      const key = `${call.stepId} ${shape.loose}`
      bySteps.set(key, [...(bySteps.get(key) ?? []), shape])
    }
    for (const shapes of bySteps.values()) {
      const isMixed = new Set(shapes.map((shape) => signatureOf(shape, pieces))).size > 1
      const [first] = shapes
      if (shapes.length >= 3 && isMixed && first !== undefined) loose.add(first.loose)
    }
  }
  return loose
}

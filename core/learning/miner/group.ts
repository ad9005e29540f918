import { bodiesOf, fold, inTurns, type Run } from './fold.ts'
import type { Signature, Signed } from './signature.ts'

const shareKept = 0.6

/** Both do the same, if what only one of them read, or read elsewhere, is left out. Source: learning 3.4. */
export function isSimilar(a: readonly Signed[], b: readonly Signed[]): boolean {
  const longer = Math.max(kindsOf(a), kindsOf(b))
  if (commonTo([a, b]).size < shareKept * longer) return false
  const fitting = fit([a, b], true)
  if (fitting === null) return false
  const [bodies = []] = fitting.map(bodiesOf)
  return bodies.length > 0 && new Set(bodies).size >= shareKept * longer
}

/** A detour in the middle of a loop makes two of it: kinds of calls are counted, not places. */
function kindsOf(calls: readonly Signed[]): number {
  return new Set(calls.map(({ signature }) => signature)).size
}

/** Folded, of what all have in common; without one or two more kinds of reads where that makes them alike. Null where nothing does. */
function fit(threads: readonly (readonly Signed[])[], mayDrop: boolean): readonly (readonly Run[])[] | null {
  const common = commonTo(threads)
  const reads = new Set(threads.flat().flatMap(({ call, signature }) => (call.isWrite ? [] : [signature])))
  const lesser = mayDrop ? [...common].filter((signature) => reads.has(signature)).slice(0, mostLesser) : []
  const pairs = lesser.flatMap((one, at) => lesser.slice(at + 1).map((other) => [one, other]))
  for (const left of [[], ...lesser.map((one) => [one]), ...pairs]) {
    const chosen = new Set([...common].filter((signature) => !left.includes(signature)))
    const runs = threads
      .map((calls) => keepOnly(calls, chosen))
      .flatMap((calls) => (calls === null ? [] : [fold(calls)]))
    const [first] = runs.map((each) => bodiesOf(each).join('\n'))
    if (runs.length === threads.length && runs.every((each) => bodiesOf(each).join('\n') === first)) return runs
  }
  return null
}

const mostLesser = 8

function commonTo(threads: readonly (readonly Signed[])[]): ReadonlySet<Signature> {
  const [first = [], ...others] = threads.map((calls) => new Set(calls.map(({ signature }) => signature)))
  return new Set([...first].filter((signature) => others.every((each) => each.has(signature))))
}

/** Null where a write would be left out: a thread that wrote something else did something else. */
function keepOnly(calls: readonly Signed[], kept: ReadonlySet<Signature>): readonly Signed[] | null {
  const isKept = ({ signature }: Signed) => kept.has(signature)
  return calls.some((each) => each.call.isWrite && !isKept(each)) ? null : calls.filter(isKept)
}

/** One place of the program, with what stood there in each thread. */
export interface AlignedNode {
  readonly body: readonly Signature[]
  /** By thread: its iterations, each with one call for each signature of the body. */
  readonly threads: readonly Run['iterations'][]
}

export interface Alignment {
  /** Places in the list that was given. */
  readonly members: readonly number[]
  readonly nodes: readonly AlignedNode[]
}

/**
 * The threads of a group side by side; those that do not fit are left out, the first stays. A read that all have is given up only
 * where most threads would be left out for its sake. Source: learning 3.5.
 */
export function align(threads: readonly (readonly Signed[])[]): Alignment {
  const whole = alignBy(threads, false)
  if (whole.members.length >= shareKept * threads.length) return whole
  const lesser = alignBy(threads, true)
  return lesser.members.length > whole.members.length ? lesser : whole
}

function alignBy(threads: readonly (readonly Signed[])[], mayDrop: boolean): Alignment {
  let members = threads.map((_, at) => at)
  for (;;) {
    const chosen = members.map((at) => threads[at] ?? [])
    const runs = fit(chosen, mayDrop)
    const cuts = cutsOf(runs ?? [])
    const nodes = runs?.map((each) => cutAt(each, cuts)) ?? []
    const whole = nodes.flatMap((each) => each ?? [])
    if (runs !== null && whole.length > 0 && nodes.every((each) => each !== null)) {
      return { members, nodes: sideBySide(nodes.flatMap((each) => (each === null ? [] : [each]))) }
    }
    if (members.length <= 1) return { members, nodes: [] }
    const worst = runs === null ? leastLike(chosen) : nodes.lastIndexOf(null)
    members = members.filter((_, at) => at !== (worst < 1 ? members.length - 1 : worst))
  }
}

/** The thread that shares the least with all others: without it the most is common. */
function leastLike(threads: readonly (readonly Signed[])[]): number {
  const [first = []] = threads
  const shared = threads.map((calls) => commonTo([first, calls]).size)
  return shared.lastIndexOf(Math.min(...shared.slice(1)))
}

/** Where runs of more than one signature begin, by the place in the sequence: a thread with one iteration has the same cut. */
function cutsOf(threads: readonly (readonly Run[])[]): ReadonlyMap<number, number> {
  const cuts = new Map<number, number>()
  for (const runs of threads) {
    let at = 0
    for (const { body } of runs) {
      if (body.length > 1) cuts.set(at, body.length)
      at += body.length
    }
  }
  return cuts
}

function cutAt(runs: readonly Run[], cuts: ReadonlyMap<number, number>): readonly Run[] | null {
  const cut: Run[] = []
  let place = 0
  for (let at = 0; at < runs.length; ) {
    const run = runs[at]
    if (run === undefined) return null
    const length = cuts.get(place) ?? 1
    const parts = run.body.length === length ? [run] : runs.slice(at, at + length)
    const isOneRun = parts.length === 1 || parts.every(({ iterations }) => iterations.length === 1)
    const body = bodiesOf(parts)
    if (!isOneRun || body.length !== length) return null
    const calls = parts.flatMap(({ iterations }) => iterations.flat())
    cut.push({ body, iterations: inTurns(calls, length) })
    at += parts.length
    place += length
  }
  return cut
}

function sideBySide(threads: readonly (readonly Run[])[]): readonly AlignedNode[] {
  const [first = []] = threads
  return first.map(({ body }, at) => ({ body, threads: threads.map((runs) => runs[at]?.iterations ?? []) }))
}

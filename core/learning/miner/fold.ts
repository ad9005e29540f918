import type { Call } from './canonical.ts'
import type { Signature, Signed } from './signature.ts'

/** A piece of a thread: one call, or the same few calls again and again. */
export interface Run {
  readonly body: readonly Signature[]
  /** Each with one call for each signature of the body. */
  readonly iterations: readonly (readonly Call[])[]
}

const longestBody = 3

/** Repeats next to each other become one run, the shortest first, from left to right. Source: learning 3.3. */
export function fold(calls: readonly Signed[]): readonly Run[] {
  let runs: readonly Run[] = calls.map(({ call, signature }) => ({ body: [signature], iterations: [[call]] }))
  for (let length = 1; length <= longestBody; length += 1) runs = foldLength(runs, length)
  return runs
}

function foldLength(runs: readonly Run[], length: number): readonly Run[] {
  const folded: Run[] = []
  let at = 0
  while (at < runs.length) {
    const first = bodyAt(runs, at, length)
    let times = 1
    while (first !== null && isSame(bodyAt(runs, at + times * length, length), first)) times += 1
    const run = runs[at]
    if (first === null || times < 2) {
      if (run !== undefined) folded.push(run)
      at += 1
      continue
    }
    const parts = runs.slice(at, at + times * length)
    folded.push({
      body: first,
      iterations: inTurns(
        parts.flatMap(({ iterations }) => iterations.flat()),
        length,
      ),
    })
    at += times * length
  }
  return folded
}

/** Loops within loops are not looked for. */
function bodyAt(runs: readonly Run[], at: number, length: number): readonly Signature[] | null {
  const parts = runs.slice(at, at + length)
  const isPlain =
    parts.length === length && parts.every(({ body, iterations }) => body.length + iterations.length === 2)
  return isPlain ? parts.flatMap(({ body }) => body) : null
}

function isSame(a: readonly Signature[] | null, b: readonly Signature[]): boolean {
  return a !== null && a.length === b.length && a.every((signature, at) => signature === b[at])
}

export function inTurns<Item>(items: readonly Item[], length: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.floor(items.length / length) }, (_, at) =>
    items.slice(at * length, (at + 1) * length),
  )
}

/** What it does, whatever the number of repeats. */
export function bodiesOf(runs: readonly Run[]): readonly Signature[] {
  return runs.flatMap(({ body }) => body)
}

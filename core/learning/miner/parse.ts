import { limits } from '../../domain/limits.ts'
import type { Source } from './source.ts'
import { type GoalView, type Span, spanSizes, spansAt } from './span.ts'

export type Piece =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'source'; readonly source: Source }
  /** A piece of each thread's goal, as it stands there. */
  | { readonly kind: 'span'; readonly values: readonly string[] }

export interface ParseTask {
  readonly targets: readonly string[]
  readonly sources: readonly Source[]
  readonly goals: readonly GoalView[]
  /** The thread of each sample: a piece of the goal is one and the same within a thread. */
  readonly owners: readonly number[]
  /** Throws once the time is over. */
  checkTime(): void
}

interface State {
  readonly places: readonly number[]
  readonly cost: number
  readonly before: State | null
  readonly piece: Piece | null
}

const literalCost = 0.2
const sourceCost = 1.5
const spanCost = 3

/**
 * Explains texts, one a sample, by the same pieces in the same order: the cheapest way, found by moving through all of them at
 * once. Null where there is none, or the search grows too large. Source: learning 3.6.
 */
export function parseTogether(task: ParseTask): readonly Piece[] | null {
  const { targets } = task
  const texts = usable(task.sources)
  const queue = createQueue()
  queue.add({ places: targets.map(() => 0), cost: 0, before: null, piece: null })
  const seen = new Set<string>()
  for (let state = queue.take(); state !== undefined; state = queue.take()) {
    const key = state.places.join()
    if (seen.has(key)) continue
    if (state.places.every((place, at) => place === targets[at]?.length)) return piecesOf(state)
    seen.add(key)
    if (seen.size % 64 === 0) task.checkTime()
    if (seen.size > limits.minerStates) return null
    for (const next of movesFrom(state, task, texts)) if (!seen.has(next.places.join())) queue.add(next)
  }
  return null
}

interface Usable {
  readonly source: Source
  readonly texts: readonly string[]
}

/** By the first character of the first sample. */
function usable(sources: readonly Source[]): ReadonlyMap<string, readonly Usable[]> {
  const found = new Map<string, Usable[]>()
  for (const source of sources) {
    const texts = source.values.map(textOf)
    const [first] = texts
    if (first === undefined || texts.some((text) => text === undefined || !isTelling(text))) continue
    if (texts.every((text) => text === first)) continue
    const list = found.get(first.charAt(0)) ?? []
    list.push({ source, texts: texts.map((text) => text ?? '') })
    found.set(first.charAt(0), list)
  }
  return found
}

/** A single letter proves nothing. */
const isTelling = (text: string) => text.length >= 2 || /\d/.test(text)

/** As Python's `str`: the numbers that both write alike. */
function textOf(value: Source['values'][number]): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value !== 'number' || (value !== 0 && (Math.abs(value) < 1e-4 || Math.abs(value) >= 1e15)))
    return undefined
  return String(value)
}

function movesFrom(state: State, task: ParseTask, sources: ReadonlyMap<string, readonly Usable[]>): readonly State[] {
  const { targets, goals, owners } = task
  const { places, cost } = state
  const moves: State[] = []
  const first = targets[0]?.charAt(places[0] ?? 0) ?? ''
  const go = (lengths: (at: number) => number, price: number, piece: Piece) =>
    moves.push({ places: places.map((place, at) => place + lengths(at)), cost: cost + price, before: state, piece })
  if (first !== '' && targets.every((text, at) => text.charAt(places[at] ?? 0) === first)) {
    go(() => 1, literalCost, { kind: 'literal', text: first })
  }
  for (const { source, texts } of sources.get(first) ?? []) {
    if (!targets.every((text, at) => text.startsWith(texts[at] ?? '', places[at]))) continue
    go((at) => texts[at]?.length ?? 0, sourceCost + 0.01 * source.code.length, { kind: 'source', source })
  }
  const spans = targets.map((text, at) => spansFor(goals[at], text, places[at] ?? 0))
  for (const size of spanSizes.keys()) {
    const chosen = spans.flatMap((each) => each[size] ?? [])
    if (chosen.length < targets.length || !isOnePerThread(chosen, owners)) continue
    if (chosen.every(({ text }) => text === chosen[0]?.text)) continue
    go((at) => chosen[at]?.length ?? 0, spanCost, { kind: 'span', values: chosen.map(({ text }) => text) })
  }
  return moves
}

function spansFor(view: GoalView | undefined, text: string, from: number): readonly (Span | undefined)[] {
  return view === undefined ? [] : spansAt(view, text, from)
}

function isOnePerThread(spans: readonly Span[], owners: readonly number[]): boolean {
  const byThread = new Map<number | undefined, string>()
  return spans.every(({ text }, at) => {
    const before = byThread.get(owners[at])
    byThread.set(owners[at], text)
    return before === undefined || before === text
  })
}

function piecesOf(end: State): readonly Piece[] {
  const pieces: Piece[] = []
  for (let state: State | null = end; state?.piece != null; state = state.before) {
    const [after] = pieces
    const { piece } = state
    if (piece.kind === 'literal' && after?.kind === 'literal')
      pieces[0] = { kind: 'literal', text: piece.text + after.text }
    else pieces.unshift(piece)
  }
  return pieces
}

/** The cheapest first; of equals the one that came first. */
function createQueue() {
  const heap: { state: State; order: number }[] = []
  let order = 0
  const isBefore = (a: number, b: number) => {
    const [left, right] = [heap[a], heap[b]]
    if (left === undefined || right === undefined) return false
    return left.state.cost - right.state.cost < 0 || (left.state.cost === right.state.cost && left.order < right.order)
  }
  const swap = (a: number, b: number) => {
    const [left, right] = [heap[a], heap[b]]
    if (left !== undefined && right !== undefined) [heap[a], heap[b]] = [right, left]
  }
  return {
    add(state: State) {
      heap.push({ state, order })
      order += 1
      for (let at = heap.length - 1; at > 0 && isBefore(at, (at - 1) >> 1); at = (at - 1) >> 1) swap(at, (at - 1) >> 1)
    },
    take(): State | undefined {
      swap(0, heap.length - 1)
      const top = heap.pop()
      for (let at = 0; ; ) {
        const [left, right] = [2 * at + 1, 2 * at + 2]
        const least = isBefore(right, left) ? right : left
        if (!isBefore(least, at)) return top?.state
        swap(at, least)
        at = least
      }
    },
  }
}

import { isFailure, type Span } from './span.ts'
import { childrenOf, spanAt, type Timeline } from './timeline.ts'

/** What decides which rows are there. */
export interface RowFilter {
  /** Ids whose children are hidden. */
  readonly folded: ReadonlySet<number>
  /** Kinds that are hidden. Without `step` the calls stand directly below the thread. */
  readonly hiddenKinds: ReadonlySet<Span['kind']>
  /** Words that name, summary or code must all hold; empty for everything. */
  readonly query: string
}

/** Rows from top to bottom, pre-order. `ids[i]` is a span; `levels[i]` counts from 1. */
export interface Rows {
  readonly ids: Int32Array
  readonly levels: Uint8Array
  /** Row of a span, −1 where it is not shown. */
  readonly rowOf: Int32Array
  /** Spans that match the query; equals the spans when there is none. */
  readonly matches: number
}

/** One pass over the spans, without recursion. A match shows with the rows above it, folded or not. */
export function rowsOf(timeline: Timeline, filter: RowFilter): Rows {
  const { spans } = timeline
  const words = filter.query.toLowerCase().split(/\s+/).filter(Boolean)
  const ids = new Int32Array(spans.length)
  const levels = new Uint8Array(spans.length)
  const rowOf = new Int32Array(spans.length).fill(-1)
  let count = 0
  let matches = 0
  const add = (id: number, level: number) => {
    ids[count] = id
    levels[count] = level
    rowOf[id] = count
    count += 1
  }
  const showsSteps = !filter.hiddenKinds.has('step')
  add(0, 1)
  for (const stepId of filter.folded.has(0) && words.length === 0 ? [] : childrenOf(timeline, 0)) {
    const stepRow = count
    if (showsSteps) add(stepId, 2)
    const stepMatches = words.length > 0 && holds(spanAt(timeline, stepId), words)
    let shown = stepMatches ? 1 : 0
    for (const id of childrenOf(timeline, stepId)) {
      const call = spanAt(timeline, id)
      if (filter.hiddenKinds.has(call.kind) || (words.length > 0 && !holds(call, words))) continue
      shown += 1
      if (words.length > 0 || !showsSteps || !filter.folded.has(stepId)) add(id, showsSteps ? 3 : 2)
    }
    matches += shown
    if (words.length > 0 && shown === 0 && showsSteps) {
      count = stepRow
      rowOf[stepId] = -1
    }
  }
  return {
    ids: ids.slice(0, count),
    levels: levels.slice(0, count),
    rowOf,
    matches: words.length > 0 ? matches : spans.length,
  }
}

/** The next call that failed or was refused after a span in the order of the rows, from the top again after the last. */
export function nextFailure(timeline: Timeline, fromId: number, direction: 1 | -1): number | null {
  const failures: number[] = []
  for (const stepId of childrenOf(timeline, 0)) {
    if (spanAt(timeline, stepId).errors === 0) continue
    for (const id of childrenOf(timeline, stepId)) if (isFailure(spanAt(timeline, id).state)) failures.push(id)
  }
  const from = spanAt(timeline, fromId)
  const ordered = direction === 1 ? failures : failures.reverse()
  const next = ordered.find((id) => isAfter(spanAt(timeline, id), from) === direction)
  return next ?? ordered[0] ?? null
}

/** 1 below, −1 above, 0 the same call; a step stands above its calls. */
function isAfter(one: Span, other: Span): number {
  return Math.sign(one.step - other.step || pathNumber(one) - pathNumber(other))
}

function pathNumber(span: Span): number {
  return span.path === '' ? -1 : Number(span.path)
}

function holds(span: Span, words: readonly string[]): boolean {
  const text = `${span.name} ${span.summary} ${span.outcome} ${span.code ?? ''} ${span.state}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

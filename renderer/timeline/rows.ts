import { comparePaths } from '../../core/domain/calls.ts'
import { isFailure, type Span } from './span.ts'
import { callsOf, childrenOf, spanAt, type Timeline } from './timeline.ts'

/** What decides which rows are there. */
export interface RowFilter {
  /** Ids whose children are hidden. */
  readonly folded: ReadonlySet<number>
  /** Kinds that are hidden. What stands below them moves up. */
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

/** One pass over the spans. A match shows with the rows above it, folded or not. */
export function rowsOf(timeline: Timeline, filter: RowFilter): Rows {
  const { spans } = timeline
  const words = filter.query.toLowerCase().split(/\s+/).filter(Boolean)
  const ids = new Int32Array(spans.length)
  const levels = new Uint8Array(spans.length)
  const rowOf = new Int32Array(spans.length).fill(-1)
  const isSearch = words.length > 0
  let count = 0

  /** Answers how many matches stand at and below a span. Threads nest a few levels deep, never more. */
  function walk(id: number, level: number, isInSight: boolean): number {
    const span = spanAt(timeline, id)
    const hasRow = id === 0 || !filter.hiddenKinds.has(span.kind)
    const row = count
    const isShown = hasRow && (isSearch || isInSight)
    if (isShown) {
      ids[count] = id
      levels[count] = level
      rowOf[id] = count
      count += 1
    }
    let matches = id > 0 && hasRow && isSearch && holds(span, words) ? 1 : 0
    const opens = isInSight && !filter.folded.has(id)
    for (const child of childrenOf(timeline, id)) matches += walk(child, hasRow ? level + 1 : level, opens)
    if (isSearch && matches === 0 && isShown && id > 0) {
      count = row
      rowOf[id] = -1
    }
    return matches
  }

  const matches = walk(0, 1, true)
  return {
    ids: ids.slice(0, count),
    levels: levels.slice(0, count),
    rowOf,
    matches: isSearch ? matches : spans.length,
  }
}

/** The next call that failed or was refused after a span in the order of the rows, from the top again after the last. */
export function nextFailure(timeline: Timeline, fromId: number, direction: 1 | -1): number | null {
  const failures: number[] = []
  for (const stepId of childrenOf(timeline, 0)) {
    if (spanAt(timeline, stepId).errors === 0) continue
    for (const id of callsOf(timeline, stepId)) if (isFailure(spanAt(timeline, id).state)) failures.push(id)
  }
  const from = spanAt(timeline, fromId)
  const ordered = direction === 1 ? failures : failures.reverse()
  const next = ordered.find((id) => isAfter(spanAt(timeline, id), from) === direction)
  return next ?? ordered[0] ?? null
}

/** 1 below, −1 above, 0 the same call; a step stands above its calls. */
function isAfter(one: Span, other: Span): number {
  return Math.sign(one.step - other.step || comparePaths(one.path || '-1', other.path || '-1'))
}

function holds(span: Span, words: readonly string[]): boolean {
  const text = `${span.name} ${span.summary} ${span.outcome} ${span.code ?? ''} ${span.state}`.toLowerCase()
  return words.every((word) => text.includes(word))
}

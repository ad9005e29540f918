import { childrenOf, spanAt, type Timeline } from './timeline.ts'

export interface CriticalPath {
  readonly ids: ReadonlySet<number>
  /** Time in the calls of the path; what lies between them is not counted. */
  readonly durationMs: number
}

/**
 * The calls that the thread's length hangs on: in each step backwards from the call that ended last, always to the call
 * that ended last before it began. Steps follow each other, so the path of the whole is the paths of its steps.
 */
export function criticalPathOf(timeline: Timeline, now: number): CriticalPath {
  const ids = new Set<number>()
  let durationMs = 0
  for (const stepId of childrenOf(timeline, 0)) {
    const calls = childrenOf(timeline, stepId).map((id) => {
      const { startedAt, endedAt } = spanAt(timeline, id)
      return { id, startedAt, endedAt: endedAt ?? now }
    })
    calls.sort((a, b) => b.endedAt - a.endedAt || b.startedAt - a.startedAt)
    let beginsAt = Number.POSITIVE_INFINITY
    for (const call of calls) {
      if (call.endedAt > beginsAt) continue
      ids.add(call.id)
      durationMs += Math.max(0, call.endedAt - call.startedAt - restedMs(timeline, call))
      beginsAt = call.startedAt
    }
  }
  return { ids, durationMs }
}

/** Time of a call in which the thread waited for somebody, or was suspended. */
function restedMs({ pauses }: Timeline, call: { readonly startedAt: number; readonly endedAt: number }): number {
  let rested = 0
  for (const { why, startedAt, endedAt } of pauses) {
    if (why === 'slot') continue
    const [from, to] = [Math.max(startedAt, call.startedAt), Math.min(endedAt ?? call.endedAt, call.endedAt)]
    rested += Math.max(0, to - from)
  }
  return rested
}

/** Time of a span in which none of its children ran: what the engine itself took. */
export function selfTimeMs(timeline: Timeline, id: number, now: number): number {
  const span = spanAt(timeline, id)
  const end = span.endedAt ?? now
  const children = childrenOf(timeline, id).map((child) => spanAt(timeline, child))
  children.sort((a, b) => a.startedAt - b.startedAt)
  let covered = 0
  let until = span.startedAt
  for (const child of children) {
    const childEnd = Math.min(child.endedAt ?? now, end)
    if (childEnd <= until) continue
    covered += childEnd - Math.max(until, child.startedAt)
    until = childEnd
  }
  return Math.max(0, end - span.startedAt - covered)
}

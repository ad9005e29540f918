import { type Axis, toUnits } from './axis.ts'
import { isFailure } from './span.ts'
import { callsOf, childrenOf, spanAt, type Timeline } from './timeline.ts'

/** The colours of the overview, by their place in a column array; 0 is blank. */
export const overviewInks = [
  ...(['none', 'k-th', 'k-lm', 'k-tl', 'st-failed-fill', 'st-queued-fill'] as const),
  ...(['k-cx', 'st-waiting-fill'] as const),
] as const
const [, thread, model, action, failed, wait, code, asks] = [0, 1, 2, 3, 4, 5, 6, 7] as const
const inks = { thread, step: thread, model, action, code, query: model, child: thread } as const
/** Thread line, model calls, actions, actions that ran beside others. */
export const overviewLanes = 4

/**
 * One byte per pixel column and lane: which ink it gets. However many spans there are, drawing costs the width. A failure
 * is never painted over.
 */
export function overviewColumns(
  timeline: Timeline,
  axis: Axis,
  { widthPx, now, isLive }: { readonly widthPx: number; readonly now: number; readonly isLive: boolean },
): readonly Uint8Array[] {
  const lanes = Array.from({ length: overviewLanes }, () => new Uint8Array(widthPx))
  const column = (at: number) => Math.floor((toUnits(axis, at) / axis.total) * widthPx)
  const fill = (lane: number, ink: number, from: number, to: number) => {
    const columns = lanes[lane]
    const [first, last] = [Math.max(0, column(from)), Math.max(column(from) + 1, column(to))]
    // A wide bar keeps its last column blank, so that bars side by side stay apart.
    const end = last - first > 3 ? last - 1 : last
    for (let x = first; x < Math.min(end, widthPx); x += 1) {
      if (columns && columns[x] !== failed) columns[x] = ink
    }
  }
  const endOf = (endedAt: number | null, startedAt: number) => endedAt ?? (isLive ? now : startedAt)
  const root = spanAt(timeline, 0)
  fill(0, thread, root.startedAt, endOf(root.endedAt, root.startedAt))
  for (const pause of timeline.pauses) {
    fill(0, pause.why === 'slot' ? wait : 0, pause.startedAt, endOf(pause.endedAt, pause.startedAt))
  }
  for (const gap of axis.gaps) fill(0, 0, gap.startedAt, gap.endedAt)
  for (const stepId of childrenOf(timeline, 0)) {
    let busyUntil = 0
    for (const id of childrenOf(timeline, stepId)) {
      const call = spanAt(timeline, id)
      const end = endOf(call.endedAt, call.startedAt)
      const ink = isFailure(call.state) ? failed : inks[call.kind]
      if (call.state !== 'waiting' || call.kind !== 'action') {
        fill(call.kind === 'model' ? 1 : call.startedAt < busyUntil ? 3 : 2, ink, call.startedAt, end)
        if (call.kind !== 'model') busyUntil = Math.max(busyUntil, end)
      }
    }
  }
  // Code that stands at a call which waits is not at work.
  for (const pause of timeline.pauses) {
    if (pause.why !== 'slot') fill(2, 0, pause.startedAt, pause.endedAt ?? now)
  }
  for (const stepId of childrenOf(timeline, 0)) {
    for (const id of callsOf(timeline, stepId)) {
      const { asked, state } = spanAt(timeline, id)
      if (asked) fill(3, asks, asked.at, asked.until ?? (state === 'waiting' ? now : asked.at))
    }
  }
  return lanes
}

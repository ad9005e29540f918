import { useMemo } from 'react'
import { isTerminal, type ThreadHeader } from '../../../core/domain/thread.ts'
import { axisOf, foldedMs, type Range, toTime, toUnits } from '../../timeline/axis.ts'
import type { View } from '../../timeline/bars.ts'
import { criticalPathOf } from '../../timeline/critical-path.ts'
import { rowsOf } from '../../timeline/rows.ts'
import type { Pause } from '../../timeline/span.ts'
import { spanAt, type Timeline } from '../../timeline/timeline.ts'
import { useAxisEnd } from './use-window.ts'
import { foldedOf, type ViewState } from './view-state.ts'

interface Shown {
  readonly timeline: Timeline
  readonly version: number
  readonly header: ThreadHeader
  readonly state: ViewState
}

/** Everything that the timeline view draws, derived from the facts and from what is looked at. */
export function useInspector({ timeline, version, header, state }: Shown) {
  // A thread that waits for somebody still has its clock: how long is what is asked.
  const isLive = header.state === 'Running' || header.state === 'Waiting'
  const root = spanAt(timeline, 0)
  const lastAt = useMemo(() => lastAtOf(timeline, header), [timeline, version, header])
  const { axisMode, zooms, hiddenKinds, query } = state
  const folded = useMemo(() => foldedOf(timeline, state), [timeline, version, state.folded, state.opened])
  const idleMs = useMemo(() => foldedMs(timeline, axisMode, lastAt), [timeline, version, axisMode, lastAt])
  // What is folded takes no room, so it must not count when the room ahead of now is measured.
  const endAt = useAxisEnd(root.startedAt + idleMs, lastAt, isLive)
  const axis = useMemo(() => axisOf(timeline, axisMode, endAt), [timeline, version, axisMode, endAt])
  const rows = useMemo(
    () => rowsOf(timeline, { folded, hiddenKinds, query }),
    [timeline, version, folded, hiddenKinds, query],
  )
  const critical = useMemo(() => criticalPathOf(timeline, lastAt), [timeline, version, lastAt])
  const zoom = zooms.at(-1)
  const view = useMemo((): View => {
    const range: Range = zoom
      ? { from: toUnits(axis, zoom.from), to: Math.max(toUnits(axis, zoom.to), toUnits(axis, zoom.from) + 1e-6) }
      : { from: 0, to: axis.total }
    return { axis, range, now: lastAt, isLive }
  }, [axis, zoom, lastAt, isLive])
  return { isLive, view, rows, folded, critical, slotWait: openSlotWait(timeline, header) }
}

/** The instants of a range of units. */
export function instantsOf(view: View, range: Range): Range {
  return { from: toTime(view.axis, range.from), to: toTime(view.axis, range.to) }
}

/** The last instant of which something is on record. */
function lastAtOf(timeline: Timeline, header: ThreadHeader): number {
  let last = Math.max(header.createdAt, header.endedAt ?? header.updatedAt)
  if (header.endedAt !== null) return last
  for (const { startedAt, endedAt } of timeline.spans) last = Math.max(last, startedAt, endedAt ?? 0)
  return last
}

/** The thread waits for a slot right now. */
function openSlotWait(timeline: Timeline, header: ThreadHeader): Pause | null {
  const last = timeline.pauses.at(-1)
  return last?.why === 'slot' && last.endedAt === null && !isTerminal(header.state) ? last : null
}

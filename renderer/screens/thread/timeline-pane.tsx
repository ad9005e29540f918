import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { ThreadHeader } from '../../../core/domain/thread.ts'
import type { StatusLook } from '../../components/status.tsx'
import { clockText } from '../../format/figures.ts'
import { type Range, toTime } from '../../timeline/axis.ts'
import { isSplit } from '../../timeline/bars.ts'
import { labelOf } from '../../timeline/ticks.ts'
import { spanAt, type Timeline } from '../../timeline/timeline.ts'
import { BudgetStrip } from './budget-strip.tsx'
import { Foot, type LegendName } from './foot.tsx'
import { Grid } from './grid.tsx'
import { lengths } from './lengths.ts'
import { Overview } from './overview.tsx'
import { Splitter } from './splitter.tsx'
import type { useInspector } from './use-inspector.ts'
import { isNumber, useRemembered } from './use-remembered.ts'
import { useSize } from './use-window.ts'
import type { ViewChange, ViewState } from './view-state.ts'

interface TimelinePaneProps {
  readonly timeline: Timeline
  readonly version: number
  readonly header: ThreadHeader
  readonly shown: ReturnType<typeof useInspector>
  readonly state: ViewState
  readonly look: StatusLook
  readonly change: (change: ViewChange) => void
  readonly onRange: (range: Range, isNew: boolean) => void
  readonly onError: () => void
  readonly onEnter: () => void
}

const treePx = { min: 280, max: 720, initial: 450 }
/** The waterfall keeps at least this share, however wide the tree was left. */
const treeShare = 0.55

/** Overview and grid on one time axis. */
export function TimelinePane(props: TimelinePaneProps) {
  const { timeline, version, header, shown, state, look, change } = props
  const { view, rows, critical, isLive } = shown
  const [treeWidth, setTreeWidth] = useRemembered('treeWidth', treePx.initial, isNumber)
  const [mainRef, { widthPx }] = useSize<HTMLElement>()
  const shownWidth = widthPx === 0 ? treeWidth : Math.max(treePx.min, Math.min(treeWidth, widthPx * treeShare))
  const scroller = useRef<HTMLDivElement>(null)
  const { isFollowing, newRows, setAtBottom } = useFollow(scroller, rows.ids.length, isLive)
  const legend = useLegend(timeline, version)
  const follow = () => scroller.current?.scrollTo({ top: scroller.current.scrollHeight })
  const errors = spanAt(timeline, 0).errors
  return (
    <>
      <div className="strip">
        <div className="lab">
          <span className="label">Zoom</span>
          <Crumbs {...props} />
        </div>
        <Overview timeline={timeline} version={version} view={view} onRange={props.onRange} />
        <BudgetStrip timeline={timeline} version={version} view={view} />
      </div>
      <section className="main" aria-label="Timeline" ref={mainRef} style={lengths({ '--w-tree': shownWidth })}>
        <Splitter
          label="Width of the tree"
          className="tree-edge"
          widthPx={Math.round(shownWidth)}
          minPx={treePx.min}
          maxPx={treePx.max}
          side="left"
          onChange={setTreeWidth}
        />
        <Grid
          timeline={timeline}
          version={version}
          rows={rows}
          view={view}
          state={state}
          folded={shown.folded}
          criticalIds={critical.ids}
          threadLook={look}
          label={`Spans of thread ${header.number}`}
          scroller={scroller}
          change={change}
          onAtBottom={setAtBottom}
          onEnter={props.onEnter}
        />
        <Foot
          rows={rows.ids.length}
          spans={timeline.spans.length}
          criticalMs={critical.durationMs}
          showsCriticalPath={state.showsCriticalPath}
          errors={errors}
          isLive={isLive}
          newRows={newRows}
          isFollowing={isFollowing}
          legend={legend}
          onCritical={() => change({ type: 'critical' })}
          onError={props.onError}
          onFollow={follow}
        />
      </section>
    </>
  )
}

/** All, then each window that was zoomed into; every one of them leads back. */
function Crumbs({ shown: { view }, state, change }: TimelinePaneProps): ReactNode {
  const { axis } = view
  const first = axis.at[0] ?? 0
  const end = toTime(axis, axis.total)
  const name = ({ from, to }: Range) => {
    const stepMs = to - from < 2_000 ? 1 : to - from < 20_000 ? 100 : 1_000
    return `${labelOf(axis, Math.max(from, first), stepMs)} – ${labelOf(axis, Math.min(to, end), stepMs)}`
  }
  if (state.zooms.length === 0) return <b className="small">{name({ from: first, to: end })}</b>
  const shownZooms = state.zooms.slice(-2)
  const hidden = state.zooms.length - shownZooms.length
  return (
    <span className="crumbs small">
      <button
        type="button"
        className="link"
        title={`Everything, ${clockText(end - first)}`}
        onClick={() => change({ type: 'zoomOut', depth: 0 })}
      >
        all
      </button>
      {hidden > 0 && <span title={`${hidden} windows between`}>▸ …</span>}
      {shownZooms.map((zoom, at) => {
        const depth = hidden + at + 1
        const isLast = depth === state.zooms.length
        return (
          <span key={depth} className="row">
            ▸
            {isLast ? (
              <b>{name(zoom)}</b>
            ) : (
              <button type="button" className="link" onClick={() => change({ type: 'zoomOut', depth })}>
                {name(zoom)}
              </button>
            )}
          </span>
        )
      })}
    </span>
  )
}

/** A live grid stays at its end only while it is there; rows that come in below are counted. */
function useFollow(scroller: React.RefObject<HTMLDivElement | null>, rowCount: number, isLive: boolean) {
  const [isAtBottom, setAtBottom] = useState(true)
  const [seenRows, setSeenRows] = useState(rowCount)
  const wasAtBottom = useRef(true)
  const onBottom = (next: boolean) => {
    wasAtBottom.current = next
    setAtBottom(next)
    if (next) setSeenRows(rowCount)
  }
  useLayoutEffect(() => {
    if (!isLive || !wasAtBottom.current || rowCount === 0) return
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight })
    setSeenRows(rowCount)
  }, [rowCount, isLive, scroller])
  return { isFollowing: isAtBottom, newRows: Math.max(0, rowCount - seenRows), setAtBottom: onBottom }
}

/** Only textures that are on this timeline are explained. */
function useLegend(timeline: Timeline, version: number): ReadonlySet<LegendName> {
  return useMemo(() => {
    const legend = new Set<LegendName>()
    if (timeline.pauses.some(({ why }) => why === 'slot')) legend.add('slot')
    if (timeline.spans.some(({ backOffs }) => backOffs.length > 0)) legend.add('backoff')
    if (timeline.spans.some(({ asked, state }) => asked || state === 'waiting')) legend.add('approval')
    if (timeline.spans.some(isSplit)) legend.add('pre')
    return legend
  }, [timeline, version])
}

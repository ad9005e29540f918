// biome-ignore-all lint/a11y: virtual rows cannot be a table, so the roles of one are given by hand
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import type { StatusLook } from '../../components/status.tsx'
import type { View } from '../../timeline/bars.ts'
import type { Rows } from '../../timeline/rows.ts'
import { gapMarksOf, ticksOf } from '../../timeline/ticks.ts'
import { spanAt, type Timeline } from '../../timeline/timeline.ts'
import { gridMove } from './grid-keys.ts'
import { Row } from './row.tsx'
import { useRowHeight, useSize } from './use-window.ts'
import { opensUp, type ViewChange, type ViewState } from './view-state.ts'

export interface GridProps {
  readonly timeline: Timeline
  readonly version: number
  readonly rows: Rows
  readonly view: View
  readonly state: ViewState
  readonly folded: ReadonlySet<number>
  readonly criticalIds: ReadonlySet<number>
  readonly threadLook: StatusLook
  readonly label: string
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly change: (change: ViewChange) => void
  /** Enter was pressed on a row: its detail is shown and gets the focus. */
  readonly onEnter: () => void
  readonly onAtBottom: (isAtBottom: boolean) => void
}

const overscanRows = 6
const bottomPx = 4

/** Tree and waterfall in one grid of virtual rows. */
export function Grid(props: GridProps) {
  const { timeline, rows, view, state, scroller, change } = props
  const rowPx = useRowHeight()
  const [axisRef, { widthPx }] = useSize<HTMLDivElement>()
  const activeRow = Math.max(0, rows.rowOf[state.selected] ?? 0)
  const virtual = useVirtualizer({
    count: rows.ids.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: overscanRows,
    // The focused row stays mounted, wherever it is.
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range)
      return shown.includes(activeRow) ? shown : [...shown, activeRow].sort((a, b) => a - b)
    },
  })
  useLayoutEffect(() => virtual.measure(), [rowPx])
  useAnchor(props, activeRow, rowPx)
  const shownSelection = useRef(0)
  useLayoutEffect(() => {
    if (shownSelection.current === state.selected) return
    shownSelection.current = state.selected
    virtual.scrollToIndex(activeRow, { align: 'auto' })
  })
  useFocusFollows(scroller, state.selected)
  useFirstFocus(scroller, virtual.getVirtualItems().length > 0)

  const select = useCallback((id: number, opens: boolean) => change({ type: 'select', id, opens }), [change])
  const fold = useCallback((id: number, isFolded: boolean) => change({ type: 'fold', ids: [id], isFolded }), [change])
  const onKeyDown = (event: KeyboardEvent) => {
    const pageRows = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowPx) - 1)
    const move = gridMove(event, { timeline, rows, folded: props.folded, selected: state.selected, pageRows })
    if (move === null) return
    event.preventDefault()
    event.stopPropagation()
    change(move)
    if (event.key === 'Enter') props.onEnter()
  }
  const gaps = gapMarksOf(view.axis, view.range)
  const ticks = ticksOf(view.axis, view.range, { widthPx })
  return (
    <div
      className="grid-box"
      role="treegrid"
      aria-label={props.label}
      aria-rowcount={rows.ids.length + 1}
      aria-colcount={6}
      onKeyDown={onKeyDown}
    >
      <div className="ghead" role="row" aria-rowindex={1}>
        <div className="tgrid">
          <span role="columnheader">Name</span>
          <span role="columnheader">Kind</span>
          <span role="columnheader">
            <span className="sr">Status</span>
          </span>
          <span role="columnheader" className="num">
            Time
          </span>
          <span role="columnheader" className="num">
            Tok
          </span>
        </div>
        <div className="axis" ref={axisRef} role="columnheader">
          <span className="sr">Waterfall</span>
          {ticks.map((tick) => (
            <span key={tick.percent} className="tick" style={{ left: `${tick.percent}%` }}>
              {tick.label}
            </span>
          ))}
          {gaps.map((gap) => (
            <span
              key={gap.fromPercent}
              className="tick brk"
              title={`Nothing ran for ${gap.label}`}
              style={{ left: `${gap.fromPercent}%`, width: `${gap.toPercent - gap.fromPercent}%` }}
            >
              ‖ {gap.label} ‖
            </span>
          ))}
        </div>
      </div>
      <div className="rows">
        <div className="gl" aria-hidden="true">
          <div>
            {ticks.map((tick) => (
              <i key={tick.percent} style={{ left: `${tick.percent}%` }} />
            ))}
            {gaps.map((gap) => (
              <b
                key={gap.fromPercent}
                style={{ left: `${gap.fromPercent}%`, width: `${gap.toPercent - gap.fromPercent}%` }}
              />
            ))}
          </div>
        </div>
        <div
          className="scroller"
          ref={scroller}
          role="rowgroup"
          onScroll={(event) => {
            const { scrollTop, clientHeight, scrollHeight } = event.currentTarget
            props.onAtBottom(scrollTop + clientHeight >= scrollHeight - bottomPx)
          }}
        >
          <div className="canvas" role="presentation" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map((item) => {
              const span = spanAt(timeline, rows.ids[item.index] ?? 0)
              const isCall = span.path !== '' && spanAt(timeline, span.parent).parent === 0
              const isExpanded = opensUp(timeline, span.id) ? !props.folded.has(span.id) : undefined
              return (
                <Row
                  key={span.id}
                  timeline={timeline}
                  span={span}
                  view={view}
                  level={rows.levels[item.index] ?? 1}
                  rowIndex={item.index + 2}
                  top={item.start}
                  isExpanded={isExpanded}
                  isSelected={span.id === state.selected}
                  isTabStop={item.index === activeRow}
                  isOffPath={state.showsCriticalPath && isCall && !props.criticalIds.has(span.id)}
                  threadLook={props.threadLook}
                  onSelect={select}
                  onFold={fold}
                />
              )
            })}
          </div>
        </div>
      </div>
    </div>
  )
}

/** When rows above the selected one come or go, it stays where it stood. */
function useAnchor({ scroller, rows, state }: GridProps, activeRow: number, rowPx: number): void {
  const last = useRef({ id: state.selected, row: activeRow })
  useLayoutEffect(() => {
    const moved = activeRow - last.current.row
    const isSame = last.current.id === state.selected && (rows.rowOf[state.selected] ?? -1) >= 0
    last.current = { id: state.selected, row: activeRow }
    if (isSame && moved !== 0) scroller.current?.scrollBy({ top: moved * rowPx })
  }, [activeRow, rowPx, rows, scroller, state.selected])
}

/** The grid takes the keys as soon as its first rows are there, if nothing else has them. */
function useFirstFocus(scroller: RefObject<HTMLDivElement | null>, hasRows: boolean): void {
  useEffect(() => {
    const active = document.activeElement
    if (!hasRows || !(active === document.body || active?.matches('main'))) return
    scroller.current?.querySelector<HTMLElement>('[role="row"][tabindex="0"]')?.focus({ preventScroll: true })
  }, [scroller, hasRows])
}

/** Focus goes along with the selection only when it is in the grid already: selecting elsewhere steals nothing. */
function useFocusFollows(scroller: RefObject<HTMLDivElement | null>, selected: number): void {
  useLayoutEffect(() => {
    const box = scroller.current
    if (!box?.contains(document.activeElement)) return
    box.querySelector<HTMLElement>(`#span-${selected}`)?.focus({ preventScroll: true })
  }, [scroller, selected])
}

import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import type { EventHeader } from '../../../core/domain/event.ts'
import { Button, IconButton } from '../../components/button.tsx'
import { ErrorCard, Skeleton } from '../../components/card.tsx'
import { exactText } from '../../format/dates.ts'
import { bytesText, counted } from '../../format/figures.ts'
import { timeOfDay } from '../../timeline/ticks.ts'
import { Raw } from './detail/raw.tsx'
import { useEventPages } from './use-event-pages.ts'
import { useRowHeight } from './use-window.ts'

interface EventsProps {
  readonly threadId: string
  readonly version: number
}

const nearEndRows = 40

/** The record itself: every event as it was appended. */
export function Events({ threadId, version }: EventsProps) {
  const pages = useEventPages(threadId, version)
  const [selected, setSelected] = useState<number | null>(null)
  const rowPx = useRowHeight()
  const scroller = useRef<HTMLDivElement>(null)
  const virtual = useVirtualizer({
    count: pages.rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 8,
  })
  const items = virtual.getVirtualItems()
  const { more } = pages
  const isNearEnd = (items.at(-1)?.index ?? 0) >= pages.rows.length - nearEndRows
  useEffect(() => {
    if (isNearEnd) more()
  }, [isNearEnd, more])
  useEffect(() => virtual.measure(), [rowPx])
  return (
    <div className="events">
      <section className="main" aria-label="Events">
        <div className="ev head" aria-hidden="true">
          <span className="num">Seq</span>
          <span>Time</span>
          <span>Kind</span>
          <span>Facts</span>
          <span className="num">Body</span>
        </div>
        {pages.error && (
          <ErrorCard
            title="The events could not be read"
            error={pages.error}
            actions={<Button onClick={pages.more}>Read again</Button>}
          />
        )}
        {pages.rows.length === 0 && pages.isLoading && <Skeleton rows={8} label="Reading the events" />}
        <div className="scroller" ref={scroller}>
          <ul className="canvas" style={{ height: virtual.getTotalSize() }}>
            {items.map(({ index, start }) => {
              const row = pages.rows[index]
              if (!row) return null
              const isSelected = row.seq === selected
              return (
                <li key={row.seq} className="ev-row" style={{ transform: `translateY(${start}px)` }}>
                  <EventRow
                    row={row}
                    isSelected={isSelected}
                    onSelect={() => setSelected(isSelected ? null : row.seq)}
                  />
                </li>
              )
            })}
          </ul>
        </div>
        <div className="pane-foot th-foot">
          <span role="status">
            {counted(pages.rows.length, 'event')}
            {pages.isComplete ? '' : ' read, more as you scroll'}
          </span>
        </div>
      </section>
      {selected !== null && (
        <aside className="pane detail" aria-label="Event">
          <div className="pane-head">
            <h2 className="mono">seq {selected}</h2>
            <span className="grow" />
            <IconButton icon="x" label="Close the event" onClick={() => setSelected(null)} />
          </div>
          <div className="pane-body scrolls">
            <Raw seqs={[selected]} />
          </div>
        </aside>
      )}
    </div>
  )
}

interface EventRowProps {
  readonly row: EventHeader
  readonly isSelected: boolean
  readonly onSelect: () => void
}

function EventRow({ row, isSelected, onSelect }: EventRowProps) {
  const facts = JSON.stringify(row.data)
  return (
    <button type="button" className="ev" aria-pressed={isSelected} onClick={onSelect}>
      <span className="num mono">{row.seq}</span>
      <time className="mono" title={exactText(row.at)} dateTime={new Date(row.at).toISOString()}>
        {timeOfDay(row.at, 1)}
      </time>
      <span className="mono">{row.kind}</span>
      <span className="mono trunc mute">{facts.length > 400 ? `${facts.slice(0, 400)}…` : facts}</span>
      <span className="num">{row.bodyBytes > 0 ? bytesText(row.bodyBytes) : ''}</span>
    </button>
  )
}

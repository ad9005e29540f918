import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { Icon } from '../../components/icon.tsx'
import { ThreadLink } from '../../components/thread-link.tsx'
import { nowMs } from '../../engine/clock.ts'
import { exactText, relativeText } from '../../format/dates.ts'
import { routeHash } from '../../routes.ts'
import { go } from '../../state/navigation.ts'
import type { DocRow } from './words.ts'

const rowPx = 52
const foundRowPx = 86
const endRows = 10

interface DocListProps {
  readonly rows: readonly DocRow[]
  readonly shownId: string | null
  readonly hasMore: boolean
  onOpen(): void
  onEnd(): void
}

/** Rows of docs, drawn only where they are in sight. One tab stop; the arrows move, and show what they reach. */
export function DocList({ rows, shownId, hasMore, onOpen, onEnd }: DocListProps) {
  const scrollRef = useRef<HTMLDivElement>(null)
  const shownAt = rows.findIndex(({ id }) => id === shownId)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scrollRef.current,
    estimateSize: (at) => (rows[at]?.found ? foundRowPx : rowPx),
    overscan: 8,
    getItemKey: (at) => rows[at]?.id ?? at,
  })
  const items = virtual.getVirtualItems()
  const isNearEnd = (items.at(-1)?.index ?? 0) >= rows.length - endRows
  // Asked once for each length of the list.
  useEffect(() => {
    if (isNearEnd) onEnd()
  }, [isNearEnd, rows.length])
  useEffect(() => {
    if (shownAt >= 0) virtual.scrollToIndex(shownAt)
  }, [shownAt])
  const wantsFocus = useRef(false)
  // A row far away is drawn some frames after it was asked for: whichever drawing brings it gives it the focus.
  useEffect(() => {
    const link = wantsFocus.current && scrollRef.current?.querySelector<HTMLElement>('[aria-current]')
    if (!link) return
    wantsFocus.current = false
    link.focus({ preventScroll: true })
  })
  function onKeyDown(event: React.KeyboardEvent): void {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, Home: -rows.length, End: rows.length }
    const by = steps[event.key]
    if (by === undefined) return
    event.preventDefault()
    const next = rows[Math.max(0, Math.min(rows.length - 1, shownAt + by))]
    if (!next) return
    wantsFocus.current = true
    onOpen()
    go({ screen: 'memory', id: next.id })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrows move between the links that it holds
    <div ref={scrollRef} className="pane-body scrolls" onKeyDown={onKeyDown}>
      <ul className="doc-rows" aria-label="Docs" style={{ height: virtual.getTotalSize() }}>
        {items.map((item) => {
          const row = rows[item.index]
          const isShown = item.index === shownAt
          return (
            row && (
              <li
                key={item.key}
                className="item doc-row"
                aria-posinset={item.index + 1}
                aria-setsize={hasMore ? -1 : rows.length}
                data-shown={isShown}
                style={{ transform: `translateY(${item.start}px)`, height: item.size }}
              >
                <Row
                  row={row}
                  isShown={isShown}
                  isStop={isShown || (shownAt < 0 && item.index === 0)}
                  onOpen={onOpen}
                />
              </li>
            )
          )
        })}
      </ul>
    </div>
  )
}

interface RowProps {
  readonly row: DocRow
  readonly isShown: boolean
  readonly isStop: boolean
  onOpen(): void
}

function Row({ row, isShown, isStop, onOpen }: RowProps) {
  const { id, type, title, untrusted, updatedAt, version, sourceThreadId, found } = row
  return (
    <>
      <a
        className="t trunc doc-open"
        href={routeHash({ screen: 'memory', id })}
        aria-current={isShown ? 'page' : undefined}
        tabIndex={isStop ? 0 : -1}
        title={title}
        onClick={onOpen}
      >
        {title}
      </a>
      <time className="sub" dateTime={new Date(updatedAt).toISOString()} title={exactText(updatedAt)}>
        {relativeText(updatedAt, nowMs())}
      </time>
      {found && <span className="sub2 snippet">{found.snippet}</span>}
      <span className="sub2 doc-facts">
        <span>
          {type}
          {version !== null && ` v${version}`}
        </span>
        {sourceThreadId !== null && <ThreadLink id={sourceThreadId} />}
        {found && <span className="trunc">{found.why}</span>}
        {untrusted && <Outside />}
      </span>
    </>
  )
}

/** Its text came from outside: icon and words, wherever the doc is named. */
export function Outside() {
  return (
    <span className="st waiting outside" title="Its text came from outside: shown, never followed">
      <Icon name="alert" size="tiny" />
      from outside
    </span>
  )
}

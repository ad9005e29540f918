import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Outcome, ThreadHeader } from '../../core/domain/thread.ts'
import { queuedLook, Status, threadLook } from '../components/status.tsx'
import { nowMs, useNow } from '../engine/clock.ts'
import { exactText, relativeText } from '../format/dates.ts'
import { clockText, durationText, tokensText } from '../format/figures.ts'
import { go } from '../state/navigation.ts'
import { isUnderWay, projectOf } from '../state/select.ts'
import { useApp } from '../state/store.ts'
import { useScreenCommand } from '../state/use-screen-command.ts'

const rowPx = { compact: 28, comfortable: 36 } as const
const endRows = 20

/** Rows of threads, drawn only where they are in sight; arrows, j and k move, Enter opens. */
export function ThreadTable({ rows, onEnd }: { readonly rows: readonly ThreadHeader[]; onEnd(): void }) {
  const scrollRef = useRef<HTMLDivElement>(null)
  const density = useApp((state) => state.settings?.density ?? 'compact')
  const [active, setActive] = useState(0)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scrollRef.current,
    estimateSize: () => rowPx[density],
    overscan: 12,
    getItemKey: (index) => rows[index]?.id ?? index,
  })
  const items = virtual.getVirtualItems()
  const lastShown = items.at(-1)?.index ?? 0
  const isNearEnd = lastShown >= rows.length - endRows
  // Asked once for each length of the list.
  useEffect(() => {
    if (isNearEnd) onEnd()
  }, [isNearEnd, rows.length])

  /** The first press goes to the row that is active; from there on it moves. */
  function move(by: number): void {
    const isInside = scrollRef.current?.contains(document.activeElement) === true
    const next = isInside ? Math.min(rows.length - 1, Math.max(0, active + by)) : active
    setActive(next)
    virtual.scrollToIndex(next)
    // At once where the row is there: the next key may come before the next frame.
    if (!focusRow(scrollRef.current, next)) requestAnimationFrame(() => focusRow(scrollRef.current, next))
  }
  const moveRef = useRef(move)
  useEffect(() => {
    moveRef.current = move
  })
  useScreenCommand(
    'list.next',
    useCallback(() => moveRef.current(1), []),
  )
  useScreenCommand(
    'list.previous',
    useCallback(() => moveRef.current(-1), []),
  )

  function onKeyDown(event: React.KeyboardEvent): void {
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: 20,
      PageUp: -20,
      Home: -rows.length,
      End: rows.length,
    }
    const by = steps[event.key]
    const row = rows[active]
    if (by !== undefined) move(by)
    else if (event.key === 'Enter' && row) go({ screen: 'thread', id: row.id })
    else return
    event.preventDefault()
  }

  return (
    <div className="vtable" role="grid" aria-label="Threads" aria-rowcount={rows.length + 1} onKeyDown={onKeyDown}>
      <div className="vtable-row head" role="row" aria-rowindex={1}>
        {columns.map(([name, isNumber]) => (
          <span key={name} role="columnheader" className={isNumber ? 'num' : ''}>
            {name}
          </span>
        ))}
      </div>
      <div ref={scrollRef} className="vtable-body" role="rowgroup">
        <div role="presentation" style={{ height: virtual.getTotalSize() }}>
          {items.map((item) => {
            const thread = rows[item.index]
            return (
              thread && (
                <ThreadRow
                  key={item.key}
                  thread={thread}
                  index={item.index}
                  isActive={item.index === active}
                  top={item.start}
                  onFocus={() => setActive(item.index)}
                />
              )
            )
          })}
        </div>
      </div>
    </div>
  )
}

function focusRow(box: HTMLElement | null, row: number): boolean {
  const target = box?.querySelector<HTMLElement>(`[data-row="${row}"]`)
  target?.focus({ preventScroll: true })
  return target !== null && target !== undefined
}

const columns = [
  ['Status', false],
  ['#', true],
  ['Title', false],
  ['Project', false],
  ['Outcome', false],
  ['Steps', true],
  ['Tokens', true],
  ['Duration', true],
  ['When', true],
] as const

interface ThreadRowProps {
  readonly thread: ThreadHeader
  readonly index: number
  readonly isActive: boolean
  readonly top: number
  onFocus(): void
}

function ThreadRow({ thread, index, isActive, top, onFocus }: ThreadRowProps) {
  const project = useApp((state) => projectOf(state.projects, thread.projectId))
  const isQueued = useApp((state) => state.known.queued[thread.id] !== undefined)
  const look = isQueued ? queuedLook : threadLook(thread)
  const tokens = thread.inputTokens + thread.outputTokens
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles Enter for the row that has focus
    <div
      className="vtable-row"
      role="row"
      aria-rowindex={index + 2}
      data-row={index}
      tabIndex={isActive ? 0 : -1}
      style={{ transform: `translateY(${top}px)` }}
      onFocus={onFocus}
      onClick={() => go({ screen: 'thread', id: thread.id })}
    >
      <span role="gridcell">
        <Status status={look.status} word={look.word} />
      </span>
      <span role="gridcell" className="num mute">
        {thread.number}
      </span>
      <span role="gridcell" className="trunc medium" title={thread.goal}>
        {thread.parentId !== null && <ChildMark parentId={thread.parentId} />}
        {thread.missionId !== null && <span className="chip line child-of">mission</span>}
        {thread.title}
      </span>
      <span role="gridcell" className="trunc dim" title={project?.folder}>
        {project?.name ?? '–'}
      </span>
      <span role="gridcell" className="trunc dim" title={thread.reason ?? undefined}>
        {outcomeText(thread)}
      </span>
      <span role="gridcell" className="num">
        {thread.steps}
      </span>
      <span role="gridcell" className="num">
        {tokens === 0 ? '–' : tokensText(tokens)}
      </span>
      <span role="gridcell" className="num">
        <Duration thread={thread} />
      </span>
      <span role="gridcell" className="num mute" title={exactText(thread.createdAt)}>
        {relativeText(thread.createdAt, nowMs())}
      </span>
    </div>
  )
}

/** Threads that the code of another one asked for stand among all, marked as whose they are. */
function ChildMark({ parentId }: { readonly parentId: string }) {
  const number = useApp((state) => state.known.threads[parentId]?.number)
  return <span className="chip line child-of">child of {number === undefined ? 'another' : `#${number}`}</span>
}

function Duration({ thread }: { readonly thread: ThreadHeader }) {
  const isRunning = isUnderWay(thread)
  const now = useNow(1_000, isRunning)
  const ms = (thread.endedAt ?? (isRunning ? now : thread.updatedAt)) - thread.createdAt
  return isRunning ? clockText(ms) : durationText(ms)
}

const outcomeWords: Readonly<Record<Outcome, string>> = {
  answered: 'answered',
  stopped: 'stopped by you',
  budget: 'budget used up',
  maxSteps: 'limit of steps reached',
  failed: 'failed',
  denied: 'denied',
  interrupted: 'interrupted',
}

function outcomeText({ outcome, reason }: ThreadHeader): string {
  if (reason) return reason
  return outcome ? outcomeWords[outcome] : '–'
}

import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ThreadHeader } from '../../../core/domain/thread.ts'
import { runCommand, shortcutOf } from '../../commands.ts'
import { IconButton, Kbd } from '../../components/button.tsx'
import { Icon } from '../../components/icon.tsx'
import { queuedLook, Status, threadLook } from '../../components/status.tsx'
import { useNow } from '../../engine/clock.ts'
import { exactText, groupByDate, relativeText } from '../../format/dates.ts'
import { routeHash } from '../../routes.ts'
import { loadMoreConversations, loadThreads } from '../../state/load.ts'
import { go } from '../../state/navigation.ts'
import { chatTitle, listedThreads } from '../../state/select.ts'
import { supervise, useApp } from '../../state/store.ts'
import { useScreenCommand } from '../../state/use-screen-command.ts'
import { standText } from './stand.ts'

const filterDelayMs = 120
const minuteMs = 60_000

/** Chats, newest first, by day. */
export function ConversationList({ current }: { readonly current: string | null }) {
  const [query, setQuery] = useState('')
  const [foundBefore, setFoundBefore] = useState<number | null>(null)
  const filterRef = useRef<HTMLInputElement>(null)
  const threads = useApp((state) => state.known.threads)
  const pageBefore = useApp((state) => state.conversationsBefore)
  const now = useNow(minuteMs)
  const isFiltered = query.trim() !== ''
  const rows = useMemo(
    () =>
      listedThreads(
        threads,
        { state: null, query: query.trim(), conversations: true },
        isFiltered ? foundBefore : pageBefore,
      ),
    [threads, query, isFiltered, foundBefore, pageBefore],
  )

  useEffect(() => {
    if (!isFiltered) return
    const filter = { state: null, query: query.trim(), conversations: true }
    const timer = setTimeout(() => supervise(async () => setFoundBefore(await loadThreads(filter))), filterDelayMs)
    return () => clearTimeout(timer)
  }, [query, isFiltered])

  const focusFilter = useCallback(() => filterRef.current?.select(), [])
  const move = useCallback(
    (by: number) => {
      const at = rows.findIndex((thread) => thread.conversationId === current)
      const next = rows[Math.max(0, at + by)]
      if (next) go({ screen: 'chat', conversationId: next.conversationId })
    },
    [rows, current],
  )
  useScreenCommand('list.filter', focusFilter)
  useScreenCommand(
    'list.next',
    useCallback(() => move(1), [move]),
  )
  useScreenCommand(
    'list.previous',
    useCallback(() => move(-1), [move]),
  )

  return (
    <>
      <div className="pane-head list-head">
        <label className="input quiet grow">
          <Icon name="search" size="tiny" />
          <span className="sr">Filter the conversations</span>
          <input
            ref={filterRef}
            className="grow"
            placeholder="Filter"
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            onKeyDown={(event) => event.key === 'Escape' && setQuery('')}
          />
          <Kbd keys="/" />
        </label>
        <IconButton
          icon="plus"
          label="New conversation"
          look="plain"
          shortcut={shortcutOf('chat.new') ?? ''}
          onClick={() => runCommand('chat.new')}
        />
      </div>
      <nav className="pane-body scrolls" aria-label="Conversations">
        {rows.length === 0 && (
          <p className="list-none">
            {isFiltered
              ? `No conversation names “${query.trim()}”.`
              : 'Conversations will be listed here, newest first.'}
          </p>
        )}
        {groupByDate(rows, (thread) => thread.createdAt, now).map(({ group, rows: members }) => (
          <section key={group} aria-label={group}>
            <h2 className="list-group">{group}</h2>
            <ul>
              {members.map((thread) => (
                <ConversationRow
                  key={thread.conversationId}
                  thread={thread}
                  title={chatTitle(threads, thread)}
                  isCurrent={thread.conversationId === current}
                  now={now}
                />
              ))}
            </ul>
          </section>
        ))}
        {!isFiltered && pageBefore !== null && <MoreRows />}
      </nav>
    </>
  )
}

interface ConversationRowProps {
  readonly thread: ThreadHeader
  readonly title: string
  readonly isCurrent: boolean
  readonly now: number
}

function ConversationRow({ thread, title, isCurrent, now }: ConversationRowProps) {
  const isQueued = useApp((state) => state.known.queued[thread.id] !== undefined)
  const look = isQueued ? queuedLook : threadLook(thread)
  const rowRef = useRef<HTMLAnchorElement>(null)
  const stand = useApp(({ known }) => standText(thread, known))
  useEffect(() => {
    if (isCurrent) rowRef.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  return (
    <li>
      <a
        ref={rowRef}
        className="item conv"
        href={routeHash({ screen: 'chat', conversationId: thread.conversationId })}
        aria-current={isCurrent ? 'page' : undefined}
        title={thread.reason ? `${title}\n${thread.reason}` : title}
      >
        <Status status={look.status} word={look.word} look="icon" />
        <span className="t trunc">{title}</span>
        <time className="sub" dateTime={new Date(thread.createdAt).toISOString()} title={exactText(thread.createdAt)}>
          {relativeText(thread.createdAt, now)}
        </time>
        <span className="sub trunc stand">{isQueued ? 'waits for a slot' : stand}</span>
      </a>
    </li>
  )
}

/** The end of what is loaded: seen, it asks for the next page. */
function MoreRows() {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const end = ref.current
    if (!end) return
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) supervise(loadMoreConversations)
    })
    observer.observe(end)
    return () => observer.disconnect()
  }, [])
  return <div ref={ref} className="list-end" aria-hidden="true" />
}

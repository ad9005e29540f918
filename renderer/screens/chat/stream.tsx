import { useCallback, useLayoutEffect, useMemo, useRef } from 'react'
import type { ThreadHeader } from '../../../core/domain/thread.ts'
import { Button } from '../../components/button.tsx'
import { ErrorCard, Skeleton } from '../../components/card.tsx'
import { longDayText } from '../../format/dates.ts'
import { loadChat, loadOlderMessages } from '../../state/load.ts'
import type { Chat } from '../../state/model.ts'
import { useApp } from '../../state/store.ts'
import { useAction, useLoad } from '../../state/use-load.ts'
import { AgentTurnView, PersonTurn } from './agent-turn.tsx'
import { type Turn, turnsOf } from './turns.ts'
import { useFollow } from './use-follow.ts'

interface StreamProps {
  readonly conversationId: string
  readonly threads: readonly ThreadHeader[]
}

/** The messages of a chat, newest at the bottom. */
export function Stream({ conversationId, threads }: StreamProps) {
  const load = useLoad(useCallback(() => loadChat(conversationId), [conversationId]))
  const chat = useApp((state) => state.known.chats[conversationId])
  if (chat) return <LoadedStream conversationId={conversationId} chat={chat} threads={threads} />
  return (
    <div className="stream">
      <div className="col">
        {load.phase === 'failed' ? (
          <ErrorCard
            title="This chat could not be read"
            error={load.error}
            actions={
              <Button look="primary" onClick={load.retry}>
                Try again
              </Button>
            }
          />
        ) : (
          <Skeleton rows={4} label="Reading the chat" />
        )}
      </div>
    </div>
  )
}

const topPx = 600

function LoadedStream({ conversationId, chat, threads }: StreamProps & { readonly chat: Chat }) {
  const scrollRef = useRef<HTMLDivElement>(null)
  const columnRef = useRef<HTMLDivElement>(null)
  const older = useAction(loadOlderMessages)
  // A thread's counts change often; what the turns need of it does not.
  const turns = useTurns(chat, threads)
  const newestId = threads.at(-1)?.id
  const said = chat.messages.findLast(({ role }) => role === 'user')
  const { isFollowing, toEnd, handlers } = useFollow({
    area: scrollRef,
    column: columnRef,
    saidKey: said?.seq,
  })
  useKeptPlace(scrollRef, chat)

  function readOlder(): void {
    const top = scrollRef.current?.scrollTop ?? 0
    if (top < topPx && chat.before !== null && !older.isBusy) older.run(conversationId)
  }

  return (
    <div
      className="stream"
      ref={scrollRef}
      {...handlers}
      onScroll={(event) => {
        handlers.onScroll(event)
        readOlder()
      }}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region is reached and scrolled by keyboard
      tabIndex={0}
      role="log"
      aria-label="Messages"
    >
      <div className="col" ref={columnRef}>
        {chat.before !== null && (
          <div className="older">
            <Button look="ghost" disabled={older.isBusy} onClick={() => older.run(conversationId)}>
              {older.isBusy ? 'Reading older messages' : 'Older messages'}
            </Button>
          </div>
        )}
        {older.error && <ErrorCard title="Older messages could not be read" error={older.error} />}
        {turns.map((turn) => (
          <TurnView key={turn.key} turn={turn} newestId={newestId} />
        ))}
      </div>
      {!isFollowing && (
        <Button className="to-end" icon="down" onClick={toEnd}>
          Newest
        </Button>
      )}
    </div>
  )
}

function TurnView({ turn, newestId }: { readonly turn: Turn; readonly newestId: string | undefined }) {
  switch (turn.kind) {
    case 'day':
      return <h2 className="day">{longDayText(turn.at)}</h2>
    case 'person':
      return <PersonTurn message={turn.message} />
    case 'agent':
      return <AgentTurnView turn={turn} isNewest={turn.threadId === newestId} />
  }
}

function useTurns(chat: Chat, threads: readonly ThreadHeader[]): readonly Turn[] {
  const newest = threads.at(-1)
  // Only which thread is the newest matters to the turns.
  return useMemo(() => turnsOf(chat.messages, threads), [chat.messages, newest?.id])
}

/** Older messages come in above: what was being read stays where it is. */
function useKeptPlace(scrollRef: React.RefObject<HTMLDivElement | null>, chat: Chat): void {
  const firstSeq = chat.messages[0]?.seq
  const lastRef = useRef({ firstSeq, height: 0 })
  useLayoutEffect(() => {
    const area = scrollRef.current
    if (!area) return
    const last = lastRef.current
    const isOlder = firstSeq !== undefined && last.firstSeq !== undefined && firstSeq < last.firstSeq
    if (isOlder && area.scrollTop < topPx) area.scrollTop += area.scrollHeight - last.height
    lastRef.current = { firstSeq, height: area.scrollHeight }
  })
}

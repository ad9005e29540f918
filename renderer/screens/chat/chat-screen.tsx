import { useCallback, useMemo } from 'react'
import type { ThreadHeader } from '../../../core/domain/thread.ts'
import { runCommand, shortcutOf } from '../../commands.ts'
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/card.tsx'
import { Splitter, usePaneWidth } from '../../components/splitter.tsx'
import { threadsOfChat } from '../../state/select.ts'
import { useApp } from '../../state/store.ts'
import { useScreenCommand } from '../../state/use-screen-command.ts'
import { Composer } from './composer.tsx'
import { ConversationList } from './conversation-list.tsx'
import { ModelMenu } from './model-menu.tsx'
import { Starters } from './starters.tsx'
import { Stream } from './stream.tsx'

/** Chats on the left, the open one beside them; without one, a new conversation. */
export function ChatScreen({ conversationId }: { readonly conversationId: string | null }) {
  const list = usePaneWidth({ name: 'chat', label: 'Width of the list', initial: 300, min: 240, max: 520 })
  const { toggle } = list
  // `toggle` is made anew with the state that it reads.
  useScreenCommand('list.toggle', useCallback(toggle, [list.isOpen]))
  return (
    <main className="split chat" style={{ gridTemplateColumns: `${list.width}px minmax(0, 1fr)` }}>
      <div className="pane sunken">{list.isOpen && <ConversationList current={conversationId} />}</div>
      <Splitter {...list.splitter} />
      <Conversation key={conversationId ?? 'new'} conversationId={conversationId} />
    </main>
  )
}

function Conversation({ conversationId }: { readonly conversationId: string | null }) {
  const threads = useThreads(conversationId)
  const newest = threads.at(-1)
  const isGone = useApp((state) => conversationId !== null && state.known.chats[conversationId]?.messages.length === 0)
  const title = threads[0]?.title ?? (conversationId === null ? 'New conversation' : 'Conversation')
  return (
    <section className="pane" aria-label={title}>
      <div className="pane-head">
        <h1 className="h-title trunc" title={threads[0]?.goal}>
          {title}
        </h1>
        <span className="grow" />
        <ModelMenu />
      </div>
      {isGone && newest === undefined ? (
        <NoChat />
      ) : (
        <>
          {conversationId === null ? <Starters /> : <Stream conversationId={conversationId} threads={threads} />}
          <Composer conversationId={conversationId} thread={newest} />
        </>
      )}
    </section>
  )
}

/** An address that leads nowhere: of another store, or mistyped. */
function NoChat() {
  return (
    <Empty
      title="There is no such conversation"
      actions={
        <Button look="primary" shortcut={shortcutOf('chat.new') ?? ''} onClick={() => runCommand('chat.new')}>
          New conversation
        </Button>
      }
    >
      Nothing in this store has that address. The list on the left has all that there are.
    </Empty>
  )
}

function useThreads(conversationId: string | null): readonly ThreadHeader[] {
  const threads = useApp((state) => state.known.threads)
  return useMemo(
    () => (conversationId === null ? [] : threadsOfChat(threads, conversationId)),
    [threads, conversationId],
  )
}

import { useMemo, useRef, useState } from 'react'
import { isTerminal } from '../../../core/domain/thread.ts'
import { Button } from '../../components/button.tsx'
import { ErrorCard } from '../../components/card.tsx'
import { home, type Route } from '../../routes.ts'
import { threadsOfChat } from '../../state/select.ts'
import { getApp, useApp } from '../../state/store.ts'
import { sendMessage } from '../../state/threads.ts'
import { useAction } from '../../state/use-load.ts'
import { AgentTurnView, PersonTurn } from '../chat/agent-turn.tsx'
import { turnsOf } from '../chat/turns.ts'
import { FirstRunFoot, useFocusOn, useStepKeys } from './foot.tsx'

const sample = 'What is in this folder, and what is each file about?'

interface TryItProps {
  onBack(): void
  onEnd(route: Route): void
}

/** Third step: a real question, worked on before the person's eyes. */
export function TryIt({ onBack, onEnd }: TryItProps) {
  const [question, setQuestion] = useState(sample)
  const [conversationId, setConversationId] = useState<string | null>(null)
  const ask = useAction(async () => {
    const { projectId, tier } = getApp()
    if (projectId === null) return
    const thread = await sendMessage({ text: question.trim(), tier, to: { projectId } })
    setConversationId(thread.conversationId)
  })
  const fieldRef = useRef<HTMLTextAreaElement>(null)
  const isReady = question.trim() !== '' && !ask.isBusy
  const send = () => isReady && ask.run()
  const end = () => onEnd(conversationId === null ? home : { screen: 'chat', conversationId })
  useStepKeys({ escape: end, enter: conversationId === null ? send : end })
  useFocusOn(fieldRef)
  if (conversationId !== null) return <Shown conversationId={conversationId} onEnd={onEnd} />
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <p className="dim fr-lead">Ask something about the folder. You will see every step that it takes.</p>
      <div className="box">
        <textarea
          ref={fieldRef}
          className="in"
          rows={1}
          aria-label="Question"
          value={question}
          onChange={(event) => setQuestion(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            send()
          }}
        />
      </div>
      {ask.error && <ErrorCard className="after-card" title="The question was not sent" error={ask.error} />}
      <FirstRunFoot escapeText="skip to the chat" onBack={onBack}>
        <Button look="primary" type="submit" shortcut="Enter" disabled={!isReady}>
          Ask
        </Button>
      </FirstRunFoot>
    </form>
  )
}

function Shown({ conversationId, onEnd }: { readonly conversationId: string; onEnd(route: Route): void }) {
  const chat = useApp((state) => state.known.chats[conversationId])
  const threads = useApp((state) => state.known.threads)
  const ofChat = useMemo(() => threadsOfChat(threads, conversationId), [threads, conversationId])
  const turns = useMemo(() => turnsOf(chat?.messages ?? [], ofChat), [chat, ofChat])
  const newest = ofChat.at(-1)
  const isOver = newest !== undefined && isTerminal(newest.state)
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region is scrolled by keyboard */}
      <div className="fr-stream" role="log" aria-label="Messages" tabIndex={0}>
        {turns.map((turn) => {
          if (turn.kind === 'day') return null
          return turn.kind === 'person' ? (
            <PersonTurn key={turn.key} message={turn.message} />
          ) : (
            <AgentTurnView key={turn.key} turn={turn} isNewest={turn.threadId === newest?.id} />
          )
        })}
      </div>
      <FirstRunFoot escapeText={isOver ? 'open the chat' : 'open the chat, it goes on there'}>
        {newest && (
          <Button icon="expand" onClick={() => onEnd({ screen: 'thread', id: newest.id })}>
            Inspect the steps
          </Button>
        )}
        <Button
          look={isOver ? 'primary' : 'plain'}
          shortcut="Enter"
          onClick={() => onEnd({ screen: 'chat', conversationId })}
        >
          Open chat
        </Button>
      </FirstRunFoot>
    </>
  )
}

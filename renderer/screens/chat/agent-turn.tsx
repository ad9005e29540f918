import { memo, useCallback, useState } from 'react'
import type { ChatMessage } from '../../../core/domain/contract.ts'
import { isTerminal, type ThreadHeader } from '../../../core/domain/thread.ts'
import { Button } from '../../components/button.tsx'
import { Note } from '../../components/card.tsx'
import { Mark } from '../../components/mark.tsx'
import { Markdown } from '../../components/markdown.tsx'
import { RedactedText } from '../../components/redacted.tsx'
import { clockTime, exactText } from '../../format/dates.ts'
import { openModels } from '../../state/models-focus.ts'
import { useApp } from '../../state/store.ts'
import { warningText } from '../../timeline/notes.ts'
import { AskCards } from './ask-cards.tsx'
import { CanvasCards } from './canvas-cards.tsx'
import { ProposedSkills } from './proposed-skills.tsx'
import { ThreadEnding } from './thread-ending.tsx'
import type { AgentTurn } from './turns.ts'
import { WorkCard } from './work-card.tsx'

interface AgentTurnProps {
  readonly turn: AgentTurn
  /** The newest thread of the chat: its steps are open. */
  readonly isNewest: boolean
}

/** What Threadsmith did and said in one go. */
export const AgentTurnView = memo(function AgentTurnView({ turn, isNewest }: AgentTurnProps) {
  const thread = useApp((state) => state.known.threads[turn.threadId])
  return (
    <article className="msg" aria-label="Threadsmith">
      <span className="ava ag">
        <Mark size={14} isPlain />
      </span>
      <Who name="Threadsmith" at={turn.at} />
      {turn.hasWork && thread && <WorkCard thread={thread} isOpenAtFirst={isNewest} />}
      {turn.hasWork && thread && <CanvasCards threadId={thread.id} />}
      <WindowWarning threadId={turn.threadId} />
      {turn.answers.map((answer) => (
        <Answer key={answer.seq} message={answer} />
      ))}
      {turn.isLast && thread && <AskCards threadId={thread.id} />}
      {turn.isLast && thread && <Tail thread={thread} isNewest={isNewest} />}
      {turn.isLast && <ProposedSkills threadId={turn.threadId} />}
    </article>
  )
})

export const PersonTurn = memo(function PersonTurn({ message }: { readonly message: ChatMessage }) {
  return (
    <article className="msg" aria-label="You">
      <span className="ava" aria-hidden="true">
        Y
      </span>
      <Who name="You" at={message.at} />
      <Typed text={message.content} />
    </article>
  )
})

const longCharacters = 1_600
const longLines = 20

/** What was typed, as it was typed; a very long message shows its beginning until it is opened. */
function Typed({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false)
  const isLong = text.length > longCharacters || text.split('\n', longLines + 1).length > longLines
  if (!isLong)
    return (
      <div className="txt as-typed">
        <RedactedText text={text} />
      </div>
    )
  return (
    <>
      <div className={isWhole ? 'txt as-typed' : 'txt as-typed cut-off'}>
        <RedactedText text={text} />
      </div>
      <button type="button" className="link small txt-more" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
        {isWhole ? 'Show less' : `Show all ${text.length.toLocaleString('en')} characters`}
      </button>
    </>
  )
}

function Who({ name, at }: { readonly name: string; readonly at: number }) {
  return (
    <div className="who">
      {name}{' '}
      <time dateTime={new Date(at).toISOString()} title={exactText(at)}>
        {clockTime(at)}
      </time>
    </div>
  )
}

/** The model's window is too small for this thread. */
function WindowWarning({ threadId }: { readonly threadId: string }) {
  const warning = useApp(useCallback((state) => state.known.warned[threadId], [threadId]))
  if (warning === undefined) return null
  return (
    <div className="turn-note">
      <Note
        status="waiting"
        action={<Button onClick={() => openModels({ kind: 'limits', model: warning })}>Set a larger window</Button>}
      >
        {warningText(warning)}
      </Note>
    </div>
  )
}

function Answer({ message }: { readonly message: ChatMessage }) {
  return (
    <div className="txt">
      <Markdown text={message.content} />
    </div>
  )
}

/** The answer while it is being said, then how the thread ended where it gave none. */
function Tail({ thread, isNewest }: { readonly thread: ThreadHeader; readonly isNewest: boolean }) {
  const isOver = isTerminal(thread.state)
  if (thread.state === 'Suspended' || (isOver && thread.outcome !== 'answered')) {
    return <ThreadEnding thread={thread} isNewest={isNewest} />
  }
  return isOver ? null : <LiveAnswer threadId={thread.id} />
}

function LiveAnswer({ threadId }: { readonly threadId: string }) {
  const text = useApp(useCallback((state) => state.known.live[threadId]?.text ?? '', [threadId]))
  if (text === '') return null
  return (
    <div className="txt live" aria-busy="true">
      <Markdown text={text} />
    </div>
  )
}

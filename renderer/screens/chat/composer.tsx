import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from 'react'
import { limits } from '../../../core/domain/limits.ts'
import type { ThreadHeader } from '../../../core/domain/thread.ts'
import { Button, Kbd } from '../../components/button.tsx'
import { ErrorCard } from '../../components/card.tsx'
import { home } from '../../routes.ts'
import { draftOf, keepDraft, onDraft } from '../../state/drafts.ts'
import { planner } from '../../state/models.ts'
import { go, replaceRoute } from '../../state/navigation.ts'
import { roomLook } from '../../state/room.ts'
import { isUnderWay } from '../../state/select.ts'
import { getApp, useApp } from '../../state/store.ts'
import { sendMessage } from '../../state/threads.ts'
import { useAction } from '../../state/use-load.ts'
import { useScreenCommand } from '../../state/use-screen-command.ts'
import { FolderMenu } from './folder-menu.tsx'
import { RedactionNote } from './redaction-note.tsx'
import { RoomMeter, RoomNote } from './room-note.tsx'
import { useRoom } from './use-room.ts'

interface ComposerProps {
  readonly conversationId: string | null
  /** The newest thread of the chat; a message to it while it runs is injected. */
  readonly thread: ThreadHeader | undefined
}

// The composer is made anew when a new chat gets its address; who was writing goes on writing.
let wasWriting = false

/** Where the next message is written. Mount it anew for each chat (`key`). */
export function Composer({ conversationId, thread }: ComposerProps) {
  const [text, setText] = useDraft(conversationId)
  const fieldRef = useRef<HTMLTextAreaElement>(null)
  const newProjectId = useApp((state) => state.projectId)
  const isReadOnly = useApp((state) => state.shell.phase === 'readOnly')
  const projectId = thread?.projectId ?? newProjectId
  const tier = useApp((state) => state.tier)
  const model = useApp((state) => state.settings?.tiers[tier] ?? planner)
  const room = roomLook(useRoom({ thread, tier, model, draftCharacters: text.length }), model)
  const send = useAction((inspects: boolean) => sendText(inspects))
  const isReady = text.trim() !== '' && !send.isBusy && !isReadOnly && projectId !== null

  useScreenCommand(
    'composer.focus',
    useCallback(() => fieldRef.current?.focus(), []),
  )
  // An opened chat is read first, by single keys too; a new one, or one that was just begun here, is written in.
  useEffect(() => {
    if (conversationId === null || wasWriting) fieldRef.current?.focus()
    wasWriting = false
  }, [conversationId])

  async function sendText(inspects: boolean): Promise<void> {
    if (projectId === null) return
    const to = thread ? { threadId: thread.id } : { projectId }
    const started = await sendMessage({ text: text.trim(), tier: getApp().tier, to })
    setText('')
    if (inspects) return go({ screen: 'thread', id: started.id })
    if (conversationId !== null) return
    wasWriting = true
    replaceRoute({ screen: 'chat', conversationId: started.conversationId })
  }

  function onKeyDown(event: KeyboardEvent): void {
    // Leaves the field, so that the single keys work; the key of `composer.focus` leads back.
    if (event.key === 'Escape' && !event.nativeEvent.isComposing) fieldRef.current?.blur()
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (isReady) send.run(event.ctrlKey || event.metaKey)
  }

  return (
    <div className={thread ? 'composer' : 'composer narrow'}>
      <div className="col">
        {send.error && <ErrorCard className="composer-error" title="The message was not sent" error={send.error} />}
        <RedactionNote conversationId={conversationId} />
        <RoomNote look={room} model={model} draft={text} hasThread={thread !== undefined} />
        <form
          className="box"
          onSubmit={(event) => {
            event.preventDefault()
            if (isReady) send.run(false)
          }}
        >
          <textarea
            ref={fieldRef}
            className="in"
            rows={1}
            aria-label="Message"
            placeholder={placeholderOf(thread, isReadOnly)}
            maxLength={limits.goalCharacters}
            value={text}
            disabled={isReadOnly}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={onKeyDown}
          />
          <div className="bar2">
            <FolderMenu projectId={projectId} onFolder={() => go(home)} />
            <span className="grow" />
            <RoomMeter look={room} />
            <span className="mute small composer-hint">
              <Kbd keys="Mod+Enter" /> send and inspect
            </span>
            <Button look="primary" type="submit" shortcut="Enter" disabled={!isReady}>
              Send
            </Button>
          </div>
        </form>
      </div>
    </div>
  )
}

function placeholderOf(thread: ThreadHeader | undefined, isReadOnly: boolean): string {
  if (isReadOnly) return 'Read only: another process is working with this store'
  if (!thread) return 'Ask something about the folder, or describe a goal'
  if (thread.state === 'Waiting') return 'Reply: it is kept, and read when the thread goes on'
  if (isUnderWay(thread)) return 'Reply, or steer the running thread'
  return thread.state === 'Failed' ? 'Reply, or retry above' : 'Reply'
}

function useDraft(conversationId: string | null): readonly [string, (text: string) => void] {
  const [text, setText] = useState(() => draftOf(conversationId))
  useEffect(() => onDraft(() => setText(draftOf(conversationId))), [conversationId])
  const change = useCallback(
    (next: string) => {
      setText(next)
      keepDraft(conversationId, next)
    },
    [conversationId],
  )
  return [text, change]
}

import { useCallback } from 'react'
import { marksIn } from '../../../core/domain/leaks/mark.ts'
import { secretsInWords } from '../../../core/domain/leaks/words.ts'
import { Button } from '../../components/button.tsx'
import { Note } from '../../components/card.tsx'
import { openModels } from '../../state/models-focus.ts'
import { useApp } from '../../state/store.ts'

/** Said to whoever has just sent a secret, until the next message: what became of it, and where keys belong. */
export function RedactionNote({ conversationId }: { readonly conversationId: string | null }) {
  const said = useApp(
    useCallback(
      (state) => {
        const messages = conversationId === null ? undefined : state.known.chats[conversationId]?.messages
        return messages?.findLast(({ role }) => role === 'user')?.content ?? ''
      },
      [conversationId],
    ),
  )
  const marks = marksIn(said)
  if (marks.length === 0) return null
  return (
    <div className="room-note" role="status">
      <Note status="waiting">
        <b>Taken out of your message: {secretsInWords(marks)}.</b> The message was sent without it: neither the record
        nor a model has it. Enter keys of models in Settings → Models and those of other services in Integrations, where
        no model reads them. If others could see it before, replace it at its service.
        <span className="room-acts">
          <Button onClick={() => openModels()}>Open Settings → Models</Button>
        </span>
      </Note>
    </div>
  )
}

import type { ModelRef } from '../../../core/domain/model.ts'
import { runCommand } from '../../commands.ts'
import { Button } from '../../components/button.tsx'
import { Note } from '../../components/card.tsx'
import { startChat } from '../../state/drafts.ts'
import { openModels } from '../../state/models-focus.ts'
import type { RoomLook } from '../../state/room.ts'

interface RoomNoteProps {
  readonly look: RoomLook
  readonly model: ModelRef
  readonly draft: string
  /** The chat has a thread: a new one would begin with an empty window. */
  readonly hasThread: boolean
}

/** Said before it is sent: the request is larger than the window. Sending stays possible. */
export function RoomNote({ look, model, draft, hasThread }: RoomNoteProps) {
  if (look.kind !== 'full') return null
  return (
    <div className="room-note">
      <Note status="waiting">
        <b>This does not fit.</b> {look.words}
        <span className="room-acts">
          <Button onClick={() => openModels({ kind: 'limits', model })}>Set a larger window</Button>
          <Button onClick={() => runCommand('model.choose')}>Choose another model</Button>
          {hasThread && <Button onClick={() => startChat(draft)}>Start a new conversation</Button>}
        </span>
      </Note>
    </div>
  )
}

/** A quiet bar beside the folder, once the window is more than half full. */
export function RoomMeter({ look }: { readonly look: RoomLook }) {
  if (look.kind !== 'meter') return null
  const percent = Math.min(100, Math.round(look.share * 100))
  return (
    <span className="room-meter" title="What the next request holds, estimated, and the model's window">
      <span
        className="meter"
        role="meter"
        aria-label="Window of the model in use"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={look.words}
      >
        <svg width="100%" height="4" aria-hidden="true">
          <rect width={`${percent}%`} height="4" rx="2" />
        </svg>
      </span>
      <span className="mute small">{look.words}</span>
    </span>
  )
}

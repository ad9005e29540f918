import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/card.tsx'
import { Field } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { call } from '../../engine/client.ts'
import { useAction } from '../../state/use-load.ts'

/** A person says of an answer that it was wrong: nothing is learnt from that thread, and it counts against what it used. */
export function WrongButton({ threadId }: { readonly threadId: string }) {
  const [isAsking, setAsking] = useState(false)
  const [reason, setReason] = useState('')
  const say = useAction(async () => {
    await call('thread.correct', { id: threadId, reason: reason.trim() })
    setAsking(false)
    setReason('')
  })
  return (
    <>
      <Button icon="alert" onClick={() => setAsking(true)}>
        It was wrong
      </Button>
      {isAsking && (
        <FormDialog title="What was wrong?" onClose={() => setAsking(false)}>
          <form
            className="form-rows"
            onSubmit={(event) => {
              event.preventDefault()
              if (reason.trim() !== '') say.run()
            }}
          >
            <p className="mute small">
              Nothing is learnt from this thread then, and it counts against the skills that it used. What it did is not
              undone.
            </p>
            <Field label="In a sentence" value={reason} onChange={(event) => setReason(event.target.value)} />
            {say.error && <ErrorNote title="Not noted" error={say.error} />}
            <div className="confirm-acts">
              <Button shortcut="Escape" onClick={() => setAsking(false)}>
                Cancel
              </Button>
              <Button type="submit" look="primary" disabled={say.isBusy || reason.trim() === ''}>
                It was wrong
              </Button>
            </div>
          </form>
        </FormDialog>
      )}
    </>
  )
}

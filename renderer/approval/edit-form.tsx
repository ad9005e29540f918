import { useState } from 'react'
import type { ApprovalRequestedBody } from '../../core/domain/approval.ts'
import { Button } from '../components/button.tsx'
import { Icon } from '../components/icon.tsx'
import { type Edited, editedOf, editsContent, editTextOf } from './edited.ts'

interface EditFormProps {
  readonly body: ApprovalRequestedBody
  readonly edited: Edited | null
  onDone(edited: Edited): void
  onCancel(): void
}

/** What would run, to be changed by hand. It is shown as a change again before it can be approved. */
export function EditForm({ body, edited, onDone, onCancel }: EditFormProps) {
  const [text, setText] = useState(() => editTextOf(edited === null ? body : { ...body, arguments: edited.args }))
  const [problem, setProblem] = useState<string | null>(null)
  const isContent = editsContent(body)
  function done(): void {
    const result = editedOf(body, text)
    if ('problem' in result) setProblem(result.problem)
    else onDone(result)
  }
  return (
    <form
      className="edit"
      onSubmit={(event) => {
        event.preventDefault()
        done()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation()
          onCancel()
        }
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault()
          done()
        }
      }}
    >
      <textarea
        className="input mono edit-text"
        aria-label={isContent ? 'New text of the file' : 'Arguments as JSON'}
        spellCheck={false}
        value={text}
        ref={focusOnce}
        onChange={(event) => {
          setText(event.target.value)
          setProblem(null)
        }}
      />
      {problem && (
        <p className="field-err" role="alert">
          <Icon name="alert" size="small" />
          <span>{problem}</span>
        </p>
      )}
      <div className="row">
        <Button look="primary" type="submit" shortcut="Mod+Enter">
          Show the change
        </Button>
        <Button look="ghost" shortcut="Escape" onClick={onCancel}>
          Leave it as it was
        </Button>
      </div>
    </form>
  )
}

function focusOnce(field: HTMLTextAreaElement | null): void {
  field?.focus()
}

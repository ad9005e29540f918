import { useState } from 'react'
import { limits } from '../../../../core/domain/limits.ts'
import { Button } from '../../../components/button.tsx'
import { Icon } from '../../../components/icon.tsx'

interface CandidateEditorProps {
  readonly text: string
  onDone(text: string): void
  onCancel(): void
}

/** The whole file, to be changed by hand. It is shown as a difference again before it can be approved. */
export function CandidateEditor({ text: given, onDone, onCancel }: CandidateEditorProps) {
  const [text, setText] = useState(given)
  const over = new TextEncoder().encode(text).length - limits.skillFileBytes
  const done = () => {
    if (over <= 0 && text.trim() !== '') onDone(text)
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
        aria-label="Text of SKILL.md"
        spellCheck={false}
        value={text}
        ref={focusOnce}
        onChange={(event) => setText(event.target.value)}
      />
      {over > 0 && (
        <p className="field-err" role="alert">
          <Icon name="alert" size="small" />
          <span>The file is {over.toLocaleString('en')} bytes over its limit.</span>
        </p>
      )}
      <div className="row">
        <Button look="primary" type="submit" shortcut="Mod+Enter" disabled={over > 0 || text.trim() === ''}>
          Show the difference
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

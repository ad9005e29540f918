import { useState } from 'react'
import { limits } from '../../../core/domain/limits.ts'
import type { MemoryDoc } from '../../../core/domain/memory.ts'
import { Button } from '../../components/button.tsx'
import { ErrorCard, Note } from '../../components/card.tsx'
import { Choice } from '../../components/choice.tsx'
import { Field } from '../../components/field.tsx'
import { Icon } from '../../components/icon.tsx'
import { useAction } from '../../state/use-load.ts'
import { type DocDraft, draftOf, keepDraft, savedDraft } from './drafts.ts'
import { problemsOf, saveDoc } from './save-doc.ts'
import { shownTypes } from './words.ts'

interface DocEditorProps {
  /** Null for a new one. */
  readonly doc: MemoryDoc | null
  readonly projectId: string
  onSaved(doc: MemoryDoc): void
  onClose(): void
}

/** Writes a doc. What is not saved stays until it is discarded, also when another screen is looked at meanwhile. */
export function DocEditor({ doc, projectId, onSaved, onClose }: DocEditorProps) {
  const key = doc?.id ?? `new ${projectId}`
  const [draft, setDraft] = useState(() => draftOf(key, doc))
  const [begunWith] = useState(doc?.version ?? 0)
  const [isTried, setTried] = useState(false)
  const problems = problemsOf(draft)
  const shown = isTried ? problems : {}
  const save = useAction(async () => {
    const saved = await saveDoc(projectId, doc, draft)
    keepDraft(key, null)
    onSaved(saved)
  })
  function change(part: Partial<DocDraft>): void {
    const next = { ...draft, ...part }
    setDraft(next)
    keepDraft(key, next)
    save.clear()
  }
  function submit(): void {
    setTried(true)
    if (Object.values(problems).every((problem) => problem === undefined)) save.run()
  }
  function discard(): void {
    keepDraft(key, null)
    onClose()
  }
  const isChanged = JSON.stringify(draft) !== JSON.stringify(savedDraft(doc))
  return (
    <form
      className="pane detail doc-editor"
      aria-label={doc ? `Edit ${doc.title}` : 'New note'}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit()
        if (event.key === 'Escape' && !isChanged) discard()
      }}
    >
      <h2 className="sr">{doc ? `Edit ${doc.title}` : 'New note'}</h2>
      {doc && doc.version > begunWith && (
        <Note status="waiting">
          Version {doc.version} was written meanwhile. What you save becomes the version after it; look at both under
          Versions.
        </Note>
      )}
      <div className="doc-fields">
        <Field
          label="Title"
          // Opened by a press: the next thing is to write.
          autoFocus={doc === null}
          maxLength={limits.memoryTitleCharacters}
          value={draft.title}
          problem={shown.title}
          onChange={(event) => change({ title: event.target.value })}
        />
        <div className="field">
          <span className="label">Type</span>
          <Choice
            label="Type"
            options={shownTypes.map((type) => ({ value: type, title: type }))}
            value={draft.type}
            onChange={(value) => change({ type: shownTypes.find((type) => type === value) ?? draft.type })}
          />
        </div>
        <Field
          label="Tags, with commas between"
          value={draft.tags}
          problem={shown.tags}
          onChange={(event) => change({ tags: event.target.value })}
        />
      </div>
      <Content
        draft={draft}
        problem={shown.content}
        isFirst={doc !== null}
        onChange={(content) => change({ content })}
      />
      {save.error && <ErrorCard title="It was not saved" error={save.error} />}
      <div className="row">
        <Button type="submit" look="primary" shortcut="Mod+Enter" disabled={save.isBusy}>
          {doc ? `Save as v${doc.version + 1}` : `Save the ${draft.type.toLowerCase()}`}
        </Button>
        <Button {...(!isChanged && { shortcut: 'Escape' })} onClick={discard}>
          {isChanged ? 'Discard' : 'Close'}
        </Button>
        <span className="grow" />
        <Length length={draft.content.length} />
      </div>
    </form>
  )
}

interface ContentProps {
  readonly draft: DocDraft
  readonly problem: string | undefined
  readonly isFirst: boolean
  onChange(content: string): void
}

function Content({ draft, problem, isFirst, onChange }: ContentProps) {
  return (
    <div className="field doc-content">
      <label className="label" htmlFor="doc-content">
        Text, in Markdown
      </label>
      <textarea
        id="doc-content"
        className={problem ? 'input area mono invalid' : 'input area mono'}
        // biome-ignore lint/a11y/noAutofocus: opened by a press, so the next thing is to write
        autoFocus={isFirst}
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? 'doc-content-problem' : undefined}
        value={draft.content}
        onChange={(event) => onChange(event.target.value)}
      />
      {problem && (
        <p id="doc-content-problem" className="field-err">
          <Icon name="alert" size="small" />
          <span>{problem}</span>
        </p>
      )}
    </div>
  )
}

const countsFrom = limits.memoryDocCharacters * 0.8

function Length({ length }: { readonly length: number }) {
  if (length < countsFrom) return null
  const most = limits.memoryDocCharacters.toLocaleString('en')
  return (
    <span className="mute small">
      {length.toLocaleString('en')} of {most} characters
    </span>
  )
}

import { useState } from 'react'
import type { ErrorBody } from '../../../core/domain/error.ts'
import { isJsonObject } from '../../../core/domain/json.ts'
import { limits } from '../../../core/domain/limits.ts'
import type { SkillDetail, SkillDiagnostic } from '../../../core/domain/skill.ts'
import { DiffView } from '../../approval/diff-view.tsx'
import { Button } from '../../components/button.tsx'
import { ErrorCard, Note } from '../../components/card.tsx'
import { Field } from '../../components/field.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { call } from '../../engine/client.ts'
import { useAction } from '../../state/use-load.ts'
import { Diagnostics } from './diagnostics.tsx'
import { draftOf, keepDraft } from './drafts.ts'

interface SkillEditorProps {
  readonly skill: SkillDetail
  onSaved(): Promise<void>
  onClose(): void
}

const looks = [
  ['text', 'Text'],
  ['change', 'Change'],
] as const
const firstLines = 400

/** Writes the whole SKILL.md. What is saved is the next version, live at once; what was there stays. */
export function SkillEditor({ skill, onSaved, onClose }: SkillEditorProps) {
  const { id, name, content, version, versions, file } = skill
  const [text, setText] = useState(() => draftOf(id) ?? content)
  const [begunWith] = useState({ version, content })
  const [reason, setReason] = useState('')
  const [look, setLook] = useState<(typeof looks)[number][0]>('text')
  const next = Math.max(0, ...versions.map((each) => each.version)) + 1
  const isChanged = text !== begunWith.content
  const over = new TextEncoder().encode(text).length - limits.skillFileBytes
  const save = useAction(async () => {
    const why = reason.trim()
    // Only what was begun with is replaced: another version that came meanwhile is refused by the engine, and said.
    const parent = versions.some(({ state }) => state === 'live') ? begunWith.version : null
    await call('skill.save', { id, parent, content: text, ...(why !== '' && { reason: why }) })
    keepDraft(id, null)
    await onSaved()
  })
  function change(written: string): void {
    setText(written)
    keepDraft(id, written === begunWith.content ? null : written)
    save.clear()
  }
  function discard(): void {
    keepDraft(id, null)
    onClose()
  }
  const canSave = isChanged && over <= 0 && !save.isBusy
  return (
    <form
      className="pane detail sk-editor"
      aria-label={`Edit ${name}`}
      onSubmit={(event) => {
        event.preventDefault()
        if (canSave) save.run()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && canSave) save.run()
        if (event.key === 'Escape' && !isChanged) discard()
      }}
    >
      <div className="row">
        <h2 className="trunc">{name}</h2>
        <span className="mute">SKILL.md</span>
        <span className="grow" />
        <Segmented label="What is shown" options={looks} value={look} onChange={(next) => setLook(next)} />
      </div>
      {version !== begunWith.version && (
        <Note status="waiting">
          v{version} became live meanwhile. What you write was begun with v{begunWith.version} and cannot be saved over
          it: copy what you need, discard, and begin anew.
        </Note>
      )}
      {look === 'text' ? (
        <textarea
          className={over > 0 ? 'input area mono invalid sk-text' : 'input area mono sk-text'}
          aria-label="Text of SKILL.md"
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: opened by a press, so the next thing is to write
          autoFocus
          value={text}
          onChange={(event) => change(event.target.value)}
        />
      ) : (
        <div className="card sk-text scrolls">
          <DiffView before={begunWith.content} after={text} label={`Change of ${name}`} firstLines={firstLines} />
        </div>
      )}
      {file !== null && (
        <p className="small dim breaks">
          The file <span className="mono">{file}</span> stays as it is; this becomes v{next} in the store.
        </p>
      )}
      {over > 0 && (
        <Note status="failed">
          The file is {over.toLocaleString('en')} bytes over its limit of {limits.skillFileBytes.toLocaleString('en')}.
        </Note>
      )}
      {save.error && <NotSaved error={save.error} text={text} />}
      <Field
        label="What changed, in a sentence"
        maxLength={1_000}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <div className="row">
        <Button type="submit" look="primary" shortcut="Mod+Enter" disabled={!canSave}>
          Save as v{next}
        </Button>
        <Button {...(!isChanged && { shortcut: 'Escape' })} onClick={discard}>
          {isChanged ? 'Discard' : 'Close'}
        </Button>
        <span className="grow" />
        <span className="mute small">Live at once. v{begunWith.version} stays one key away.</span>
      </div>
    </form>
  )
}

function NotSaved({ error, text }: { readonly error: ErrorBody; readonly text: string }) {
  const list = diagnosticsOf(error)
  return (
    <div className="sk-errors scrolls">
      <ErrorCard title="It was not saved" error={error} />
      {list.length > 0 && <Diagnostics list={list} text={text} />}
    </div>
  )
}

/** The place that an error of a file names; none where it is about something else. */
export function diagnosticsOf({ data }: Pick<ErrorBody, 'data'>): readonly SkillDiagnostic[] {
  if (!isJsonObject(data) || typeof data.line !== 'number' || typeof data.code !== 'string') return []
  return [{ code: data.code, line: data.line, message: '' }]
}

import { useCallback, useRef, useState } from 'react'
import type { ErrorBody } from '../../../core/domain/error.ts'
import { isJsonObject } from '../../../core/domain/json.ts'
import { Button } from '../../components/button.tsx'
import { ErrorCard, Note, Skeleton } from '../../components/card.tsx'
import { Choice } from '../../components/choice.tsx'
import { call } from '../../engine/client.ts'
import { pickProject } from '../../state/load.ts'
import { projectOf } from '../../state/select.ts'
import { supervise, useApp } from '../../state/store.ts'
import { useAction, useLoad } from '../../state/use-load.ts'
import { CadenceFields } from './cadence-fields.tsx'
import { draftOf, keepDraft, newDraftId } from './drafts.ts'
import { definitionOf, draftFrom, emptyDraft, type Fields, type FormState, type MissionDraft } from './editor-draft.ts'
import { Area, Labelled, Line } from './form-parts.tsx'
import { LimitFields, MeansFields, PolicyFields } from './policy-fields.tsx'

interface MissionEditorProps {
  /** Null: a new one. */
  readonly id: string | null
  onSaved(id: string): void
  onClose(): void
}

interface Begun {
  readonly draft: MissionDraft
  readonly version: number
  readonly projectId: string
}

/** Writes a mission. What is typed is kept until it is saved or discarded, also over another screen. */
export function MissionEditor({ id, onSaved, onClose }: MissionEditorProps) {
  const [begun, setBegun] = useState<Begun | null>(null)
  const load = useLoad(
    useCallback(async () => {
      if (id === null) return
      const { definition, version, projectId } = await call('mission.get', { id })
      setBegun({ draft: definition === null ? emptyDraft() : draftFrom(definition), version, projectId })
    }, [id]),
  )
  if (id === null) return <Form id={null} begun={null} onSaved={onSaved} onClose={onClose} />
  if (begun) return <Form id={id} begun={begun} onSaved={onSaved} onClose={onClose} />
  return (
    <section className="pane detail" aria-label="Mission">
      {load.phase === 'failed' ? (
        <div className="padded">
          <ErrorCard
            title="This mission could not be read"
            error={load.error}
            actions={
              <>
                <Button look="primary" onClick={load.retry}>
                  Read again
                </Button>
                <Button onClick={onClose}>Close</Button>
              </>
            }
          />
        </div>
      ) : (
        <Skeleton rows={7} label="Reading the mission" />
      )}
    </section>
  )
}

interface FormProps extends Omit<MissionEditorProps, 'id'> {
  readonly id: string | null
  readonly begun: Begun | null
}

function Form({ id, begun, onSaved, onClose }: FormProps) {
  const key = id ?? newDraftId
  const formRef = useRef<HTMLFormElement>(null)
  const [start] = useState(() => begun?.draft ?? emptyDraft())
  const [draft, setDraft] = useState(() => draftOf(key) ?? start)
  const [found, setFound] = useState<Fields>({})
  const ownProject = useApp((state) => state.projectId)
  const [chosenProject, chooseProject] = useState<string | null>(null)
  const projectId = begun?.projectId ?? chosenProject ?? ownProject
  const isChanged = JSON.stringify(draft) !== JSON.stringify(start)
  const save = useAction(async () => {
    const verdict = definitionOf(draft)
    if (!verdict.ok || projectId === null) {
      setFound(verdict.ok ? {} : verdict.problems)
      focusProblem()
      return
    }
    const saved = await call('mission.save', {
      ...{ projectId, definition: verdict.definition, follows: begun?.version ?? null },
      ...(id !== null && { id }),
    })
    keepDraft(key, null)
    onSaved(saved.id)
  })
  const problems = { ...problemsIn(save.error), ...found }
  /** The first field that is wrong, once it is drawn so. */
  function focusProblem(): void {
    requestAnimationFrame(() => formRef.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }
  function change(patch: Partial<MissionDraft>): void {
    const next = { ...draft, ...patch }
    setDraft(next)
    keepDraft(key, JSON.stringify(next) === JSON.stringify(start) ? null : next)
    setFound({})
    save.clear()
  }
  function discard(): void {
    keepDraft(key, null)
    onClose()
  }
  const state = { draft, problems, change }
  const title = id === null ? 'New mission' : `Edit ${start.name}`
  const isAtField = Object.keys(problemsIn(save.error)).length > 0
  return (
    <form
      ref={formRef}
      className="pane detail msn-editor"
      aria-label={title}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!save.isBusy) save.run()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !save.isBusy) save.run()
        if (event.key === 'Escape' && !isChanged) discard()
      }}
    >
      <header className="msn-title">
        <h2>{title}</h2>
        <p className="dim msn-said">
          {begun
            ? `Saved as v${begun.version + 1}. What v${begun.version} has in the ledger stays; what was to come is worked out anew.`
            : 'It fires by itself once it is saved. Each firing is a thread that you can open.'}
        </p>
      </header>
      <div className="pane-body scrolls">
        <div className="msn-form">
          {id === null && <ProjectField projectId={projectId} onChoose={chooseProject} />}
          <GoalFields {...state} isNew={id === null} />
          <h3>When</h3>
          <CadenceFields {...state} />
          <h3>When something gets in the way</h3>
          <PolicyFields {...state} />
          <h3>Limits</h3>
          <LimitFields {...state} />
          <h3>Means</h3>
          <MeansFields {...state} />
        </div>
      </div>
      <footer className="msn-foot">
        {save.error &&
          (isAtField ? <Wrong error={save.error} /> : <ErrorCard title="It was not saved" error={save.error} />)}
        <div className="row">
          <Button type="submit" look="primary" shortcut="Mod+Enter" disabled={save.isBusy || projectId === null}>
            {begun ? `Save as v${begun.version + 1}` : 'Save the mission'}
          </Button>
          <Button {...(!isChanged && { shortcut: 'Escape' })} onClick={discard}>
            {isChanged ? 'Discard' : 'Close'}
          </Button>
          <span className="grow" />
          <span className="mute small">{isChanged ? 'Kept as you type; not saved yet.' : ''}</span>
        </div>
      </footer>
    </form>
  )
}

function Wrong({ error }: { readonly error: ErrorBody }) {
  return (
    <Note status="failed">
      {error.userMessage} <span className="mono mute">{error.code}</span>
    </Note>
  )
}

/** Which fields an error of the engine is about, each with its sentence. */
export function problemsIn(error: Pick<ErrorBody, 'data'> | null): Fields {
  const list = isJsonObject(error?.data) ? error.data.problems : undefined
  if (!Array.isArray(list)) return {}
  return Object.fromEntries(
    list.flatMap((each) =>
      isJsonObject(each) && typeof each.field === 'string' && typeof each.message === 'string'
        ? [[each.field, each.message] as const]
        : [],
    ),
  )
}

function ProjectField({ projectId, onChoose }: { readonly projectId: string | null; onChoose(id: string): void }) {
  const projects = useApp((state) => state.projects)
  const project = projectOf(projects, projectId)
  if (!project)
    return (
      <Note status="waiting" action={<Button onClick={() => supervise(pickProject)}>Open a folder</Button>}>
        A mission works in a folder, and none is open.
      </Note>
    )
  if (projects.length === 1) return null
  return (
    <Labelled label="Folder">
      <Choice
        label="Folder"
        options={projects.map(({ id, name, folder }) => ({ value: id, title: name, detail: folder }))}
        value={project.id}
        onChange={onChoose}
      />
    </Labelled>
  )
}

function GoalFields({ draft, problems, change, isNew }: FormState & { readonly isNew: boolean }) {
  return (
    <>
      <Line
        label="Name"
        value={draft.name}
        problem={problems.name}
        isMono
        placeholder="issue-triage"
        maxLength={64}
        autoFocus={isNew}
        onChange={(name) => change({ name })}
      />
      <Line
        label="In a sentence"
        value={draft.description}
        problem={problems.description}
        maxLength={300}
        onChange={(description) => change({ description })}
      />
      <Area
        label="Goal"
        rows={5}
        value={draft.goal}
        problem={problems.goal}
        hint="What each firing is to do. The next one is told what came of those before it."
        onChange={(goal) => change({ goal })}
      />
      <Area
        label="Reached when"
        rows={2}
        value={draft.success}
        problem={problems.success}
        hint="By what it is known that the whole goal is reached; then it stops. Empty: it never is."
        onChange={(success) => change({ success })}
      />
      <Area
        label="First focus"
        rows={2}
        value={draft.focus}
        problem={problems.focus}
        onChange={(focus) => change({ focus })}
      />
    </>
  )
}

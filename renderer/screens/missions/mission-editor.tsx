import { useCallback, useRef, useState } from 'react'
import { type ErrorBody, errorBody } from '../../../core/domain/error.ts'
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
import { type KeptDraft, keepDraft, keptDraft } from './drafts.ts'
import { definitionOf, draftFrom, emptyDraft, type Fields, type FormState, type MissionDraft } from './editor-draft.ts'
import { Area, Labelled, Line } from './form-parts.tsx'
import { differing, OutdatedNote } from './outdated-note.tsx'
import { LimitFields, MeansFields, PolicyFields } from './policy-fields.tsx'

interface MissionEditorProps {
  /** Null: a new one. */
  readonly id: string | null
  onSaved(id: string): void
  onClose(): void
}

/** What the form begins with. */
interface Begun {
  readonly draft: MissionDraft
  /** Null for one that is not there yet. */
  readonly version: number | null
  readonly projectId: string | null
}

/** Writes a mission. What is typed is kept until it is saved or discarded, also over another screen. */
export function MissionEditor({ id, onSaved, onClose }: MissionEditorProps) {
  const [begun, setBegun] = useState<Begun | null>(() =>
    id === null ? { draft: emptyDraft(), version: null, projectId: null } : null,
  )
  const seq = useApp((state) => (id === null ? 0 : (state.known.missionSeqs[id] ?? 0)))
  const load = useLoad(
    useCallback(async () => {
      if (id === null) return
      const { definition, version, projectId } = await call('mission.get', { id })
      setBegun({ draft: definition === null ? emptyDraft() : draftFrom(definition), version, projectId })
    }, [id, seq]),
  )
  if (begun) return <Form id={id} begun={begun} onOutdated={load.retry} onSaved={onSaved} onClose={onClose} />
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

interface FormProps extends MissionEditorProps {
  /** As it is now: it moves where the mission is changed meanwhile. */
  readonly begun: Begun
  /** There is a newer version than `begun`. */
  onOutdated(): void
}

function Form({ id, begun, onOutdated, onSaved, onClose }: FormProps) {
  const formRef = useRef<HTMLFormElement>(null)
  const [typed, setTyped] = useState(() => keptDraft(id))
  const [found, setFound] = useState<Fields>({})
  const ownProject = useApp((state) => state.projectId)
  const [chosenProject, chooseProject] = useState<string | null>(null)
  const projectId = begun.projectId ?? chosenProject ?? ownProject
  const draft = typed?.draft ?? begun.draft
  const isChanged = typed !== null && differing(typed.draft, begun.draft).length > 0
  const isOutdated = isChanged && typed.version !== begun.version
  const save = useAction(async () => {
    const verdict = definitionOf(draft)
    if (!verdict.ok || projectId === null) {
      setFound(verdict.ok ? {} : verdict.problems)
      focusProblem()
      return
    }
    const asked = { projectId, definition: verdict.definition, follows: begun.version }
    const saved = await call('mission.save', { ...asked, ...(id !== null && { id }) }).catch((error: unknown) => {
      if (errorBody(error).code === 'mission.state') onOutdated()
      throw error
    })
    keepDraft(id, null)
    onSaved(saved.id)
  })
  const canSave = !save.isBusy && !isOutdated && projectId !== null
  const problems = { ...problemsIn(save.error), ...found }
  /** The first field that is wrong, once it is drawn so. */
  function focusProblem(): void {
    requestAnimationFrame(() => formRef.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }
  function take(next: KeptDraft | null): void {
    setTyped(next)
    keepDraft(id, next)
    setFound({})
    save.clear()
  }
  function change(patch: Partial<MissionDraft>): void {
    const next = { version: isOutdated ? typed.version : begun.version, draft: { ...draft, ...patch } }
    take(isOutdated || differing(next.draft, begun.draft).length > 0 ? next : null)
  }
  function discard(): void {
    keepDraft(id, null)
    onClose()
  }
  const state = { draft, problems, change }
  const title = id === null ? 'New mission' : `Edit ${begun.draft.name}`
  const isAtField = Object.keys(problemsIn(save.error)).length > 0
  return (
    <form
      ref={formRef}
      className="pane detail msn-editor"
      aria-label={title}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (canSave) save.run()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && canSave) save.run()
        if (event.key === 'Escape' && !isChanged) discard()
      }}
    >
      <header className="msn-title">
        <h2>{title}</h2>
        <p className="dim msn-said">
          {begun.version !== null
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
        {isOutdated && (
          <OutdatedNote
            mine={draft}
            theirs={begun.draft}
            versions={[typed.version, begun.version]}
            onMine={() => take({ version: begun.version, draft })}
            onTheirs={() => take(null)}
          />
        )}
        <div className="row">
          <Button type="submit" look="primary" shortcut="Mod+Enter" disabled={!canSave}>
            {begun.version !== null ? `Save as v${begun.version + 1}` : 'Save the mission'}
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

import { useCallback, useMemo, useState } from 'react'
import { runCommand, shortcutOf } from '../../commands.ts'
import { Button } from '../../components/button.tsx'
import { Empty } from '../../components/card.tsx'
import { Splitter, usePaneWidth } from '../../components/splitter.tsx'
import { type Undoable, UndoToast } from '../../components/undo-toast.tsx'
import { go } from '../../state/navigation.ts'
import { useApp } from '../../state/store.ts'
import { useMoves } from '../../state/use-moves.ts'
import { useScreenCommand } from '../../state/use-screen-command.ts'
import { useSettled } from '../../state/use-settled.ts'
import { DocEditor } from './doc-editor.tsx'
import { DocPane } from './doc-pane.tsx'
import { MemoryList } from './memory-list.tsx'
import { useDocs } from './use-docs.ts'
import type { ShownType } from './words.ts'
import './memory.css'

/** What is known of a project: notes, lessons, issues, summaries and specs, with where each came from. */
export function MemoryScreen({ id }: { readonly id: string | null }) {
  const own = useApp((state) => state.projectId)
  const [chosen, setChosen] = useState<string | null>(null)
  const projectId = chosen ?? own
  if (projectId === null) return <NoProject />
  const choose = (next: string) => {
    setChosen(next)
    go({ screen: 'memory', id: null })
  }
  return <ProjectMemory key={projectId} id={id} projectId={projectId} onProject={choose} />
}

interface ProjectMemoryProps {
  readonly id: string | null
  readonly projectId: string
  onProject(id: string): void
}

function ProjectMemory({ id, projectId, onProject }: ProjectMemoryProps) {
  const [type, setType] = useState<ShownType | null>(null)
  const [isArchived, setArchived] = useState(false)
  const [text, setText] = useState('')
  // The place where a new one is being written: who goes to another leaves it.
  const [newAt, setNewAt] = useState<{ readonly id: string | null } | null>(null)
  const isNew = newAt?.id === id
  const [revision, setRevision] = useState(0)
  const [done, setDone] = useState<Undoable | null>(null)
  const query = useSettled(text.trim())
  const view = useMemo(() => ({ projectId, type, isArchived, query }), [projectId, type, isArchived, query])
  const docs = useDocs(view, revision)
  const shownId = id ?? docs.rows[0]?.id ?? null
  const isEmpty = docs.isRead && docs.rows.length === 0 && type === null && !isArchived && query === ''
  const list = usePaneWidth({ name: 'memory', label: 'Width of the list', initial: 376, min: 320, max: 520 })
  const changed = useCallback(() => setRevision((count) => count + 1), [])
  const { toggle } = list
  // `toggle` is made anew with the state that it reads.
  useScreenCommand('list.toggle', useCallback(toggle, [list.isOpen]))
  useScreenCommand(
    'doc.new',
    useCallback(() => setNewAt({ id }), [id]),
  )
  useMoves((by) => {
    const at = docs.rows.findIndex((row) => row.id === shownId)
    const next = docs.rows[Math.max(0, Math.min(docs.rows.length - 1, at + by))]
    setNewAt(null)
    if (next) go({ screen: 'memory', id: next.id })
  })
  return (
    <main className="split memory" style={{ gridTemplateColumns: `${list.width}px minmax(0, 1fr)` }}>
      <div className="pane">
        {list.isOpen && (
          <MemoryList
            {...{ type, isArchived, text, projectId, onProject }}
            docs={docs}
            isSearch={query !== ''}
            shownId={isNew ? null : shownId}
            onOpen={() => setNewAt(null)}
            onType={setType}
            onArchived={setArchived}
            onText={setText}
          />
        )}
      </div>
      <Splitter {...list.splitter} />
      {isNew ? (
        <DocEditor
          key="new"
          doc={null}
          projectId={projectId}
          onSaved={(doc) => {
            setNewAt(null)
            changed()
            go({ screen: 'memory', id: doc.id })
          }}
          onClose={() => setNewAt(null)}
        />
      ) : (
        <Shown id={shownId} revision={revision} isEmpty={isEmpty} onChanged={changed} onDone={setDone} />
      )}
      <UndoToast done={done} onOver={useCallback(() => setDone(null), [])} />
    </main>
  )
}

interface ShownProps {
  readonly id: string | null
  readonly revision: number
  /** There is not one doc, whatever is looked for. */
  readonly isEmpty: boolean
  onChanged(): void
  onDone(done: Undoable): void
}

function Shown({ id, isEmpty, ...rest }: ShownProps) {
  if (id !== null) return <DocPane key={id} id={id} {...rest} />
  return (
    <section className="pane detail" aria-label="Doc">
      {isEmpty && <NoDocs />}
    </section>
  )
}

function NoDocs() {
  return (
    <Empty
      title="Nothing is remembered yet"
      actions={
        <Button look="primary" shortcut={shortcutOf('doc.new') ?? ''} onClick={() => runCommand('doc.new')}>
          Write a note
        </Button>
      }
    >
      What the agent learns and what you write down stands here, with its versions and where each came from. New threads
      of this folder are told what bears on their goal.
    </Empty>
  )
}

function NoProject() {
  return (
    <main className="split">
      <h1 className="sr">Memory</h1>
      <Empty
        title="No folder is open"
        actions={
          <Button look="primary" shortcut={shortcutOf('project.open') ?? ''} onClick={() => runCommand('project.open')}>
            Open a folder
          </Button>
        }
      >
        Each folder has a memory of its own: notes, lessons, issues, summaries and specs.
      </Empty>
    </main>
  )
}

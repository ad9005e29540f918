import { useCallback, useEffect, useState } from 'react'
import { type DocHeader, type DocType, docTypes, type MemoryHit } from '../../../core/domain/memory.ts'
import { Button } from '../../components/button.tsx'
import { ErrorCard, Skeleton } from '../../components/card.tsx'
import { Choice } from '../../components/choice.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { call } from '../../engine/client.ts'
import { folderTail } from '../../format/figures.ts'
import { useApp } from '../../state/store.ts'
import { useAction, useLoad } from '../../state/use-load.ts'
import { DocRow } from './doc-row.tsx'

const searchDelayMs = 200
const listRows = 60
type TypeChoice = DocType | 'all'
const typeOptions: readonly (readonly [TypeChoice, string])[] = [
  ['all', 'All'],
  ...docTypes.map((type) => [type, type] as const),
]
type UseChoice = 'inUse' | 'archived'
const useOptions: readonly (readonly [UseChoice, string])[] = [
  ['inUse', 'In use'],
  ['archived', 'Archived'],
]

/** What was kept for later threads, by project: found, read, edited, taken out of use. */
export function MemorySection() {
  const projects = useApp((state) => state.projects)
  const current = useApp((state) => state.projectId)
  const [chosen, setChosen] = useState<string | null>(null)
  const projectId = chosen ?? current ?? projects[0]?.id ?? null
  return (
    <>
      <h1>Memory</h1>
      <p>
        What threads and you wrote down for later. What fits a goal is given to the model; what is archived never is.
        Each edit is a new version, and old ones stay.
      </p>
      {projectId === null ? (
        <p className="after-lead">Open a folder first: each project has a memory of its own.</p>
      ) : (
        <>
          <div className="sech">
            <h2>Docs</h2>
            <Choice
              label="Project"
              options={projects.map(({ id, folder }) => ({ value: id, title: folderTail(folder) }))}
              value={projectId}
              onChange={setChosen}
            />
          </div>
          <Docs key={projectId} projectId={projectId} />
        </>
      )}
    </>
  )
}

function Docs({ projectId }: { readonly projectId: string }) {
  const [type, setType] = useState<TypeChoice>('all')
  const [use, setUse] = useState<UseChoice>('inUse')
  const [text, setText] = useState('')
  const query = text.trim()
  return (
    <>
      <div className="doc-filters">
        <Segmented<TypeChoice> label="Type" options={typeOptions} value={type} onChange={setType} />
        <Segmented<UseChoice> label="Use" options={useOptions} value={use} onChange={setUse} />
        <input
          className="input doc-search"
          type="search"
          aria-label="Search the memory"
          placeholder="Search by meaning and words"
          value={text}
          maxLength={1_000}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      {query === '' ? (
        <DocList key={`${type} ${use}`} filter={{ projectId, type, archived: use === 'archived' }} />
      ) : (
        <Found projectId={projectId} query={query} type={type} />
      )}
    </>
  )
}

interface DocFilter {
  readonly projectId: string
  readonly type: DocType | 'all'
  readonly archived: boolean
}

function DocList({ filter }: { readonly filter: DocFilter }) {
  const { projectId, type, archived } = filter
  const [rows, setRows] = useState<readonly DocHeader[]>([])
  const [next, setNext] = useState<number | null>(null)
  const read = useCallback(
    async (before?: number) => {
      const page = await call('doc.list', {
        ...{ projectId, archived, limit: listRows },
        ...(type !== 'all' && { type }),
        ...(before !== undefined && { before }),
      })
      setRows((known) => (before === undefined ? page.rows : [...known, ...page.rows]))
      setNext(page.next)
    },
    [projectId, type, archived],
  )
  const load = useLoad(useCallback(() => read(), [read]))
  const more = useAction(read)
  if (load.phase === 'failed')
    return (
      <ErrorCard
        title="The memory could not be read"
        error={load.error}
        actions={<Button onClick={load.retry}>Read again</Button>}
      />
    )
  if (rows.length === 0)
    return (
      <div className="card">
        {load.phase === 'loading' ? (
          <Skeleton rows={4} label="Reading the memory" />
        ) : (
          <p className="card-text">
            {archived
              ? 'Nothing is archived here.'
              : 'Nothing is kept here yet. A thread keeps a note where you ask it to.'}
          </p>
        )}
      </div>
    )
  return (
    <>
      <div className="card">
        {rows.map((doc) => (
          <DocRow key={doc.id} doc={doc} onChanged={load.retry} />
        ))}
      </div>
      {next !== null && (
        <Button className="after-card" look="ghost" disabled={more.isBusy} onClick={() => more.run(next)}>
          Older docs
        </Button>
      )}
    </>
  )
}

/** By meaning and by words, the best first. */
function Found({
  projectId,
  query,
  type,
}: {
  readonly projectId: string
  readonly query: string
  readonly type: DocType | 'all'
}) {
  const settled = useSettled(query)
  const [hits, setHits] = useState<readonly MemoryHit[]>([])
  const load = useLoad(
    useCallback(() => call('doc.search', { projectId, query: settled, limit: 20 }).then(setHits), [projectId, settled]),
  )
  if (load.phase === 'failed') return <ErrorCard title="The search failed" error={load.error} />
  const shown = hits.filter((hit) => type === 'all' || hit.type === type)
  return (
    <div className="card" aria-live="polite">
      {shown.length === 0 && (
        <p className="card-text">{load.phase === 'loading' ? 'Searching' : `No doc in use is about “${settled}”.`}</p>
      )}
      {shown.map((hit) => (
        <DocRow key={hit.id} doc={hit} onChanged={load.retry} />
      ))}
    </div>
  )
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), searchDelayMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

import { useCallback, useMemo, useRef, useState } from 'react'
import { type ThreadState, threadStates } from '../../core/domain/thread.ts'
import { runCommand, shortcutOf } from '../commands.ts'
import { Button, Kbd } from '../components/button.tsx'
import { Empty, ErrorCard, Skeleton } from '../components/card.tsx'
import { Icon } from '../components/icon.tsx'
import { Segmented } from '../components/segmented.tsx'
import { counted } from '../format/figures.ts'
import { loadThreads, type ThreadFilter } from '../state/load.ts'
import { listedThreads } from '../state/select.ts'
import { useApp } from '../state/store.ts'
import { useAction, useLoad } from '../state/use-load.ts'
import { useScreenCommand } from '../state/use-screen-command.ts'
import { useSettled } from '../state/use-settled.ts'
import { ThreadTable } from './thread-table.tsx'

const stateOptions = [
  ['all', 'All'],
  ['Running', 'Running'],
  ['Waiting', 'Waiting'],
  ['Suspended', 'Suspended'],
  ['Done', 'Done'],
  ['Failed', 'Failed'],
] as const satisfies readonly (readonly [ThreadState | 'all', string])[]

/** Every thread on record, newest first. */
export function ThreadsScreen() {
  const [choice, setChoice] = useState<(typeof stateOptions)[number][0]>('all')
  const [text, setText] = useState('')
  const query = useSettled(text.trim())
  const filter = useMemo(() => ({ state: stateOf(choice), query, conversations: false }), [choice, query])
  const filterRef = useRef<HTMLInputElement>(null)
  useScreenCommand(
    'list.filter',
    useCallback(() => filterRef.current?.select(), []),
  )
  return (
    <main className="split threads">
      <section className="pane" aria-label="Threads">
        <div className="pane-head">
          <h1 className="h-title">Threads</h1>
          <span className="vr" />
          <Segmented label="State" options={stateOptions} value={choice} onChange={(next) => setChoice(next)} />
          <span className="grow" />
          <label className="input quiet threads-filter">
            <Icon name="search" size="tiny" />
            <span className="sr">Filter by title</span>
            <input
              ref={filterRef}
              className="grow"
              placeholder="Filter by title"
              value={text}
              onChange={(event) => setText(event.target.value)}
              onKeyDown={(event) => event.key === 'Escape' && setText('')}
            />
            <Kbd keys="/" />
          </label>
        </div>
        <ThreadRows
          key={`${choice} ${query}`}
          filter={filter}
          onClear={() => {
            setChoice('all')
            setText('')
          }}
        />
      </section>
    </main>
  )
}

function ThreadRows({ filter, onClear }: { readonly filter: ThreadFilter; onClear(): void }) {
  const [before, setBefore] = useState<number | null>(null)
  const load = useLoad(useCallback(() => loadThreads(filter).then(setBefore), [filter]))
  const more = useAction((key: number) => loadThreads(filter, key).then(setBefore))
  const threads = useApp((state) => state.known.threads)
  const rows = useMemo(() => listedThreads(threads, filter, before), [threads, filter, before])

  if (load.phase === 'failed')
    return (
      <div className="pane-body padded">
        <ErrorCard
          title="The threads could not be listed"
          error={load.error}
          actions={
            <Button look="primary" onClick={load.retry}>
              Try again
            </Button>
          }
        />
      </div>
    )
  if (rows.length === 0 && load.phase === 'loading') return <Skeleton rows={12} label="Reading the threads" />
  if (rows.length === 0)
    return <NoThreads isFiltered={filter.state !== null || filter.query !== ''} onClear={onClear} />
  return (
    <>
      <ThreadTable rows={rows} onEnd={() => before !== null && !more.isBusy && more.run(before)} />
      <div className="pane-foot">
        <span>
          {counted(rows.length, 'thread')}
          {before === null ? '' : ' loaded, more below'}
        </span>
        {more.error && <span className="ink-failed">{more.error.userMessage}</span>}
        <span className="grow" />
        <span>
          <Kbd keys="j k" /> move
        </span>
        <span>
          <Kbd keys="Enter" /> open
        </span>
      </div>
    </>
  )
}

function NoThreads({ isFiltered, onClear }: { readonly isFiltered: boolean; onClear(): void }) {
  if (isFiltered)
    return (
      <Empty title="No thread matches" actions={<Button onClick={onClear}>Clear the filter</Button>}>
        Looked in the titles of all threads, in the state that is chosen above.
      </Empty>
    )
  return (
    <Empty
      title="No threads yet"
      actions={
        <Button look="primary" shortcut={shortcutOf('chat.new') ?? ''} onClick={() => runCommand('chat.new')}>
          Start a conversation
        </Button>
      }
    >
      Each message of a conversation is worked on by a thread. Its steps, actions and results stay on record here.
    </Empty>
  )
}

function stateOf(choice: string): ThreadState | null {
  return threadStates.find((state) => state === choice) ?? null
}

import { useCallback, useEffect, useMemo, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Empty, ErrorCard, Skeleton } from '../../components/card.tsx'
import { Splitter, usePaneWidth } from '../../components/splitter.tsx'
import { useNow } from '../../engine/clock.ts'
import { loadLearnt } from '../../state/learnt.ts'
import { go, replaceRoute } from '../../state/navigation.ts'
import { useApp } from '../../state/store.ts'
import { useLoad } from '../../state/use-load.ts'
import { useMoves } from '../../state/use-moves.ts'
import { useScreenCommand } from '../../state/use-screen-command.ts'
import { useSettled } from '../../state/use-settled.ts'
import { AutoApply } from './auto-apply.tsx'
import { groupsOf, type LearntFilter, shownAmong } from './groups.ts'
import { LearntList } from './learnt-list.tsx'
import { LearntPane } from './learnt-pane.tsx'
import './learnt.css'

const pulseMs = 300
const minuteMs = 60_000
/** Of each group, until all are asked for. */
const firstRows = 100

/** Everything that learning proposed or brought about: what waits, what is in force, what was, and the way back. */
export function LearntScreen({ id }: { readonly id: string | null }) {
  const entries = useApp((state) => state.learnt)
  const seq = useSettled(
    // A skill's version is learnt too.
    useApp(({ known }) => Math.max(known.learntSeq, known.skillSeq)),
    pulseMs,
  )
  const load = useLoad(useCallback(() => loadLearnt(), [seq]))
  if (entries === null)
    return (
      <main className="split lone" aria-busy={load.phase === 'loading'}>
        <h1 className="sr">What I learnt</h1>
        {load.phase === 'failed' ? (
          <ErrorCard
            title="What was learnt could not be read"
            error={load.error}
            actions={
              <Button look="primary" onClick={load.retry}>
                Read again
              </Button>
            }
          />
        ) : (
          <Skeleton rows={6} label="Reading what was learnt" />
        )}
      </main>
    )
  return entries.length === 0 ? <NothingYet /> : <Learnt id={id} entries={entries} load={load} />
}

interface LearntProps {
  readonly id: string | null
  readonly entries: NonNullable<ReturnType<typeof useApp.getState>['learnt']>
  readonly load: ReturnType<typeof useLoad>
}

function Learnt({ id, entries, load }: LearntProps) {
  const [filter, setFilter] = useState<LearntFilter>({ view: 'all', kind: null })
  const [isWhole, setWhole] = useState(false)
  const now = useNow(minuteMs)
  const groups = useMemo(() => groupsOf(entries, filter), [entries, filter])
  const mostRows = isWhole ? entries.length : firstRows
  const rows = groups.flatMap((group) => group.rows.slice(0, mostRows))
  const shownId = id ?? rows[0]?.id ?? null
  const entry = entries.find((each) => each.id === shownId)
  // Once shown it stays, also when it was decided: the answer is seen.
  useEffect(() => {
    if (id === null && shownId !== null) replaceRoute({ screen: 'learnt', id: shownId })
  }, [id, shownId])
  const isListed = groups.some((group) => group.rows.some((row) => row.id === shownId))
  function onFilter(next: LearntFilter): void {
    setFilter(next)
    replaceRoute({ screen: 'learnt', id: shownAmong(groupsOf(entries, next), shownId) })
  }
  const list = usePaneWidth({ name: 'learnt', label: 'Width of the list', initial: 420, min: 320, max: 560 })
  const { toggle } = list
  // `toggle` is made anew with the state that it reads.
  useScreenCommand('list.toggle', useCallback(toggle, [list.isOpen]))
  useMoves((by) => {
    const at = rows.findIndex((row) => row.id === shownId)
    const next = rows[Math.max(0, Math.min(rows.length - 1, at + by))]
    if (next) go({ screen: 'learnt', id: next.id })
  })
  return (
    <main className="split lrn" style={{ gridTemplateColumns: `${list.width}px minmax(0, 1fr)` }}>
      <div className="pane">
        {list.isOpen && (
          <LearntList
            {...{ entries, groups, filter, shownId, now, load, mostRows }}
            onFilter={onFilter}
            onAll={() => setWhole(true)}
          />
        )}
      </div>
      <Splitter {...list.splitter} />
      {entry ? (
        <LearntPane
          key={entry.id}
          entry={entry}
          isListed={isListed}
          replaced={entries.find((each) => entry.replaces !== null && each.id === entry.replaces)}
        />
      ) : (
        <section className="pane detail" aria-label="Learnt">
          {shownId === null ? (
            <Empty title="Nothing is chosen">The list on the left holds none of this kind.</Empty>
          ) : (
            <Empty
              title="This does not stand here any more"
              actions={<Button onClick={() => go({ screen: 'learnt', id: null })}>Show what there is</Button>}
            >
              Nothing that was learnt has this address. Nothing was changed.
            </Empty>
          )}
        </section>
      )}
    </main>
  )
}

function NothingYet() {
  const status = useApp((state) => state.learntStatus)
  return (
    <main className="split lrn-none">
      <h1 className="sr">What I learnt</h1>
      <Empty title="Nothing was learnt yet">
        Learning missions look at threads that have ended: for what went wrong, for work that comes again, and for what
        you said for good. What they propose waits here for your answer, with the threads that it comes from.
      </Empty>
      <div className="card lrn-none-card">
        <AutoApply status={status} />
      </div>
    </main>
  )
}

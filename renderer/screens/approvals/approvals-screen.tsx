import { useCallback, useEffect, useMemo, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Empty, ErrorCard, Skeleton } from '../../components/card.tsx'
import { Splitter, usePaneWidth } from '../../components/splitter.tsx'
import { useNow } from '../../engine/clock.ts'
import { loadApproval } from '../../state/approvals.ts'
import { go, replaceRoute } from '../../state/navigation.ts'
import { pendingApprovals } from '../../state/select.ts'
import { useApp } from '../../state/store.ts'
import { useLoad } from '../../state/use-load.ts'
import { useMoves } from '../../state/use-moves.ts'
import { useScreenCommand } from '../../state/use-screen-command.ts'
import { ApprovalDetail } from './approval-detail.tsx'
import { ApprovalList } from './approval-list.tsx'
import { CandidatePane } from './candidate/candidate-pane.tsx'
import { groupsOf, isCandidateId, type ListView, type Queue, rowsOf } from './groups.ts'
import { LastDecisions } from './last-decisions.tsx'
import { useQueue } from './use-queue.ts'
import { useWaitsElsewhere, WaitsElsewhere } from './waits-elsewhere.tsx'
import './approvals.css'

const minuteMs = 60_000

/** Everything that waits for a person, and what they decided. */
export function ApprovalsScreen({ id }: { readonly id: string | null }) {
  const [view, setView] = useState<ListView>('all')
  const { queue, load, onMore } = useQueue()
  const now = useNow(minuteMs)
  const groups = useMemo(() => groupsOf(queue, view, now), [queue, view, now])
  const rows = rowsOf(groups)
  const actions = pendingApprovals(queue.approvals)
  const shownId = id ?? actions[0]?.id ?? queue.candidates[0]?.id ?? null
  // Once shown it stays, also when it was decided: the answer is seen.
  useEffect(() => {
    if (id === null && shownId !== null) replaceRoute({ screen: 'approvals', id: shownId })
  }, [id, shownId])
  const list = usePaneWidth({ name: 'approvals', label: 'Width of the list', initial: 400, min: 280, max: 520 })
  const { toggle } = list
  // `toggle` is made anew with the state that it reads.
  useScreenCommand('list.toggle', useCallback(toggle, [list.isOpen]))
  const move = (by: number) => {
    const at = rows.findIndex((row) => row.id === shownId)
    const next = rows[Math.max(0, Math.min(rows.length - 1, at + by))]
    if (next) go({ screen: 'approvals', id: next.id })
  }
  useMoves(move)
  const isEmpty = shownId === null && view === 'all'
  if (load.phase === 'failed')
    return (
      <main className="split lone">
        <h1 className="sr">Approvals</h1>
        <ErrorCard
          title="The approvals could not be read"
          error={load.error}
          actions={
            <Button look="primary" onClick={load.retry}>
              Read again
            </Button>
          }
        />
      </main>
    )
  if (isEmpty && load.phase === 'loading')
    return (
      <main className="split lone" aria-busy="true">
        <h1 className="sr">Approvals</h1>
        <Skeleton rows={6} label="Reading the approvals" />
      </main>
    )
  if (isEmpty) return <NothingWaits queue={queue} onView={setView} />
  return (
    <main className="split apr" style={{ gridTemplateColumns: `${list.width}px minmax(0, 1fr)` }}>
      <div className="pane">
        {list.isOpen && (
          <ApprovalList
            {...{ groups, view, shownId, now, onMore }}
            counts={{ actions: actions.length, skills: queue.candidates.length }}
            onView={setView}
            isLoading={load.phase === 'loading'}
          />
        )}
      </div>
      <Splitter {...list.splitter} />
      <Shown id={shownId} onLater={() => move(1)} />
    </main>
  )
}

/** What the address names; a request that no page has brought is read. */
function Shown({ id, onLater }: { readonly id: string | null; onLater(): void }) {
  const approval = useApp((state) => (id === null ? undefined : state.known.approvals[id]))
  if (id === null)
    return (
      <section className="pane detail" aria-label="Approval">
        <Empty title="Nothing is chosen">Choose a decision on the left to see what was asked and answered.</Empty>
      </section>
    )
  if (isCandidateId(id)) return <CandidatePane key={id} id={id} onLater={onLater} />
  return approval ? <ApprovalDetail key={id} approval={approval} onLater={onLater} /> : <Missing id={id} />
}

function Missing({ id }: { readonly id: string }) {
  const load = useLoad(useCallback(() => loadApproval(id), [id]))
  return (
    <section className="pane detail" aria-label="Approval">
      <div className="padded">
        {load.phase === 'failed' ? (
          <ErrorCard
            title="This request could not be read"
            error={load.error}
            actions={<Button onClick={() => go({ screen: 'approvals', id: null })}>Show what waits</Button>}
          />
        ) : (
          <Skeleton rows={5} label="Reading the request" />
        )}
      </div>
    </section>
  )
}

function NothingWaits({ queue, onView }: { readonly queue: Queue; onView(view: ListView): void }) {
  const waitsElsewhere = useWaitsElsewhere()
  return (
    <main className="split nothing">
      <h1 className="sr">Approvals</h1>
      <WaitsElsewhere />
      <Empty
        title={waitsElsewhere ? 'No action and no skill waits' : 'Nothing waits for you'}
        actions={<Button onClick={() => onView('standing')}>Show standing approvals</Button>}
      >
        Actions that change files, run commands or leave this computer, and skills that the agent has learned, stop here
        first. Without an answer they are denied.
      </Empty>
      <LastDecisions queue={queue} onAll={() => onView('history')} />
    </main>
  )
}

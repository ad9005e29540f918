import { useMemo } from 'react'
import type { Approval } from '../../../core/domain/approval.ts'
import { limits } from '../../../core/domain/limits.ts'
import { approvalLooks, decisionText } from '../../approval/words.ts'
import { Button } from '../../components/button.tsx'
import { Skeleton } from '../../components/card.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { Status } from '../../components/status.tsx'
import { useNow } from '../../engine/clock.ts'
import { clockTime, exactText, relativeText } from '../../format/dates.ts'
import { routeHash } from '../../routes.ts'
import { pendingApprovals } from '../../state/select.ts'
import { useApp } from '../../state/store.ts'
import { Grants } from '../grants.tsx'
import { decidedApprovals, decidedToday, type ListView } from './groups.ts'

interface ApprovalListProps {
  readonly view: ListView
  readonly shownId: string | null
  readonly isLoading: boolean
  /** Null where everything is loaded. */
  readonly onMore: (() => void) | null
  onView(view: ListView): void
}

const minuteMs = 60_000
const expiryDays = limits.approvalMs / 86_400_000

/** Who is held up first, then what was decided. */
export function ApprovalList({ view, shownId, isLoading, onMore, onView }: ApprovalListProps) {
  const approvals = useApp((state) => state.known.approvals)
  const now = useNow(minuteMs)
  const pending = useMemo(() => pendingApprovals(approvals), [approvals])
  const decided = useMemo(
    () => (view === 'history' ? decidedApprovals(approvals) : decidedToday(approvals, now)),
    [approvals, view, now],
  )
  return (
    <>
      <div className="pane-head">
        <h1 className="h-title">Approvals</h1>
        <span className="mute">{pending.length}</span>
        <span className="grow" />
        <Segmented
          label="What is listed"
          options={[
            ['all', 'All'],
            ['history', 'History'],
            ['standing', 'Standing'],
          ]}
          value={view}
          onChange={onView}
        />
      </div>
      <nav className="pane-body scrolls" aria-label="Requests">
        {view === 'standing' && <Grants />}
        {view === 'all' && <Group title="Holding up a thread" rows={pending} shownId={shownId} now={now} />}
        {view !== 'standing' && (
          <Group title={view === 'all' ? 'Decided today' : 'Decided'} rows={decided} shownId={shownId} now={now} />
        )}
        {view !== 'standing' && pending.length + decided.length === 0 && !isLoading && (
          <p className="list-none">
            {view === 'all' ? 'Nothing waits, and nothing was decided today.' : 'Nothing was decided yet.'}
          </p>
        )}
        {isLoading && <Skeleton rows={2} label="Reading the decisions" />}
        {view === 'history' && onMore && (
          <div className="older">
            <Button look="ghost" onClick={onMore}>
              Older decisions
            </Button>
          </div>
        )}
      </nav>
      <div className="pane-foot wraps">
        No answer means no. A request expires after {expiryDays} days and is then denied.
      </div>
    </>
  )
}

interface GroupProps {
  readonly title: string
  readonly rows: readonly Approval[]
  readonly shownId: string | null
  readonly now: number
}

function Group({ title, rows, shownId, now }: GroupProps) {
  if (rows.length === 0) return null
  return (
    <section aria-label={title}>
      <h2 className="list-group">{title}</h2>
      <ul>
        {rows.map((row) => (
          <li key={row.id}>
            <ApprovalRow approval={row} isShown={row.id === shownId} now={now} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function ApprovalRow({
  approval,
  isShown,
  now,
}: {
  readonly approval: Approval
  readonly isShown: boolean
  readonly now: number
}) {
  const { id, action, summary, state, threadNumber, threadTitle, requestedAt, decidedAt } = approval
  const look = approvalLooks[state]
  const at = decidedAt ?? requestedAt
  const isPending = state === 'pending'
  return (
    <a
      className="item q"
      href={routeHash({ screen: 'approvals', id })}
      aria-current={isShown ? 'page' : undefined}
      title={`${action} ${summary}`}
    >
      <Status status={look.status} word={look.word} look="icon" />
      <span className="t trunc">
        <span className="mono">{action}</span> {summary}
      </span>
      <time className="sub" dateTime={new Date(at).toISOString()} title={exactText(at)}>
        {isPending ? relativeText(at, now) : clockTime(at)}
      </time>
      <span className="sub2 trunc">
        #{threadNumber} {isPending ? threadTitle : `· ${decisionText(approval)}`}
      </span>
    </a>
  )
}

import type { ReactNode } from 'react'
import { limits } from '../../../core/domain/limits.ts'
import { Button } from '../../components/button.tsx'
import { Skeleton } from '../../components/card.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { Grants } from '../grants.tsx'
import type { ListView, QueueGroups, QueueRow } from './groups.ts'
import { QueueRowView } from './queue-row.tsx'
import { WaitsElsewhere } from './waits-elsewhere.tsx'

interface ApprovalListProps {
  readonly groups: QueueGroups
  readonly counts: { readonly actions: number; readonly skills: number }
  readonly view: ListView
  readonly shownId: string | null
  readonly now: number
  readonly isLoading: boolean
  /** Null where everything is loaded. */
  readonly onMore: (() => void) | null
  onView(view: ListView): void
}

const dayMs = 86_400_000
const expiryDays = limits.approvalMs / dayMs
const candidateDays = limits.candidateMs / dayMs

/** Who is held up first, then what nothing waits for, then what was decided. */
export function ApprovalList(props: ApprovalListProps) {
  const { groups, counts, view, isLoading, onMore, onView } = props
  const { actions, skills, decided } = groups
  const isNone = actions.length + skills.length + decided.length === 0
  return (
    <>
      <div className="pane-head">
        <h1 className="h-title">Approvals</h1>
        <span className="mute">{counts.actions + counts.skills}</span>
        <span className="grow" />
        <Segmented
          label="What is listed"
          options={[
            ['all', 'All'],
            ['actions', titleOf('Actions', counts.actions)],
            ['skills', titleOf('Skills', counts.skills)],
            ['history', 'History'],
            ['standing', 'Standing'],
          ]}
          value={view}
          onChange={onView}
        />
      </div>
      <nav className="pane-body scrolls" aria-label="Requests">
        {view === 'all' && <WaitsElsewhere />}
        {view === 'standing' && <Grants />}
        <Group title="Holding up a thread" rows={actions} {...props} />
        <Group title="Nothing waits for these" rows={skills} {...props} />
        <Group title={view === 'history' ? 'Decided' : 'Decided today'} rows={decided} {...props} />
        {view !== 'standing' && isNone && !isLoading && <p className="list-none">{noneText(view)}</p>}
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
        No answer means no. Actions expire after {expiryDays} days, candidates after {candidateDays}.
      </div>
    </>
  )
}

function titleOf(title: string, count: number): string {
  return count === 0 ? title : `${title} ${count}`
}

function noneText(view: ListView): ReactNode {
  switch (view) {
    case 'history':
      return 'Nothing was decided yet.'
    case 'skills':
      return 'No candidate waits, and none was decided today.'
    case 'actions':
      return 'No action waits, and none was decided today.'
    default:
      return 'Nothing waits, and nothing was decided today.'
  }
}

interface GroupProps extends Pick<ApprovalListProps, 'shownId' | 'now'> {
  readonly title: string
  readonly rows: readonly QueueRow[]
}

function Group({ title, rows, shownId, now }: GroupProps) {
  if (rows.length === 0) return null
  return (
    <section aria-label={title}>
      <h2 className="list-group">{title}</h2>
      <ul>
        {rows.map((row) => (
          <li key={row.id}>
            <QueueRowView row={row} isShown={row.id === shownId} now={now} />
          </li>
        ))}
      </ul>
    </section>
  )
}

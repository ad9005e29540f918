import type { LearntEntry } from '../../../core/domain/learnt.ts'
import { limits } from '../../../core/domain/limits.ts'
import { shortcutOf } from '../../commands.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/card.tsx'
import { Choice } from '../../components/choice.tsx'
import { Segmented } from '../../components/segmented.tsx'
import { counted } from '../../format/figures.ts'
import { routeHash } from '../../routes.ts'
import { useApp } from '../../state/store.ts'
import type { LoadState } from '../../state/use-load.ts'
import { AutoApply } from './auto-apply.tsx'
import { kindCounts, type LearntFilter, type LearntGroup, viewOf } from './groups.ts'
import { LearntRow } from './learnt-row.tsx'
import { kindWords, learntKinds } from './words.ts'

interface LearntListProps {
  readonly entries: readonly LearntEntry[]
  readonly groups: readonly LearntGroup[]
  readonly filter: LearntFilter
  readonly shownId: string | null
  readonly now: number
  readonly load: LoadState
  /** Groups that are cut after so many rows, unless all were asked for. */
  readonly mostRows: number
  onFilter(filter: LearntFilter): void
  onAll(): void
}

const days = limits.candidateMs / 86_400_000

/** What may happen by itself, filters, and the items that are left. */
export function LearntList(props: LearntListProps) {
  const { entries, groups, load } = props
  const status = useApp((state) => state.learntStatus)
  const isCut = entries.length >= limits.pageRows
  return (
    <>
      <div className="pane-head">
        <h1 className="h-title">What I learnt</h1>
        <span className="mute">{entries.length.toLocaleString('en')}</span>
      </div>
      <AutoApply status={status} />
      <Filters {...props} />
      {load.phase === 'failed' && (
        <div className="lrn-note">
          <ErrorNote title="Not read again" error={load.error} />
        </div>
      )}
      <nav className="pane-body scrolls" aria-label="What was learnt">
        {groups.map((group) => (
          <Group key={group.view} group={group} {...props} />
        ))}
        {groups.length === 0 && <p className="list-none">Nothing of this kind stands here.</p>}
        <SkillCandidates />
      </nav>
      <div className="pane-foot wraps">
        No answer means no: a proposal expires after {days} days.
        {isCut && ` The newest ${limits.pageRows.toLocaleString('en')} are shown.`}
      </div>
    </>
  )
}

function Filters({ entries, filter, onFilter }: LearntListProps) {
  const counts = kindCounts(entries)
  const kinds = learntKinds.filter((kind) => counts.has(kind))
  const waits = entries.filter((entry) => viewOf(entry) === 'waits').length
  return (
    <div className="lrn-filter">
      <Segmented
        label="Which of them"
        options={[
          ['all', 'All'],
          ['waits', waits === 0 ? 'Waits' : `Waits ${waits}`],
          ['force', 'In force'],
          ['past', 'Past'],
        ]}
        value={filter.view}
        onChange={(view) => onFilter({ ...filter, view })}
      />
      <Choice
        label="Kind"
        options={[
          { value: 'all', title: 'Every kind' },
          ...kinds.map((kind) => ({ value: kind, title: kindWords[kind], detail: String(counts.get(kind)) })),
        ]}
        value={filter.kind ?? 'all'}
        onChange={(chosen) => onFilter({ ...filter, kind: kinds.find((kind) => kind === chosen) ?? null })}
      />
    </div>
  )
}

function Group({ group, shownId, now, mostRows, onAll }: LearntListProps & { readonly group: LearntGroup }) {
  const { title, rows } = group
  const more = rows.length - mostRows
  return (
    <section aria-label={title}>
      <h2 className="list-group">
        {title} <span>{rows.length.toLocaleString('en')}</span>
      </h2>
      <ul>
        {rows.slice(0, mostRows).map((entry) => (
          <li key={entry.id}>
            <LearntRow entry={entry} isShown={entry.id === shownId} now={now} />
          </li>
        ))}
      </ul>
      {more > 0 && (
        <div className="older">
          <Button look="ghost" onClick={onAll}>
            Show {more.toLocaleString('en')} more
          </Button>
        </div>
      )}
    </section>
  )
}

/** They are learnt too, but decided on where the difference is shown. */
function SkillCandidates() {
  const count = useApp((state) => state.candidates.length)
  if (count === 0) return null
  return (
    <p className="list-none">
      {counted(count, 'skill candidate')} {count === 1 ? 'waits' : 'wait'} in{' '}
      <a className="link" href={routeHash({ screen: 'approvals', id: null })} title={shortcutOf('go.approvals')}>
        Approvals
      </a>
      .
    </p>
  )
}

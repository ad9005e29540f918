import { approvalLooks, decisionText } from '../../approval/words.ts'
import { Button } from '../../components/button.tsx'
import { Status } from '../../components/status.tsx'
import { nowMs } from '../../engine/clock.ts'
import { exactText, relativeText } from '../../format/dates.ts'
import { routeHash } from '../../routes.ts'
import { useApp } from '../../state/store.ts'
import { decidedApprovals } from './groups.ts'

const shownRows = 4

/** What was decided last, where nothing waits. */
export function LastDecisions({ onAll }: { onAll(): void }) {
  const approvals = useApp((state) => state.known.approvals)
  const decided = decidedApprovals(approvals)
  if (decided.length === 0) return null
  return (
    <section className="card last" aria-label="Last decisions">
      <div className="label-row">
        <h2 className="label">Last decisions</h2>
        {decided.length > shownRows && (
          <Button look="ghost" onClick={onAll}>
            Show all
          </Button>
        )}
      </div>
      <ul>
        {decided.slice(0, shownRows).map((row) => (
          <li key={row.id}>
            <a className="last-row" href={routeHash({ screen: 'approvals', id: row.id })}>
              <Status {...approvalLooks[row.state]} look="icon" />
              <span className="trunc">
                <span className="mono">{row.action}</span> {row.summary}
              </span>
              <span className="trunc mute">{decisionText(row)}</span>
              <time className="mute" title={exactText(row.decidedAt ?? 0)}>
                {relativeText(row.decidedAt ?? 0, nowMs())}
              </time>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

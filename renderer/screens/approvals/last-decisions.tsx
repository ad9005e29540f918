import { approvalLooks, decisionText } from '../../approval/words.ts'
import { Button } from '../../components/button.tsx'
import { Status } from '../../components/status.tsx'
import { nowMs } from '../../engine/clock.ts'
import { exactText, relativeText } from '../../format/dates.ts'
import { routeHash } from '../../routes.ts'
import { candidateDecision, candidateLooks } from './candidate/words.ts'
import { decidedAt, decidedRows, type Queue, type QueueRow } from './groups.ts'

const shownRows = 4

/** What was decided last, where nothing waits. */
export function LastDecisions({ queue, onAll }: { readonly queue: Queue; onAll(): void }) {
  const decided = decidedRows(queue)
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
              <Decision row={row} />
              <time className="mute" title={exactText(decidedAt(row))}>
                {relativeText(decidedAt(row), nowMs())}
              </time>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Decision({ row }: { readonly row: QueueRow }) {
  if (row.kind === 'skill')
    return (
      <>
        <Status {...candidateLooks[row.candidate.state]} look="icon" />
        <span className="trunc">{row.candidate.name}</span>
        <span className="trunc mute">{candidateDecision(row.candidate)}</span>
      </>
    )
  const { state, action, summary } = row.approval
  return (
    <>
      <Status {...approvalLooks[state]} look="icon" />
      <span className="trunc">
        <span className="mono">{action}</span> {summary}
      </span>
      <span className="trunc mute">{decisionText(row.approval)}</span>
    </>
  )
}

import type { Approval } from '../../../core/domain/approval.ts'
import type { Candidate } from '../../../core/domain/candidate.ts'
import { approvalLooks, decisionText } from '../../approval/words.ts'
import { CandidateMark, Status } from '../../components/status.tsx'
import { clockTime, exactText, relativeText } from '../../format/dates.ts'
import { routeHash } from '../../routes.ts'
import { candidateDecision, candidateLooks, candidateTitle, fromText } from './candidate/words.ts'
import type { QueueRow } from './groups.ts'

interface QueueRowProps {
  readonly row: QueueRow
  readonly isShown: boolean
  readonly now: number
}

/** What waits or was decided, in two lines. */
export function QueueRowView({ row, isShown, now }: QueueRowProps) {
  return row.kind === 'action' ? (
    <ApprovalRow approval={row.approval} isShown={isShown} now={now} />
  ) : (
    <CandidateRow candidate={row.candidate} isShown={isShown} now={now} />
  )
}

type Shown = Pick<QueueRowProps, 'isShown' | 'now'>

function ApprovalRow({ approval, isShown, now }: Shown & { readonly approval: Approval }) {
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

function CandidateRow({ candidate, isShown, now }: Shown & { readonly candidate: Candidate }) {
  const { id, state, proposedAt, decidedAt } = candidate
  const isPending = state === 'pending'
  const at = decidedAt ?? proposedAt
  const title = candidateTitle(candidate)
  return (
    <a
      className="item q"
      href={routeHash({ screen: 'approvals', id })}
      aria-current={isShown ? 'page' : undefined}
      title={title}
    >
      {isPending ? <CandidateMark /> : <Status {...candidateLooks[state]} look="icon" />}
      <span className="t trunc">{title}</span>
      <time className="sub" dateTime={new Date(at).toISOString()} title={exactText(at)}>
        {isPending ? relativeText(at, now) : clockTime(at)}
      </time>
      <span className="sub2 trunc">{isPending ? fromText(candidate) : candidateDecision(candidate)}</span>
    </a>
  )
}

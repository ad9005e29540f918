import { Status } from '../../../components/status.tsx'
import { dayTimeText, exactText } from '../../../format/dates.ts'
import { routeHash, skillRoute } from '../../../routes.ts'
import type { ReadCandidate } from './use-candidate.ts'
import type { EditCheck } from './use-edit-check.ts'
import { candidateDecision, candidateLooks, ofText, stepOf } from './words.ts'

interface CandidateHeadProps {
  readonly read: ReadCandidate
  /** Null: nothing is edited. */
  readonly edit: EditCheck | null
}

/** Which skill, from which version to which, and where it comes from. */
export function CandidateHead({ read: { detail, skill }, edit }: CandidateHeadProps) {
  const { name, kind, state, isStale, trust, threadId, threadNumber, proposedBy, reason } = detail
  const { from, to } = stepOf(detail, skill)
  const isPending = state === 'pending'
  const decided = candidateDecision(detail, skill)
  const sha256 = edit?.phase === 'ready' ? edit.sha256 : detail.sha256
  return (
    <div className="apr-head">
      <h2 title={name}>
        <span className="trunc">{skill ? <a href={routeHash(skillRoute(skill.id))}>{name}</a> : name}</span>
        <span className="mute can-step">
          {from === null ? (detail.version === null ? 'new' : `v${to}`) : `v${from} → v${to}`}
        </span>
        {kind === 'global' && <span className="chip line">for every project</span>}
        {kind === 'rollback' && <span className="chip line">roll back</span>}
        <Status {...candidateLooks[state]} look="chip" />
        {isPending && isStale && <Status status="waiting" word="Compared anew" look="chip" />}
      </h2>
      <dl className="risk">
        <dt>From</dt>
        <dd className="trunc">
          {threadId !== null && <a href={routeHash({ screen: 'thread', id: threadId })}>#{threadNumber}</a>}
          {threadId !== null && ', '}
          {proposedBy}
        </dd>
        <dt>Trust</dt>
        <dd className="trunc">{trust === 'installed' ? 'installed: what it leads to asks each time' : trust}</dd>
        <dt>Why</dt>
        <dd className="trunc" title={reason}>
          {reason}
        </dd>
        <dt>{isPending ? 'Expires' : 'Decided'}</dt>
        {isPending ? (
          <dd className="trunc" title={exactText(detail.expiresAt)}>
            {dayTimeText(detail.expiresAt)}, then {kind === 'rollback' ? 'carried out' : 'rejected'}
          </dd>
        ) : (
          <dd className="trunc" title={decided}>
            {decided}
          </dd>
        )}
        <dt>Bytes</dt>
        <dd className="trunc" title={sha256}>
          <span className="mono">
            sha256 {sha256.slice(0, 4)}…{sha256.slice(-4)}
          </span>
          {edit && <span className="mute">, {ofText(edit)}</span>}
        </dd>
      </dl>
    </div>
  )
}

import { useCallback, useState } from 'react'
import type { Lease } from '../../../../core/domain/action.ts'
import type { StoredEvent } from '../../../../core/domain/event.ts'
import { PolicySteps } from '../../../approval/policy-steps.tsx'
import { decisionText, effectsText } from '../../../approval/words.ts'
import { Status } from '../../../components/status.tsx'
import { call } from '../../../engine/client.ts'
import { dayTimeText } from '../../../format/dates.ts'
import { Body, FactList, Section } from '../../../record/parts.tsx'
import { routeHash } from '../../../routes.ts'
import { useApp } from '../../../state/store.ts'
import { useLoad } from '../../../state/use-load.ts'
import type { Span } from '../../../timeline/span.ts'

type Decided = Extract<StoredEvent, { kind: 'action.started' } | { kind: 'approval.requested' }>

/** Which check let it through, asked, or refused it; under which lease, and by whose answer. */
export function PolicyTab({ span }: { readonly span: Span }) {
  return (
    <Body seq={span.startSeq > 0 ? span.startSeq : null} none="The start of this action is not recorded.">
      {(event) =>
        event.kind === 'action.started' || event.kind === 'approval.requested' ? (
          <Decision event={event} span={span} />
        ) : null
      }
    </Body>
  )
}

function Decision({ event, span }: { readonly event: Decided; readonly span: Span }) {
  const { policy } = event.data
  const lease = event.kind === 'action.started' ? event.data : null
  return (
    <>
      <Section title="Policy decision" aside={<span className="mono">seq {event.seq}</span>}>
        <PolicySteps policy={policy} leaseId={lease?.leaseId ?? null} usesLeft={lease?.usesLeft ?? null} />
        <p className="policy-end">
          {policy.verdict === 'allow' && <Status status="done" word="Allowed" look="chip" />}
          {policy.verdict === 'ask' && <Status status="waiting" word="Asked you" look="chip" />}
          {policy.verdict === 'deny' && <Status status="denied" word="Denied" look="chip" />}
          {policy.reason ?? (policy.verdict === 'allow' ? 'no check had anything against it' : '')}
        </p>
      </Section>
      <Section title="Effects">
        <p className="small">{effectsText(policy.effects)}</p>
        <p className="mute small">{policy.effects.join(', ')}</p>
      </Section>
      {lease?.leaseId && <LeaseFacts leaseId={lease.leaseId} threadId={event.threadId} usesLeft={lease.usesLeft} />}
      {span.asked && <Answer approvalId={span.asked.approvalId} />}
    </>
  )
}

/** The lease as it is now; what it had left then stands in the decision. */
function LeaseFacts(props: { readonly leaseId: string; readonly threadId: string; readonly usesLeft: number | null }) {
  const { leaseId, threadId, usesLeft } = props
  const [lease, setLease] = useState<Lease | null>(null)
  useLoad(
    useCallback(
      () => call('lease.list', { threadId }).then((rows) => setLease(rows.find(({ id }) => id === leaseId) ?? null)),
      [threadId, leaseId],
    ),
  )
  return (
    <Section title="Lease" aside={<span className="mono">{leaseId}</span>}>
      <FactList
        facts={[
          ['Uses left', usesLeft === null ? 'no limit' : `${usesLeft.toLocaleString('en')} with this one`],
          lease ? ['Capability', lease.capability] : null,
          lease
            ? [
                'Actions',
                <span key="a" className="mono wrap">
                  {lease.actions.join(', ')}
                </span>,
              ]
            : null,
          lease ? ['Expires', lease.expiresAt === null ? 'with the thread' : dayTimeText(lease.expiresAt)] : null,
          lease?.argsHash ? ['Bound to', 'the exact arguments that were approved'] : null,
          lease ? ['Revoked', lease.revokedAt === null ? 'no' : dayTimeText(lease.revokedAt)] : null,
        ]}
      />
    </Section>
  )
}

function Answer({ approvalId }: { readonly approvalId: string }) {
  const approval = useApp((state) => state.known.approvals[approvalId])
  return (
    <Section title="Approval" aside={<a href={routeHash({ screen: 'approvals', id: approvalId })}>Show</a>}>
      <p className="small">{approval ? decisionText(approval) : 'You were asked.'}</p>
    </Section>
  )
}

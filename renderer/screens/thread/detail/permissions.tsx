import { useCallback, useState } from 'react'
import type { Lease } from '../../../../core/domain/action.ts'
import type { ThreadHeader } from '../../../../core/domain/thread.ts'
import { Button } from '../../../components/button.tsx'
import { ErrorNote, Skeleton } from '../../../components/card.tsx'
import { call } from '../../../engine/client.ts'
import { dayTimeText } from '../../../format/dates.ts'
import { FactList, type FactPair, Section } from '../../../record/parts.tsx'
import { useAction, useLoad } from '../../../state/use-load.ts'
import { Grants } from '../../grants.tsx'

interface PermissionsProps {
  readonly header: ThreadHeader
  /** Changes with the record: a lease may have been used or ended. */
  readonly version: number
}

/** What the thread may do without asking: its leases, and the standing approvals that are its own. */
export function Permissions({ header, version }: PermissionsProps) {
  const [leases, setLeases] = useState<readonly Lease[] | null>(null)
  const load = useLoad(
    useCallback(() => call('lease.list', { threadId: header.id }).then(setLeases), [header.id, version]),
  )
  const revoke = useAction(async (id: string) => setLeases(await call('lease.revoke', { id })))
  const hasEnded = header.endedAt !== null
  return (
    <>
      {load.phase === 'failed' && <ErrorNote title="The leases could not be read" error={load.error} />}
      {revoke.error && <ErrorNote title="It was not revoked" error={revoke.error} />}
      {leases === null && load.phase === 'loading' && <Skeleton rows={3} label="Reading the leases" />}
      {leases?.map((lease) => (
        <Section
          key={lease.id}
          title={`Lease on ${lease.capability}`}
          aside={
            lease.revokedAt === null && !hasEnded ? (
              <Button
                look="ghost"
                disabled={revoke.isBusy}
                onClick={() => revoke.run(lease.id)}
                aria-label={`Revoke the lease on ${lease.capability}`}
              >
                Revoke
              </Button>
            ) : (
              <span>{lease.revokedAt === null ? 'thread ended' : 'ended'}</span>
            )
          }
        >
          <FactList facts={factsOf(lease)} />
        </Section>
      ))}
      <Section title="Standing approvals of this thread">
        <Grants threadId={header.rootId} />
      </Section>
    </>
  )
}

function factsOf(lease: Lease): readonly (FactPair | null)[] {
  return [
    [
      'Actions',
      <span key="a" className="mono wrap">
        {lease.actions.join(', ')}
      </span>,
    ],
    ['Uses left', lease.usesLeft === null ? 'no limit' : lease.usesLeft.toLocaleString('en')],
    ['Expires', lease.expiresAt === null ? 'with the thread' : dayTimeText(lease.expiresAt)],
    lease.argsHash === null ? null : ['Bound to', 'the exact arguments that you approved'],
    lease.parentLeaseId === null ? null : ['Cut from', 'a lease of its parent'],
    lease.revokedAt === null ? null : ['Ended', dayTimeText(lease.revokedAt)],
  ]
}

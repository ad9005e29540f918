import { useCallback, useState } from 'react'
import type { Grant } from '../../core/domain/approval.ts'
import { Button } from '../components/button.tsx'
import { ErrorNote, Skeleton } from '../components/card.tsx'
import { call } from '../engine/client.ts'
import { dayTimeText, exactText } from '../format/dates.ts'
import { missionRoute, routeHash } from '../routes.ts'
import { projectOf } from '../state/select.ts'
import { useApp } from '../state/store.ts'
import { useAction, useLoad } from '../state/use-load.ts'

interface GrantsProps {
  readonly threadId?: string
  readonly missionId?: string
}

/** Standing approvals that are in force: what no longer asks, and how to make it ask again. Of one thread or mission where one is named. */
export function Grants({ threadId, missionId }: GrantsProps) {
  const [grants, setGrants] = useState<readonly Grant[]>([])
  // Each decision may have given one.
  const approvals = useApp((state) => state.known.approvals)
  const load = useLoad(useCallback(() => call('grant.list', {}).then(setGrants), [approvals]))
  const revoke = useAction(async (id: string) => {
    await call('grant.revoke', { id })
    setGrants((rows) => rows.filter((row) => row.id !== id))
  })
  const rows = grants.filter(
    (grant) =>
      (threadId === undefined || grant.threadId === threadId) &&
      (missionId === undefined || grant.missionId === missionId),
  )
  if (load.phase === 'failed')
    return (
      <div className="grant-note">
        <ErrorNote title="The standing approvals could not be read" error={load.error} />
      </div>
    )
  if (rows.length === 0 && missionId !== undefined) return null
  if (rows.length === 0)
    return load.phase === 'loading' ? (
      <Skeleton rows={2} label="Reading the standing approvals" />
    ) : (
      <p className={threadId === undefined ? 'list-none' : 'mute small'}>
        None. What you approve for longer than once is listed here.
      </p>
    )
  return (
    <>
      {revoke.error && (
        <div className="grant-note">
          <ErrorNote title="It was not revoked" error={revoke.error} />
        </div>
      )}
      <ul>
        {rows.map((grant) => (
          <li key={grant.id} className="item grant">
            <span className="t trunc" title={grant.scopeKey}>
              <span className="mono">{grant.action === '*' ? 'every ordinary action' : grant.action}</span>
              {grant.scopeKey !== grant.action && grant.scopeKey !== '*' && ` ${grant.scopeKey}`}
            </span>
            <Button
              disabled={revoke.isBusy}
              onClick={() => revoke.run(grant.id)}
              aria-label={`Revoke ${grant.action} ${grant.scopeKey}`}
            >
              Revoke
            </Button>
            <span className="sub2 trunc" title={exactText(grant.grantedAt)}>
              <Where grant={grant} />
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

function Where({ grant }: { readonly grant: Grant }) {
  const thread = useApp((state) => (grant.threadId === null ? undefined : state.known.threads[grant.threadId]))
  const project = useApp((state) => projectOf(state.projects, grant.projectId))
  const since = `since ${dayTimeText(grant.grantedAt)}`
  if (grant.scope === 'always') return <>in every project, {since}</>
  if (grant.scope === 'project')
    return (
      <>
        in {project?.name ?? 'one project'}, {since}
      </>
    )
  if (grant.scope === 'mission')
    return (
      <>
        in firings of <a href={routeHash(missionRoute(grant.missionId))}>its mission</a>, {since}
      </>
    )
  return (
    <>
      in thread{' '}
      <a href={routeHash({ screen: 'thread', id: grant.threadId ?? '' })}>
        {thread ? `#${thread.number}` : 'that asked'}
      </a>
      , {since}
    </>
  )
}

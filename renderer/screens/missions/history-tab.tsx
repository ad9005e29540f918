import { useState } from 'react'
import { limits } from '../../../core/domain/limits.ts'
import type { Firing, MissionDetail } from '../../../core/domain/mission.ts'
import { Button } from '../../components/button.tsx'
import { Status } from '../../components/status.tsx'
import { ThreadLink } from '../../components/thread-link.tsx'
import { exactText, zonedText } from '../../format/dates.ts'
import { durationText } from '../../format/figures.ts'
import { useApp } from '../../state/store.ts'
import { firingLook, triggerWords } from './words.ts'

const pageRows = 100

/** The ledger: a row for each instant, with what became of it and why. */
export function HistoryTab({
  mission,
  firings,
}: {
  readonly mission: MissionDetail
  readonly firings: readonly Firing[]
}) {
  const [shown, setShown] = useState(pageRows)
  if (firings.length === 0)
    return (
      <div className="section">
        <p className="dim">
          Nothing fired so far. Each instant that falls due gets a row here, also those that were missed or skipped.
        </p>
      </div>
    )
  return (
    <div className="section">
      <ul aria-label="Firings">
        {firings.slice(0, shown).map((firing) => (
          <FiringRow key={firing.id} firing={firing} zone={mission.zone} />
        ))}
      </ul>
      {shown < firings.length && (
        <Button look="ghost" onClick={() => setShown(shown + pageRows)}>
          Show {Math.min(pageRows, firings.length - shown)} older ones
        </Button>
      )}
      {firings.length === limits.pageRows && shown >= firings.length && (
        <p className="small mute">These are the newest {limits.pageRows.toLocaleString('en')}; older ones are kept.</p>
      )}
    </div>
  )
}

function FiringRow({ firing, zone }: { readonly firing: Firing; readonly zone: string }) {
  const { instant, until, state, reason, threadId, trigger, version, startedAt, endedAt } = firing
  const threadState = useApp((app) => (threadId === null ? undefined : app.known.threads[threadId]?.state))
  const look = firingLook(state, threadState)
  const took = startedAt !== null && endedAt !== null ? `, ${durationText(endedAt - startedAt)}` : ''
  return (
    <li className="hist">
      <Status {...look} look="icon" />
      <span className="medium" aria-hidden="true">
        {look.word}
      </span>
      <time dateTime={new Date(instant).toISOString()} title={`${zone}; ${exactText(instant)} here`}>
        {zonedText(instant, zone)}
        {until !== null && <span className="msn-block">to {zonedText(until, zone)}</span>}
      </time>
      <span className="why">
        {reason ?? ''}{' '}
        <span className="mute">
          {triggerWords[trigger]}, v{version}
          {took}
        </span>
      </span>
      {threadId === null ? <span className="mute">no thread</span> : <ThreadLink id={threadId} />}
    </li>
  )
}

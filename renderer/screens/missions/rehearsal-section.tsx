import { useCallback, useState } from 'react'
import type { MissionDetail, Rehearsal, RehearsedAction } from '../../../core/domain/mission.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/card.tsx'
import { Status } from '../../components/status.tsx'
import { ThreadLink } from '../../components/thread-link.tsx'
import { call } from '../../engine/client.ts'
import { useNow } from '../../engine/clock.ts'
import { zonedMoment } from '../../format/dates.ts'
import { counted } from '../../format/figures.ts'
import { useApp } from '../../state/store.ts'
import { useAction, useLoad } from '../../state/use-load.ts'
import { Grants } from '../grants.tsx'
import { firingLook } from './words.ts'

const tickMs = 30_000

/** What a firing needs, found out while a person is there to answer: the actions that it used, and what was approved for it. */
export function RehearsalSection({ mission }: { readonly mission: MissionDetail }) {
  const { id, status } = mission
  const [rehearsal, setRehearsal] = useState<Rehearsal | null>(null)
  const seq = useApp((state) => state.known.missionSeqs[id] ?? 0)
  const approvals = useApp((state) => state.known.approvals)
  const readNow = useCallback(async () => setRehearsal(await call('mission.rehearsal', { id })), [id])
  const load = useLoad(useCallback(() => readNow(), [readNow, seq, approvals]))
  const rehearse = useAction(async () => {
    await call('mission.rehearse', { id })
    await readNow()
  })
  const error = rehearse.error ?? (load.phase === 'failed' ? load.error : null)
  const isAtWork = rehearsal?.firing.state === 'queued' || rehearsal?.firing.state === 'running'
  if (status === 'proposed') return null
  return (
    <div className="section">
      <h3 className="label label-row">Rehearsal</h3>
      {error && <ErrorNote title="Not rehearsed" error={error} />}
      {rehearsal ? (
        <Found {...rehearsal} zone={mission.zone} />
      ) : (
        <p className="dim">
          A real run while you are here: it may use all that a thread of yours may, and what it asks you can approve for
          this mission, so that later firings wait for nobody.
        </p>
      )}
      <div className="msn-acts">
        <Button icon="play" disabled={rehearse.isBusy || isAtWork} onClick={() => rehearse.run()}>
          {rehearsal === null ? 'Rehearse once' : 'Rehearse again'}
        </Button>
        {rehearsal !== null && !isAtWork && <UseThese mission={mission} rehearsal={rehearsal} />}
      </div>
      <Grants missionId={id} />
    </div>
  )
}

function Found({ firing, used, zone }: Rehearsal & { readonly zone: string }) {
  const now = useNow(tickMs)
  return (
    <>
      <div className="msn-rehearsed">
        <Status {...firingLook(firing.state)} />
        <span className="dim">
          {zonedMoment(firing.instant, now, zone)}
          {firing.reason !== null && `: ${firing.reason}`}
        </span>
        {firing.threadId !== null && <ThreadLink id={firing.threadId} />}
      </div>
      {used.length === 0 ? (
        <p className="dim">It used no action.</p>
      ) : (
        <ul aria-label="What the rehearsal used" className="msn-used">
          {used.map((each) => (
            <li key={each.action}>
              <Status {...lookOf(each)} look="icon" />
              <span className="mono">{each.action}</span>
              <span className="mute">{textOf(each)}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function lookOf({ asksAgain, denied }: RehearsedAction) {
  if (denied > 0) return { status: 'denied', word: 'Denied' } as const
  return asksAgain > 0
    ? ({ status: 'waiting', word: 'Asks again' } as const)
    : ({ status: 'done', word: 'Runs' } as const)
}

function textOf({ calls, asksAgain, denied }: RehearsedAction): string {
  const parts = [
    ...(calls > 0 ? [counted(calls, 'call')] : []),
    ...(denied > 0 ? [`denied ${counted(denied, 'time')}`] : []),
    ...(asksAgain > 0 ? ['asks again: a firing waits for you there'] : []),
  ]
  return parts.join(', ')
}

/** The next version may use what the rehearsal used, and nothing else. */
function UseThese({ mission, rehearsal }: { readonly mission: MissionDetail; readonly rehearsal: Rehearsal }) {
  const { id, projectId, version, definition } = mission
  const actions = rehearsal.used.filter(({ calls }) => calls > 0).map(({ action }) => action)
  const save = useAction(async () => {
    if (definition === null) return
    await call('mission.save', { projectId, id, follows: version, definition: { ...definition, actions } })
  })
  const isSo = definition?.actions?.toSorted().join() === actions.toSorted().join()
  if (definition === null || actions.length === 0) return null
  if (isSo) return <span className="mute small">v{version} may use just these.</span>
  return (
    <>
      <Button look="primary" disabled={save.isBusy} onClick={() => save.run()}>
        Let it use just these
      </Button>
      {save.error && <ErrorNote title="Not saved" error={save.error} />}
    </>
  )
}

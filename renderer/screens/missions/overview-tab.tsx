import type { Firing, MissionDefinition, MissionDetail } from '../../../core/domain/mission.ts'
import { shortcutOf } from '../../commands.ts'
import { Kbd } from '../../components/button.tsx'
import { ErrorNote } from '../../components/card.tsx'
import { Status } from '../../components/status.tsx'
import { ThreadLink } from '../../components/thread-link.tsx'
import { useNow } from '../../engine/clock.ts'
import { untilText, zonedMoment, zonedText } from '../../format/dates.ts'
import { missionRoute, routeHash } from '../../routes.ts'
import { useApp } from '../../state/store.ts'
import { LoomView } from './loom-view.tsx'
import { NextFive, upcomingFrom, useCadencePreview } from './next-five.tsx'
import { RehearsalSection } from './rehearsal-section.tsx'
import { WebhookSection } from './webhook-section.tsx'
import { firingLook, limitTexts, missedText, overlapText } from './words.ts'

interface OverviewTabProps {
  readonly mission: MissionDetail
  readonly firings: readonly Firing[]
}

const tickMs = 30_000
const lastRows = 7

export function OverviewTab({ mission, firings }: OverviewTabProps) {
  const { definition } = mission
  return (
    <>
      <div className="section">
        <LoomView mission={mission} firings={firings} />
      </div>
      <div className="msn-cols">
        <div>
          <div className="section">
            <h3 className="label label-row">Schedule</h3>
            {definition ? (
              <Schedule mission={mission} definition={definition} />
            ) : (
              <p className="dim">
                This version of Threadsmith cannot read the definition. Nothing fires; edit it with the version that
                wrote it, or remove the mission.
              </p>
            )}
          </div>
          {definition?.cadence.kind === 'webhook' && <WebhookSection missionId={mission.id} />}
        </div>
        <div>
          <FocusSection mission={mission} />
          <LastRuns mission={mission} firings={firings} />
          <RehearsalSection mission={mission} />
        </div>
      </div>
    </>
  )
}

function nextWhole({ nextFireAt, status, isOverdue, zone }: MissionDetail, now: number, isHeld: boolean): string {
  if (nextFireAt === null) return status === 'active' ? 'nothing by the clock' : 'none while it does not run'
  if (isHeld) return `held, as all missions are; it would be ${zonedText(nextFireAt, zone)}`
  if (isOverdue) return `overdue since ${zonedText(nextFireAt, zone)}: nothing claimed it yet`
  return `${untilText(nextFireAt, now)}: ${zonedText(nextFireAt, zone)}`
}

function Schedule({
  mission,
  definition,
}: {
  readonly mission: MissionDetail
  readonly definition: MissionDefinition
}) {
  const now = useNow(tickMs)
  const { cadence, zone, nextFireAt, isOverdue } = mission
  const isHeld = useApp((state) => (state.info?.missionsHeld ?? null) !== null)
  return (
    <dl className="kv msn-facts">
      <dt>Cadence</dt>
      <dd>
        {cadence}
        {definition.cadence.kind === 'cron' && (
          <span className="mono mute msn-cron"> {definition.cadence.expression}</span>
        )}
      </dd>
      <dt>Next</dt>
      <dd className={isOverdue && !isHeld ? 'ink-failed' : ''}>
        {nextWhole(mission, now, isHeld)} <span className="mute">{zone}</span>
      </dd>
      <dt>Next five</dt>
      <dd>
        {isHeld && nextFireAt !== null && <p className="mute">Once missions may fire again:</p>}
        {mission.status === 'active' ? (
          <Upcoming definition={definition} nextFireAt={nextFireAt} />
        ) : (
          <span className="mute">none while it does not run</span>
        )}
      </dd>
      <dt>If missed</dt>
      <dd>{missedText(definition)}</dd>
      <dt>If still at work</dt>
      <dd>{overlapText(definition)}</dd>
      <dt>Limits</dt>
      <dd>
        <ul className="msn-fact-list">
          {limitTexts(definition).map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </dd>
    </dl>
  )
}

/** An instant that is known, and no other: what was skipped is not among them. */
function Upcoming({
  definition,
  nextFireAt,
}: {
  readonly definition: MissionDefinition
  readonly nextFireAt: number | null
}) {
  const { cadence, zone } = definition
  const from = upcomingFrom(cadence, nextFireAt)
  const { preview, load } = useCadencePreview({ cadence, zone }, from ?? undefined)
  if (from === null) return <NextFive next={[]} notes={[]} />
  if (load.phase === 'failed') return <ErrorNote title="Not worked out" error={load.error} />
  if (preview === null) return null
  return preview.ok ? <NextFive {...preview} /> : <span className="ink-failed">{preview.message}</span>
}

function FocusSection({ mission }: { readonly mission: MissionDetail }) {
  const focus = mission.focus ?? mission.definition?.focus ?? ''
  const last = mission.approaches[0]
  return (
    <div className="section">
      <div className="label-row">
        <h3 className="label">Focus</h3>
        <a className="link small" href={routeHash(missionRoute(mission.id, 'approach'))}>
          Approaches
        </a>
      </div>
      <p className="msn-text">{focus === '' ? noFocusText(mission) : focus}</p>
      {last && <p className="small mute msn-said">Last time: {last.outcome.done}</p>}
    </div>
  )
}

function noFocusText({ approaches, lastFiredAt }: MissionDetail): string {
  if (lastFiredAt === null) return 'Nothing yet: the first firing says what comes next.'
  return approaches.length === 0
    ? 'Nothing yet: no firing has said what comes next.'
    : 'The last firing named nothing: the next one begins with the goal.'
}

function LastRuns({ mission, firings }: OverviewTabProps) {
  const now = useNow(tickMs)
  return (
    <div className="section">
      <div className="label-row">
        <h3 className="label">Last firings, by the clocks of {mission.zone}</h3>
        <a className="link small" href={routeHash(missionRoute(mission.id, 'history'))}>
          All {firings.length.toLocaleString('en')} <Kbd keys={shortcutOf('mission.history') ?? ''} />
        </a>
      </div>
      {firings.length === 0 && (
        <p className="dim">None so far. Each instant that falls due gets a row here, whatever becomes of it.</p>
      )}
      <ul aria-label="Last firings">
        {firings.slice(0, lastRows).map((firing) => (
          <LastRun key={firing.id} {...{ mission, firing, now }} />
        ))}
      </ul>
    </div>
  )
}

interface LastRunProps {
  readonly mission: MissionDetail
  readonly firing: Firing
  readonly now: number
}

/** What it did, by its own account; without one why, or only what became of it. */
function LastRun({ mission: { zone, approaches }, firing, now }: LastRunProps) {
  const { id, instant, state, reason, threadId } = firing
  const threadState = useApp((app) => (threadId === null ? undefined : app.known.threads[threadId]?.state))
  const look = firingLook(state, threadState)
  const account = approaches.find(({ firingId }) => firingId === id)?.outcome.done
  const why = look.status === 'waiting' ? null : (account ?? reason)
  return (
    <li className="hist short">
      <Status {...look} look="icon" />
      <time dateTime={new Date(instant).toISOString()} title={`${zonedText(instant, zone)} ${zone}`}>
        {zonedMoment(instant, now, zone)}
      </time>
      <span className="trunc" title={[look.word, reason, account].filter((text) => text).join('. ')}>
        {why ?? look.word.toLowerCase()}
      </span>
      {threadId === null ? <span className="mute">–</span> : <ThreadLink id={threadId} />}
    </li>
  )
}

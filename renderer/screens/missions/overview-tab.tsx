import type { Firing, MissionDefinition, MissionDetail } from '../../../core/domain/mission.ts'
import { shortcutOf } from '../../commands.ts'
import { Kbd } from '../../components/button.tsx'
import { ErrorNote } from '../../components/card.tsx'
import { Status } from '../../components/status.tsx'
import { ThreadLink } from '../../components/thread-link.tsx'
import { useNow } from '../../engine/clock.ts'
import { exactText, momentText, untilText, zonedText } from '../../format/dates.ts'
import { missionRoute, routeHash } from '../../routes.ts'
import { LoomView } from './loom-view.tsx'
import { NextFive, useCadencePreview } from './next-five.tsx'
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

function Schedule({
  mission,
  definition,
}: {
  readonly mission: MissionDetail
  readonly definition: MissionDefinition
}) {
  const now = useNow(tickMs)
  const { cadence, zone, nextFireAt, status, isOverdue } = mission
  return (
    <dl className="kv msn-facts">
      <dt>Cadence</dt>
      <dd>
        {cadence}
        {definition.cadence.kind === 'cron' && <span className="mono mute"> {definition.cadence.expression}</span>}
      </dd>
      <dt>Next</dt>
      <dd className={isOverdue ? 'ink-failed' : ''}>
        {nextFireAt === null
          ? status === 'active'
            ? 'nothing by the clock'
            : 'none while it does not run'
          : isOverdue
            ? `overdue since ${zonedText(nextFireAt, zone)}: nothing claimed it yet`
            : `${untilText(nextFireAt, now)}: ${zonedText(nextFireAt, zone)}`}{' '}
        <span className="mute">{zone}</span>
      </dd>
      <dt>Next five</dt>
      <dd>
        <Upcoming definition={definition} anchorAt={mission.anchorAt} />
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

/** Intervals count from when they were saved: asked from there they would be those of long ago. */
function Upcoming({ definition, anchorAt }: { readonly definition: MissionDefinition; readonly anchorAt: number }) {
  const { cadence, zone } = definition
  const now = useNow(tickMs)
  const from =
    cadence.kind === 'every' ? anchorAt + Math.floor((now - anchorAt) / cadence.everyMs) * cadence.everyMs : undefined
  const { preview, load } = useCadencePreview({ cadence, zone }, from)
  if (load.phase === 'failed') return <ErrorNote title="Not worked out" error={load.error} />
  if (preview === null) return null
  return preview.ok ? <NextFive {...preview} /> : <span className="ink-failed">{preview.message}</span>
}

function FocusSection({ mission }: { readonly mission: MissionDetail }) {
  const focus = mission.focus ?? mission.definition?.focus ?? null
  const last = mission.approaches[0]
  return (
    <div className="section">
      <div className="label-row">
        <h3 className="label">Focus</h3>
        <a className="link small" href={routeHash(missionRoute(mission.id, 'approach'))}>
          Approaches
        </a>
      </div>
      <p className="msn-text">
        {focus === null || focus === '' ? 'Nothing yet: the first firing says what comes next.' : focus}
      </p>
      {last && <p className="small mute msn-said">Last time: {last.outcome.done}</p>}
    </div>
  )
}

function LastRuns({ mission, firings }: OverviewTabProps) {
  const now = useNow(tickMs)
  return (
    <div className="section">
      <div className="label-row">
        <h3 className="label">Last firings</h3>
        <a className="link small" href={routeHash(missionRoute(mission.id, 'history'))}>
          All {firings.length.toLocaleString('en')} <Kbd keys={shortcutOf('mission.history') ?? ''} />
        </a>
      </div>
      {firings.length === 0 && (
        <p className="dim">None so far. Each instant that falls due gets a row here, whatever becomes of it.</p>
      )}
      <ul aria-label="Last firings">
        {firings.slice(0, lastRows).map((firing) => (
          <li key={firing.id} className="hist short">
            <Status {...firingLook(firing.state)} look="icon" />
            <time dateTime={new Date(firing.instant).toISOString()} title={exactText(firing.instant)}>
              {momentText(firing.instant, now)}
            </time>
            <span className="trunc" title={firing.reason ?? undefined}>
              {firing.reason ?? firingLook(firing.state).word.toLowerCase()}
            </span>
            {firing.threadId === null ? <span className="mute">–</span> : <ThreadLink id={firing.threadId} />}
          </li>
        ))}
      </ul>
    </div>
  )
}

import { runCommand } from '../commands.ts'
import { ProbeBadges } from '../components/probe-badges.tsx'
import { StatusIcon } from '../components/status.tsx'
import { nowMs } from '../engine/clock.ts'
import { exactText, momentAhead } from '../format/dates.ts'
import { counted, folderTail, tokensText, usdText } from '../format/figures.ts'
import { missionRoute, routeHash } from '../routes.ts'
import { modelTitle, projectOf, shownThread, waitingCount } from '../state/select.ts'
import { useApp } from '../state/store.ts'
import { engineLook } from './engine-look.ts'

export function StatusBar() {
  return (
    <footer className="statusbar">
      <EngineState />
      <Slots />
      <Waiting />
      <Model />
      <span className="grow" />
      <NextMission />
      <UsedToday />
      <Folder />
    </footer>
  )
}

function EngineState() {
  const phase = useApp((state) => state.shell.phase)
  const fault = useApp((state) => state.info?.fault ?? null)
  const { status, word, title, tone } = engineLook(phase, fault)
  return (
    <a className={tone} href={routeHash({ screen: 'settings', section: 'data' })} title={title}>
      <span className={`st ${status}`}>
        <StatusIcon status={status} />
      </span>
      {word}
    </a>
  )
}

function Slots() {
  const slots = useApp((state) => state.info?.slots)
  if (!slots) return null
  return (
    <a href={routeHash({ screen: 'threads' })} title="Threads that run at the same time">
      {slots.used} of {slots.total} slots{slots.queued > 0 ? `, ${slots.queued} queued` : ''}
    </a>
  )
}

/** What waits for the person, on every screen. */
function Waiting() {
  const count = useApp((state) => waitingCount(state))
  if (count === 0) return null
  return (
    <a
      className="warm"
      href={routeHash({ screen: 'approvals', id: null })}
      title="Actions and skills that wait for your answer"
    >
      <span className="st waiting">
        <StatusIcon status="waiting" />
      </span>
      {counted(count, 'approval')}
    </a>
  )
}

/** What all threads used since midnight, beside the day's limit where there is one. */
function UsedToday() {
  const used = useApp((state) => state.info?.usedToday)
  const limit = useApp((state) => state.settings?.budgets.day)
  if (!used || used.tokens === 0) return null
  const tokens = `${tokensText(used.tokens)}${limit?.tokens ? ` of ${tokensText(limit.tokens)}` : ''} tokens`
  const isPriced = used.usd > 0 || limit?.usd
  const usd = isPriced ? `, ${usdText(used.usd)}${limit?.usd ? ` of ${usdText(limit.usd)}` : ''}` : ''
  return (
    <span title="Used since midnight by all threads">
      today {tokens}
      {usd}
    </span>
  )
}

/** What will begin by itself, and when. */
function NextMission() {
  const next = useApp((state) => state.nextMission)
  const held = useApp((state) => state.info?.missionsHeld ?? null)
  if (held !== null)
    return (
      <a className="warm" href={routeHash(missionRoute(null))} title={held}>
        <span className="st waiting">
          <StatusIcon status="waiting" />
        </span>
        missions held
      </a>
    )
  if (next?.nextFireAt === null || next === null) return null
  const at = next.nextFireAt
  return (
    <a href={routeHash(missionRoute(next.id))} title={`Fires next: ${exactText(at)}`}>
      next: {next.name} {momentAhead(at, nowMs())}
    </a>
  )
}

/** Which model answers next, and what is known of it. */
function Model() {
  const title = useApp((state) => state.settings && modelTitle(state.settings, state.tier))
  const model = useApp((state) => state.settings?.tiers[state.tier])
  if (!title || !model) return null
  return (
    <a
      className="status-model"
      href={routeHash({ screen: 'settings', section: 'models' })}
      title="Model of the next message"
    >
      <span className="trunc">{title}</span>
      <ProbeBadges model={model} look="short" />
    </a>
  )
}

function Folder() {
  const project = useApp((state) => projectOf(state.projects, shownThread(state)?.projectId ?? state.projectId))
  return (
    <button type="button" title={project?.folder} onClick={() => runCommand('project.open')}>
      {project ? folderTail(project.folder) : 'Open a folder'}
    </button>
  )
}

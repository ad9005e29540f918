import type { CSSProperties } from 'react'
import type { MissionSummary } from '../../../core/domain/mission.ts'
import { Status } from '../../components/status.tsx'
import { useNow } from '../../engine/clock.ts'
import { zonedText } from '../../format/dates.ts'
import { missionRoute, routeHash } from '../../routes.ts'
import { useMissionDays } from '../../state/missions.ts'
import { projectOf } from '../../state/select.ts'
import { useApp } from '../../state/store.ts'
import { dayLook, dayNames, daysOf, dayText } from './strip.ts'
import { missionLook, nextText } from './words.ts'

interface MissionRowProps {
  readonly mission: MissionSummary
  readonly isShown: boolean
  readonly isStop: boolean
  readonly place: CSSProperties
}

const tickMs = 30_000
const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone

/** One mission: how it stands, when it fires, what became of the last days and what is to come. */
export function MissionRow({ mission, isShown, isStop, place }: MissionRowProps) {
  const { id, name, cadence, zone, nextFireAt, statusReason, streak, description, projectId } = mission
  const now = useNow(tickMs)
  const isOneOfSeveral = useApp((state) => state.projects.length > 1)
  const project = useApp((state) => projectOf(state.projects, projectId))
  const isHeld = useApp((state) => (state.info?.missionsHeld ?? null) !== null)
  const look = missionLook(mission, isHeld)
  const exact = nextFireAt === null ? undefined : `${zonedText(nextFireAt, zone)} ${zone}`
  return (
    <li className="msn-row" data-shown={isShown} style={place}>
      <Status {...look} word={statusReason === null ? look.word : `${look.word}: ${statusReason}`} look="icon" />
      <a
        className="trunc msn-open"
        href={routeHash(missionRoute(id))}
        aria-current={isShown ? 'page' : undefined}
        tabIndex={isStop ? 0 : -1}
        title={description}
      >
        {name}
      </a>
      <Strip id={id} now={now} />
      <span className={look.status === 'failed' ? 'msn-when ink-failed' : 'msn-when'} title={exact}>
        {nextText(mission, now, isHeld)}
      </span>
      <span className="msn-cadence trunc mute" title={`${cadence}, ${zone}`}>
        {cadence}
        {zone !== ownZone && `, ${zone}`}
        {isOneOfSeveral && project && ` · ${project.name}`}
      </span>
      <span className="msn-note trunc mute" title={statusReason ?? undefined}>
        {streakText(streak, mission)}
      </span>
    </li>
  )
}

/** How long it went well; where it does not, why. */
function streakText(streak: number, { status, statusReason, failures }: MissionSummary): string {
  if (status !== 'active') return statusReason ?? ''
  if (failures > 0) return `${failures} in a row failed`
  if (streak === 0) return ''
  return `${streak === 50 ? '50 or more' : streak} in a row`
}

/** Seven days as seven marks, today among them; read as one sentence. */
function Strip({ id, now }: { readonly id: string; readonly now: number }) {
  const read = useMissionDays(id, now)
  if (read === undefined) return <span />
  const weekday = dayNames(read.zone)
  const days = daysOf(read)
  const said = days.map((day) => `${weekday.format(day.from)}: ${dayText(day)}`).join('; ')
  return (
    <span className="msn-strip" role="img" aria-label={`Seven days. ${said}`}>
      {days.map((day) => (
        <i
          key={day.from}
          className={`cell ${dayLook(day)}`}
          data-today={day.from <= now && now < day.to}
          title={`${weekday.format(day.from)}: ${dayText(day)}`}
        />
      ))}
    </span>
  )
}

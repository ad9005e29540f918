import type { MissionSummary } from '../../../core/domain/mission.ts'
import { Note } from '../../components/card.tsx'
import { counted } from '../../format/figures.ts'
import { missionRoute, type Route, routeHash } from '../../routes.ts'
import { useApp } from '../../state/store.ts'

/** Whether something that agents propose waits on a screen of its own. */
export function useWaitsElsewhere(): boolean {
  return useApp((state) => (state.learntStatus?.pending ?? 0) + state.proposedMissions.length > 0)
}

/** Rules, insights, settings and missions wait on screens of their own: said here, so that nobody looks for them in vain. */
export function WaitsElsewhere() {
  const learnt = useApp((state) => state.learntStatus?.pending ?? 0)
  const missions = useApp((state) => state.proposedMissions)
  const [first] = missions
  if (learnt === 0 && first === undefined) return null
  return (
    <div className="elsewhere">
      {first !== undefined && (
        <Line link="Missions" route={missionRoute(first.id)}>
          {proposedText(missions)}
        </Line>
      )}
      {learnt > 0 && (
        <Line link="What I learnt" route={{ screen: 'learnt', id: null }}>
          {counted(learnt, 'proposal')} to learn from {learnt === 1 ? 'waits' : 'wait'} on another screen.
        </Line>
      )}
    </div>
  )
}

const mostNamed = 3

/** `Missions are proposed: digest and triage. Nothing starts without you.` */
export function proposedText(missions: readonly Pick<MissionSummary, 'name'>[]): string {
  const named = missions.slice(0, mostNamed).map(({ name }) => name)
  const more = missions.length - named.length
  const parts = more > 0 ? [...named, `${more} more`] : named
  const names = parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
  return `${missions.length === 1 ? 'A mission is' : 'Missions are'} proposed: ${names}. Nothing starts without you.`
}

interface LineProps {
  readonly link: string
  readonly route: Route
  readonly children: React.ReactNode
}

function Line({ link, route, children }: LineProps) {
  return (
    <Note
      status="waiting"
      action={
        <a className="link" href={routeHash(route)}>
          {link}
        </a>
      }
    >
      {children}
    </Note>
  )
}

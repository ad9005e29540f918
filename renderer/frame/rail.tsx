import { shortcutOf } from '../commands.ts'
import { titleWithKey } from '../components/button.tsx'
import { Icon, type IconName } from '../components/icon.tsx'
import { home, missionRoute, type Route, routeHash, skillRoute } from '../routes.ts'
import { waitingCount } from '../state/select.ts'
import { type AppState, useApp } from '../state/store.ts'

interface RailEntry {
  readonly title: string
  readonly icon: IconName
  readonly command: string
  readonly route: Route
  /** The screens that belong to it. */
  readonly screens: readonly Route['screen'][]
}

const entries: readonly RailEntry[] = [
  { title: 'Chat', icon: 'chat', command: 'go.chat', route: home, screens: ['chat'] },
  {
    title: 'Threads',
    icon: 'threads',
    command: 'go.threads',
    route: { screen: 'threads' },
    screens: ['threads', 'thread'],
  },
  {
    title: 'Skills',
    icon: 'skills',
    command: 'go.skills',
    route: skillRoute(null),
    screens: ['skills'],
  },
  {
    title: 'Approvals',
    icon: 'approvals',
    command: 'go.approvals',
    route: { screen: 'approvals', id: null },
    screens: ['approvals'],
  },
  {
    title: 'Missions',
    icon: 'missions',
    command: 'go.missions',
    route: missionRoute(null),
    screens: ['missions'],
  },
  {
    title: 'What I learnt',
    icon: 'learnt',
    command: 'go.learnt',
    route: { screen: 'learnt', id: null },
    screens: ['learnt'],
  },
  {
    title: 'Memory',
    icon: 'book',
    command: 'go.memory',
    route: { screen: 'memory', id: null },
    screens: ['memory'],
  },
  {
    title: 'Integrations',
    icon: 'plug',
    command: 'go.integrations',
    route: { screen: 'integrations', part: null },
    screens: ['integrations'],
  },
]
const settingsEntry: RailEntry = {
  title: 'Settings',
  icon: 'settings',
  command: 'go.settings',
  route: { screen: 'settings', section: 'general' },
  screens: ['settings'],
}

export function Rail() {
  return (
    <nav className="rail" aria-label="Main">
      {entries.map((entry) => (
        <RailLink key={entry.title} entry={entry} />
      ))}
      <span className="grow" />
      <RailLink entry={settingsEntry} />
    </nav>
  )
}

/** What of it waits for the person. */
function waitingIn({ icon }: RailEntry, state: AppState): number {
  switch (icon) {
    case 'learnt':
      return state.learntStatus?.pending ?? 0
    case 'missions':
      return state.proposedMissions.length
    case 'approvals':
      return waitingCount(state)
    default:
      return 0
  }
}

function RailLink({ entry }: { readonly entry: RailEntry }) {
  const isCurrent = useApp((state) => entry.screens.includes(state.route.screen))
  const waiting = useApp((state) => waitingIn(entry, state))
  const name = waiting > 0 ? `${entry.title}, ${waiting} waiting` : entry.title
  return (
    <a
      className="rail-item"
      href={routeHash(entry.route)}
      aria-label={name}
      title={titleWithKey(entry.title, shortcutOf(entry.command))}
      aria-current={isCurrent ? 'page' : undefined}
    >
      <Icon name={entry.icon} size="rail" />
      {waiting > 0 && (
        <span className="badge" aria-hidden="true">
          {waiting > 99 ? '99+' : waiting}
        </span>
      )}
    </a>
  )
}

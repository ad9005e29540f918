import { type ComponentType, lazy } from 'react'
import type { Route } from './routes.ts'
import { useApp } from './state/store.ts'

type RouteOf<Name extends Route['screen']> = Extract<Route, { screen: Name }>

const ChatScreen = lazy(() => import('./screens/chat/chat-screen.tsx').then((file) => ({ default: file.ChatScreen })))
const ThreadsScreen = lazy(() => import('./screens/threads.tsx').then((file) => ({ default: file.ThreadsScreen })))
const ThreadScreen = lazy(() =>
  import('./screens/thread/thread-screen.tsx').then((file) => ({ default: file.ThreadScreen })),
)
const ApprovalsScreen = lazy(() =>
  import('./screens/approvals/approvals-screen.tsx').then((file) => ({ default: file.ApprovalsScreen })),
)
const MemoryScreen = lazy(() =>
  import('./screens/memory/memory-screen.tsx').then((file) => ({ default: file.MemoryScreen })),
)
const SkillsScreen = lazy(() =>
  import('./screens/skills/skills-screen.tsx').then((file) => ({ default: file.SkillsScreen })),
)
const MissionsScreen = lazy(() =>
  import('./screens/missions/missions-screen.tsx').then((file) => ({ default: file.MissionsScreen })),
)
const LearntScreen = lazy(() =>
  import('./screens/learnt/learnt-screen.tsx').then((file) => ({ default: file.LearntScreen })),
)
const IntegrationsScreen = lazy(() =>
  import('./screens/integrations/integrations-screen.tsx').then((file) => ({ default: file.IntegrationsScreen })),
)
const SettingsScreen = lazy(() =>
  import('./screens/settings/settings-screen.tsx').then((file) => ({ default: file.SettingsScreen })),
)

/** The route table: one line for each screen. A screen gets its route's parts as properties. */
const screens: { readonly [Name in Route['screen']]: ComponentType<Omit<RouteOf<Name>, 'screen'>> } = {
  chat: ChatScreen,
  threads: ThreadsScreen,
  thread: ThreadScreen,
  approvals: ApprovalsScreen,
  memory: MemoryScreen,
  skills: SkillsScreen,
  missions: MissionsScreen,
  learnt: LearntScreen,
  integrations: IntegrationsScreen,
  settings: SettingsScreen,
}

/** The screen that the address names. */
export function Screen() {
  const route = useApp((state) => state.route)
  switch (route.screen) {
    case 'chat':
      return <screens.chat conversationId={route.conversationId} />
    case 'threads':
      return <screens.threads />
    case 'thread':
      return <screens.thread id={route.id} at={route.at} key={`${route.id} ${route.at ?? ''}`} />
    case 'approvals':
      return <screens.approvals id={route.id} />
    case 'memory':
      return <screens.memory id={route.id} />
    case 'skills':
      return <screens.skills id={route.id} tab={route.tab} />
    case 'missions':
      return <screens.missions id={route.id} tab={route.tab} />
    case 'learnt':
      return <screens.learnt id={route.id} />
    case 'integrations':
      return <screens.integrations part={route.part} />
    case 'settings':
      return <screens.settings section={route.section} />
  }
}

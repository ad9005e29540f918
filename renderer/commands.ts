import type { Integrations } from '../core/domain/integration.ts'
import type { Settings } from '../core/domain/settings.ts'
import { isTerminal } from '../core/domain/thread.ts'
import type { IconName } from './components/icon.tsx'
import { call } from './engine/client.ts'
import { serviceTitle } from './format/service-names.ts'
import { home, missionRoute, sectionTitles, settingsSections, skillRoute } from './routes.ts'
import { commandsOfScreens } from './screen-commands.ts'
import { inspectorCommands } from './screens/thread/inspector-commands.ts'
import { openConnect } from './state/integrations.ts'
import { changeSettings, pickProject } from './state/load.ts'
import { go, goBack, goForward } from './state/navigation.ts'
import { isUnderWay, shownThread } from './state/select.ts'
import { type AppState, getApp, setApp, supervise } from './state/store.ts'
import { retryThread } from './state/threads.ts'

/** One thing that the window can do. The palette, the keys, the system's menu and the help all come from this list. */
export interface Command {
  readonly id: string
  readonly title: string
  readonly group:
    | 'Go to'
    | 'Thread'
    | 'Approval'
    | 'Memory'
    | 'Skill'
    | 'Mission'
    | 'Inspector'
    | 'Window'
    | 'List'
    | 'Settings'
  readonly icon: IconName
  /** `Mod+K`, or a sequence: `g c`. The first is shown on buttons. */
  readonly keys: readonly string[]
  /** Where it does nothing it is not offered. */
  when(state: AppState): boolean
  run(state: AppState): void
}

const always = () => true

/** A command whose work belongs to the screen that is mounted: it exists while that screen says so. */
function screenCommand(command: Omit<Command, 'when' | 'run'>): Command {
  return {
    ...command,
    when: (state) => state.screenCommands[command.id] !== undefined,
    run: (state) => state.screenCommands[command.id]?.(),
  }
}

const goCommands: readonly Command[] = [
  {
    id: 'go.chat',
    title: 'Chat',
    group: 'Go to',
    icon: 'chat',
    keys: ['g c'],
    when: always,
    run: () => go(home),
  },
  {
    id: 'go.threads',
    title: 'Threads',
    group: 'Go to',
    icon: 'threads',
    keys: ['g t'],
    when: always,
    run: () => go({ screen: 'threads' }),
  },
  {
    id: 'go.skills',
    title: 'Skills',
    group: 'Go to',
    icon: 'skills',
    keys: ['g s'],
    when: always,
    run: () => go(skillRoute(null)),
  },
  {
    id: 'go.approvals',
    title: 'Approvals',
    group: 'Go to',
    icon: 'approvals',
    keys: ['g a'],
    when: always,
    run: () => go({ screen: 'approvals', id: null }),
  },
  {
    id: 'go.missions',
    title: 'Missions',
    group: 'Go to',
    icon: 'missions',
    keys: ['g m'],
    when: always,
    run: () => go(missionRoute(null)),
  },
  {
    id: 'go.memory',
    title: 'Memory',
    group: 'Go to',
    icon: 'book',
    keys: ['g e'],
    when: always,
    run: () => go({ screen: 'memory', id: null }),
  },
  {
    id: 'go.learnt',
    title: 'What I learnt',
    group: 'Go to',
    icon: 'learnt',
    keys: ['g l'],
    when: always,
    run: () => go({ screen: 'learnt', id: null }),
  },
  {
    id: 'go.integrations',
    title: 'Open integrations',
    group: 'Go to',
    icon: 'plug',
    keys: ['g i'],
    when: always,
    run: () => go({ screen: 'integrations', part: null }),
  },
  {
    id: 'go.settings',
    title: 'Settings',
    group: 'Go to',
    icon: 'settings',
    keys: ['Mod+,'],
    when: always,
    run: () => go({ screen: 'settings', section: 'general' }),
  },
  ...settingsSections.map(
    (section): Command => ({
      id: `go.settings.${section}`,
      title: `Settings: ${sectionTitles[section]}`,
      group: 'Go to',
      icon: 'settings',
      keys: [],
      when: always,
      run: () => go({ screen: 'settings', section }),
    }),
  ),
  {
    id: 'go.back',
    title: 'Back',
    group: 'Go to',
    icon: 'left',
    keys: ['[', 'Alt+ArrowLeft'],
    when: (state) => state.canGoBack,
    run: goBack,
  },
  {
    id: 'go.forward',
    title: 'Forward',
    group: 'Go to',
    icon: 'right',
    keys: [']', 'Alt+ArrowRight'],
    when: (state) => state.canGoForward,
    run: goForward,
  },
]

const threadCommands: readonly Command[] = [
  {
    id: 'chat.new',
    title: 'New conversation',
    group: 'Thread',
    icon: 'plus',
    keys: ['Mod+N'],
    when: always,
    run: () => go(home),
  },
  screenCommand({ id: 'composer.focus', title: 'Write a message', group: 'Thread', icon: 'send', keys: ['r'] }),
  screenCommand({
    id: 'model.choose',
    title: 'Choose the model of the next message',
    group: 'Thread',
    icon: 'server',
    keys: ['Mod+Shift+M'],
  }),
  {
    id: 'thread.stop',
    title: 'Stop the thread',
    group: 'Thread',
    icon: 'stop',
    keys: ['Mod+.'],
    when: (state) => withShown(state, isUnderWay),
    run: (state) => onShown(state, (id) => call('thread.stop', { id })),
  },
  {
    id: 'thread.resume',
    title: 'Resume the thread',
    group: 'Thread',
    icon: 'play',
    keys: [],
    when: (state) => withShown(state, (thread) => thread.state === 'Suspended'),
    run: (state) => onShown(state, (id) => call('thread.resume', { id })),
  },
  {
    id: 'thread.retry',
    title: 'Retry the thread',
    group: 'Thread',
    icon: 'undo',
    keys: [],
    when: (state) => withShown(state, (thread) => isTerminal(thread.state)),
    run: (state) => onShown(state, retryThread),
  },
  {
    id: 'thread.inspect',
    title: 'Open the thread in the inspector',
    group: 'Thread',
    icon: 'expand',
    keys: ['i'],
    when: (state) => state.route.screen === 'chat' && shownThread(state) !== undefined,
    run: (state) => {
      const thread = shownThread(state)
      if (thread) go({ screen: 'thread', id: thread.id })
    },
  },
  {
    id: 'thread.chat',
    title: 'Open the chat of this thread',
    group: 'Thread',
    icon: 'chat',
    keys: [],
    when: (state) => state.route.screen === 'thread' && shownThread(state) !== undefined,
    run: (state) => {
      const thread = shownThread(state)
      if (thread) go({ screen: 'chat', conversationId: thread.conversationId })
    },
  },
  {
    id: 'project.open',
    title: 'Open a folder',
    group: 'Thread',
    icon: 'folder',
    keys: ['Mod+O'],
    when: always,
    run: () =>
      supervise(async () => {
        const project = await pickProject()
        if (project) go(home)
      }),
  },
]

const skillsFolder: Command = {
  id: 'skill.folder',
  title: 'Open the skills folder',
  group: 'Skill',
  icon: 'folder',
  keys: [],
  when: always,
  run: () => supervise(() => call('shell.openSkillsFolder', {})),
}

const windowCommands: readonly Command[] = [
  screenCommand({ id: 'undo', title: 'Take back what was just done', group: 'Window', icon: 'undo', keys: ['u'] }),
  {
    id: 'palette.open',
    title: 'Search or run a command',
    group: 'Window',
    icon: 'search',
    keys: ['Mod+K', 'Mod+Shift+P'],
    when: always,
    run: () => setApp({ isPaletteOpen: true, isHelpOpen: false }),
  },
  {
    id: 'help.open',
    title: 'Keyboard shortcuts',
    group: 'Window',
    icon: 'info',
    keys: ['?', 'Mod+/'],
    when: always,
    run: () => setApp({ isHelpOpen: true, isPaletteOpen: false }),
  },
  {
    id: 'data.folder',
    title: 'Open the data folder',
    group: 'Window',
    icon: 'box',
    keys: [],
    when: always,
    run: () => supervise(() => call('shell.openDataFolder', {})),
  },
]

const lookCommands: readonly Command[] = [
  lookCommand('theme', 'system', 'Theme: as the system'),
  lookCommand('theme', 'light', 'Theme: light'),
  lookCommand('theme', 'dark', 'Theme: dark'),
  lookCommand('density', 'compact', 'Density: compact'),
  lookCommand('density', 'comfortable', 'Density: comfortable'),
]

function lookCommand<Key extends 'theme' | 'density'>(key: Key, value: Settings[Key], title: string): Command {
  return {
    id: `${key}.${value}`,
    title,
    group: 'Settings',
    icon: key === 'theme' ? 'sun' : 'list',
    keys: [],
    when: (state) => state.settings !== null && state.settings[key] !== value,
    run: () => supervise(() => changeSettings({ [key]: value })),
  }
}

export const commands: readonly Command[] = [
  ...goCommands,
  ...threadCommands,
  ...commandsOfScreens.map(screenCommand),
  skillsFolder,
  ...inspectorCommands.map(screenCommand),
  ...windowCommands,
  ...lookCommands,
]

/** The registry, and a command for each service that lacks its credential: which those are only the engine knows. */
export function commandsOf({ integrations }: Pick<AppState, 'integrations'>): readonly Command[] {
  return integrations === null ? commands : [...commands, ...connectCommands(integrations)]
}

function connectCommands({ integrations }: Integrations): readonly Command[] {
  return integrations
    .filter(({ credentials }) => credentials.some(({ state }) => state !== 'connected'))
    .map(({ skill }) => ({
      id: `connect.${skill}`,
      title: `Connect ${serviceTitle(skill)}…`,
      group: 'Go to',
      icon: 'key',
      keys: [],
      when: always,
      run: () => openConnect(skill),
    }))
}

/** Runs a command by id where it can run now; what cannot is ignored, as a press of its key would be. */
export function runCommand(id: string): void {
  const state = getApp()
  const command = commands.find((candidate) => candidate.id === id)
  if (command?.when(state)) command.run(state)
}

/** The key cap of a command's button. */
export function shortcutOf(id: string): string | undefined {
  return commands.find((command) => command.id === id)?.keys[0]
}

function withShown(state: AppState, test: (thread: NonNullable<ReturnType<typeof shownThread>>) => boolean): boolean {
  const thread = shownThread(state)
  return thread !== undefined && test(thread)
}

function onShown(state: AppState, work: (id: string) => Promise<unknown>): void {
  const thread = shownThread(state)
  if (thread) supervise(() => work(thread.id))
}

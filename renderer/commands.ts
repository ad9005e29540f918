import type { Integrations } from '../core/domain/integration.ts'
import type { Settings } from '../core/domain/settings.ts'
import { isTerminal } from '../core/domain/thread.ts'
import type { IconName } from './components/icon.tsx'
import { call } from './engine/client.ts'
import { serviceTitle } from './format/service-names.ts'
import { home, missionRoute, sectionTitles, settingsSections, skillRoute } from './routes.ts'
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

const approvalCommands: readonly Command[] = [
  screenCommand({
    id: 'approval.approve',
    title: 'Approve what is shown',
    group: 'Approval',
    icon: 'check',
    keys: ['y'],
  }),
  screenCommand({ id: 'approval.deny', title: 'Deny what is asked', group: 'Approval', icon: 'x', keys: ['x'] }),
  screenCommand({ id: 'approval.edit', title: 'Edit, then approve', group: 'Approval', icon: 'file', keys: ['e'] }),
  screenCommand({
    id: 'approval.later',
    title: 'Later: go to the next one',
    group: 'Approval',
    icon: 'right',
    keys: ['l'],
  }),
  screenCommand({
    id: 'approval.quarantine',
    title: 'Quarantine the candidate',
    group: 'Approval',
    icon: 'lock',
    keys: [],
  }),
  screenCommand({
    id: 'approval.thread',
    title: 'Open the thread that asks',
    group: 'Approval',
    icon: 'threads',
    keys: ['o'],
  }),
]

const memoryCommands: readonly Command[] = [
  screenCommand({ id: 'doc.new', title: 'Write a note', group: 'Memory', icon: 'plus', keys: ['n'] }),
  screenCommand({ id: 'doc.edit', title: 'Edit the doc', group: 'Memory', icon: 'file', keys: ['e'] }),
]

const skillCommands: readonly Command[] = [
  screenCommand({ id: 'skill.test', title: 'Test the skill with a goal', group: 'Skill', icon: 'play', keys: ['t'] }),
  screenCommand({ id: 'skill.edit', title: 'Edit the skill', group: 'Skill', icon: 'file', keys: ['e'] }),
  screenCommand({ id: 'skill.rollback', title: 'Roll the skill back', group: 'Skill', icon: 'undo', keys: ['b'] }),
  screenCommand({ id: 'skill.compare', title: 'Compare two versions', group: 'Skill', icon: 'diff', keys: ['d'] }),
  screenCommand({ id: 'skill.import', title: 'Import skills', group: 'Skill', icon: 'plus', keys: [] }),
  screenCommand({ id: 'skill.export', title: 'Export the skill', group: 'Skill', icon: 'download', keys: [] }),
  {
    id: 'skill.folder',
    title: 'Open the skills folder',
    group: 'Skill',
    icon: 'folder',
    keys: [],
    when: always,
    run: () => supervise(() => call('shell.openSkillsFolder', {})),
  },
  screenCommand({ id: 'skill.rescan', title: 'Read the skill files again', group: 'Skill', icon: 'undo', keys: [] }),
]

const missionCommands: readonly Command[] = [
  screenCommand({ id: 'mission.new', title: 'Write a mission', group: 'Mission', icon: 'plus', keys: ['n'] }),
  screenCommand({ id: 'mission.fire', title: 'Run the mission now', group: 'Mission', icon: 'play', keys: ['r'] }),
  screenCommand({ id: 'mission.pause', title: 'Pause the mission', group: 'Mission', icon: 'pause', keys: ['p'] }),
  screenCommand({ id: 'mission.resume', title: 'Resume the mission', group: 'Mission', icon: 'play', keys: [] }),
  screenCommand({
    id: 'mission.skip',
    title: 'Skip the next firing of the mission',
    group: 'Mission',
    icon: 'right',
    keys: ['s'],
  }),
  screenCommand({ id: 'mission.edit', title: 'Edit the mission', group: 'Mission', icon: 'file', keys: ['e'] }),
  screenCommand({
    id: 'mission.history',
    title: 'Show all firings of the mission',
    group: 'Mission',
    icon: 'list',
    keys: ['h'],
  }),
  screenCommand({ id: 'mission.remove', title: 'Remove the mission', group: 'Mission', icon: 'x', keys: [] }),
]

const learntCommands: readonly Command[] = [
  screenCommand({
    id: 'learnt.reject',
    title: 'Say no to what is proposed',
    group: 'Approval',
    icon: 'x',
    keys: ['n'],
  }),
  screenCommand({
    id: 'learnt.undo',
    title: 'Take back what was learnt',
    group: 'Approval',
    icon: 'undo',
    keys: ['u'],
  }),
]

const listCommands: readonly Command[] = [
  screenCommand({ id: 'list.filter', title: 'Filter or search here', group: 'List', icon: 'search', keys: ['/'] }),
  screenCommand({ id: 'list.next', title: 'Next row', group: 'List', icon: 'down', keys: ['j'] }),
  screenCommand({ id: 'list.previous', title: 'Previous row', group: 'List', icon: 'down', keys: ['k'] }),
  screenCommand({ id: 'list.toggle', title: 'Show or hide the list', group: 'List', icon: 'list', keys: ['Mod+B'] }),
]

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
  ...approvalCommands,
  ...memoryCommands,
  ...skillCommands,
  ...missionCommands,
  ...learntCommands,
  ...listCommands,
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

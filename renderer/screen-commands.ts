/**
 * What only a screen can do: the registry lists these, and the screen that is mounted says what each of them runs. A key means
 * one thing on one screen; two screens may use the same.
 */
const approvalCommands = [
  {
    id: 'approval.approve',
    title: 'Approve what is shown',
    group: 'Approval',
    icon: 'check',
    keys: ['y'],
  },
  { id: 'approval.deny', title: 'Deny what is asked', group: 'Approval', icon: 'x', keys: ['x'] },
  { id: 'approval.edit', title: 'Edit, then approve', group: 'Approval', icon: 'file', keys: ['e'] },
  {
    id: 'approval.later',
    title: 'Later: go to the next one',
    group: 'Approval',
    icon: 'right',
    keys: ['l'],
  },
  {
    id: 'approval.quarantine',
    title: 'Quarantine the candidate',
    group: 'Approval',
    icon: 'lock',
    keys: [],
  },
  {
    id: 'approval.thread',
    title: 'Open the thread that asks',
    group: 'Approval',
    icon: 'threads',
    keys: ['o'],
  },
] as const

const memoryCommands = [
  { id: 'doc.new', title: 'Write a note', group: 'Memory', icon: 'plus', keys: ['n'] },
  { id: 'doc.edit', title: 'Edit the doc', group: 'Memory', icon: 'file', keys: ['e'] },
] as const

const skillCommands = [
  { id: 'skill.test', title: 'Test the skill with a goal', group: 'Skill', icon: 'play', keys: ['t'] },
  { id: 'skill.edit', title: 'Edit the skill', group: 'Skill', icon: 'file', keys: ['e'] },
  { id: 'skill.rollback', title: 'Roll the skill back', group: 'Skill', icon: 'undo', keys: ['b'] },
  { id: 'skill.compare', title: 'Compare two versions', group: 'Skill', icon: 'diff', keys: ['d'] },
  { id: 'skill.import', title: 'Import skills', group: 'Skill', icon: 'plus', keys: [] },
  { id: 'skill.export', title: 'Export the skill', group: 'Skill', icon: 'download', keys: [] },
  { id: 'skill.rescan', title: 'Read the skill files again', group: 'Skill', icon: 'undo', keys: [] },
] as const

const missionCommands = [
  { id: 'mission.new', title: 'Write a mission', group: 'Mission', icon: 'plus', keys: ['n'] },
  { id: 'mission.fire', title: 'Run the mission now', group: 'Mission', icon: 'play', keys: ['r'] },
  { id: 'mission.pause', title: 'Pause the mission', group: 'Mission', icon: 'pause', keys: ['p'] },
  { id: 'mission.resume', title: 'Resume the mission', group: 'Mission', icon: 'play', keys: [] },
  {
    id: 'mission.skip',
    title: 'Skip the next firing of the mission',
    group: 'Mission',
    icon: 'right',
    keys: ['s'],
  },
  { id: 'mission.edit', title: 'Edit the mission', group: 'Mission', icon: 'file', keys: ['e'] },
  {
    id: 'mission.history',
    title: 'Show all firings of the mission',
    group: 'Mission',
    icon: 'list',
    keys: ['h'],
  },
  { id: 'mission.remove', title: 'Remove the mission', group: 'Mission', icon: 'x', keys: [] },
] as const

const learntCommands = [
  {
    id: 'learnt.reject',
    title: 'Say no to what is proposed',
    group: 'Approval',
    icon: 'x',
    keys: ['n'],
  },
  {
    id: 'learnt.undo',
    title: 'Take back what was learnt',
    group: 'Approval',
    icon: 'undo',
    keys: ['u'],
  },
] as const

const listCommands = [
  { id: 'list.filter', title: 'Filter or search here', group: 'List', icon: 'search', keys: ['/'] },
  { id: 'list.next', title: 'Next row', group: 'List', icon: 'down', keys: ['j'] },
  { id: 'list.previous', title: 'Previous row', group: 'List', icon: 'down', keys: ['k'] },
  { id: 'list.toggle', title: 'Show or hide the list', group: 'List', icon: 'list', keys: ['Mod+B'] },
] as const

export const commandsOfScreens = [
  ...approvalCommands,
  ...memoryCommands,
  ...skillCommands,
  ...missionCommands,
  ...learntCommands,
  ...listCommands,
] as const

/**
 * What only the inspector can do: the registry lists these as commands of a screen, and the mounted inspector says what each
 * of them runs. Its search and its next and previous row are the list's (`list.filter`, `list.next`, `list.previous`).
 */
export const inspectorCommands = [
  { id: 'inspector.timeline', title: 'Show the timeline', group: 'Inspector', icon: 'threads', keys: ['1'] },
  { id: 'inspector.transcript', title: 'Show the transcript', group: 'Inspector', icon: 'book', keys: ['2'] },
  { id: 'inspector.events', title: 'Show the events', group: 'Inspector', icon: 'list', keys: ['3'] },
  { id: 'inspector.axis', title: 'Next time axis', group: 'Inspector', icon: 'clock', keys: ['t'] },
  { id: 'inspector.nextError', title: 'Next error', group: 'Inspector', icon: 'alert', keys: ['e'] },
  { id: 'inspector.lastError', title: 'Previous error', group: 'Inspector', icon: 'alert', keys: ['E'] },
  { id: 'inspector.critical', title: 'Show the critical path', group: 'Inspector', icon: 'spark', keys: ['p'] },
  { id: 'inspector.zoomIn', title: 'Zoom to the selection', group: 'Inspector', icon: 'expand', keys: ['z'] },
  { id: 'inspector.zoomOut', title: 'Zoom out', group: 'Inspector', icon: 'undo', keys: ['Backspace'] },
  { id: 'inspector.detail', title: 'Show or hide the detail', group: 'Inspector', icon: 'info', keys: ['Mod+J'] },
  { id: 'inspector.copyJson', title: 'Copy the selection as JSON', group: 'Inspector', icon: 'copy', keys: ['c j'] },
  {
    id: 'inspector.copyMarkdown',
    title: 'Copy the transcript as Markdown',
    group: 'Inspector',
    icon: 'copy',
    keys: ['c m'],
  },
] as const

export type InspectorCommand = (typeof inspectorCommands)[number]['id']

/** A menu entry is a command of the window's registry: a click pushes its id, and the window runs it. */
export interface MenuCommand {
  readonly id: string
  readonly label: string
  /** The registry's own key (`Mod+N`), shown beside the entry. The window listens for it, not the menu. */
  readonly key?: string
}

/** Only commands that the window has; a test holds this list against the registry. */
export const menuCommands = {
  file: [
    { id: 'chat.new', label: 'New conversation', key: 'Mod+N' },
    { id: 'project.open', label: 'Open a folder…', key: 'Mod+O' },
    { id: 'data.folder', label: 'Open the data folder' },
  ],
  go: [
    { id: 'go.chat', label: 'Chat' },
    { id: 'go.threads', label: 'Threads' },
    { id: 'go.settings', label: 'Settings', key: 'Mod+,' },
    { id: 'palette.open', label: 'Search or run a command…', key: 'Mod+K' },
  ],
  help: [{ id: 'help.open', label: 'Keyboard shortcuts', key: 'Mod+/' }],
} as const satisfies Readonly<Record<string, readonly MenuCommand[]>>

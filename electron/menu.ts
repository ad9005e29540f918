import { Menu, type MenuItemConstructorOptions } from 'electron'
import { type MenuCommand, menuCommands } from './menu-commands.ts'

/** The application menu. `isCheckout` adds what only a developer needs. */
export function createMenu(run: (id: string) => void, isCheckout: boolean): Menu {
  const entries = (commands: readonly MenuCommand[]): MenuItemConstructorOptions[] =>
    commands.map(({ id, label, key }) => ({
      label,
      click: () => run(id),
      registerAccelerator: false,
      ...(key && { accelerator: key.replace('Mod', 'CmdOrCtrl') }),
    }))
  const developer: MenuItemConstructorOptions[] = isCheckout
    ? [{ type: 'separator' }, { role: 'reload' }, { role: 'toggleDevTools' }]
    : []
  return Menu.buildFromTemplate([
    ...(process.platform === 'darwin' ? [{ role: 'appMenu' } as const] : []),
    { label: 'File', submenu: [...entries(menuCommands.file), { type: 'separator' }, { role: 'quit' }] },
    { role: 'editMenu' },
    { label: 'Go', submenu: entries(menuCommands.go) },
    {
      label: 'View',
      submenu: [
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        { type: 'separator' },
        { role: 'togglefullscreen' },
        ...developer,
      ],
    },
    { role: 'help', submenu: entries(menuCommands.help) },
  ])
}

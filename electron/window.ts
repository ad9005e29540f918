import { app, BrowserWindow, dialog, nativeTheme, type Session, screen, session, type WebContents } from 'electron'
import type { Settings } from '../core/domain/settings.ts'
import { isAppAddress } from './ipc.ts'
import { appOrigin } from './protocol.ts'
import { placeWindow, readPlace, smallest, writePlace } from './window-place.ts'

export interface WindowOptions {
  readonly placeFile: string
  readonly preload: string
  readonly icon: string
  readonly devUrl: string | null
  /** It stays out of sight until something shows it. */
  readonly isHidden: boolean
  readonly openExternal: (url: string) => void
}

/** The ground of the design's tokens, so that the first frame is not a flash of white. */
const ground = { light: '#fbf9f7', dark: '#1a1816' } as const

/** Makes the one window: no Node in the page, own origin only, its place remembered, and back again after a crash. */
export function createWindow(options: WindowOptions): BrowserWindow {
  const saved = readPlace(options.placeFile)
  nativeTheme.themeSource = saved?.theme ?? 'system'
  const areas = screen.getAllDisplays().map((display) => display.workArea)
  const window = new BrowserWindow({
    ...placeWindow(saved, areas),
    minWidth: smallest.width,
    minHeight: smallest.height,
    show: false,
    title: 'Threadsmith',
    icon: options.icon,
    autoHideMenuBar: true,
    backgroundColor: nativeTheme.shouldUseDarkColors ? ground.dark : ground.light,
    webPreferences: {
      preload: options.preload,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      webSecurity: true,
      webviewTag: false,
      // It would fetch dictionaries from the network.
      spellcheck: false,
    },
  })
  if (saved?.isMaximized) window.maximize()
  if (!options.isHidden) window.once('ready-to-show', () => window.show())
  rememberPlace(window, options.placeFile)
  comeBack(window)
  void window.loadURL(options.devUrl ?? `${appOrigin}/index.html`).catch((error: unknown) => {
    if (!window.isDestroyed()) dialog.showErrorBox('The Threadsmith window could not be loaded', String(error))
  })
  return window
}

/** The window's theme setting reached us: dialogs, menus and the next start follow it. */
export function showTheme(theme: Settings['theme']): void {
  nativeTheme.themeSource = theme
}

function rememberPlace(window: BrowserWindow, file: string): void {
  let timer: NodeJS.Timeout | undefined
  const save = (): void => {
    const isMaximized = window.isMaximized() || window.isFullScreen()
    writePlace(file, { ...window.getNormalBounds(), isMaximized, theme: nativeTheme.themeSource })
  }
  const saveSoon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(save, 500)
  }
  window.on('resize', saveSoon).on('move', saveSoon).on('maximize', saveSoon).on('unmaximize', saveSoon)
  window.on('close', () => {
    clearTimeout(timer)
    save()
  })
}

const reloadsPerMinute = 3

/** The route stands in the address and the state in the store, so a reload shows the same thing again. */
function comeBack(window: BrowserWindow): void {
  let reloads: number[] = []
  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit' || window.isDestroyed()) return
    const now = performance.now()
    reloads = reloads.filter((at) => now - at < 60_000)
    if (reloads.length < reloadsPerMinute) {
      reloads.push(now)
      // Not while the process is still being taken down: a page that is asked for then may never come.
      setImmediate(() => window.isDestroyed() || window.webContents.reload())
    } else void askToReload(window, reason)
  })
}
async function askToReload(window: BrowserWindow, reason: string): Promise<void> {
  const { response } = await dialog.showMessageBox(window, {
    type: 'error',
    message: 'The Threadsmith window stopped several times in a minute.',
    detail: `Your threads go on and everything on record is kept (${reason}). Show the window again, or quit.`,
    buttons: ['Show again', 'Quit'],
    cancelId: 0,
  })
  if (response === 1) app.quit()
  else window.webContents.reload()
}

/** For every page there will ever be: no way to another address, no second window, no permission, no network of its own. */
export function hardenPages(devOrigin: string | null, openExternal: (url: string) => void): void {
  app.on('web-contents-created', (_event, contents) => hardenPage(contents, devOrigin, openExternal))
  hardenSession(session.defaultSession, devOrigin)
}
function hardenPage(contents: WebContents, devOrigin: string | null, openExternal: (url: string) => void): void {
  contents.on('will-navigate', (event) => {
    if (!isAppAddress(event.url, devOrigin)) event.preventDefault()
  })
  contents.on('will-frame-navigate', (event) => {
    if (!event.isMainFrame) event.preventDefault()
  })
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    openExternal(url)
    return { action: 'deny' }
  })
}
function hardenSession(target: Session, devOrigin: string | null): void {
  target.setPermissionRequestHandler((_contents, _permission, answer) => answer(false))
  target.setPermissionCheckHandler(() => false)
  target.setDevicePermissionHandler(() => false)
  const foreign = { urls: ['http://*/*', 'https://*/*', 'ws://*/*', 'wss://*/*', 'file://*/*'] }
  target.webRequest.onBeforeRequest(foreign, ({ url }, answer) => {
    const asPage = url.replace(/^ws/, 'http')
    answer({ cancel: devOrigin === null || !isAppAddress(asPage, devOrigin) })
  })
}

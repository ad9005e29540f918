// The desktop shell: makes the window, hosts the engine and connects the two. Wiring only.
import { mkdirSync } from 'node:fs'
import os, { homedir } from 'node:os'
import path from 'node:path'
import {
  app,
  type BrowserWindow,
  clipboard,
  dialog,
  ipcMain,
  Menu,
  Notification,
  nativeImage,
  powerMonitor,
  protocol,
  safeStorage,
  shell,
  Tray,
} from 'electron'
import { z } from 'zod'
import { dataDir as dataDirOf } from '../core/domain/data-dir.ts'
import { cleanError } from '../core/domain/leaks/errors.ts'
import { shapeRedactor } from '../core/domain/leaks/redactor.ts'
import { settingsSchema } from '../core/domain/settings.ts'
import type { Engine } from '../core/engine.ts'
import { callChannel, pushChannel } from './channels.ts'
import { createEngineHost, type EngineHost } from './engine-host.ts'
import { answerCall, type CallRoutes } from './ipc.ts'
import { createAutostart, createSystemLogin, dataDirIn, type LoginItem, startAgain } from './login-item.ts'
import { createMenu } from './menu.ts'
import { createNamedFiles } from './named-files.ts'
import { createNotify, type Notice, requestNotices } from './notify.ts'
import { createOpener, hiddenFlag, placeIn, placeOf } from './places.ts'
import { appScheme, createAppHandler } from './protocol.ts'
import { quitGracefully } from './quit.ts'
import { spawnUtility } from './sandbox.ts'
import { createSecrets } from './secrets.ts'
import { createShellCalls, type Desktop, isExternal } from './shell-calls.ts'
import { stayWhileActive } from './stay.ts'
import { createTrayKeeper, type TrayIcon, type TrayKeeper } from './tray.ts'
import { createWindow, hardenPages, showTheme } from './window.ts'
import type { WindowPush } from './window-push.ts'

const appDir = app.getAppPath()
const usualDataDir = dataDirOf(process.platform, { HOME: homedir(), ...process.env, THREADSMITH_HOME: undefined })
const dataDir = path.resolve(dataDirIn(process.argv) ?? (process.env.THREADSMITH_HOME || usualDataDir))
const ownFiles = path.join(dataDir, 'electron')
const devUrl = app.isPackaged ? null : loopbackUrl(process.env.VITE_DEV_SERVER_URL)
const devOrigin = devUrl === null ? null : new URL(devUrl).origin

// Electron wants the folder to exist, and the instance lock lies in it: one app for one store.
mkdirSync(ownFiles, { recursive: true, mode: 0o700 })
app.setPath('userData', ownFiles)

if (app.requestSingleInstanceLock()) {
  protocol.registerSchemesAsPrivileged([appScheme])
  // Never awaited here: Electron emits `ready` only once this module has been evaluated.
  void app.whenReady().then(start).catch(giveUp)
} else app.exit(0)

async function start(): Promise<void> {
  protocol.handle('app', createAppHandler(path.join(appDir, 'dist/renderer')))
  hardenPages(devOrigin, openExternal)
  const isHidden = process.argv.includes(hiddenFlag)
  const window = createWindow({
    isHidden,
    placeFile: path.join(ownFiles, 'window.json'),
    preload: path.join(appDir, 'dist/preload/preload.cjs'),
    icon: path.join(appDir, 'electron/icon.png'),
    devUrl,
    openExternal,
  })
  const send = (push: WindowPush): void => {
    if (window.isDestroyed()) return
    window.webContents.send(pushChannel, push)
    // Who looks at the window sees it there.
    if (!window.isFocused()) for (const notice of requestNotices(push)) notify(notice)
    void tray.heard(push).catch(trayFailed)
  }
  const open = createOpener({
    onLoaded: (listener) => window.webContents.on('did-finish-load', listener),
    onLoading: (listener) =>
      window.webContents.on('did-start-navigation', ({ isSameDocument }) => isSameDocument || listener()),
    focus: () => focus(window),
    show: (hash) => send({ type: 'place', hash }),
  })
  const notify = createNotify({
    show: ({ clicked, ...options }) => {
      const notification = new Notification(options)
      notification.on('click', clicked)
      notification.show()
    },
    isSupported: () => Notification.isSupported(),
    open,
  })
  Menu.setApplicationMenu(createMenu((id) => send({ type: 'command', id }), !app.isPackaged))
  const called = (argv: readonly string[]) => {
    const place = placeIn(argv)
    if (place === null) focus(window)
    else open(place)
  }
  app.on('second-instance', (_event, argv) => called(argv))
  app.on('activate', () => focus(window))
  if (placeIn(process.argv) !== null) called(process.argv)
  app.on('window-all-closed', () => app.quit())

  // The window is being drawn while the engine is loaded and opened; what it asks until then waits.
  const hosting = createHost(send, notify)
  const call = async (name: string, input: unknown) => (await hosting).call(name, input)
  const tray = createTrayKeeper({
    make: () => createTrayIcon(open, () => focus(window)),
    isUsual: process.platform !== 'linux',
    call,
    now: Date.now,
  })
  answerWindow(window, { hosting, tray })
  stayInTray(window, { tray, call, notify })
  quitGracefully(app, async () => (await hosting).stop())
  await (await hosting).start()
  await call('settings.get', {})
    .then((settings) => tray.follow(settings))
    .catch(trayFailed)
  // Started at login, but with no tray to be found in.
  if (isHidden && !tray.isShown) window.show()
}

async function createHost(push: (push: WindowPush) => void, notify: (notice: Notice) => void): Promise<EngineHost> {
  const engine = await import('../core/engine.ts')
  const { createEngine, listBackups, restoreBackup, setStoreAside, stopOwner, storePath } = engine
  const secrets = createSecrets({
    file: path.join(dataDir, 'secrets.json'),
    encryption: safeStorage,
    backend: () => (process.platform === 'linux' ? safeStorage.getSelectedStorageBackend() : 'system'),
  })
  let newest: Engine | undefined
  powerMonitor.on('resume', () => void newest?.wokeUp())
  return createEngineHost({
    open: async ({ readOnly }) => {
      newest = await createEngine({
        dataDir,
        contentDir: appDir,
        version: app.getVersion(),
        command: 'Threadsmith',
        secrets,
        spawnSandbox: spawnUtility(path.join(appDir, 'dist/main/sandbox-child.js'), 'Threadsmith sandbox'),
        spawnLocal: spawnUtility(path.join(appDir, 'dist/main/local-child.js'), 'Threadsmith model'),
        recover: 'resume',
        readOnly,
        ticks: process.env.THREADSMITH_MISSIONS !== '0',
        notify: (text, where) => notify({ text, place: placeOf(where) }),
        ...(process.env.THREADSMITH_TRACE === '1' && { traceDir: path.join(dataDir, 'traces') }),
      })
      return newest
    },
    store: {
      path: storePath(dataDir),
      listBackups: () => listBackups(dataDir),
      restoreBackup: (backup) => restoreBackup(dataDir, backup),
      setAside: () => setStoreAside(dataDir),
    },
    stopOwner: () => stopOwner(dataDir),
    push,
  })
}

/** Without its icon the app works as before: why is for whoever looks into the log. */
function trayFailed(error: unknown): void {
  console.error('The tray does not follow:', cleanError(error, shapeRedactor))
}

function stayInTray(
  window: BrowserWindow,
  parts: {
    readonly tray: TrayKeeper
    readonly call: (name: string, input: unknown) => Promise<unknown>
    readonly notify: (notice: Notice) => void
  },
): void {
  let isQuitting = false
  let isTold = false
  app.on('before-quit', () => {
    isQuitting = true
  })
  stayWhileActive(window, {
    isQuitting: () => isQuitting,
    keepsRunning: () => parts.tray.keepsRunning,
    call: parts.call,
    onStayed: () => {
      if (isTold) return
      isTold = true
      const text = 'Threadsmith goes on in the tray: missions fire. Quit it there to end it.'
      parts.notify({ text, place: '#/missions' })
    },
  })
}

function createTrayIcon(open: (place: string) => void, show: () => void): TrayIcon {
  const image = nativeImage.createFromPath(path.join(appDir, 'electron/icon.png')).resize({ height: 22 })
  const tray = new Tray(image)
  tray.on('click', show)
  return {
    show(entries, tip) {
      tray.setToolTip(tip)
      const items = entries.map(({ label, ...entry }) => ({
        label,
        click: () => {
          if (entry.kind === 'quit') app.quit()
          else if (entry.kind === 'next') open(entry.place)
          else show()
        },
      }))
      tray.setContextMenu(Menu.buildFromTemplate(items))
    },
    remove: () => tray.destroy(),
  }
}

function createLoginItem(): LoginItem {
  const isElsewhere = dataDir !== path.resolve(usualDataDir)
  const command = startAgain({
    executable: process.execPath,
    argv: process.argv,
    appDir: app.isPackaged ? null : appDir,
    dataDir: isElsewhere ? dataDir : null,
  })
  if (process.platform === 'linux') {
    const config = process.env.XDG_CONFIG_HOME
    const folder = config !== undefined && path.isAbsolute(config) ? config : path.join(homedir(), '.config')
    return createAutostart({ folder: path.join(folder, 'autostart'), command })
  }
  const args = command.slice(1)
  return createSystemLogin({
    get: () => app.getLoginItemSettings({ args }).openAtLogin,
    set: (openAtLogin) => app.setLoginItemSettings({ openAtLogin, args }),
    // macOS starts an app without any arguments.
    note:
      process.platform === 'darwin' && isElsewhere ? 'It starts with the usual data folder, not with this one.' : null,
  })
}

function answerWindow(
  window: BrowserWindow,
  { hosting, tray }: { readonly hosting: Promise<EngineHost>; readonly tray: TrayKeeper },
): void {
  const named = createNamedFiles()
  const places = { data: dataDir, skills: path.join(os.homedir(), '.agents/skills'), isNamed: named.has }
  const shellCalls = hosting.then((host) => createShellCalls(desktopOf(window, tray), host, places))
  const routes: CallRoutes = {
    shell: async (name, input) => (await shellCalls)(name, input),
    engine: async (name, input) => {
      const value = await (await hosting).call(name, input)
      if (name === 'mission.release') void tray.released().catch(trayFailed)
      if (name.startsWith('settings.')) {
        followTheme(value)
        void tray.follow(value).catch(trayFailed)
      }
      named.heard(name, value)
      return value
    },
  }
  ipcMain.handle(callChannel, ({ sender, senderFrame }, name: unknown, input: unknown) => {
    const frame = senderFrame && { url: senderFrame.url, isMain: senderFrame === sender.mainFrame }
    const isOurWindow = !window.isDestroyed() && sender === window.webContents
    return answerCall({ sender: { isOurWindow, frame }, name, input }, routes, devOrigin)
  })
}

function followTheme(settings: unknown): void {
  const parsed = z.object({ theme: settingsSchema.shape.theme }).safeParse(settings)
  if (parsed.success) showTheme(parsed.data.theme)
}

function desktopOf(window: BrowserWindow, tray: TrayKeeper): Desktop {
  const login = createLoginItem()
  return {
    async pickFolder() {
      const { filePaths } = await dialog.showOpenDialog(window, { properties: ['openDirectory', 'createDirectory'] })
      return filePaths[0] ?? null
    },
    async pickFile() {
      const filters = [{ name: 'GGUF models', extensions: ['gguf'] }]
      const { filePaths } = await dialog.showOpenDialog(window, { properties: ['openFile'], filters })
      return filePaths[0] ?? null
    },
    async pickSkillFile() {
      const filters = [{ name: 'Skills', extensions: ['zip', 'md'] }]
      const { filePaths } = await dialog.showOpenDialog(window, { properties: ['openFile'], filters })
      return filePaths[0] ?? null
    },
    showFile: (path) => shell.showItemInFolder(path),
    openExternal: (url) => shell.openExternal(url),
    async openFolder(folder) {
      const problem = await shell.openPath(folder)
      if (problem !== '') throw new Error(problem)
    },
    copyText: (text) => clipboard.writeText(text),
    state: () => ({
      login: login.read(),
      tray: { isUsual: tray.isUsual, isShown: tray.isShown, isFailed: tray.isFailed },
      keepsRunning: tray.keepsRunning,
    }),
    setLogin: (isOn) => void login.set(isOn),
    quit: () => app.quit(),
  }
}

function openExternal(url: string): void {
  if (!isExternal(url)) return
  shell.openExternal(url).catch((error: unknown) => {
    dialog.showErrorBox('The link could not be opened', `${url}\n\n${String(error)}`)
  })
}

function focus(window: BrowserWindow): void {
  if (window.isDestroyed()) return
  if (window.isMinimized()) window.restore()
  window.show()
  window.focus()
}

/** The dev server's address: on this machine only, so that a stray variable cannot make the window show a web page. */
function loopbackUrl(url: string | undefined): string | null {
  if (url === undefined || !URL.canParse(url)) return null
  return ['127.0.0.1', 'localhost'].includes(new URL(url).hostname) ? url : null
}

/** Without an engine there is nothing to show: say so in words instead of staying blank. */
function giveUp(error: unknown): void {
  dialog.showErrorBox(
    'Threadsmith could not start',
    `Nothing was changed; your data is where it was (${dataDir}).\n\n${error instanceof Error ? error.stack : String(error)}`,
  )
  app.exit(1)
}

import { spawn } from 'node:child_process'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { resolveElectron } from '../../electron/runtime/electron.mjs'
import { launchApp, type RunningApp, removeHome } from './app-fixture.ts'

const root = path.resolve(import.meta.dirname, '../..')
let app: RunningApp
test.beforeAll(async () => {
  app = await launchApp()
})
test.afterAll(async () => {
  await app.close()
  removeHome(app.home)
})

test('the page has two verbs of the shell and nothing of Node', async () => {
  const found = await app.page.evaluate(() => ({
    bridge: Object.keys(Reflect.get(window, 'threadsmith')),
    node: ['process', 'require', 'module', 'Buffer', 'global'].filter((name) => name in window),
  }))
  expect(found).toEqual({ bridge: ['call', 'subscribe'], node: [] })
})

test('the page cannot leave: no other address, no second window, no network, no inline script, no permission', async () => {
  const address = app.page.url()
  await app.page.evaluate(() => {
    location.href = 'https://example.com/'
  })
  const tried = await app.page.evaluate(async () => {
    const failed = (promise: Promise<unknown>) =>
      promise.then(
        () => 'done',
        (error: Error) => error.name,
      )
    let html = 'set'
    try {
      document.createElement('div').innerHTML = '<b>x</b>'
    } catch (error) {
      html = error instanceof Error ? error.name : 'refused'
    }
    return {
      window: window.open('app://threadsmith/index.html'),
      fetch: await failed(fetch('http://127.0.0.1:9/')),
      file: await failed(fetch('file:///etc/hostname')),
      clipboard: await failed(navigator.clipboard.readText()),
      html,
    }
  })
  expect(tried).toEqual({
    window: null,
    fetch: 'TypeError',
    file: 'TypeError',
    clipboard: 'NotAllowedError',
    html: 'TypeError',
  })
  expect(app.page.url()).toBe(address)
  expect(app.electron.windows()).toHaveLength(1)
})

test('a second start gives its place to the first and ends with 0', async () => {
  const found = await resolveElectron()
  const env = { ...process.env, ...found.env, THREADSMITH_HOME: app.home }
  const second = spawn(found.executable, ['--no-sandbox', root], { env, stdio: 'ignore' })
  expect(await new Promise((resolve) => second.once('exit', resolve))).toBe(0)
  expect(app.electron.windows()).toHaveLength(1)
})

test('a page whose process dies comes back at the same place', async () => {
  await app.page.evaluate(() => {
    location.hash = '#/settings/about'
  })
  const back = await app.electron.evaluate(async ({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows()
    if (!window) return undefined
    const loaded = new Promise<void>((resolve) => window.webContents.once('did-finish-load', () => resolve()))
    window.webContents.forcefullyCrashRenderer()
    await loaded
    return {
      address: window.webContents.getURL(),
      state: await window.webContents.executeJavaScript("threadsmith.call('shell.state', {})"),
    }
  })
  expect(back).toEqual({
    address: 'app://threadsmith/index.html#/settings/about',
    state: { ok: true, value: { phase: 'ready' } },
  })
})

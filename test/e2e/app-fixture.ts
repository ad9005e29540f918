import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from '@playwright/test'
import { _electron, type ElectronApplication, type Page } from 'playwright'
import { resolveElectron } from '../../electron/runtime/electron.mjs'

const root = path.resolve(import.meta.dirname, '../..')
const shots = path.join(root, 'test-results/screenshots')

export interface LaunchOptions {
  /** The data folder; a new one by default. Launch again with the same one to see what a restart keeps. */
  readonly home?: string
  readonly env?: Readonly<Record<string, string>>
  /** Of the app's command line, after its folder. */
  readonly args?: readonly string[]
}

/** The built app, running in a real Electron on a data folder of its own. */
export interface RunningApp {
  readonly electron: ElectronApplication
  readonly page: Page
  readonly home: string
  /** What the page wrote to its console as errors, and what it threw: to be empty at the end of a test. */
  readonly errors: readonly string[]
  /** From launch until the page had its first content, in ms. */
  readonly startMs: number
  /** Writes test-results/screenshots/<name>.png and answers its path. */
  screenshot(name: string): Promise<string>
  /** Quits as a person does; the data folder stays. */
  close(): Promise<void>
  /** Ends it as a crash does: nothing is stopped in order. */
  kill(): Promise<void>
}

const launched: { readonly spec: string; readonly errors: readonly string[] }[] = []

/** What the pages of all apps wrote that the spec at work has launched, those too that were closed or killed since. */
export function errorsOfSpec(): readonly string[] {
  const spec = test.info().file
  return launched.filter((each) => each.spec === spec).flatMap(({ errors }) => errors)
}

/** Starts the app that `npm run build` made. */
export async function launchApp({ home = newHome(), env = {}, args = [] }: LaunchOptions = {}): Promise<RunningApp> {
  const found = await resolveElectron()
  const began = performance.now()
  const electron = await _electron.launch({
    executablePath: found.executable,
    args: [root, ...args],
    cwd: root,
    // Else Playwright would hold the page to light, whatever the app's theme is.
    colorScheme: null,
    // What an app learns by itself while a test is about something else would be threads that the test does not know.
    env: { ...definedEnv(), ...found.env, THREADSMITH_HOME: home, THREADSMITH_MISSIONS: '0', ...env },
  })
  const page = await electron.firstWindow()
  const errors: string[] = []
  launched.push({ spec: test.info().file, errors })
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('pageerror', (error) => errors.push(error.stack ?? error.message))
  await page.waitForLoadState('domcontentloaded')
  return {
    electron,
    page,
    home,
    errors,
    startMs: performance.now() - began,
    async screenshot(name) {
      mkdirSync(shots, { recursive: true })
      const file = path.join(shots, `${name}.png`)
      await page.screenshot({ path: file })
      return file
    },
    close: () => electron.close(),
    async kill() {
      const child = electron.process()
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    },
  }
}

function newHome(): string {
  return mkdtempSync(path.join(tmpdir(), 'threadsmith-home-'))
}
/** Removes a data folder; its app must be closed. */
export function removeHome(home: string): void {
  rmSync(home, { recursive: true, force: true })
}

function definedEnv(): Record<string, string> {
  const entries = Object.entries(process.env)
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
}

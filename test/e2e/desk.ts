import { rmSync } from 'node:fs'
import { expect, type Locator, type Page } from '@playwright/test'
import type { ModelServer } from '../support/model-server.ts'
import { errorsOfSpec, type RunningApp, removeHome } from './app-fixture.ts'
import { axeFindings } from './axe.ts'

/** The size that the design's pages were drawn at. */
export async function setWindowSize(app: RunningApp, width = 1440, height = 900): Promise<void> {
  await app.electron.evaluate(
    ({ BrowserWindow }, size) => BrowserWindow.getAllWindows()[0]?.setContentSize(size.width, size.height),
    { width, height },
  )
}

/** What a person would choose in the system's folder dialog, which no test can click. */
export async function answerFolderDialog(app: RunningApp, folder: string): Promise<void> {
  await app.electron.evaluate(({ dialog }, chosen) => {
    Object.assign(dialog, { showOpenDialog: async () => ({ canceled: false, filePaths: [chosen] }) })
  }, folder)
}

/** The system's theme, which the app follows unless a person chose otherwise. */
export async function setTheme(app: RunningApp, colorScheme: 'light' | 'dark'): Promise<void> {
  await app.page.emulateMedia({ colorScheme })
}

/** Past the first run: the planner, a folder, no first question. */
export async function startWith(app: RunningApp, folder: string): Promise<void> {
  const { page } = app
  await answerFolderDialog(app, folder)
  await page.getByRole('radio', { name: /planner/i }).check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Choose a folder' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('textbox').press('Escape')
  await page.getByRole('textbox', { name: 'Message' }).waitFor()
}

/** Adds a server and gives it to every tier, as Settings does; for tests that are about something else. */
export async function useServer(app: RunningApp, baseUrl: string, model = 'test-model'): Promise<void> {
  await app.page.evaluate(
    async ({ url, name }) => {
      const provider = { kind: 'openai-compatible', title: 'Test server', baseUrl: url } as const
      const saved = await window.threadsmith.call('provider.save', { provider })
      if (!saved.ok) throw new Error(saved.error.message)
      const tier = { providerId: saved.value.id, model: name }
      await window.threadsmith.call('settings.set', { patch: { tiers: { minuet: tier, allegro: tier, forte: tier } } })
    },
    { url: baseUrl, name: model },
  )
  await app.page.reload()
}

/** A key of a button that is there: what a person presses is what they see. */
export async function pressKey(at: Page | Locator, key: string): Promise<void> {
  await expect(
    at
      .locator('kbd')
      .filter({ hasText: new RegExp(`^${key}$`) })
      .first(),
  ).toBeVisible()
  await ('page' in at ? at.page() : at).keyboard.press(key)
}

/** Says it in the chat that is open. */
export async function say(app: RunningApp, text: string): Promise<void> {
  const box = app.page.getByRole('textbox', { name: 'Message' })
  await box.fill(text)
  await box.press('Enter')
}

/** Waits until it is done, and answers in how many steps. @throws a sentence about one that came to rest in another way. */
export async function stepsOf(app: RunningApp, threadId: string): Promise<number> {
  return app.page.evaluate(async (id) => {
    for (;;) {
      const thread = await window.threadsmith.call('thread.get', { id })
      if (!thread.ok) throw new Error(`The thread ${id} could not be read: ${thread.error.message}`)
      const { state, steps, number, goal, reason } = thread.value
      if (state === 'Done') return steps
      if (state === 'Failed' || state === 'Suspended')
        throw new Error(`Thread #${number} (${goal}) came to rest as ${state}: ${reason ?? 'no reason was given'}`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }, threadId)
}

/** A thread in a chat of its own, by the call that the composer makes. Answers its id. */
export async function sendThread(app: RunningApp, text: string): Promise<string> {
  return app.page.evaluate(async (goal) => {
    const projects = await window.threadsmith.call('project.list', {})
    const projectId = projects.ok ? projects.value[0]?.id : undefined
    const sent = await window.threadsmith.call('thread.send', { ...(projectId && { projectId }), text: goal })
    if (!sent.ok) throw new Error(sent.error.message)
    return sent.value.threadId
  }, text)
}

/** Sets a mission off now. Answers its thread; null where what its event has set off is at it already. */
export async function fireMission(app: RunningApp, name: string): Promise<string | null> {
  return app.page.evaluate(async (mission) => {
    const projects = await window.threadsmith.call('project.list', {})
    const projectId = projects.ok ? (projects.value[0]?.id ?? '') : ''
    const found = await window.threadsmith.call('mission.get', { projectId, name: mission })
    if (!found.ok) throw new Error(found.error.message)
    const fired = await window.threadsmith.call('mission.fire', { id: found.value.id })
    if (!fired.ok) throw new Error(fired.error.message)
    return fired.value.threadId
  }, name)
}

/** Both themes, with what axe finds: of the second one its colours, because nothing else of it is another. */
export async function look(app: RunningApp, name: string): Promise<void> {
  for (const theme of ['dark', 'light'] as const) {
    await setTheme(app, theme)
    await app.screenshot(`${name}-${theme}`)
    const found = await axeFindings(app.page, theme === 'dark' ? undefined : ['color-contrast'])
    expect(found, `${name}, ${theme}`).toEqual([])
  }
}

/** A limit on the tokens of each new thread, and none else. */
export async function limitThreads(app: RunningApp, tokens: number): Promise<void> {
  await app.page.evaluate(async (most) => {
    const none = { tokens: null, usd: null }
    const thread = { tokens: most, usd: null, steps: null, ms: null }
    await window.threadsmith.call('settings.set', { patch: { budgets: { thread, project: none, day: none } } })
  }, tokens)
}

/** What a test of the app made; no page of any app that it launched may have written an error. */
export interface Desk {
  readonly app: RunningApp
  readonly server: ModelServer
  readonly folder: string
}

export async function clearDesk({ app, server, folder }: Desk): Promise<void> {
  expect(errorsOfSpec()).toEqual([])
  await app.close()
  await server.close()
  removeHome(app.home)
  rmSync(folder, { recursive: true })
}

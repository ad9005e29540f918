import type { RunningApp } from './app-fixture.ts'

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

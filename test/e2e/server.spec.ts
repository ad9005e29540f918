import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { type ModelServer, type ServedAnswer, startModelServer } from '../support/model-server.ts'
import { launchApp, type RunningApp } from './app-fixture.ts'
import { clearDesk, say, setWindowSize, startWith } from './desk.ts'

let app: RunningApp
let server: ModelServer
let answers: ServedAnswer[] = []
const folder = mkdtempSync(path.join(tmpdir(), 'threadsmith-tides-'))
writeFileSync(path.join(folder, 'tides.md'), '# Tides\n\nHigh water at noon, low water at six.\n')

test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  server = await startModelServer(() => answers.shift() ?? { text: 'nothing more to say' })
  app = await launchApp()
  await setWindowSize(app)
  await startWith(app, folder)
})
test.afterAll(() => clearDesk({ app, server, folder }))

const lastAnswer = () => app.page.getByRole('article', { name: 'Threadsmith' }).last()

test('a server is added by its address, tested by a real request and given to the Default tier', async () => {
  const { page } = app
  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('link', { name: 'Models' }).click()
  await page.getByRole('radio', { name: 'Other server' }).click()
  await page.getByLabel('Address').fill(server.baseUrl)
  await page.getByRole('button', { name: 'Add server' }).click()
  await expect(page.getByText('1 model', { exact: false }).first()).toBeVisible()
  await page.getByRole('combobox', { name: 'Model of the Default tier' }).click()
  await page.getByRole('option', { name: /test-model/ }).click()
  await page.getByRole('button', { name: 'Test the Default tier' }).click()
  await expect(page.getByText(/first token \d/).first()).toBeVisible()
  await app.screenshot('settings-models-light')
})

test('action calls that stream in pieces run, and the answer streams in', async () => {
  const { page } = app
  await page.getByRole('link', { name: 'Chat' }).click()
  answers = [
    {
      text: 'I will look.',
      toolCalls: [
        { name: 'list_files', arguments: { path: '.' } },
        { name: 'read_file', arguments: { path: 'tides.md' } },
      ],
      pieceCharacters: 3,
    },
    { text: 'High water is at **noon**, says `tides.md`.', pieceCharacters: 2 },
  ]
  await say(app, 'When is high water?')
  await expect(lastAnswer()).toContainText('High water is at noon, says tides.md.')
  await page
    .getByRole('link', { name: /in the inspector/ })
    .first()
    .click()
  const grid = page.getByRole('treegrid')
  await expect(grid.getByRole('row', { name: /^read_file/ })).toContainText('tides.md')
  await grid.getByRole('row', { name: /^read_file/ }).click()
  await page.getByRole('tab', { name: 'Output' }).click()
  await expect(page.getByRole('tabpanel')).toContainText('low water at six')
  await app.screenshot('thread-streamed-light')
})

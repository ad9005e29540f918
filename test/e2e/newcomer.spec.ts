import { rmSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { realDocuments } from '../support/real-documents.ts'
import { launchApp, type RunningApp, removeHome } from './app-fixture.ts'
import { answerFolderDialog, setTheme, setWindowSize } from './desk.ts'

const question = 'What is in this folder, and what is each file about?'
const documents = realDocuments(22)
let app: RunningApp

test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  app = await launchApp()
  await setWindowSize(app)
  await answerFolderDialog(app, documents.folder)
})
test.afterAll(async () => {
  expect(app.errors).toEqual([])
  await app.close()
  removeHome(app.home)
  rmSync(documents.folder, { recursive: true })
})

test('the first run: three steps, the planner, a folder, and a finished thread', async () => {
  const { page } = app
  await app.screenshot('first-run-light')
  await page.getByRole('radio', { name: /planner/i }).check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Choose a folder' }).click()
  await expect(page.getByText(documents.folder)).toBeVisible()
  await app.screenshot('first-run-folder-light')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByRole('textbox')).toHaveValue(question)
  await page.getByRole('button', { name: /^Ask/ }).click()
  await expect(page.getByText('Done').first()).toBeVisible()
  await app.screenshot('first-run-done-light')
  await page.getByRole('button', { name: 'Open chat' }).click()
})

test('the answer names what is really in the files', async () => {
  const { page } = app
  const answer = page.getByRole('article').last()
  await expect(answer).toContainText(`${documents.names.length + 1} files`)
  for (const name of documents.names.slice(0, 5)) await expect(answer).toContainText(name)
  await expect(answer).toContainText('A tiny, fast JavaScript parser')
  await app.screenshot('chat-light')
  await setTheme(app, 'dark')
  await app.screenshot('chat-dark')
  await setTheme(app, 'light')
})

test('the Thread screen shows each step, its actions and how long they took', async () => {
  const { page } = app
  await page
    .getByRole('link', { name: /in the inspector/ })
    .first()
    .click()
  const grid = page.getByRole('treegrid')
  await expect(grid.getByRole('row', { name: /^list_files/ }).first()).toBeVisible()
  expect(Number(await grid.getAttribute('aria-rowcount'))).toBeGreaterThan(documents.names.length)
  await expect(grid.getByRole('row', { name: /^read_file/ }).first()).toContainText(/\d ms|\d s/)
  await grid
    .getByRole('row', { name: /^read_file/ })
    .first()
    .click()
  await page.getByRole('tab', { name: 'Output' }).click()
  await expect(page.getByRole('tabpanel')).toContainText('totalLines')
  await app.screenshot('thread-light')
  await setTheme(app, 'dark')
  await app.screenshot('thread-dark')
  await setTheme(app, 'light')
})

test('after quitting and starting again all of it is still there', async () => {
  const { home } = app
  expect(app.errors).toEqual([])
  await app.close()
  app = await launchApp({ home })
  await setWindowSize(app)
  const { page } = app
  await page.getByText(question).first().click()
  await expect(page.getByRole('article').last()).toContainText('A tiny, fast JavaScript parser')
  await page
    .getByRole('link', { name: /in the inspector/ })
    .first()
    .click()
  await expect(page.getByRole('treegrid').getByRole('row').filter({ hasText: 'list_files' }).first()).toBeVisible()
})

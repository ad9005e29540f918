import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { writeTinyLlama } from '../support/tiny-gguf.ts'
import { launchApp, type RunningApp, removeHome } from './app-fixture.ts'
import { answerFolderDialog, look, say, setWindowSize } from './desk.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'threadsmith-local-'))
writeFileSync(path.join(folder, 'tides.md'), '# Tides\n\nHigh water at noon.\n')
const short = writeTinyLlama(path.join(folder, 'short.gguf'))
/** It says "tides tides tides …" until it is stopped. */
const endless = writeTinyLlama(path.join(folder, 'endless.gguf'), {
  contextTokens: 65_536,
  hasPairs: true,
  follows: { '\n': 't', t: 'i', i: 'd', d: 'e', e: 's', s: ' ', ' ': 't' },
  keys: { 'general.name': { type: 8, value: 'Endless' } },
})
const notAModel = path.join(folder, 'notes.gguf')
writeFileSync(notAModel, 'not a model')
let app: RunningApp

test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  app = await launchApp()
  await setWindowSize(app)
})
test.afterAll(async () => {
  expect(app.errors).toEqual([])
  await app.close()
  removeHome(app.home)
  rmSync(folder, { recursive: true })
})

const openModels = () =>
  app.page.evaluate(() => {
    location.hash = '#/settings/models'
  })
const lastAnswer = () => app.page.getByRole('article', { name: 'Threadsmith' }).last()

test('first run: a file that is no model is refused with its reason; a GGUF file is taken and answers a test', async () => {
  const { page } = app
  await page.getByRole('radio', { name: 'A model on this computer' }).check()
  await expect(page.getByRole('button', { name: /^Download/ })).toBeVisible()
  await look(app, 'local-first-run')
  await answerFolderDialog(app, notAModel)
  await page.getByRole('button', { name: 'Choose a GGUF file' }).click()
  await expect(page.getByText('local.file')).toBeVisible()
  await look(app, 'local-first-run-refused')
  await answerFolderDialog(app, short)
  await page.getByRole('button', { name: 'Choose a GGUF file' }).click()
  await expect(page.getByRole('combobox', { name: 'Model in the app' })).toBeVisible()
  await expect(page.getByText(/First token after|Answered/)).toBeVisible({ timeout: 60_000 })
  await look(app, 'local-first-run-chosen')
  await page.getByRole('button', { name: 'Continue' }).click()
  await answerFolderDialog(app, folder)
  await page.getByRole('button', { name: 'Choose a folder' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('textbox').press('Escape')
  await page.getByRole('textbox', { name: 'Message' }).waitFor()
})

test('settings: another file is added, its window is written in place, and it is used for Default', async () => {
  const { page } = app
  await openModels()
  await setWindowSize(app, 1440, 1500)
  await expect(page.getByText('in memory', { exact: true })).toBeVisible()
  await answerFolderDialog(app, endless)
  await page.getByRole('button', { name: 'Choose a GGUF file' }).click()
  await page.getByRole('button', { name: 'Limits of Endless' }).click()
  const form = page.getByRole('group', { name: 'Limits of Endless' })
  await form.getByLabel('Window, tokens').fill('none')
  await form.getByLabel('Window, tokens').press('Enter')
  await expect(form.getByText('Write a number from 256')).toBeVisible()
  await form.getByLabel('Window, tokens').fill('65,536')
  await form.getByLabel('Window, tokens').press('Enter')
  await look(app, 'local-settings')
  await form.getByLabel('Window, tokens').press('Escape')
  await page.getByRole('button', { name: 'Use for Default: Endless' }).click()
  await expect(page.getByRole('combobox', { name: 'Model of the Default tier' })).toContainText('Endless')
  await setWindowSize(app)
})

test('its first token comes on the screen, and a stop ends it with what it had said', async () => {
  // A prompt of some 18,000 characters is read first, on whatever processor there is.
  test.setTimeout(180_000)
  const { page } = app
  await page.getByRole('link', { name: 'Chat' }).click()
  await say(app, 'Tell me everything about the tides')
  await expect(lastAnswer().locator('.txt.live')).toContainText('tides', { timeout: 150_000 })
  await app.screenshot('local-first-token-light')
  await page.getByRole('button', { name: /^Stop/ }).first().click()
  await expect(lastAnswer().getByText('Stopped by you')).toBeVisible()
  await expect(lastAnswer().getByText('stopped here')).toBeVisible()
  await expect(lastAnswer()).toContainText('tides')
  await look(app, 'local-stopped')
})

test('settings: it is unloaded, and removed with what comes of that', async () => {
  const { page } = app
  await openModels()
  await expect(page.getByText(/In memory: window of 64k/)).toBeVisible()
  await page.getByRole('button', { name: 'Unload Endless' }).click()
  await expect(page.getByText('in memory', { exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Remove Endless' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('Default goes back to the built-in planner.')
  await expect(dialog).toContainText('Its file stays where it is.')
  await look(app, 'local-remove')
  await dialog.getByRole('button', { name: /^Remove/ }).click()
  await expect(page.getByRole('combobox', { name: 'Model of the Default tier' })).toContainText('Built-in planner')
  expect(existsSync(endless)).toBe(true)
})

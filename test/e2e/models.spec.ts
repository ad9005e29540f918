import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { type ModelServer, type ServedAnswer, startModelServer } from '../support/model-server.ts'
import { launchApp, type RunningApp } from './app-fixture.ts'
import { clearDesk, look, say, setTheme, setWindowSize, startWith } from './desk.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'threadsmith-models-'))
writeFileSync(path.join(folder, 'tides.md'), '# Tides\n\nHigh water at noon, low water at six.\n')
const rightKey = 'sk-test-right'
let app: RunningApp
let server: ModelServer
let answer: () => ServedAnswer | Promise<ServedAnswer> = () => ({ text: 'fine' })

test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  server = await startModelServer(() => answer(), {
    models: ['qwen3-8b', 'qwen3-32b', 'a/long-model-name-with-its-quantisation-q4_k_m', 'four', 'five', 'six'],
    contextTokens: 8_192,
    key: rightKey,
  })
  app = await launchApp()
  await setWindowSize(app)
  await startWith(app, folder)
})
test.afterAll(() => clearDesk({ app, server, folder }))

const lastAnswer = () => app.page.getByRole('article', { name: 'Threadsmith' }).last()
const openModels = () =>
  app.page.evaluate(() => {
    location.hash = '#/settings/models'
  })
const openChat = () => app.page.getByRole('navigation', { name: 'Conversations' }).getByRole('link').first().click()
const serverTitle = () => new URL(server.baseUrl).host

test('a wrong key is said at its field, where it can be entered anew', async () => {
  const { page } = app
  await openModels()
  await look(app, 'models-empty')
  await page.getByRole('radio', { name: 'Other server' }).click()
  await page.getByLabel('Address').fill('no address')
  await page.getByLabel('Key, where it wants one').fill('sk-test-wrong')
  await page.getByRole('button', { name: 'Add server' }).click()
  await expect(page.getByText('An address begins with')).toBeVisible()
  await page.getByLabel('Address').fill(server.baseUrl)
  await page.getByRole('button', { name: 'Add server' }).click()
  const card = page.getByRole('region', { name: serverTitle() })
  await expect(card.getByText('key refused')).toBeVisible()
  await expect(card.getByLabel('New key')).toBeFocused()
  await expect(card.getByLabel('New key')).toHaveAttribute('aria-invalid', 'true')
  await look(app, 'models-wrong-key')
  await page.keyboard.type(rightKey)
  await page.keyboard.press('Enter')
  await expect(card.getByText('6 models', { exact: true })).toBeVisible()
  await expect(card.getByLabel('New key')).toHaveCount(0)
  await look(app, 'models-added')
})

test('a tier takes a model of it; limits are written in place', async () => {
  const { page } = app
  await page.getByRole('combobox', { name: 'Model of the Default tier' }).click()
  await page.getByRole('option', { name: /qwen3-8b/ }).click()
  await page.getByRole('button', { name: 'Test the Default tier' }).click()
  await page.getByRole('button', { name: 'Limits of qwen3-8b' }).first().click()
  const form = page.getByRole('group', { name: 'Limits of qwen3-8b' })
  await form.getByLabel('Window, tokens').fill('wide')
  await form.getByLabel('Window, tokens').press('Enter')
  await expect(form.getByText('Write a number from 256')).toBeVisible()
  await look(app, 'models-limits')
  await form.getByLabel('Window, tokens').fill('16k')
  await form.getByLabel('Between tokens, seconds').fill('60')
  await form.getByLabel('Between tokens, seconds').press('Enter')
  await expect(form.getByLabel('Window, tokens')).toHaveValue('16,000')
  await expect(page.getByText('16k window').first()).toBeVisible()
  await form.getByLabel('Window, tokens').press('Escape')
  await app.screenshot('models-tier-light')
})

test('a server that goes away in mid-answer: what it had said stays, also after a reload, with a way on', async () => {
  const { page } = app
  answer = () => ({
    raw: async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const piece = {
        choices: [{ index: 0, delta: { content: 'High water is at noon, and low' }, finish_reason: null }],
      }
      response.write(`data: ${JSON.stringify(piece)}\n\n`)
      await new Promise((resolve) => setTimeout(resolve, 200))
      response.destroy()
    },
  })
  await page.getByRole('link', { name: 'Chat' }).click()
  await say(app, 'When is high water?')
  await expect(lastAnswer().getByRole('heading', { name: 'The model stopped in mid-answer' })).toBeVisible()
  await expect(lastAnswer()).toContainText('High water is at noon, and low')
  await look(app, 'models-mid-answer')
  await page.reload()
  await expect(lastAnswer()).toContainText('High water is at noon, and low')
  await expect(lastAnswer().getByText('partial answer kept')).toBeVisible()
  answer = () => ({ text: 'High water is at noon, low water at six.' })
  await lastAnswer().getByRole('button', { name: 'Retry' }).click()
  await expect(lastAnswer()).toContainText('low water at six')
})

test('a key that is refused in the middle of work leads to the field of that key', async () => {
  const { page } = app
  answer = () => ({ status: 401, body: { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } } })
  await say(app, 'And low water?')
  await expect(lastAnswer().getByRole('heading', { name: 'The key was not taken' })).toBeVisible()
  await look(app, 'models-auth-chat')
  await lastAnswer().getByRole('button', { name: 'Open Settings → Models' }).click()
  await expect(page.getByRole('region', { name: serverTitle() }).getByLabel('New key')).toBeFocused()
  await app.screenshot('models-key-focus-light')
  await page.getByRole('link', { name: 'Chat' }).click()
  await openChat()
  await page.getByRole('button', { name: /Default/ }).click()
  // A menu stands outside of the page's landmarks: only its look is of interest.
  await setTheme(app, 'dark')
  await app.screenshot('models-menu-dark')
  await setTheme(app, 'light')
  await app.screenshot('models-menu-light')
  await page.keyboard.press('Escape')
})

test('a message that does not fit is said before it is sent, with three ways on, and can be sent all the same', async () => {
  const { page } = app
  await openModels()
  const limits = page.getByRole('button', { name: 'Limits of qwen3-8b' }).first()
  await limits.click()
  const form = page.getByRole('group', { name: 'Limits of qwen3-8b' })
  await form.getByLabel('Window, tokens').fill('8k')
  await form.getByLabel('Window, tokens').press('Enter')
  await expect(page.getByText('8k window').first()).toBeVisible()
  await limits.click()
  await page.getByRole('link', { name: 'Chat' }).click()
  await openChat()
  const box = page.getByRole('textbox', { name: 'Message' })
  const word = 'tide '
  await box.fill(word.repeat(1_000))
  await expect(page.getByRole('meter', { name: 'Window of the model in use' })).toBeVisible()
  await app.screenshot('models-room-light')
  await box.fill(word.repeat(20_000))
  await expect(page.getByText('This does not fit.')).toBeVisible()
  await look(app, 'models-overflow')
  await page.getByRole('button', { name: 'Choose another model' }).click()
  await expect(page.getByRole('menuitemradio', { name: /Deep/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Set a larger window' }).click()
  await expect(form.getByLabel('Window, tokens')).toBeFocused()
  await page.getByRole('link', { name: 'Chat' }).click()
  await openChat()
  await expect(page.getByText('This does not fit.')).toBeVisible()
  answer = () => ({ text: 'That was a lot.' })
  await box.press('Enter')
  await expect(lastAnswer()).toContainText('That was a lot.')
})

test('removing a provider says what comes of it, and does nothing until it is confirmed', async () => {
  const { page } = app
  await openModels()
  await page.getByRole('button', { name: `Remove ${serverTitle()}` }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('Default goes back to the built-in planner.')
  await expect(dialog).toContainText('Its key is deleted')
  await look(app, 'models-remove')
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await expect(page.getByRole('region', { name: serverTitle() })).toBeVisible()
  await page.getByRole('button', { name: `Remove ${serverTitle()}` }).click()
  await dialog.getByRole('button', { name: /^Remove/ }).click()
  await expect(page.getByRole('region', { name: serverTitle() })).toHaveCount(0)
  await expect(page.getByRole('combobox', { name: 'Model of the Default tier' })).toContainText('Built-in planner')
})

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { type ModelServer, type ServedAnswer, startModelServer } from '../support/model-server.ts'
import { launchApp, type RunningApp } from './app-fixture.ts'
import { clearDesk, say, setWindowSize, startWith, useServer } from './desk.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'threadsmith-window-'))
writeFileSync(path.join(folder, 'a.txt'), 'hello\n')
const paragraphs = Array.from({ length: 80 }, (_, n) => `Paragraph ${n + 1} of a long answer.`).join('\n\n')
let app: RunningApp
let server: ModelServer
let answer: ServedAnswer = { text: 'fine' }

test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  server = await startModelServer(() => answer)
  app = await launchApp()
  await setWindowSize(app)
  await startWith(app, folder)
  await useServer(app, server.baseUrl)
})
test.afterAll(() => clearDesk({ app, server, folder }))

const list = () => app.page.getByRole('navigation', { name: 'Conversations' })

test('a long answer that comes at once is read from its beginning; the newest is one press away', async () => {
  const { page } = app
  answer = { text: paragraphs, pieceCharacters: 10_000 }
  await say(app, 'tell me everything')
  await expect(page.getByText('Paragraph 1 of a long answer.')).toBeInViewport()
  await expect(page.getByText('Paragraph 80 of a long answer.')).not.toBeInViewport()
  await page.getByRole('button', { name: 'Newest' }).click()
  await expect(page.getByText('Paragraph 80 of a long answer.')).toBeInViewport()
  await expect(page.getByRole('button', { name: 'Newest' })).toHaveCount(0)
})

test('who is at the end stays there when the window changes its size, and sees what they say', async () => {
  const { page } = app
  await setWindowSize(app, 1024, 700)
  await expect(page.getByText('Paragraph 80 of a long answer.')).toBeInViewport()
  await setWindowSize(app)
  await expect(page.getByText('Paragraph 80 of a long answer.')).toBeInViewport()
  await page.getByRole('log').hover()
  await page.mouse.wheel(0, -1_500)
  await expect(page.getByRole('button', { name: 'Newest' })).toBeVisible()
  answer = { text: 'Because.' }
  await say(app, 'why?')
  await expect(page.getByText('Because.')).toBeInViewport()
})

test('a chat keeps the name of its first message, after a restart too', async () => {
  await expect(list().getByText('tell me everything')).toBeVisible()
  const { home } = app
  await app.close()
  app = await launchApp({ home })
  await setWindowSize(app)
  await expect(list().getByText('tell me everything')).toBeVisible()
  await expect(list().getByText('why?')).toHaveCount(0)
})

test('what another process set is taken over when the window comes to the front', async () => {
  const { page } = app
  await page.evaluate(() => window.threadsmith.call('settings.set', { patch: { density: 'comfortable' } }))
  await expect(page.locator('html')).toHaveAttribute('data-density', 'compact')
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(page.locator('html')).toHaveAttribute('data-density', 'comfortable')
})

test('the keys of the inspector work wherever the focus is, stand in the help, and leave text fields alone', async () => {
  const { page } = app
  await page.evaluate(() => {
    location.hash = '#/thread/1'
  })
  await expect(page.getByRole('treegrid')).toBeVisible()
  await page.getByRole('button', { name: 'Open chat' }).focus()
  await page.keyboard.press('z')
  await expect(page.getByRole('button', { name: 'all', exact: true })).toBeVisible()
  await page.keyboard.press('/')
  await page.keyboard.type('zpe')
  await page.keyboard.press('Backspace')
  await expect(page.getByRole('searchbox')).toHaveValue('zp')
  await expect(page.getByRole('button', { name: 'all', exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Backspace')
  await expect(page.getByRole('button', { name: 'all', exact: true })).toHaveCount(0)
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog')).toContainText('Zoom to the selection')
  await page.keyboard.press('Escape')
})

test('an address of no conversation says so', async () => {
  const { page } = app
  await page.evaluate(() => {
    location.hash = '#/chat/nowhere'
  })
  await expect(page.getByText('There is no such conversation')).toBeVisible()
})

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { type ModelServer, type ServedAnswer, startModelServer } from '../support/model-server.ts'
import { launchApp, type RunningApp, removeHome } from './app-fixture.ts'
import { say, setWindowSize, startWith, useServer } from './desk.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'threadsmith-faults-'))
writeFileSync(path.join(folder, 'a.txt'), 'hello\n')
let app: RunningApp
let server: ModelServer
let answer: () => ServedAnswer | Promise<ServedAnswer> = () => ({ text: 'fine' })

test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  server = await startModelServer(() => answer())
  app = await launchApp()
  await setWindowSize(app)
  await startWith(app, folder)
  await useServer(app, server.baseUrl)
})
test.afterAll(async () => {
  await app.close()
  await server.close()
  removeHome(app.home)
  rmSync(folder, { recursive: true })
})

const openNewestChat = () =>
  app.page.getByRole('navigation', { name: 'Conversations' }).getByRole('link').first().click()
const lastAnswer = () => app.page.getByRole('article', { name: 'Threadsmith' }).last()

test('wrong key, missing model, a page instead of an answer: three different texts, each with its code and a way on', async () => {
  const { page } = app
  await page.getByRole('link', { name: 'Chat' }).click()
  const seen = new Set<string>()
  const faults: readonly (readonly [string, ServedAnswer])[] = [
    [
      'model.auth',
      { status: 401, body: { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } } },
    ],
    ['model.not_found', { status: 404, body: { error: { message: 'model not found', code: 'model_not_found' } } }],
    [
      'model.html',
      {
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: '<html><body>Sign in to the hotel network</body></html>',
      },
    ],
  ]
  for (const [code, fault] of faults) {
    answer = () => fault
    await say(app, `a question for ${code}`)
    await expect(lastAnswer()).toContainText(code)
    await expect(lastAnswer().getByRole('button', { name: 'Retry' })).toBeVisible()
    seen.add(((await lastAnswer().textContent()) ?? '').replaceAll(code, ''))
  }
  expect(seen.size).toBe(3)
  await app.screenshot('chat-error-light')
})

test('a server that goes away in mid-answer: what it had said is kept, and a retry answers', async () => {
  answer = () => ({
    raw: async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const piece = { choices: [{ index: 0, delta: { content: 'The first half of ' }, finish_reason: null }] }
      response.write(`data: ${JSON.stringify(piece)}\n\n`)
      await new Promise((resolve) => setTimeout(resolve, 200))
      response.destroy()
    },
  })
  await say(app, 'tell me all of it')
  await expect(lastAnswer()).toContainText('The first half of')
  await expect(lastAnswer().getByRole('button', { name: 'Retry' })).toBeVisible()
  answer = () => ({ text: 'All of it, this time.' })
  await lastAnswer().getByRole('button', { name: 'Retry' }).click()
  await expect(lastAnswer()).toContainText('All of it, this time.')
})

test('stop ends a thread at once', async () => {
  const { page } = app
  let release: () => void = () => undefined
  answer = () =>
    new Promise((resolve) => {
      release = () => resolve({ text: 'too late' })
    })
  await say(app, 'take your time')
  await page.getByRole('button', { name: /^Stop/ }).first().click()
  await expect(lastAnswer()).toContainText(/stopped/i)
  release()
  await expect(page.getByText('too late')).toHaveCount(0)
})

test('a window whose renderer was killed comes back at the same place with the same state', async () => {
  const { page } = app
  answer = () => ({ text: 'an answer to come back to' })
  await say(app, 'before the fall')
  await expect(lastAnswer()).toContainText('an answer to come back to')
  const address = page.url()
  // The driver loses its page with the process: the window is asked through main.
  await app.electron.evaluate(async ({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents
    const loaded = new Promise<void>((resolve) => contents?.once('did-finish-load', () => resolve()))
    contents?.forcefullyCrashRenderer()
    await loaded
  })
  const read = (what: string) =>
    app.electron.evaluate(
      ({ BrowserWindow }, code) => BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(code),
      what,
    )
  await expect.poll(() => read('document.body.innerText')).toContain('an answer to come back to')
  expect(await read('location.href')).toBe(address)
  const { home } = app
  await app.close()
  app = await launchApp({ home })
  await setWindowSize(app)
  await openNewestChat()
})

test('killed -9 in the middle of a thread, the app goes on with it at the next start', async () => {
  let asked = 0
  answer = async () => {
    asked += 1
    if (asked === 1) return { toolCalls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] }
    if (asked === 2) return new Promise(() => undefined)
    return { text: 'went on after the kill' }
  }
  await say(app, 'read it and think')
  await expect.poll(() => asked).toBe(2)
  const { home } = app
  await app.kill()
  app = await launchApp({ home })
  await setWindowSize(app)
  await openNewestChat()
  await expect(lastAnswer()).toContainText('went on after the kill')
  expect(asked).toBe(3)
})

test('a server that does not answer at all is a fourth text', async () => {
  await server.close()
  await say(app, 'anybody there?')
  await expect(lastAnswer()).toContainText('model.connect')
})

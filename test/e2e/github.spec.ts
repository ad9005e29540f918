import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { launchApp, type RunningApp } from './app-fixture.ts'
import { clearDesk, look, say, setWindowSize, startWith, useServer } from './desk.ts'

// Seed E, from end to end: a goal makes the GitHub skill active, code calls its functions, each goes through `http` to an API
// on loopback, the change is asked for, and the key is in nothing that is kept or shown.
const folder = mkdtempSync(path.join(tmpdir(), 'threadsmith-github-'))
writeFileSync(path.join(folder, 'tides.md'), '# Tides\n')
const key = ['canary', 'of', 'the', 'github', 'spec', Date.now().toString(36)].join('-')
const goal = 'Open a GitHub issue in octo/tides titled “Neap tides are missing”, unless there is one already'

interface Received {
  readonly method: string
  readonly url: string
  readonly authorization: string | undefined
  readonly body: string
}

let app: RunningApp
let model: ModelServer
let service: Server
let base = ''
const received: Received[] = []
const prompts: string[] = []

const code = [
  'I look whether there is one, and open it if not.',
  '',
  '```repl',
  'found = [issue for issue in github_issues("octo", "tides") if "neap" in issue["title"].lower()]',
  'if found:',
  '    FINAL(f"There is one already: #{found[0][\'number\']}.")',
  'made = github_create_issue("octo", "tides", "Neap tides are missing")',
  "FINAL(f\"Opened #{made['number']}: {made['url']}\")",
  '```',
].join('\n')

const issue = (number: number, title: string) => ({
  ...{ number, title, state: 'open', labels: [], updated_at: '2026-01-01T00:00:00Z' },
  html_url: `https://github.com/octo/tides/issues/${number}`,
})

test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  service = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const body = Buffer.concat(parts).toString('utf8')
      received.push({ method, url, authorization: headers.authorization, body })
      response.writeHead(method === 'POST' ? 201 : 200, { 'content-type': 'application/json' })
      const opened = { ...issue(8, 'Neap tides are missing'), body: `sent with ${headers.authorization}` }
      // A careless service repeats what it was sent, the key too.
      response.end(
        JSON.stringify(
          method === 'POST' ? opened : [issue(7, 'Spring tides are late'), { ...opened, title: headers.authorization }],
        ),
      )
    })
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const address = service.address()
  base = `http://127.0.0.1:${address !== null && typeof address !== 'string' ? address.port : 0}`
  model = await startModelServer(({ body }) => {
    prompts.push(JSON.stringify(body))
    return prompts.length === 1 ? { text: code } : { text: 'There is nothing more to do.' }
  })
  app = await launchApp()
  await setWindowSize(app)
  await startWith(app, folder)
  await useServer(app, model.baseUrl)
  const connected = await app.page.evaluate(
    async ({ baseUrl, value }) => {
      const named = { skill: 'github', credential: 'github_token' }
      const moved = await window.threadsmith.call('integration.address', {
        skill: 'github',
        host: 'api.github.com',
        baseUrl,
      })
      const kept = await window.threadsmith.call('integration.connect', { ...named, value })
      return moved.ok && kept.ok
    },
    { baseUrl: base, value: key },
  )
  expect(connected).toBe(true)
  await app.page.reload()
})
test.afterAll(async () => {
  service.close()
  service.closeAllConnections()
  await clearDesk({ app, server: model, folder })
})

test('the goal makes the skill active, and its first request asks, because it uses the key', async () => {
  const { page } = app
  await say(app, goal)
  const ask = page.getByRole('region', { name: /api\.github\.com/i }).first()
  await expect(ask).toBeVisible()
  await expect(ask).toContainText('GET')
  await expect(ask).toContainText('GitHub token')
  await expect(ask).toContainText(base)
  expect(received).toEqual([])
  await look(app, 'github-read-asks')
  await ask.getByRole('combobox', { name: 'How far a yes reaches' }).click()
  await page.getByRole('option', { name: 'This thread' }).click()
  await ask.getByRole('button', { name: /^Send GET/ }).click()
})

test('the change is asked for with what it would send, and sent once', async () => {
  const { page } = app
  const ask = page.getByRole('region', { name: /api\.github\.com/i }).first()
  await expect(ask).toContainText('POST')
  await expect(ask).toContainText('Neap tides are missing')
  expect(received.map(({ method }) => method)).toEqual(['GET'])
  await look(app, 'github-write-asks')
  const send = ask.getByRole('button', { name: /^Hold to send/ })
  await send.hover()
  await page.mouse.down()
  await expect(page.getByText('Opened #8', { exact: false }).first()).toBeVisible()
  await page.mouse.up()
  await expect(page.getByText('Opened #8: https://github.com/octo/tides/issues/8')).toBeVisible()
  expect(received).toMatchObject([
    { method: 'GET', authorization: `Bearer ${key}` },
    { method: 'POST', url: '/repos/octo/tides/issues', authorization: `Bearer ${key}` },
  ])
  expect(JSON.parse(received[1]?.body ?? '')).toMatchObject({ title: 'Neap tides are missing' })
  expect(prompts).toHaveLength(1)
  await look(app, 'github-answer')
})

test('the timeline shows effect, lease, policy and what was taken out', async () => {
  const { page } = app
  await page.getByRole('link', { name: '#1', exact: true }).first().click()
  await expect(page).toHaveURL(/#\/thread\//)
  await page.getByRole('row', { name: /^http POST/ }).click()
  const detail = page
    .getByRole('complementary')
    .or(page.getByRole('region', { name: /http/ }))
    .first()
  await look(app, 'github-timeline')
  await expect(detail).toContainText('Redacted')
  await page.getByRole('tab', { name: 'Policy' }).click()
  await expect(detail).toContainText('Lease')
  await expect(detail).toContainText('your approval')
  await look(app, 'github-timeline-policy')
})

test('the key is in nothing that is kept, shown, or sent to a model', async () => {
  const written = filesBelow(app.home).filter((file) => readFileSync(file).includes(key))
  expect(written).toEqual([])
  expect(prompts.join('\n')).not.toContain(key)
  expect(await app.page.content()).not.toContain(key)
  const record = await app.page.evaluate(async () => {
    const threads = await window.threadsmith.call('thread.list', { limit: 50 })
    if (!threads.ok) throw new Error(threads.error.message)
    const said: unknown[] = [threads.value]
    for (const { id } of threads.value.rows) {
      const events = await window.threadsmith.call('thread.events', { id, limit: 200 })
      if (!events.ok) throw new Error(events.error.message)
      for (const { seq } of events.value.rows) said.push(await window.threadsmith.call('event.body', { seq }))
    }
    said.push(await window.threadsmith.call('integration.list', {}), await window.threadsmith.call('settings.get', {}))
    return JSON.stringify(said)
  })
  expect(record).toContain('[redacted: stored-key]')
  expect(record).not.toContain(key)
  expect(record).not.toContain(Buffer.from(key).toString('base64').slice(0, -2))
})

function filesBelow(of: string): readonly string[] {
  return readdirSync(of, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
}

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { fakeSecret } from '../core/domain/leaks/fake-secrets.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { launchApp, type RunningApp } from './app-fixture.ts'
import { clearDesk, look, say, setWindowSize, startWith, useServer } from './desk.ts'

const token = fakeSecret('{cat:gh}p_{b62:36}', 'e2e')
const folder = mkdtempSync(path.join(tmpdir(), 'threadsmith-secrets-'))
writeFileSync(path.join(folder, 'deploy.ini'), `[host]\nname = example\n\n[auth]\ntoken = ${token}\n`)

let app: RunningApp
let server: ModelServer

test.beforeAll(async () => {
  server = await startModelServer([
    { toolCalls: [{ name: 'read_file', arguments: { path: 'deploy.ini' } }] },
    {
      text: `The host is \`example\`. You gave me ${token} for it, and the file holds:\n\n\`\`\`ini\ntoken = ${token}\n\`\`\`\n`,
    },
  ])
  app = await launchApp()
  await setWindowSize(app)
  await startWith(app, folder)
  await useServer(app, server.baseUrl)
})
test.afterAll(() => clearDesk({ app, server, folder }))

test('a token that is sent, read and said shows as what it was; whoever sent it learns where keys belong', async () => {
  const { page } = app
  await say(app, `Use ${token} and say what deploy.ini holds`)
  const [person, agent] = [
    page.getByRole('article', { name: 'You' }),
    page.getByRole('article', { name: 'Threadsmith' }),
  ]
  await expect(person.getByText('Redacted: GitHub token')).toBeVisible()
  await expect(agent.getByText('Redacted: GitHub token')).toHaveCount(2)
  await expect(person.getByText('Redacted: GitHub token')).toHaveAttribute('title', /stood here, at character 5/)
  await expect(page.getByText('Taken out of your message: GitHub token.')).toBeVisible()
  expect(await page.content()).not.toContain(token)
  expect(JSON.stringify(server.requests)).not.toContain(token)
  await look(app, 'secrets-chat')

  await page.getByRole('button', { name: 'Open Settings → Models' }).click()
  await expect(page.getByRole('heading', { name: 'Models' }).first()).toBeVisible()
  await page.goBack()
  await page.getByRole('link', { name: 'Open #1 in the inspector' }).click()
  await expect(page.getByRole('row').first()).toBeVisible()
  expect(await page.content()).not.toContain(token)
  expect(app.errors).toEqual([])
})

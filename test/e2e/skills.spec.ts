import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { launchApp, type RunningApp } from './app-fixture.ts'
import { clearDesk, look, say, setWindowSize, startWith, useServer } from './desk.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'threadsmith-skills-'))
writeFileSync(path.join(folder, 'notes.md'), '# Notes\n')
let app: RunningApp
let server: ModelServer

test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  server = await startModelServer(() => ({ text: 'There are three.' }))
  app = await launchApp()
  await setWindowSize(app)
  await startWith(app, folder)
  await useServer(app, server.baseUrl)
})
test.afterAll(() => clearDesk({ app, server, folder }))

test('the chat shows which skills a thread works with, also after a reload', async () => {
  const { page } = app
  await say(app, 'List the open issues of the GitHub repository octo/reef and tell me about /gitbub')
  await expect(page.getByText('There are three.')).toBeVisible()
  const chips = page.getByRole('list', { name: 'Skills' })
  await expect(chips).toContainText(/github v1 \d+/)
  await page.reload()
  await expect(chips).toContainText(/github v1 \d+/)
  await look(app, 'skills-chat')
})

test('the inspector says why one was chosen and another was not', async () => {
  const { page } = app
  await page.getByRole('link', { name: '#1', exact: true }).click()
  await expect(page.getByRole('treegrid')).toBeVisible()
  await page.getByRole('row', { name: /thread #1/ }).click()
  await page.getByRole('tab', { name: 'Skills' }).click()
  const table = page.getByRole('table')
  await expect(table.getByRole('row', { name: /github 10/ })).toBeVisible()
  await expect(table).toContainText('picked: fits')
  await expect(table).toContainText('not picked: nothing of it is in the text')
  await expect(page.getByText('Asked for but not available: /gitbub')).toBeVisible()
  await look(app, 'skills-inspector')
})

import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { resolveElectron } from '../../electron/runtime/electron.mjs'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { launchApp, type RunningApp } from './app-fixture.ts'
import { clearDesk, say, startWith, useServer } from './desk.ts'

const root = path.resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(path.join(tmpdir(), 'threadsmith-place-'))
mkdirSync(path.join(folder, 'docs'))

let app: RunningApp
let server: ModelServer
let approvalId = ''
let missionId = ''

test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  const content = '# Tides\n'
  server = await startModelServer(() => ({
    toolCalls: [{ name: 'write_file', arguments: { path: 'docs/tides.md', content } }],
  }))
  app = await launchApp()
  await startWith(app, folder)
  await useServer(app, server.baseUrl)
})
test.afterAll(() => clearDesk({ app, server, folder }))

const address = () => app.page.evaluate(() => location.hash)

test('there is an approval that waits, and a mission', async () => {
  await say(app, 'Write the page of the tides')
  await expect(app.page.getByRole('link', { name: 'Approvals, 1 waiting' })).toBeVisible()
  const made = await app.page.evaluate(async () => {
    const approvals = await window.threadsmith.call('approval.list', { state: 'pending' })
    const projects = await window.threadsmith.call('project.list', {})
    const text = '---\nname: tide-digest\ncadence: manual\n---\n\nSum up the tides.\n'
    const read = await window.threadsmith.call('mission.read', { text })
    if (!approvals.ok || !projects.ok || !read.ok || !read.value.ok) throw new Error(JSON.stringify(read))
    const projectId = projects.value[0]?.id ?? ''
    const saved = await window.threadsmith.call('mission.save', { projectId, definition: read.value.definition })
    return { approval: approvals.value.items[0]?.id, mission: saved.ok ? saved.value.id : undefined }
  })
  approvalId = made.approval ?? ''
  missionId = made.mission ?? ''
  expect(approvalId).not.toBe('')
  expect(missionId).not.toBe('')
})

test('an app that is started for an approval begins there', async () => {
  await app.close()
  app = await launchApp({ home: app.home, args: [`--open=#/approvals/${approvalId}`] })
  await expect.poll(address).toBe(`#/approvals/${approvalId}`)
  await expect(app.page.getByRole('heading', { name: /docs\/tides\.md/ })).toBeVisible()
  await app.screenshot('place-approval')
})

test('and one that is started for a mission begins at that', async () => {
  await app.close()
  app = await launchApp({ home: app.home, args: [`--open=#/missions/${missionId}/history`] })
  await expect.poll(address).toBe(`#/missions/${missionId}/history`)
  await expect(app.page.getByRole('heading', { name: 'tide-digest' })).toBeVisible()
  await app.screenshot('place-mission')
})

test('a second start hands its place to the app that runs', async () => {
  const found = await resolveElectron()
  const env = { ...process.env, ...found.env, THREADSMITH_HOME: app.home }
  const args = ['--no-sandbox', root, '--open=#/settings/about']
  const second = spawn(found.executable, args, { env, stdio: 'ignore' })
  expect(await new Promise((resolve) => second.once('exit', resolve))).toBe(0)
  await expect.poll(address).toBe('#/settings/about')
  expect(app.electron.windows()).toHaveLength(1)
})

import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { resolveElectron } from '../../electron/runtime/electron.mjs'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { launchApp, type RunningApp } from './app-fixture.ts'
import { clearDesk, look, say, sendThread, startWith, useServer } from './desk.ts'

const root = path.resolve(import.meta.dirname, '../..')
const folder = mkdtempSync(path.join(tmpdir(), 'threadsmith-place-'))
mkdirSync(path.join(folder, 'docs'))
// What the system would start at login lies here, not in the home of whoever runs this.
const env = { XDG_CONFIG_HOME: path.join(folder, 'config') }

let app: RunningApp
let server: ModelServer
let approvalId = ''
let missionId = ''

test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  server = await startModelServer(({ body }) => {
    const text = JSON.stringify(body)
    if (!text.includes(wish)) return { toolCalls: [{ name: 'write_file', arguments: page }] }
    return text.includes('The user decides') ? { text: 'It waits for you.' } : { toolCalls: [proposal] }
  })
  app = await launchApp({ env })
  await startWith(app, folder)
  await useServer(app, server.baseUrl)
})
test.afterAll(() => clearDesk({ app, server, folder }))

const page = { path: 'docs/tides.md', content: '# Tides\n' }
const wish = 'Look at the tides each morning'
const proposal = {
  name: 'mission_propose',
  arguments: { name: 'tides-each-morning', goal: 'Sum up the tides of the day.', cadence: '0 7 * * *' },
}

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
    return { approval: approvals.value.rows[0]?.id, mission: saved.ok ? saved.value.id : undefined }
  })
  approvalId = made.approval ?? ''
  missionId = made.mission ?? ''
  expect(approvalId).not.toBe('')
  expect(missionId).not.toBe('')
})

test('an app that is started for an approval begins there', async () => {
  await app.close()
  app = await launchApp({ home: app.home, env, args: [`--open=#/approvals/${approvalId}`] })
  await expect.poll(address).toBe(`#/approvals/${approvalId}`)
  await expect(app.page.getByRole('heading', { name: /docs\/tides\.md/ })).toBeVisible()
  await app.screenshot('place-approval')
})

test('and one that is started for a mission begins at that', async () => {
  await app.close()
  app = await launchApp({ home: app.home, env, args: [`--open=#/missions/${missionId}/history`] })
  await expect.poll(address).toBe(`#/missions/${missionId}/history`)
  await expect(app.page.getByRole('heading', { name: 'tide-digest' })).toBeVisible()
  await app.screenshot('place-mission')
})

test('a second start hands its place to the app that runs', async () => {
  const found = await resolveElectron()
  const args = ['--no-sandbox', root, '--open=#/settings/about']
  expect(await ended(found.executable, args, { ...found.env, THREADSMITH_HOME: app.home })).toBe(0)
  await expect.poll(address).toBe('#/settings/about')
  expect(app.electron.windows()).toHaveLength(1)
})

test('a mission that an agent proposes is counted in the rail, named under Approvals, and says where it comes from', async () => {
  const { page } = app
  await sendThread(app, wish)
  await expect(page.getByRole('link', { name: 'Missions, 1 waiting' })).toBeVisible()
  await page.getByRole('link', { name: /^Approvals/ }).click()
  const said = page.getByText('A mission is proposed: tides-each-morning. Nothing starts without you.')
  await expect(said).toBeVisible()
  await look(app, 'place-proposed')
  await page.getByRole('link', { name: 'Missions', exact: true }).last().click()
  const card = page.getByRole('region', { name: 'Proposal' })
  await expect(card).toContainText('Proposed by thread #2, which had read nothing that is not yours.')
  await look(app, 'place-proposal')
  await card.getByRole('button', { name: 'Start v1' }).click()
  await expect(page.getByRole('link', { name: 'Missions', exact: true }).first()).toBeVisible()
})

const toggle = (name: string) => app.page.getByRole('checkbox', { name: new RegExp(name) })
const foot = () => app.page.getByText(/^Missions run/)

test('what the list of missions says about a closed window is what the settings say', async () => {
  const { page } = app
  const show = (hash: string) => page.evaluate((to) => location.assign(to), hash)
  await show('#/settings/general')
  if (await toggle('Icon in the tray').isChecked()) await toggle('Icon in the tray').click()
  await expect(toggle('Go on when the window is closed')).toBeDisabled()
  await toggle('Icon in the tray').click()
  await toggle('Go on when the window is closed').click()
  await expect(toggle('Go on when the window is closed')).toBeChecked()
  await show('#/missions')
  await expect(foot()).toContainText('Missions run with the window closed, too.')
  await show('#/settings/general')
  await toggle('Icon in the tray').click()
  await expect(toggle('Go on when the window is closed')).not.toBeChecked()
  await app.screenshot('place-desktop')
  await show('#/missions')
  await expect(foot()).toContainText('Missions run while the window is open.')
})

// macOS and Windows keep what starts at login themselves.
test('what starts at login is this app with this store', async () => {
  test.skip(process.platform !== 'linux')
  await app.page.evaluate(() => location.assign('#/settings/general'))
  await toggle('Start at login').click()
  await expect(toggle('Start at login')).toBeChecked()
  const file = path.join(env.XDG_CONFIG_HOME, 'autostart/threadsmith.desktop')
  const exec = /^Exec=(.*)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? ''
  const [executable = '', ...args] = [...exec.matchAll(/"([^"]*)"/g)].map(([, word = '']) => word)
  expect(args).toContain(`--data=${app.home}`)
  // It ends with 0 because the app that has this store is there already: of another store it would be the first.
  expect(await ended(executable, args, {})).toBe(0)
  await toggle('Start at login').click()
  await expect(toggle('Start at login')).not.toBeChecked()
})

/** Without the data folder that this app was given by its environment. */
async function ended(executable: string, args: readonly string[], more: Readonly<Record<string, string>>) {
  const { THREADSMITH_HOME: _own, ...inherited } = process.env
  const child = spawn(executable, args, { env: { ...inherited, ...more }, stdio: 'ignore' })
  return new Promise((resolve) => child.once('exit', resolve))
}

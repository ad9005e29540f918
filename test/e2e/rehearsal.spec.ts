import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { type ModelServer, type ServedAnswer, startModelServer } from '../support/model-server.ts'
import { launchApp, type RunningApp } from './app-fixture.ts'
import { clearDesk, look, setWindowSize, startWith, useServer } from './desk.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'threadsmith-rehearsal-'))
const report = path.join(folder, 'report.md')
const account = { done: 'Wrote the report.', nextFocus: 'The next week.', goalReached: false, evidence: ['report.md'] }
const firing = (): ServedAnswer[] => [
  { toolCalls: [{ name: 'write_file', arguments: { path: 'report.md', content: '# Report\n' } }] },
  { text: `Done.\n\n\`\`\`json\n${JSON.stringify(account)}\n\`\`\`` },
]
let app: RunningApp
let server: ModelServer
let answers: ServedAnswer[] = []

test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  server = await startModelServer(() => answers.shift() ?? { text: 'Nothing left to say.' })
  app = await launchApp({ env: { THREADSMITH_MISSIONS: '1' } })
  await setWindowSize(app)
  await startWith(app, folder)
  await useServer(app, server.baseUrl)
})
test.afterAll(() => clearDesk({ app, server, folder }))

const pane = () => app.page.getByRole('region', { name: 'weekly-report', exact: true })
const used = () => app.page.getByRole('list', { name: 'What the rehearsal used' })

test('a rehearsal says what it is before it was made', async () => {
  const { page } = app
  await page.getByRole('link', { name: 'Missions', exact: true }).click()
  await page.getByRole('button', { name: 'New', exact: false }).first().click()
  await page.getByRole('textbox', { name: 'Name' }).fill('weekly-report')
  await page.getByRole('textbox', { name: 'Goal' }).fill('Write report.md: what happened in this project this week.')
  await page.getByRole('combobox', { name: 'Cadence' }).click()
  await page.getByRole('option', { name: /hand/ }).click()
  await page.keyboard.press('Control+Enter')
  await expect(pane()).toContainText('A real run while you are here')
})

test('what it asks is approved for the mission, and stands beside what it used', async () => {
  const { page } = app
  answers = firing()
  await pane().getByRole('button', { name: 'Rehearse once' }).click()
  await page.getByRole('link', { name: 'Approvals', exact: true }).click()
  await page.getByRole('radio', { name: 'This mission' }).click()
  await expect(page.getByText('in each firing of this mission')).toBeVisible()
  await look(app, 'rehearsal-approval')
  await page.getByRole('button', { name: 'Write report.md' }).click()
  await expect.poll(() => existsSync(report)).toBe(true)
  await page.getByRole('link', { name: 'Missions', exact: true }).click()
  await expect(used()).toContainText('write_file')
  await expect(used()).not.toContainText('asks again')
  await expect(pane().getByRole('button', { name: 'Let it use just these' })).toBeVisible()
  await look(app, 'rehearsal-used')
  await pane().getByRole('button', { name: 'Let it use just these' }).click()
  await expect(pane()).toContainText('v2 may use just these.')
})

test('a later firing asks nobody', async () => {
  const { page } = app
  rmSync(report)
  answers = firing()
  await page.keyboard.press('r')
  await expect.poll(() => existsSync(report)).toBe(true)
  await expect(pane()).toContainText('Set off by you: ran')
  await expect(pane()).toContainText('The next week.')
  await look(app, 'rehearsal-after')
})

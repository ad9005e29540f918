import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { launchApp, type RunningApp } from './app-fixture.ts'
import { clearDesk, look, pressKey, say, setWindowSize, startWith, useServer } from './desk.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'threadsmith-skills-screen-'))
writeFileSync(path.join(folder, 'notes.md'), '# Notes\n')
const tide = (rule: string) =>
  [
    '---',
    'name: tide-tables',
    'description: Reads a table of tides and says when the water is high.',
    'metadata:',
    '  threadsmith:',
    '    activation:',
    '      keywords: [tide, water]',
    '---',
    '# Tide tables',
    '',
    rule,
    '',
  ].join('\n')

let app: RunningApp
let server: ModelServer

test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  server = await startModelServer(() => ({ text: 'High water is at six.' }))
  app = await launchApp()
  await setWindowSize(app)
  await startWith(app, folder)
  await useServer(app, server.baseUrl)
})
test.afterAll(() => clearDesk({ app, server, folder }))

/** A person's own skill, written by the same call that the editor makes. */
async function saveSkill(
  content: string,
  where: 'project' | 'everywhere',
  parent: number | null = null,
): Promise<void> {
  await app.page.evaluate(
    async ([text, place, before]) => {
      const projects = await window.threadsmith.call('project.list', {})
      const projectId = projects.ok ? projects.value[0]?.id : undefined
      const of = place === 'project' && projectId !== undefined ? { projectId } : {}
      const saved = await window.threadsmith.call('skill.save', { ...of, parent: before, content: text })
      if (!saved.ok) throw new Error(saved.error.message)
    },
    [content, where, parent] as const,
  )
}

const detail = (name: string) => app.page.getByRole('region', { name, exact: true })
const row = (name: string) => app.page.getByRole('list', { name: 'Skills' }).getByRole('link', { name, exact: true })

async function openSkills(): Promise<void> {
  const { page } = app
  await page.getByRole('link', { name: 'Skills', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Skills', level: 1 })).toBeVisible()
}

test('skills are reached by key, listed with what is known of each, and one is shown whole', async () => {
  const { page } = app
  await page.getByRole('textbox', { name: 'Message' }).press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await row('github').click()
  await expect(detail('github').getByRole('heading', { name: 'github', level: 2 })).toBeVisible()
  await expect(detail('github')).toContainText('Since v1')
  await expect(page.getByRole('contentinfo')).toBeVisible()
  await look(app, 'skills-overview')
  await page.getByRole('tab', { name: 'Body' }).click()
  await page.getByRole('radio', { name: 'Source' }).click()
  await expect(page.getByRole('region', { name: 'Source of v1' })).toContainText('name: github')
  await look(app, 'skills-source')
  await page.getByRole('tab', { name: /Used by/ }).click()
  await expect(page.getByText('Not used yet')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('tab', { name: /Used by/ })).toHaveAttribute('aria-selected', 'true')
})

test('the filter and the arrows move through the list; what is asked for is shown', async () => {
  const { page } = app
  await page.keyboard.press('/')
  await page.keyboard.type('issues')
  await expect(row('github')).toBeVisible()
  await page.keyboard.press('Escape')
  await row('github').focus()
  await page.keyboard.press('Home')
  const first = page.getByRole('list', { name: 'Skills' }).getByRole('link').first()
  await expect(first).toHaveAttribute('aria-current', 'page')
  await page.keyboard.press('ArrowDown')
  await expect(first).not.toHaveAttribute('aria-current', 'page')
})

test('a typed goal is chosen for without recording anything, with the words that count', async () => {
  const { page } = app
  await row('github').click()
  await pressKey(detail('github'), 't')
  const goal = page.getByRole('textbox', { name: /Test a goal/ })
  await expect(goal).toBeFocused()
  await goal.fill('List the open issues of the GitHub repository octo/reef')
  await goal.press('Enter')
  const scores = page.getByRole('region', { name: 'Scores' })
  await expect(scores.getByRole('row', { name: /github/ })).toContainText('picked')
  await expect(page.locator('.dry-goal mark').first()).toBeVisible()
  await look(app, 'skills-dry-run')
  await expect(page.getByRole('tab', { name: /Used by/ })).toContainText('0')
})

test('an edit is the next version, live at once; a text that is no skill is refused with its place', async () => {
  const { page } = app
  await saveSkill(tide('Say it in local time.'), 'project')
  await openSkills()
  await row('tide-tables').click()
  await pressKey(detail('tide-tables'), 'e')
  const text = page.getByRole('textbox', { name: 'Text of SKILL.md' })
  await expect(text).toBeFocused()
  await text.fill('no front matter at all')
  await page.getByRole('button', { name: /^Save as v2/ }).click()
  await expect(page.getByRole('group', { name: 'It was not saved' })).toContainText('skill.invalid')
  await look(app, 'skills-edit-refused')
  await text.fill(tide('Say it in local time, and name the zone.'))
  await page.getByRole('radio', { name: 'Change' }).click()
  await expect(page.locator('.diff .add mark')).toContainText('and name the zone')
  await page.getByLabel('What changed, in a sentence').fill('names the zone')
  await page.getByRole('button', { name: /^Save as v2/ }).click()
  await expect(detail('tide-tables')).toContainText('v2')
  await page.getByRole('tab', { name: /Versions/ }).click()
  await pressKey(detail('tide-tables'), 'd')
  await expect(page.getByRole('region', { name: 'v1 beside v2' }).locator('.add mark')).toContainText(
    'and name the zone',
  )
  await look(app, 'skills-compared')
})

test('rolling back says what comes of it, keeps why, and is undone by one key', async () => {
  const { page } = app
  await pressKey(detail('tide-tables'), 'b')
  const dialog = page.getByRole('alertdialog')
  await expect(dialog).toContainText('v2 stays in the list')
  await expect(dialog.getByRole('button', { name: 'Keep v2' })).toBeFocused()
  await dialog.getByLabel('Why, for the record').fill('the zone was wrong')
  await dialog.getByRole('button', { name: 'Roll back to v1' }).click()
  await expect(detail('tide-tables').getByRole('listitem').filter({ hasText: 'v2' }).first()).toContainText(
    'the zone was wrong',
  )
  await expect(page.getByText('tide-tables is on v1 again')).toBeVisible()
  await look(app, 'skills-rolled-back')
  await page.keyboard.press('u')
  await expect(detail('tide-tables').getByRole('listitem').filter({ hasText: 'v2' }).first()).toContainText('live')
})

test('quarantine takes a skill out of use and back; nothing is deleted', async () => {
  const { page } = app
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: /Quarantine/ }).click()
  await expect(detail('tide-tables')).toContainText('Quarantined')
  await expect(page.getByRole('list', { name: 'Skills' })).toContainText('quarantined by you')
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Use it again' }).click()
  await expect(detail('tide-tables')).toContainText('Active')
})

test('a thread that worked with a skill is a run of it, with its figures in chart and table', async () => {
  const { page } = app
  await page.getByRole('link', { name: 'Chat', exact: true }).click()
  await say(app, 'When is the tide high, and how high is the water?')
  await expect(page.getByText('High water is at six.')).toBeVisible()
  await page
    .getByRole('list', { name: 'Skills' })
    .getByRole('link', { name: /tide-tables v2/ })
    .click()
  await page.getByRole('tab', { name: 'Metrics' }).click()
  await expect(page.getByRole('img', { name: /v2 1 of 1/ })).toBeVisible()
  await expect(page.locator('.chart-ok').first()).toBeVisible()
  await look(app, 'skills-metrics-run')
  await page.getByRole('radio', { name: 'Table' }).click()
  await expect(page.getByRole('region', { name: 'Runs' }).getByRole('row', { name: /v2 success 1 of 1/ })).toBeVisible()
  await page.getByRole('tab', { name: /Used by/ }).click()
  await expect(page.getByRole('tabpanel').getByRole('link', { name: '#1' })).toBeVisible()
})

test('a candidate waits in the one queue, is approved only once its difference was seen, and is live then', async () => {
  const { page } = app
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Propose it for every project' }).click()
  await expect(page.getByRole('link', { name: 'Approvals, 1 waiting' })).toBeVisible()
  const candidate = page.getByRole('region', { name: 'Candidate: tide-tables' })
  await expect(candidate).toContainText('for every project')
  await expect(page.getByRole('button', { name: /^Reject with a reason/ })).toBeFocused()
  await look(app, 'candidate-diff')
  for (const tab of ['Rendered', 'Evidence', 'Would have changed', 'Checks']) {
    await page.getByRole('tab', { name: new RegExp(tab) }).click()
    await expect(page.getByRole('tabpanel')).not.toBeEmpty()
  }
  await look(app, 'candidate-checks')
  await page.keyboard.press('y')
  await expect(candidate).toContainText('Approved')
  await expect(page.getByRole('link', { name: 'Approvals', exact: true })).toBeVisible()
})

test('what became live meanwhile is compared anew before anything is decided; a refusal keeps its reason', async () => {
  const { page } = app
  const other = tide('Say it in local time.').replaceAll('tide-tables', 'moon-tables')
  await saveSkill(other, 'project')
  await openSkills()
  await row('moon-tables').click()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Propose it for every project' }).click()
  const candidate = page.getByRole('region', { name: 'Candidate: moon-tables' })
  await expect(candidate).toContainText('new file')
  await saveSkill(other.replace('local time', 'UTC'), 'everywhere')
  await expect(candidate).toContainText('This was compared anew')
  await expect(candidate.locator('.diff .del mark')).toContainText('UTC')
  await look(app, 'candidate-anew')
  await page.keyboard.press('x')
  await page.getByRole('textbox', { name: /Why not/ }).fill('two clocks are one too many')
  await page.keyboard.press('Enter')
  await expect(candidate).toContainText('rejected: “two clocks are one too many”')
  await page.getByRole('radio', { name: 'History' }).click()
  await expect(page.getByRole('navigation', { name: 'Requests' })).toContainText('two clocks are one too many')
  await look(app, 'candidate-history')
})

test('an address of a skill that is not there says so, and leads back to the list', async () => {
  const { page } = app
  await page.evaluate(() => {
    location.hash = '#/skills/nothing-of-this-name'
  })
  await expect(page.getByRole('group', { name: 'This skill could not be read' })).toContainText('skill.not_found')
  await page.getByRole('button', { name: 'Show the list' }).click()
  await expect(page.getByRole('group', { name: 'This skill could not be read' })).toBeHidden()
})

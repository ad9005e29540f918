import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { launchApp, type RunningApp } from './app-fixture.ts'
import { answerFolderDialog, clearDesk, look, pressKey, setWindowSize, startWith, useServer } from './desk.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'threadsmith-skill-files-'))
/** In the place of the person's own folder. */
const person = mkdtempSync(path.join(tmpdir(), 'threadsmith-person-'))
const fileOf = (name: string) => path.join(person, '.agents/skills', name, 'SKILL.md')

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}
const skillText = (name: string, description = 'Says when the water is high.') =>
  `---\nname: ${name}\ndescription: ${description}\n---\n# Tides\n\nRead the table.\n`

let app: RunningApp
let server: ModelServer

test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  write(fileOf('tides'), `---\nname: tides\ndescription: High water.\nmetadata:\n\tby: mara\n---\nDo it.\n`)
  write(fileOf('moons'), skillText('moons'))
  server = await startModelServer(() => ({ text: 'Six.' }))
  app = await launchApp({ env: { HOME: person } })
  await setWindowSize(app)
  await startWith(app, folder)
  await useServer(app, server.baseUrl)
})
test.afterAll(async () => {
  await clearDesk({ app, server, folder })
  rmSync(person, { recursive: true })
})

const list = () => app.page.getByRole('list', { name: 'Skills' })

test('a file that could not be read is shown with its line and its cause; a mend is seen before it is written', async () => {
  const { page } = app
  await page.getByRole('link', { name: 'Skills', exact: true }).click()
  await expect(list()).toContainText('not loaded: SKILL.md, line 5')
  await list().getByRole('link', { name: 'tides' }).click()
  const pane = page.getByRole('region', { name: 'tides', exact: true })
  await expect(pane).toContainText('Nothing of this file is used.')
  await page.getByRole('button', { name: 'Show the change' }).click()
  await expect(pane.locator('.diff .del').last()).toContainText('by: mara')
  await look(app, 'skills-mend')
  const before = readFileSync(fileOf('tides'), 'utf8')
  expect(before).toContain('\tby: mara')
  await page.getByRole('button', { name: 'Write this change' }).click()
  await expect(list()).not.toContainText('not loaded')
  expect(readFileSync(fileOf('tides'), 'utf8')).toBe(before.replace('\t', '  '))
  await list().getByRole('link', { name: 'tides' }).click()
  await expect(page.getByRole('heading', { name: 'tides', level: 2 })).toBeVisible()
})

test('a file that changes on disk is the next version, without a question for one’s own folder', async () => {
  const { page } = app
  await list().getByRole('link', { name: 'moons' }).click()
  const pane = page.getByRole('region', { name: 'moons', exact: true })
  await expect(pane).toContainText('v1')
  write(fileOf('moons'), skillText('moons', 'Says when the moon is full.'))
  await expect(pane.getByText('Says when the moon is full.')).toBeVisible()
  await expect(pane).toContainText('v2')
})

test('an edit leaves the file as it is, and says so before and after it is saved', async () => {
  const { page } = app
  await pressKey(page, 'e')
  const pane = page.getByRole('form', { name: 'Edit moons' })
  await expect(pane).toContainText('stays as it is; this becomes v3 in the store.')
  await page.getByRole('textbox', { name: 'Text of SKILL.md' }).fill(skillText('moons', 'Says when it is new.'))
  await page.getByRole('button', { name: /^Save as v3/ }).click()
  await expect(page.getByRole('tabpanel')).toContainText('differs from its file')
  await look(app, 'skills-left-file')
  expect(readFileSync(fileOf('moons'), 'utf8')).toContain('Says when the moon is full.')
})

test('an import is looked at first, says what it would bring, and becomes candidates that are inert', async () => {
  const { page } = app
  const from = path.join(folder, 'from-elsewhere')
  write(path.join(from, 'reefs', 'SKILL.md'), skillText('reefs', 'Names the reefs of a chart.'))
  write(path.join(from, 'reefs', 'scripts', 'draw.py'), 'print("reef")\n')
  write(path.join(from, 'broken', 'SKILL.md'), 'no front matter\n')
  await answerFolderDialog(app, from)
  await page.getByRole('button', { name: 'Import skills' }).click()
  await page.getByRole('button', { name: 'Folder…' }).click()
  const found = page.getByRole('list', { name: 'Skills in it' })
  await expect(found).toContainText('reefs')
  await expect(found).toContainText('2 files')
  await expect(found).toContainText('Left out')
  await look(app, 'skills-import')
  await page.getByRole('button', { name: 'Import 1 skill as a candidate' }).click()
  await page.getByRole('button', { name: 'Review 1 candidate' }).click()
  const candidate = page.getByRole('region', { name: 'Candidate: reefs' })
  await expect(candidate).toContainText('installed')
  await expect(page.getByRole('button', { name: /^Edit, then approve/ })).toBeFocused()
  await look(app, 'candidate-imported')
  await page.getByRole('button', { name: 'Show scripts/draw.py' }).click()
  await expect(page.getByRole('region', { name: 'Text of scripts/draw.py' })).toContainText('print("reef")')
  await look(app, 'candidate-file')
  await page.getByRole('region', { name: 'File scripts/draw.py' }).getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('region', { name: 'Text of scripts/draw.py' })).toBeHidden()
})

test('an edit of a candidate is checked before it can be approved, and its hash is its own', async () => {
  const { page } = app
  const candidate = page.getByRole('region', { name: 'Candidate: reefs' })
  const facts = candidate.getByRole('complementary')
  const hashOf = async () => /sha256 \S+/.exec((await candidate.textContent()) ?? '')?.[0]
  const proposed = await hashOf()
  await candidate.getByRole('button', { name: /^Edit, then approve/ }).click()
  const secret = `gh${'p_'}${'abcdefghijklmnopqrstuvwxyz0123456789'}`
  await page.getByRole('textbox', { name: 'Text of SKILL.md' }).fill(`${skillText('reefs')}\nToken ${secret}\n`)
  await page.getByRole('button', { name: /^Show the difference/ }).click()
  await expect(facts).toContainText('of what you edited')
  await expect(facts).toContainText('A secret stands in it')
  await expect(page.getByRole('tab', { name: /^Checks/ })).toContainText('1 failed')
  await expect(page.getByRole('button', { name: /^Approve as v1, edited/ })).toBeDisabled()
  await expect(candidate).not.toContainText('Binds to')
  expect(await hashOf()).not.toBe(proposed)
  await look(app, 'candidate-edited')
  await page.getByRole('button', { name: 'Back to what was proposed' }).click()
  expect(await hashOf()).toBe(proposed)
  await expect(page.getByRole('button', { name: /^Approve as v1/ })).toBeEnabled()
  await page.keyboard.press('y')
  await expect(candidate).toContainText('Approved')
  await expect(candidate.getByRole('complementary')).toContainText('computed now')
  await candidate.getByRole('link', { name: 'reefs' }).click()
  await page.getByRole('tab', { name: /Files/ }).click()
  await expect(page.getByRole('cell', { name: 'scripts/draw.py' })).toBeVisible()
})

test('an export writes the skill with its files, and never over something that is there', async () => {
  const { page } = app
  const to = path.join(folder, 'out')
  mkdirSync(to)
  await answerFolderDialog(app, to)
  for (const isFirst of [true, false]) {
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Export…' }).click()
    await page.getByRole('radio', { name: 'Folder' }).click()
    await page.getByRole('button', { name: 'Choose a folder' }).click()
    await page.getByRole('button', { name: 'Export v1' }).click()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toContainText(isFirst ? '2 files' : 'Nothing was written')
    await page.keyboard.press('Escape')
  }
  expect(existsSync(path.join(to, 'reefs', 'scripts', 'draw.py'))).toBe(true)
  expect(readFileSync(path.join(to, 'reefs', 'SKILL.md'), 'utf8')).toContain('Names the reefs of a chart.')
})

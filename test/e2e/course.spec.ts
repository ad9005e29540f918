import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { type ModelServer, type ServedAnswer, startModelServer } from '../support/model-server.ts'
import { launchApp, type RunningApp } from './app-fixture.ts'
import { clearDesk, limitThreads, look, pressKey, setWindowSize, startWith, useServer } from './desk.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'threadsmith-course-'))
mkdirSync(path.join(folder, 'docs'))
for (const name of ['a', 'b', 'c']) writeFileSync(path.join(folder, 'docs', `${name}.md`), `# ${name}\n\nold flag\n`)

const code = [
  'I look at the pages and ask about one of them.',
  '```repl',
  "pages = list_files(path='docs')",
  "first = read_file(path='docs/a.md')",
  "verdict = llm_query('Is this page short?', str(first))",
  "links = rlm_query('Read docs/b.md and say what it is called')",
  "write_file(path='docs/report.md', content='# Report\\n' + links + '\\n')",
  "print('looked at', verdict)",
  '```',
].join('\n')

let app: RunningApp
let server: ModelServer
let answers: ServedAnswer[] = []

test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  server = await startModelServer(() => answers.shift() ?? { text: 'Nothing left to say.' })
  app = await launchApp()
  await setWindowSize(app)
  await startWith(app, folder)
  await useServer(app, server.baseUrl)
  await limitThreads(app, 40_000)
})
test.afterAll(() => clearDesk({ app, server, folder }))

const row = (name: string | RegExp) => app.page.getByRole('row', { name })

test('code, what it calls, a child and a write that waits stand in one tree', async () => {
  const { page } = app
  const usage = { input: 9_000, output: 200 }
  answers = [
    { text: code, usage },
    { text: 'Yes, it is short.', usage: { input: 400, output: 8 } },
    { toolCalls: [{ name: 'read_file', arguments: { path: 'docs/b.md' } }], usage: { input: 3_000, output: 30 } },
    { text: 'It is called b.', usage: { input: 3_200, output: 12 } },
  ]
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.fill('Report on the pages')
  await box.press('Enter')
  await expect(page.getByRole('region', { name: /^Write docs\/report.md/ })).toBeVisible()
  await app.screenshot('chat-code-dark')
  await page.getByRole('link', { name: 'Open #1 in the inspector' }).click()
  await expect(page.getByRole('treegrid')).toBeVisible()
  await expect(row(/^code/)).toHaveAttribute('aria-level', '3')
  await expect(row(/^list_files/)).toHaveAttribute('aria-level', '4')
  await expect(row(/^child #2/)).toHaveAttribute('aria-expanded', 'false')
  await row(/^write_file docs\/report.md/).click()
  await expect(page.getByRole('tab', { name: 'Change' })).toHaveAttribute('aria-selected', 'true')
  await look(app, 'timeline-waiting')
})

test('a child opens in place and shows its own steps', async () => {
  const { page } = app
  await row(/^child #2/).click()
  await page.keyboard.press('ArrowRight')
  await expect(row(/^read_file docs\/b.md/)).toHaveAttribute('aria-level', '6')
  await look(app, 'timeline-child')
})

test('a yes in place lets the code go on; what was written can be taken back', async () => {
  const { page } = app
  const usage = { input: 30_000, output: 100 }
  answers = [
    { toolCalls: [{ name: 'write_file', arguments: { path: 'docs/a.md', content: 'no', overwrite: true } }], usage },
  ]
  await row(/write_file/)
    .first()
    .click()
  await page.getByRole('button', { name: 'Write docs/report.md' }).click()
  const report = path.join(folder, 'docs', 'report.md')
  await expect.poll(() => existsSync(report)).toBe(true)
  await expect(row(/^write_file docs\/a.md/)).toBeVisible()
  await row(/^write_file docs\/report.md/).click()
  await page.getByRole('tab', { name: 'Change' }).click()
  await page.getByRole('button', { name: 'Take report.md away again' }).click()
  await expect.poll(() => existsSync(report)).toBe(false)
  await expect(page.getByText(/^Undone on/)).toBeVisible()
  await page.getByRole('tab', { name: 'Policy' }).click()
  await expect(page.getByRole('tabpanel')).toContainText('Needs approval')
  await look(app, 'timeline-policy')
})

test('a denial shows as one, the budget by what was checked, and the code by its lines', async () => {
  const { page } = app
  answers = [{ text: 'I leave it as it is.' }]
  await row(/^write_file docs\/a.md/).click()
  await expect(page.getByRole('region', { name: /^Change of docs\/a.md/ })).toBeVisible()
  await pressKey(page, 'x')
  await page.keyboard.type('keep it')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Report on the pages' })).toBeVisible()
  await expect(row(/^write_file docs\/a.md/)).toContainText('you denied it')
  await row(/^code/).click()
  await page.getByRole('tab', { name: 'Code' }).click()
  await look(app, 'timeline-code')
  await row(/^thread #1/).click()
  await app.screenshot('timeline-thread-light')
  await page.getByRole('tab', { name: 'Budget' }).click()
  await expect(page.getByRole('table')).toContainText('40k')
  await look(app, 'timeline-budget')
  await page.getByRole('tab', { name: 'Permissions' }).click()
  await expect(page.getByRole('tabpanel')).toContainText('Lease on changes')
  await app.screenshot('timeline-permissions-light')
  await page.getByRole('tab', { name: 'History' }).click()
  await app.screenshot('timeline-history-light')
})

test('a child stands among the threads as whose it is, and in no list of conversations', async () => {
  const { page } = app
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await expect(page.getByRole('row', { name: /child of #1/ })).toBeVisible()
  await look(app, 'threads-child')
  await page.keyboard.press('g')
  await page.keyboard.press('c')
  await expect(page.getByRole('navigation', { name: 'Conversations' }).getByRole('listitem')).toHaveCount(1)
})

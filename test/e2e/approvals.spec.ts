import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from '@playwright/test'
import { type ModelServer, type ServedAnswer, startModelServer } from '../support/model-server.ts'
import { launchApp, type RunningApp } from './app-fixture.ts'
import { clearDesk, look, say, setWindowSize, startWith, useServer } from './desk.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'threadsmith-approvals-'))
const pages = path.join(folder, 'docs')
mkdirSync(pages)
const retention = [
  '# Retention',
  '',
  'Snapshots are kept until something removes them.',
  '',
  '## Keep the last n snapshots',
  '',
  'Pass `--keep-last 7` to keep one week of dailies.',
  'Pass `--prune-after 30` to remove what is older.',
  '',
  '## Dry run',
  '',
  'With `--dry-run` it only says what would go.',
  '',
].join('\n')
const renamed = retention.replace('--keep-last', '--retain').replace('--prune-after', '--prune-older')
writeFileSync(path.join(pages, 'retention.md'), retention)
const fileOf = (name: string) => path.join(pages, name)
const write = (name: string, content: string) => ({
  name: 'write_file',
  arguments: { path: `docs/${name}`, content, overwrite: true },
})

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
})
test.afterAll(() => clearDesk({ app, server, folder }))

/** What the model was to say has been said: what the next thread asks is the next one's. */
async function saidAll(): Promise<void> {
  await expect.poll(() => answers.length).toBe(0)
}

async function newChat(): Promise<void> {
  await saidAll()
  await app.page.keyboard.press('Control+n')
  await expect(app.page.getByRole('heading', { name: 'New conversation' })).toBeVisible()
}

const ask = () => app.page.getByRole('region', { name: /^Write docs/ })

test('a write asks with its change, and nothing has happened yet', async () => {
  const { page } = app
  answers = [
    { text: 'The page still names the 2.3 flags. I will rename both.', toolCalls: [write('retention.md', renamed)] },
    { text: 'Both flags are renamed on the retention page.' },
  ]
  await say(app, 'Bring the docs up to the 2.4 flags')
  await expect(ask()).toBeVisible()
  await expect(ask().locator('.del mark').first()).toHaveText('keep-last')
  await expect(page.getByRole('region', { name: 'Thread #1' })).toContainText('Waits for you')
  await expect(page.getByRole('link', { name: 'Approvals, 1 waiting' })).toBeVisible()
  await expect(page.getByRole('contentinfo')).toContainText('1 approval')
  await look(app, 'chat-waiting')
  expect(readFileSync(fileOf('retention.md'), 'utf8')).toBe(retention)
})

test('after a quit and a start the request still waits, and no model was asked again', async () => {
  const asked = server.requests.length
  const { home } = app
  await app.close()
  app = await launchApp({ home })
  await setWindowSize(app)
  const { page } = app
  await page.getByRole('textbox', { name: 'Message' }).press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await expect(page.getByRole('heading', { name: 'write_file docs/retention.md' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Deny' })).toBeFocused()
  await expect(page.locator('.diff .add')).toHaveCount(2)
  await look(app, 'approvals-pending')
  expect(server.requests).toHaveLength(asked)
})

test('its tabs say what would run exactly, which check asked, and why it came up', async () => {
  const { page } = app
  await page.getByRole('tab', { name: 'Request' }).click()
  await expect(page.getByRole('tabpanel')).toContainText('"overwrite": true')
  await page.getByRole('tab', { name: 'Policy' }).click()
  await expect(page.getByRole('tabpanel')).toContainText('Needs approval')
  await app.screenshot('approvals-policy-light')
  await page.getByRole('tab', { name: 'Context' }).click()
  await expect(page.getByRole('tabpanel')).toContainText('Bring the docs up to the 2.4 flags')
  await expect(page.getByRole('tabpanel')).toContainText('still names the 2.3 flags')
  await page.getByRole('tab', { name: 'What it does' }).click()
})

test('y approves from the keyboard: the file is written, and the model is asked once, for the next step', async () => {
  const { page } = app
  const asked = server.requests.length
  await expect(page.locator('.diff .add').first()).toBeInViewport()
  await page.keyboard.press('y')
  await expect.poll(() => readFileSync(fileOf('retention.md'), 'utf8')).toBe(renamed)
  await expect.poll(() => server.requests.length).toBe(asked + 1)
  await expect(page.getByRole('region', { name: /^Request/ })).toContainText('you, once')
  await expect(page.getByRole('link', { name: 'Approvals', exact: true })).toBeVisible()
  await look(app, 'approvals-decided')
})

test('a denial is an answer that the model reads, with the reason', async () => {
  const { page } = app
  await newChat()
  answers = [{ toolCalls: [write('new.md', '# New\n')] }, { text: 'Then I leave it.' }]
  await say(app, 'Add a page')
  await expect(ask()).toBeVisible()
  await page.getByRole('textbox', { name: 'Message' }).press('Escape')
  await page.keyboard.press('x')
  await app.screenshot('chat-deny-light')
  await page.keyboard.type('not before the tag')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Then I leave it.')).toBeVisible()
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('not before the tag')
  expect(existsSync(fileOf('new.md'))).toBe(false)
  await expect(page.getByText('you: “not before the tag”')).toBeVisible()
  await app.screenshot('chat-denied-light')
})

test('an edit is shown as a change before it can be approved, and is what is written', async () => {
  const { page } = app
  await newChat()
  answers = [{ toolCalls: [write('edited.md', '# Edited\n\nby the model\n')] }, { text: 'Written.' }]
  await say(app, 'Add another page')
  await expect(ask()).toBeVisible()
  // In the card of the chat it is edited whole, buttons and all.
  await ask().getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Leave it as it was' })).toBeInViewport({ ratio: 1 })
  await app.screenshot('chat-edit-light')
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Review' }).click()
  await expect(page.getByRole('button', { name: 'Deny' })).toBeFocused()
  await page.keyboard.press('e')
  await page.getByRole('textbox', { name: 'New text of the file' }).fill('# Edited\n\nby hand\n')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('Edited by you.')).toBeVisible()
  await app.screenshot('approvals-edited-light')
  await page.getByRole('button', { name: 'Write docs/edited.md, edited' }).click()
  await expect
    .poll(() => existsSync(fileOf('edited.md')) && readFileSync(fileOf('edited.md'), 'utf8'))
    .toBe('# Edited\n\nby hand\n')
})

test('a yes for the thread lets the next write through, stands in the list, and can be revoked', async () => {
  const { page } = app
  await newChat()
  answers = [
    { toolCalls: [write('one.md', 'one\n'), write('two.md', 'two\n')] },
    { toolCalls: [write('three.md', 'three\n')] },
    { text: 'Three pages.' },
  ]
  await say(app, 'Add three pages')
  await expect(ask()).toHaveCount(2)
  await app.screenshot('chat-two-asks-light')
  await ask().first().getByRole('link', { name: 'Review' }).click()
  await page.getByRole('radio', { name: 'This thread' }).click()
  await page.getByRole('button', { name: 'Write docs/one.md' }).click()
  await page.getByRole('link', { name: /write_file docs\/two.md/ }).click()
  await page.getByRole('button', { name: 'Write docs/two.md' }).click()
  await expect.poll(() => existsSync(fileOf('three.md'))).toBe(true)
  await page.getByRole('radio', { name: 'Standing' }).click()
  await expect(page.getByRole('navigation', { name: 'Requests' })).toContainText('write_file')
  await look(app, 'approvals-standing')
  await page.getByRole('button', { name: /^Revoke/ }).click()
  await expect(page.getByText('None. What you approve')).toBeVisible()
})

test('what could reach outside is approved by holding, never by a press', async () => {
  await newChat()
  answers = [
    { toolCalls: [{ name: 'shell', arguments: { command: 'mkdir made && touch made/x' } }] },
    { text: 'Made.' },
  ]
  await say(app, 'Make a folder')
  await expect(app.page.getByRole('region', { name: /^Run mkdir/ })).toBeVisible()
  const { home } = app
  await app.close()
  // As it is recorded where the system has no jail.
  const store = new DatabaseSync(path.join(home, 'threadsmith.db'))
  store.exec(`UPDATE approval SET effects = '["WriteLocal","WriteExternal"]' WHERE state = 'pending'`)
  store.close()
  app = await launchApp({ home })
  await setWindowSize(app)
  const { page } = app
  await page.getByRole('link', { name: 'Approvals, 1 waiting' }).click()
  const approve = page.getByRole('button', { name: /^Hold to run/ })
  await expect(approve).toBeEnabled()
  await look(app, 'approvals-command')
  await approve.click()
  await page.keyboard.press('y')
  await expect(approve).toBeVisible()
  expect(existsSync(path.join(folder, 'made'))).toBe(false)
  await page.keyboard.down('y')
  await expect.poll(() => existsSync(path.join(folder, 'made', 'x'))).toBe(true)
  await page.keyboard.up('y')
  await saidAll()
})

test('where nothing waits the screen says so, with what was decided last', async () => {
  const { page } = app
  // The window has heard of the last decision: what still waits would be opened.
  await expect(page.getByRole('link', { name: 'Approvals', exact: true })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await expect(page.getByRole('heading', { name: 'Nothing waits for you' })).toBeVisible()
  await look(app, 'approvals-empty')
})

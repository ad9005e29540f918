import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { launchApp, type RunningApp, removeHome } from './app-fixture.ts'
import { look, setWindowSize, startWith } from './desk.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'threadsmith-integrations-'))
writeFileSync(path.join(folder, 'tides.md'), '# Tides\n')
const [wrong, right] = ['ghp-of-this-test-wrong', 'ghp-of-this-test-right']
let app: RunningApp
let service: Server
let base = ''
const asked: string[] = []

test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  // GitHub as an enterprise serves it: below a path, on a host of one's own.
  service = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    const isRight = request.headers.authorization === `Bearer ${right}`
    response.writeHead(isRight ? 200 : 401, { 'content-type': 'application/json' })
    response.end(isRight ? '{"login":"ada"}' : '{"message":"Bad credentials"}')
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const address = service.address()
  base = `http://127.0.0.1:${address !== null && typeof address !== 'string' ? address.port : 0}/api/v3`
  app = await launchApp()
  await setWindowSize(app)
  await startWith(app, folder)
})
test.afterAll(async () => {
  expect(app.errors).toEqual([])
  await app.close()
  service.close()
  service.closeAllConnections()
  const kept = ['secrets.json', 'threadsmith.db'].map((name) => path.join(app.home, name))
  for (const file of kept) expect(textOf(file)).not.toContain(right)
  removeHome(app.home)
  rmSync(folder, { recursive: true })
})

function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}

const open = (hash: string) =>
  app.page.evaluate((to) => {
    location.hash = to
  }, hash)
const list = () => app.page.getByRole('navigation', { name: 'Integrations' })
const row = (name: RegExp) => list().getByRole('link', { name })
const card = () => app.page.getByRole('region', { name: 'GitHub token' })

test('the screen is reached by key; each skill stands there with what it needs and how it is connected', async () => {
  const { page } = app
  await page.getByRole('textbox', { name: 'Message' }).press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('i')
  await expect(page).toHaveURL(/#\/integrations$/)
  await expect(row(/^GitHub Not connected/)).toBeVisible()
  await expect(row(/^Weather No key needed/)).toBeVisible()
  await expect(card()).toContainText('api.github.com')
  await expect(card()).toContainText('and to no other')
  await expect(card()).toContainText('a bearer token, in the Authorization header')
  await expect(card()).toContainText('A fine-grained personal access token')
  await expect(card().getByRole('button', { name: 'Connect GitHub' })).toBeDisabled()
  await expect(card().getByRole('button', { name: 'Test' })).toHaveCount(0)
  await look(app, 'integrations-empty')
  await page.keyboard.press('j')
  await expect(page.getByRole('heading', { name: 'Jira' })).toBeVisible()
  await page.keyboard.press('k')
  await expect(page.getByRole('heading', { name: 'GitHub', exact: true })).toBeVisible()
})

test('a server of one’s own takes the place of the host; plain http is warned about', async () => {
  const { page } = app
  await page.getByRole('button', { name: 'Change the address of api.github.com' }).click()
  const form = page.getByRole('form', { name: 'Address of api.github.com' })
  await expect(form.getByRole('textbox')).toBeFocused()
  await form.getByRole('textbox').fill('https://ada:secret@github.example.com')
  await page.keyboard.press('Enter')
  await expect(form).toContainText('without user name, password')
  await form.getByRole('textbox').fill(base)
  await expect(form).toContainText('Plain http is not encrypted')
  await expect(form).toContainText('The GitHub token goes there, and no longer to api.github.com.')
  await look(app, 'integrations-address')
  await page.keyboard.press('Enter')
  await expect(form).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Change the address of api.github.com' })).toBeFocused()
  await expect(card()).toContainText(base)
  await expect(page.getByText('not encrypted', { exact: true })).toBeVisible()
})

test('a wrong key is kept, and a test says that it is refused', async () => {
  const { page } = app
  const field = card().getByLabel('GitHub token')
  await expect(field).toHaveAttribute('type', 'password')
  await field.fill(wrong)
  await page.keyboard.press('Enter')
  await expect(row(/^GitHub Connected/)).toBeVisible()
  await expect(field).toHaveCount(0)
  await expect(card().getByRole('button', { name: 'Test' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(row(/^GitHub Refused/)).toBeVisible()
  await expect(card()).toContainText('The service refused it')
  await expect(card()).toContainText('HTTP 401')
  expect(asked).toEqual(['GET /api/v3/user'])
  await look(app, 'integrations-refused')
})

test('the right key is entered in its place; a test says that it works', async () => {
  const { page } = app
  await card().getByLabel('New GitHub token').fill(right)
  await page.keyboard.press('Enter')
  await expect(row(/^GitHub Connected/)).toBeVisible()
  await card().getByRole('button', { name: 'Test' }).click()
  await expect(card()).toContainText('It works')
  await expect(card()).toContainText('HTTP 200')
  await expect(page.locator('body')).not.toContainText(right)
  await look(app, 'integrations-connected')
  await card().getByRole('button', { name: 'Replace' }).click()
  await expect(card().getByLabel('New GitHub token')).toHaveValue('')
  await page.keyboard.press('Escape')
  await expect(card().getByRole('button', { name: 'Replace' })).toBeFocused()
})

test('with another address the key must be entered again, also when the first address is put back', async () => {
  const { page } = app
  const change = page.getByRole('button', { name: 'Change the address of api.github.com' })
  await change.click()
  await expect(page.getByText('was entered for another place')).toBeVisible()
  await page.getByRole('button', { name: 'Use api.github.com itself' }).click()
  await expect(row(/^GitHub Enter again/)).toBeVisible()
  await change.click()
  await page.getByRole('form', { name: 'Address of api.github.com' }).getByRole('textbox').fill(base)
  await page.keyboard.press('Enter')
  await expect(row(/^GitHub Enter again/)).toBeVisible()
  await expect(card()).toContainText('nothing is sent')
  await look(app, 'integrations-changed')
})

test('disconnecting asks once more, and deletes it', async () => {
  const { page } = app
  await card().getByLabel('New GitHub token').fill(right)
  await page.keyboard.press('Enter')
  await card().getByRole('button', { name: 'Disconnect GitHub token' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog.getByRole('button', { name: 'Keep it' })).toBeFocused()
  await expect(dialog).toContainText('stays valid until you revoke it there')
  await look(app, 'integrations-disconnect')
  await dialog.getByRole('button', { name: 'Disconnect GitHub token' }).click()
  await expect(row(/^GitHub Not connected/)).toBeVisible()
  await expect(card().getByLabel('GitHub token')).toBeFocused()
})

test('the palette offers what is not connected, and leads to its field', async () => {
  const { page } = app
  const runCommand = async (words: string) => {
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('combobox', { name: 'Commands' })).toBeFocused()
    await page.keyboard.type(words)
    await page.keyboard.press('Enter')
    // One that is still fading away would open again with these words.
    await expect(page.getByRole('combobox', { name: 'Commands' })).toHaveCount(0)
  }
  await open('#/integrations/weather')
  await expect(page.getByRole('heading', { name: 'Read without a key' })).toBeVisible()
  await look(app, 'integrations-open')
  await runCommand('connect linear')
  await expect(page.getByRole('textbox', { name: 'Linear API key' })).toBeFocused()
  await runCommand('open integrations')
  await expect(page).toHaveURL(/#\/integrations$/)
})

test('hosts that are allowed: whole hosts only, each once, and a removal can be undone', async () => {
  const { page } = app
  await open('#/integrations')
  await row(/^Hosts you allow/).click()
  await expect(page.getByText('None. Before it reads a host')).toBeVisible()
  const field = page.getByLabel('Host', { exact: true })
  const allow = async (text: string) => {
    await field.fill(text)
    await page.keyboard.press('Enter')
  }
  await allow('https://docs.example.com/guide')
  await expect(page.getByText('never a page of it: https://docs.example.com')).toBeVisible()
  await look(app, 'integrations-hosts-wrong')
  await allow('docs.example.com')
  await expect(page.getByRole('listitem').filter({ hasText: 'https://docs.example.com' })).toBeVisible()
  await allow('https://docs.example.com')
  await expect(page.getByText('on the list already')).toBeVisible()
  await field.fill('192.168.1.20:8080')
  await expect(page.getByText('Plain http is not encrypted')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(row(/^Hosts you allow 2 hosts/)).toBeVisible()
  await page.getByRole('button', { name: 'Remove http://192.168.1.20:8080' }).click()
  await expect(row(/^Hosts you allow 1 host/)).toBeVisible()
  await page.getByRole('button', { name: /^Undo/ }).click()
  await expect(row(/^Hosts you allow 2 hosts/)).toBeVisible()
  await look(app, 'integrations-hosts')
})

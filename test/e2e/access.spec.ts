import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { launchApp, type RunningApp, removeHome } from './app-fixture.ts'
import { axeFindings } from './axe.ts'
import { answerFolderDialog, setTheme, setWindowSize } from './desk.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'threadsmith-access-'))
writeFileSync(path.join(folder, 'orders.csv'), 'customer,amount\nAnn,10.5\nBob,20\nAnn,4.5\n')
let app: RunningApp

test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  app = await launchApp()
  await setWindowSize(app)
  await answerFolderDialog(app, folder)
})
test.afterAll(async () => {
  expect(app.errors).toEqual([])
  await app.close()
  removeHome(app.home)
  rmSync(folder, { recursive: true })
})

async function expectAccessible(where: string): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(app, theme)
    expect(await axeFindings(app.page), `${where}, ${theme}`).toEqual([])
    await app.screenshot(`${where}-${theme}`)
  }
  await setTheme(app, 'light')
}
const press = async (...keys: readonly string[]) => {
  for (const key of keys) await app.page.keyboard.press(key)
}

test('the first run, by keyboard alone', async () => {
  const { page } = app
  await expect(page.getByRole('radio', { name: /planner/i })).toBeVisible()
  await expectAccessible('first-run')
  await page.getByRole('radio', { name: /planner/i }).focus()
  await press('Space', 'Enter')
  await page.getByRole('button', { name: 'Choose a folder' }).focus()
  await press('Enter')
  await expect(page.getByText(folder)).toBeVisible()
  await expectAccessible('first-run-folder')
  await page.getByRole('button', { name: 'Continue' }).focus()
  await press('Enter')
  await page.getByRole('textbox').fill('total amount per customer in orders.csv')
  await press('Enter')
  await expect(page.getByText('15').first()).toBeVisible()
  await expectAccessible('first-run-done')
  await press('Escape')
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
})

test('chat, palette, threads, thread and settings: reached by keys, and without a finding of axe in either theme', async () => {
  const { page } = app
  await expectAccessible('chat-screen')
  await press('Control+k')
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible('palette')
  await page.keyboard.type('threads')
  await press('Enter')
  await expect(page).toHaveURL(/#\/threads/)
  await expectAccessible('threads')
  await press('j', 'Enter')
  await expect(page.getByRole('treegrid')).toBeVisible()
  await expectAccessible('thread')
  await press('ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter')
  await expect(page.getByRole('tablist').last()).toBeVisible()
  await press('Control+,')
  await expect(page).toHaveURL(/#\/settings/)
  for (const section of ['General', 'Models', 'Data', 'About']) {
    await page.getByRole('link', { name: section }).click()
    await expect(page.getByRole('heading', { name: section, level: 1 })).toBeVisible()
    await expectAccessible(`settings-${section.toLowerCase()}`)
  }
  await press('g', 'c')
  await expect(page).toHaveURL(/#\/chat/)
  // A new conversation is written in at once; Escape leaves the field, so that a sign is a key again.
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeFocused()
  await press('Escape', '?')
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectAccessible('keys')
  await press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { damagedStore } from '../support/damaged-store.ts'
import { launchApp, removeHome } from './app-fixture.ts'
import { setWindowSize } from './desk.ts'

function homeWith(content: string): string {
  const home = mkdtempSync(path.join(tmpdir(), 'threadsmith-store-'))
  mkdirSync(home, { recursive: true })
  writeFileSync(path.join(home, 'threadsmith.db'), content)
  return home
}

test('a store that cannot be read: said plainly, the file is kept, starting fresh works', async () => {
  const garbage = 'this is not a database'.repeat(1_000)
  const app = await launchApp({ home: homeWith(garbage) })
  await setWindowSize(app)
  await expect(app.page.getByText('store.corrupt')).toBeVisible()
  await expect(app.page.getByText(path.join(app.home, 'threadsmith.db'))).toBeVisible()
  await app.screenshot('store-failure-light')
  expect(readFileSync(path.join(app.home, 'threadsmith.db'), 'utf8')).toBe(garbage)
  await app.page.getByRole('button', { name: 'Start with an empty store' }).click()
  await expect(app.page.getByRole('radio', { name: /planner/i })).toBeVisible()
  expect(existsSync(path.join(app.home, 'threadsmith.db.aside-1'))).toBe(true)
  await app.close()
  removeHome(app.home)
})

test('damage that the check finds later: the status bar says so, and its way leads to the newest backup', async () => {
  const home = mkdtempSync(path.join(tmpdir(), 'threadsmith-store-'))
  await damagedStore(home)
  const app = await launchApp({ home })
  await setWindowSize(app)
  const state = app.page.locator('.statusbar a').first()
  await expect(state).toHaveText('Store damaged')
  await state.click()
  await expect(app.page.getByText('store.corrupt')).toBeVisible()
  await app.screenshot('store-damaged-light')
  await app.page.getByRole('button', { name: 'Restore the newest backup' }).click()
  await expect(state).toHaveText('Engine ok')
  await expect(app.page.getByText('store.corrupt')).toBeHidden()
  expect(existsSync(path.join(home, 'threadsmith.db.aside-1'))).toBe(true)
  await app.close()
  removeHome(home)
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, test } from '@playwright/test'
import { launchApp, type RunningApp, removeHome } from './app-fixture.ts'
import { setTheme, setWindowSize, startWith } from './desk.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'threadsmith-memory-'))
let app: RunningApp

test.beforeAll(async () => {
  app = await launchApp()
  await setWindowSize(app)
  await startWith(app, folder)
})
test.afterAll(async () => {
  expect(app.errors).toEqual([])
  await app.close()
  removeHome(app.home)
  rmSync(folder, { recursive: true })
})

async function look(name: string): Promise<void> {
  for (const theme of ['dark', 'light'] as const) {
    await setTheme(app, theme)
    await app.screenshot(`${name}-${theme}`)
  }
  const { violations } = await new AxeBuilder({ page: app.page }).setLegacyMode().analyze()
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html).slice(0, 3)])).toEqual([])
}

test('a doc is found, read, edited as a new version, looked back at, and archived', async () => {
  const { page } = app
  await page.evaluate(async () => {
    const projects = await window.threadsmith.call('project.list', {})
    const projectId = projects.ok ? (projects.value[0]?.id ?? '') : ''
    const docs = [
      ['Lesson', 'Old anchors stay as aliases', 'A renamed heading keeps its old anchor, or links from outside break.'],
      ['Note', 'The forum moved', 'The old forum is in the archive since March.'],
    ] as const
    for (const [type, title, content] of docs)
      await window.threadsmith.call('doc.save', { projectId, type, title, content, tags: ['docs'] })
    location.hash = '#/settings/memory'
  })
  await expect(page.getByText('The forum moved')).toBeVisible()
  await page.getByRole('radio', { name: 'Lesson' }).click()
  await expect(page.getByText('The forum moved')).toHaveCount(0)
  await page.getByRole('radio', { name: 'All' }).click()
  await page.getByRole('searchbox', { name: 'Search the memory' }).fill('headings that were renamed')
  await expect(page.getByText('keeps its old anchor')).toBeVisible()
  await page.getByRole('button', { name: 'Open Old anchors stay as aliases' }).click()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('textbox', { name: 'Text of the doc' }).fill('Headings that were renamed keep every old anchor.')
  await page.getByRole('button', { name: 'Save as version 2' }).click()
  await expect(page.getByRole('combobox', { name: 'Version' })).toContainText('Version 2')
  await page.getByRole('combobox', { name: 'Version' }).click()
  await page.getByRole('option', { name: /Version 1/ }).click()
  await expect(page.getByText('An older version. The one in use is 2.')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search the memory' }).fill('')
  await page.getByRole('button', { name: 'Open The forum moved' }).click()
  await look('settings-memory')
  await page.getByRole('button', { name: 'Archive', exact: true }).click()
  await expect(page.getByText('The forum moved')).toHaveCount(0)
  await page.getByRole('radio', { name: 'Archived' }).click()
  await expect(page.getByText('The forum moved')).toBeVisible()
})

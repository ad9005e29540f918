import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { errorsOfSpec, launchApp, type RunningApp, removeHome } from './app-fixture.ts'
import { look, say, setWindowSize, startWith, stepsOf } from './desk.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'threadsmith-learned-'))
mkdirSync(path.join(folder, 'reports'))
for (const month of [1, 2, 3, 4]) {
  const rows = Array.from({ length: month + 2 }, (_, at) => `c${at},${(at + 1) * 10 + month}`)
  writeFileSync(path.join(folder, `reports/2026-0${month}.csv`), `customer,amount\n${rows.join('\n')}\n`)
}
writeFileSync(path.join(folder, 'NOTES.md'), '# Notes\n\nNothing here.\n')

let app: RunningApp
test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  app = await launchApp({ env: { THREADSMITH_MISSIONS: '1' } })
  await setWindowSize(app)
  await startWith(app, folder)
})
test.afterAll(async () => {
  expect(errorsOfSpec()).toEqual([])
  await app.close()
  removeHome(app.home)
  rmSync(folder, { recursive: true })
})

/** In a chat of its own; answers how many steps it took. */
async function ask(text: string): Promise<number> {
  const { page } = app
  await page.getByRole('link', { name: 'Chat', exact: true }).click()
  await page.keyboard.press('Control+n')
  await say(app, text)
  return stepsOf(app, await threadOf(text))
}

/** What the composer has sent is a thread soon. */
async function threadOf(text: string): Promise<string> {
  let id: string | undefined
  await expect
    .poll(async () => {
      id = await app.page.evaluate(async (goal) => {
        const list = await window.threadsmith.call('thread.list', { query: '', limit: 50 })
        return list.ok ? list.value.rows.find((row) => row.goal === goal)?.id : undefined
      }, text)
      return id
    })
    .toBeDefined()
  if (id === undefined) throw new Error(`there is no thread of ${text}`)
  return id
}

test('without any model: work that came three times is mined by the mission that a person sets off', async () => {
  const { page } = app
  const steps = [
    await ask('What is the total of the amount column in reports/2026-01.csv?'),
    await ask('Sum up the amount column of reports/2026-02.csv'),
    await ask('Please tell me the total amount in reports/2026-03.csv'),
  ]
  expect(steps).toEqual([5, 5, 5])
  await page.getByRole('link', { name: /^Missions/ }).click()
  await page.getByRole('link', { name: 'skill-extraction' }).first().click()
  await page.getByRole('button', { name: /^Run now/ }).click()
  await expect(page.getByRole('link', { name: 'Approvals, 1 waiting' })).toBeVisible()
  await look(app, 'learned-skill-mission')
})

test('the candidate shows where each of its parts comes from, and is approved', async () => {
  const { page } = app
  await page.getByRole('link', { name: /^Approvals/ }).click()
  const candidate = page.getByRole('region', { name: /^Candidate: / })
  await expect(candidate).toBeVisible()
  await look(app, 'learned-skill-candidate')
  await page.getByRole('tab', { name: 'Evidence' }).click()
  await expect(page.getByRole('tabpanel').getByText('2026-01', { exact: false }).first()).toBeVisible()
  await look(app, 'learned-skill-evidence')
  await page.getByRole('tab', { name: /^Diff/ }).click()
  await expect(page.getByRole('button', { name: /^Approve as v1/ })).toBeEnabled()
  await page.keyboard.press('y')
  await expect(candidate.getByRole('heading', { level: 2 })).toContainText('Approved')
})

test('the next thread of that kind calls its function, and takes one step instead of five', async () => {
  const { page } = app
  expect(await ask('What is the total of the amount column in reports/2026-04.csv?')).toBe(1)
  await expect(page.getByText('234', { exact: false }).first()).toBeVisible()
  await look(app, 'learned-skill-used')
})

test('an answer that a person calls wrong counts against the skill that it used', async () => {
  const { page } = app
  await page
    .getByRole('link', { name: /in the inspector/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'It was wrong' }).click()
  await page.getByRole('textbox', { name: 'In a sentence' }).fill('The open ones do not count.')
  await look(app, 'learned-skill-wrong')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByTitle('You said that this was wrong: The open ones do not count.').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'It was wrong' })).toHaveCount(0)
  await page.getByRole('link', { name: 'Skills', exact: true }).click()
  await page.getByRole('list', { name: 'Skills' }).getByRole('link', { name: 'table-reports', exact: true }).click()
  await page.getByRole('tab', { name: 'Metrics' }).click()
  await expect(page.getByRole('img', { name: /v1 0 of 1/ })).toBeVisible()
})

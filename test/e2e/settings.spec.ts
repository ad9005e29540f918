import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, type Locator, test } from '@playwright/test'
import { type ModelServer, type ServedAnswer, startModelServer } from '../support/model-server.ts'
import { rememberedStore } from '../support/remembered-store.ts'
import { launchApp, type RunningApp } from './app-fixture.ts'
import { clearDesk, look, setWindowSize, useServer } from './desk.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'saltmarsh-'))
writeFileSync(path.join(folder, 'retention.md'), '# Retention\n\nPass `--keep-last 7`.\n')
const notes = 240
let app: RunningApp
let server: ModelServer
let answers: ServedAnswer[] = []

test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  server = await startModelServer(() => answers.shift() ?? { text: 'Nothing left to say.' }, {
    models: ['test-model', 'small-model', 'a/long-model-name-with-its-quantisation-q4_k_m', 'four', 'five', 'six'],
  })
  const home = mkdtempSync(path.join(tmpdir(), 'threadsmith-home-'))
  await rememberedStore(home, folder, notes)
  app = await launchApp({ home })
  await setWindowSize(app)
  await app.page.getByRole('textbox', { name: 'Message' }).waitFor()
  await useServer(app, server.baseUrl)
})
test.afterAll(() => clearDesk({ app, server, folder }))

async function open(hash: string): Promise<void> {
  await app.page.evaluate((to) => {
    location.hash = to
  }, hash)
}

const field = (group: Locator, name: string) => group.getByRole('textbox', { name, exact: true })

function settings() {
  return app.page.evaluate(async () => {
    const reply = await window.threadsmith.call('settings.get', {})
    if (!reply.ok) throw new Error(reply.error.message)
    return reply.value
  })
}

async function run(text: string): Promise<void> {
  await app.page.evaluate(async (goal) => {
    const reply = await window.threadsmith.call('thread.send', {
      ...{ projectId: 'prj_seed', text: goal, approvesAll: true },
    })
    if (!reply.ok) throw new Error(reply.error.message)
  }, text)
  await expect
    .poll(() =>
      app.page.evaluate(async () => {
        const reply = await window.threadsmith.call('thread.list', { conversations: false, limit: 1 })
        return reply.ok ? reply.value.rows[0]?.state : reply.error.code
      }),
    )
    .toBe('Done')
}

test('budgets: a field says what is wrong, saves what can be read, and two at once keep both', async () => {
  const { page } = app
  await open('#/settings/budgets')
  const thread = page.getByRole('group', { name: 'Each new thread' })
  const day = page.getByRole('group', { name: 'Everything, each day' })
  await field(thread, 'Tokens').fill('many')
  await field(thread, 'Tokens').press('Enter')
  await expect(thread.getByRole('alert')).toContainText('whole number of tokens')
  await field(thread, 'Steps').fill('2.5')
  await field(thread, 'Steps').press('Tab')
  await look(app, 'settings-budgets-wrong')
  await field(thread, 'Steps').press('Escape')
  await field(thread, 'Tokens').fill('200k')
  await field(thread, 'Money').fill('0.50')
  await field(thread, 'Steps').fill('30')
  await field(thread, 'Time').fill('10')
  await field(day, 'Tokens').fill('20000')
  await field(day, 'Money').fill('5')
  await field(day, 'Money').press('Enter')
  await expect(field(thread, 'Tokens')).toHaveValue('200,000')
  await expect
    .poll(async () => (await settings()).budgets)
    .toEqual({
      thread: { tokens: 200_000, usd: 0.5, steps: 30, ms: 600_000 },
      project: { tokens: null, usd: null },
      day: { tokens: 20_000, usd: 5 },
    })
  await field(day, 'Money').fill('7')
  await field(day, 'Money').press('Escape')
  await expect(field(day, 'Money')).toHaveValue('5')
})

test('budgets: what was used today stands beside the limit, and what is written is kept on leaving by key', async () => {
  const { page } = app
  answers = [{ text: 'Two flags were renamed.', usage: { input: 16_600, output: 400 } }]
  await run('Which flags were renamed?')
  const day = page.getByRole('group', { name: 'Everything, each day' })
  await expect(day).toContainText('17,000 of 20,000')
  await expect(day).toContainText('close to the limit')
  await expect(day.getByRole('meter', { name: 'Tokens used today' })).toBeVisible()
  await look(app, 'settings-budgets')
  await field(page.getByRole('group', { name: 'Each project, each day' }), 'Tokens').fill('90k')
  await page.keyboard.press('Control+n')
  await expect.poll(async () => (await settings()).budgets.project.tokens).toBe(90_000)
  await open('#/settings/budgets')
  const own = path.basename(folder)
  await page.getByLabel(`Tokens of ${own}`).fill('70k')
  await page.getByLabel(`Money of ${own}`).fill('2')
  await page.getByLabel(`Money of ${own}`).press('Enter')
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const reply = await window.threadsmith.call('project.list', {})
        return reply.ok ? reply.value[0]?.dayBudget : reply.error.code
      }),
    )
    .toEqual({ tokens: 70_000, usd: 2 })
  await look(app, 'settings-budgets-project')
  await page.evaluate(() =>
    window.threadsmith.call('settings.set', {
      patch: {
        budgets: {
          thread: { tokens: null, usd: null, steps: null, ms: null },
          project: { tokens: null, usd: null },
          day: { tokens: null, usd: 5 },
        },
      },
    }),
  )
})

test('prices: a model of this computer costs nothing, another has a price or says that nothing is counted', async () => {
  const { page } = app
  await open('#/settings/models')
  const row = page.getByRole('listitem').filter({ hasText: 'small-model' })
  await expect(row).toContainText('runs here, costs nothing')
  await row.getByRole('button', { name: 'Set price of small-model' }).click()
  await page.keyboard.type('0,5')
  await page.keyboard.press('Enter')
  await expect(page.getByText('with a point')).toBeVisible()
  await look(app, 'settings-prices-wrong')
  await page.getByLabel('Input, USD a million', { exact: true }).fill('0.25')
  await page.getByLabel('Output, USD a million').fill('2')
  await page.getByLabel('Cached input, USD a million').fill('0.025')
  await page.keyboard.press('Enter')
  await expect(row).toContainText('$0.25 in, $2.00 out, $0.025 cached')
  expect(Object.values((await settings()).prices)).toEqual([{ inputUsd: 0.25, outputUsd: 2, cachedInputUsd: 0.025 }])
  await page.getByRole('button', { name: 'Show all 6 models' }).click()
  await look(app, 'settings-prices')
  await row.getByRole('button', { name: 'Change price of small-model' }).click()
  await page.getByRole('button', { name: 'Remove price' }).click()
  await expect(row).toContainText('costs nothing')
})

test('a limit in USD names the tiers whose model has no price', async () => {
  const { page } = app
  await page.evaluate(async () => {
    const reply = await window.threadsmith.call('settings.get', {})
    if (!reply.ok) throw new Error(reply.error.message)
    const forte = { providerId: 'gone', model: 'large-model' }
    await window.threadsmith.call('settings.set', { patch: { tiers: { ...reply.value.tiers, forte } } })
    window.dispatchEvent(new Event('focus'))
  })
  await open('#/settings/budgets')
  await expect(page.getByText('large-model (Deep)')).toBeVisible()
  await app.screenshot('settings-budgets-unpriced-light')
  await page.getByRole('link', { name: 'Set prices' }).click()
  await expect(page.getByText('no price: costs are not counted').first()).toBeVisible()
})

test('agent: an effect is switched off, a rule is added, removed and brought back', async () => {
  const { page } = app
  await open('#/settings/agent')
  await page.getByRole('checkbox', { name: 'Spend money' }).click()
  await expect.poll(async () => (await settings()).policy.deniedEffects).toEqual(['Financial'])
  await page.getByRole('button', { name: 'Add a rule' }).click()
  await page.getByRole('button', { name: 'Add the rule' }).click()
  await expect(page.getByText('The name of one action')).toBeVisible()
  await look(app, 'settings-agent-rule')
  await page.getByLabel('Name of the action').fill('write-file')
  await page.getByRole('radio', { name: 'deny' }).click()
  await page.getByLabel('Reason').fill('Docs are changed by hand')
  await page.keyboard.press('Enter')
  const rule = { name: 'Docs are changed by hand', when: { kind: 'action', action: 'write_file' }, verdict: 'deny' }
  await expect.poll(async () => (await settings()).policy.rules).toEqual([rule])
  await page.getByRole('button', { name: 'Remove rule Docs are changed by hand' }).click()
  await expect.poll(async () => (await settings()).policy.rules).toEqual([])
  await page.keyboard.press('u')
  await expect.poll(async () => (await settings()).policy.rules).toEqual([rule])
})

test('agent: what was approved for a whole thread stands there and is revoked', async () => {
  const { page } = app
  await expect(page.getByText('every ordinary action')).toBeVisible()
  await look(app, 'settings-agent')
  await page.getByRole('button', { name: /^Revoke/ }).click()
  await expect(page.getByText('None. What you approve')).toBeVisible()
})

test('step loop: a proposal is compared, run dry, activated after a question, and rolled back', async () => {
  const { page } = app
  await page.evaluate(async () => {
    const reply = await window.threadsmith.call('orchestrator.get', { version: 0 })
    if (!reply.ok) throw new Error(reply.error.message)
    const propose = (code: string, reason: string) => window.threadsmith.call('orchestrator.propose', { code, reason })
    await propose(`# Keeps every answer short.\n${reply.value.code}`, 'Shorter answers')
    await propose('raise ValueError("no good")', 'Does not work at all')
  })
  await page.getByRole('button', { name: 'Read again' }).click()
  const [v1, v2] = [1, 2].map((n) => page.getByRole('listitem', { name: `v${n}`, exact: true }))
  if (!v1 || !v2) throw new Error('two rows')
  await v1.getByRole('button', { name: 'Code of v1' }).click()
  await expect(v1.locator('.diff .add')).toHaveCount(1)
  await v1.getByRole('button', { name: 'Dry run of v1' }).click()
  await expect(v1).toContainText('1 of 1 took the same way')
  await v2.getByRole('button', { name: 'Dry run of v2' }).click()
  await expect(v2).toContainText('The dry run of v2 failed')
  await v1.scrollIntoViewIfNeeded()
  await look(app, 'settings-loop')
  await v1.getByRole('button', { name: 'Activate v1' }).click()
  await expect(page.getByRole('button', { name: 'Keep the bundled loop' })).toBeFocused()
  await look(app, 'settings-loop-dialog')
  await page.keyboard.press('Escape')
  await expect(v1).toContainText('Candidate')
  await v1.getByRole('button', { name: 'Activate v1' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Activate v1' }).click()
  await expect(v1).toContainText('In use')
  await v2.getByRole('button', { name: 'Activate v2' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Activate v2' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('Nothing was changed')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Roll back to the bundled loop' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Roll back to the bundled loop' }).click()
  await expect(page.getByRole('listitem', { name: 'Bundled' })).toContainText('In use')
})

test('step loop: a pin holds one version, activating another lifts it, proposals are a choice with a warning', async () => {
  const { page } = app
  await page.getByRole('combobox', { name: 'Version for new threads' }).click()
  await page.getByRole('option', { name: 'Always v1' }).click()
  await expect.poll(async () => (await settings()).orchestrator.pinned).toBe(1)
  await page.getByRole('listitem', { name: 'Bundled' }).getByRole('button', { name: 'Activate Bundled' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('The pin on v1 is lifted.')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Activate the bundled loop' }).click()
  await expect.poll(async () => (await settings()).orchestrator.pinned).toBe(null)
  await page.getByRole('checkbox', { name: 'Let the agent propose changes of its own loop' }).click()
  await expect(page.getByText('A loop decides when the agent stops')).toBeVisible()
  await expect.poll(async () => (await settings()).orchestrator.selfModify).toBe(true)
})

test('profile: saved on leaving a field, counted near the limit, not saved over it, and told to new threads', async () => {
  const { page } = app
  await open('#/settings/profile')
  await page.getByLabel('Role').fill('Maintainer of the docs')
  await page.getByLabel('Preferences').fill('Short answers, in British English.')
  await page.getByLabel('Brand voice').fill('x'.repeat(1_950))
  await expect(page.getByText('1,950 of 2,000 characters')).toBeVisible()
  await page.getByLabel('Notes').fill('y'.repeat(2_001))
  await page.getByLabel('Role').focus()
  await expect(page.getByText('Shorten it by 1')).toBeVisible()
  await look(app, 'settings-profile')
  await expect
    .poll(async () => (await settings()).profile)
    .toMatchObject({ role: 'Maintainer of the docs', preferences: 'Short answers, in British English.', notes: '' })
  await page.getByLabel('Notes').fill('')
  answers = [{ text: 'Hello.' }]
  await run('Say hello')
  expect(JSON.stringify(server.requests.at(-1)?.body)).toContain('Role: Maintainer of the docs')
})

test('memory: reached by key, listed by pages, filtered, and a doc shows its text and every version', async () => {
  const { page } = app
  await page.getByRole('heading', { name: 'Profile' }).click()
  await page.keyboard.press('g')
  await page.keyboard.press('e')
  await expect(page.getByRole('heading', { name: 'Sweep of November' })).toBeVisible()
  await page.getByRole('radio', { name: 'Specs' }).click()
  await page.getByRole('link', { name: 'Flag names since 2.0' }).click()
  await expect(page.getByRole('cell', { name: '--retain' })).toBeVisible()
  await page.getByRole('radio', { name: 'All' }).click()
  await look(app, 'memory')
  await page.getByRole('button', { name: /^v1/ }).click()
  await expect(page.getByText('Version 1 of 2')).toBeVisible()
  await page.getByRole('radio', { name: 'Changes since' }).click()
  await expect(page.locator('.diff .add mark').first()).toBeVisible()
  await look(app, 'memory-old-version')
  await page.getByRole('button', { name: 'Back to v2' }).click()
  await page.getByRole('link', { name: 'Flag names since 2.0' }).focus()
  await expect(async () => {
    await page.keyboard.press('End')
    await expect(page.getByText(/more below/)).toHaveCount(0, { timeout: 500 })
  }).toPass()
  await page.keyboard.press('End')
  await expect(page.getByRole('heading', { name: `Page ${notes} was read` })).toBeVisible()
  await page.keyboard.press('k')
  await expect(page.getByRole('heading', { name: `Page ${notes - 1} was read` })).toBeVisible()
})

test('memory: what came from outside is marked, and a search says why it found something', async () => {
  const { page } = app
  await page.keyboard.press('/')
  await page.keyboard.type('forum archive')
  await expect(page.getByRole('list', { name: 'Docs' })).toContainText(/words 1st, lexical \d/)
  await page.getByRole('link', { name: 'The forum moved to the archive' }).click()
  await expect(page.getByText('This text came from outside.')).toBeVisible()
  await look(app, 'memory-search')
  await page.getByRole('radio', { name: 'Specs' }).click()
  await expect(page.getByText('No doc matches')).toBeVisible()
  await page.getByRole('button', { name: 'Clear the filter' }).click()
})

test('memory: a note is written, edited to its next version, archived, and brought back', async () => {
  const { page } = app
  await page.getByRole('heading', { name: 'Memory' }).click()
  await page.keyboard.press('n')
  await page.keyboard.type('Release day')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('There is nothing to keep yet.')).toBeVisible()
  await look(app, 'memory-editor')
  // Another doc and another screen come between; what was written is still there.
  await page.getByRole('link', { name: 'Keep old anchors as aliases' }).click()
  await expect(page.getByRole('heading', { name: 'Keep old anchors as aliases' })).toBeVisible()
  await open('#/threads')
  await open('#/memory')
  await page.getByRole('button', { name: 'Write a note' }).click()
  await expect(page.getByLabel('Title')).toHaveValue('Release day')
  await page.getByLabel('Text, in Markdown').fill('Tags are made **on Tuesdays**.')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { name: 'Release day' })).toBeVisible()
  await expect(page.locator('.prose strong')).toHaveText('on Tuesdays')
  await page.keyboard.press('e')
  await page.keyboard.press('End')
  await page.keyboard.type(' Never on Fridays.')
  await page.getByRole('button', { name: 'Save as v2' }).click()
  await expect(page.getByText('Never on Fridays.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^v2/ })).toContainText('by you')
  await page.getByRole('button', { name: 'Archive' }).click()
  await expect(page.getByText('“Release day” is archived')).toBeVisible()
  await look(app, 'memory-archived')
  await expect(page.getByRole('link', { name: 'Release day' })).toHaveCount(0)
  await page.getByRole('button', { name: /^Undo/ }).click()
  await expect(page.getByRole('link', { name: 'Release day' })).toBeVisible()
})

test('memory: a title that is taken is not written over', async () => {
  const { page } = app
  await page.getByRole('button', { name: 'Write a note' }).click()
  await page.getByLabel('Title').fill('release day')
  await page.getByLabel('Text, in Markdown').fill('Something else.')
  await page.getByRole('button', { name: 'Save the note' }).click()
  await expect(page.getByText('There is a Note with this title')).toBeVisible()
  await page.getByRole('button', { name: 'Discard' }).click()
})

test('memory: a note that a thread writes appears by itself, with the way to that thread', async () => {
  const { page } = app
  answers = [
    { toolCalls: [{ name: 'memory_write', arguments: { title: 'Seen by the agent', content: 'Two flags.' } }] },
    { text: 'Noted.' },
  ]
  await run('Note what you saw')
  await page.getByRole('link', { name: 'Seen by the agent' }).click()
  const versions = page.getByRole('complementary', { name: 'Facts and versions' })
  await expect(versions.getByRole('link', { name: /thread #\d/ })).toBeVisible()
  await app.screenshot('memory-by-agent-light')
  await versions.getByRole('link', { name: /thread #\d/ }).click()
  await expect(page.getByRole('treegrid')).toBeVisible()
})

test('memory: an address of no doc says so', async () => {
  await open('#/memory/nothing')
  await expect(app.page.getByText('This doc could not be read')).toBeVisible()
  await expect(app.page.getByText('memory.not_found')).toBeVisible()
  await app.screenshot('memory-missing-light')
})

test('memory: each folder has its own; an empty one says what it is for, and a narrow window shows it all', async () => {
  const { page } = app
  const other = mkdtempSync(path.join(tmpdir(), 'empty-'))
  await page.evaluate((to) => window.threadsmith.call('project.open', { folder: to }), other)
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await open('#/memory')
  await page.getByRole('combobox', { name: 'Folder' }).click()
  await page.getByRole('option', { name: path.basename(other) }).click()
  await expect(page.getByText('Nothing is remembered yet')).toBeVisible()
  await look(app, 'memory-empty')
  await page.getByRole('button', { name: 'Write a note' }).last().click()
  await expect(page.getByLabel('Title')).toBeFocused()
  await page.keyboard.press('Escape')
  await page.getByRole('combobox', { name: 'Folder' }).click()
  await page.getByRole('option', { name: path.basename(folder) }).click()
  await page.getByRole('link', { name: 'Flag names since 2.0' }).click()
  await setWindowSize(app, 1_024, 700)
  await page.evaluate(() => window.threadsmith.call('settings.set', { patch: { density: 'comfortable' } }))
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(page.locator('html')).toHaveAttribute('data-density', 'comfortable')
  await look(app, 'memory-narrow')
  for (const section of ['models', 'budgets', 'agent', 'profile']) {
    await open(`#/settings/${section}`)
    await expect(page.locator('.doc h1')).toBeVisible()
    const [scroll, client] = await page.evaluate(() => {
      const box = document.querySelector('.pane-body.scrolls')
      return [box?.scrollWidth, box?.clientWidth]
    })
    expect(scroll, `${section} is no wider than its pane`).toBe(client)
    await app.screenshot(`settings-${section}-narrow-light`)
  }
  rmSync(other, { recursive: true })
})

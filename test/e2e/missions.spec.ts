import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import Database from 'better-sqlite3'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { launchApp, type RunningApp } from './app-fixture.ts'
import { clearDesk, look, pressKey, setWindowSize, startWith, useServer } from './desk.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'threadsmith-missions-'))
writeFileSync(path.join(folder, 'notes.md'), '# Notes\n')
const account = {
  done: 'Labelled two issues, linked one duplicate.',
  nextFocus: 'Label new issues with the narrower label; link duplicates to the older issue.',
  goalReached: false,
  evidence: ['2 labels set'],
}
let app: RunningApp
let server: ModelServer
/** What the model answers: the account of a firing, or a text that is none. */
let answer = `Looked.\n\n\`\`\`json\n${JSON.stringify(account)}\n\`\`\``

test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  server = await startModelServer(() => ({ text: answer }))
  app = await launchApp({ env: { THREADSMITH_MISSIONS: '1' } })
  await setWindowSize(app)
  await startWith(app, folder)
  await useServer(app, server.baseUrl)
})
test.afterAll(() => clearDesk({ app, server, folder }))

const detail = (name: string) => app.page.getByRole('region', { name, exact: true })
const row = (name: string) => app.page.getByRole('list', { name: 'Missions' }).getByRole('link', { name, exact: true })

/** The ledger is asked of the engine: what the screen shows of it is looked at beside. */
async function newestState(name: string): Promise<string | undefined> {
  return app.page.evaluate(async (wanted) => {
    const list = await window.threadsmith.call('mission.list', {})
    const id = list.ok ? list.value.find((mission) => mission.name === wanted)?.id : undefined
    const firings = id === undefined ? undefined : await window.threadsmith.call('mission.firings', { id })
    return firings?.ok ? firings.value[0]?.state : undefined
  }, name)
}

test('without a mission the screen says what one is, and a starter only fills the form', async () => {
  const { page } = app
  await page.getByRole('textbox', { name: 'Message' }).press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('m')
  await expect(page.getByRole('heading', { name: 'Missions', level: 1 })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No missions of yours yet' })).toBeVisible()
  await look(app, 'missions-empty')
  await page.getByRole('button', { name: 'Use Triage new issues' }).click()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('issue-triage')
  await expect(page.getByText('Every 15 minutes')).toBeVisible()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByRole('heading', { name: 'No missions of yours yet' })).toBeVisible()
})

test('a mission is written by keyboard; a cron expression is refused with its place; nothing typed is lost', async () => {
  const { page } = app
  await pressKey(page, 'n')
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await page.keyboard.type('issue-triage')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Reads new issues of saltmarsh, labels them, links duplicates.')
  await page.keyboard.press('Tab')
  await page.keyboard.type(
    'Read the issues that were opened since the last run and label them. Never close, never reply.',
  )
  await page.getByRole('combobox', { name: 'Cadence' }).click()
  await page.getByRole('option', { name: 'By a cron expression' }).click()
  const cron = page.getByRole('textbox', { name: 'Cron' })
  await cron.fill('*/15 9-26 * * 1-5')
  await expect(page.locator('.msn-refusal')).toContainText('Position 8')
  await expect(page.locator('.msn-marked mark')).toHaveText('26')
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Europe/Lisbon')
  await look(app, 'missions-cron-refused')
  await page.keyboard.press('Control+Enter')
  await expect(cron).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByText('mission.invalid')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('issue-triage')
  await page.getByRole('link', { name: 'Missions', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'No missions of yours yet' })).toBeVisible()
  await page.keyboard.press('n')
  await expect(page.getByRole('textbox', { name: 'Name' })).toHaveValue('issue-triage')
  await cron.fill('*/15 9-16 * * 1-5')
  await expect(page.getByRole('list', { name: 'Next five' }).getByRole('listitem')).toHaveCount(5)
  await expect(page.locator('.ink-done')).toContainText('Every 15 minutes')
  await look(app, 'missions-editor')
  await page.keyboard.press('Control+Enter')
  await expect(detail('issue-triage').getByRole('heading', { name: 'issue-triage', level: 2 })).toBeVisible()
  await expect(row('issue-triage')).toHaveAttribute('aria-current', 'page')
})

test('run now: the ledger has a row with its state and thread, and the account is the next focus', async () => {
  const { page } = app
  await row('issue-triage').focus()
  await page.keyboard.press('r')
  await expect.poll(() => newestState('issue-triage')).toBe('ran')
  await expect(detail('issue-triage')).toContainText('Set off by you: ran')
  await expect(
    page.getByRole('list', { name: 'Last firings' }).getByRole('link', { name: /thread #\d+/ }),
  ).toBeVisible()
  await expect(detail('issue-triage')).toContainText(account.nextFocus)
  await look(app, 'missions-overview')
  await page.keyboard.press('h')
  await expect(page.getByRole('list', { name: 'Firings' }).getByRole('listitem')).toHaveCount(1)
  await expect(detail('issue-triage')).not.toContainText('Set off by you')
  await expect(page.getByRole('list', { name: 'Firings' })).toContainText('by hand, v1')
  await look(app, 'missions-history')
  await page.getByRole('tab', { name: /Focus and approach/ }).click()
  await expect(page.getByRole('tabpanel')).toContainText(account.done)
  await look(app, 'missions-approach')
  await page.getByRole('tab', { name: 'Prompt preview' }).click()
  for (const part of ['Goal', 'Focus', 'Approaches so far', 'What set it off', 'How it has to answer'])
    await expect(page.getByRole('region', { name: part, exact: true })).toBeVisible()
  await look(app, 'missions-prompt')
  await page.getByRole('tab', { name: 'Definition' }).click()
  await expect(page.getByRole('tabpanel')).toContainText('One run stands for all that were missed')
  await look(app, 'missions-definition')
})

test('a firing that gives no account is failed, and the row says why', async () => {
  const { page } = app
  answer = 'Mission complete!'
  await page.getByRole('tab', { name: 'Overview' }).click()
  await pressKey(detail('issue-triage'), 'r')
  await expect.poll(() => newestState('issue-triage')).toBe('failed')
  await expect(page.getByRole('list', { name: 'Last firings' })).toContainText('its answer has no account at its end')
  await expect(detail('issue-triage').getByText('1 failure', { exact: true })).toBeVisible()
  await look(app, 'missions-failed')
})

test('pause is taken back by one key; the next firing is skipped with a row', async () => {
  const { page } = app
  await pressKey(detail('issue-triage'), 'p')
  await expect(page.getByText('issue-triage is paused')).toBeVisible()
  await expect(detail('issue-triage').getByRole('button', { name: 'Resume' })).toBeVisible()
  await page.getByRole('status').getByRole('button', { name: 'Resume' }).press('u')
  await expect(detail('issue-triage').getByRole('button', { name: 'Pause' })).toBeVisible()
  await page.keyboard.press('s')
  await expect.poll(() => newestState('issue-triage')).toBe('skipped')
  await expect(page.getByRole('list', { name: 'Last firings' }).getByRole('listitem')).toHaveCount(3)
})

test('an edit is the next version; a name that is no name is said at its field', async () => {
  const { page } = app
  await pressKey(detail('issue-triage'), 'e')
  await page.getByRole('textbox', { name: 'Name' }).fill('Issue Triage')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('textbox', { name: 'Name' })).toBeFocused()
  await expect(page.getByRole('alert')).toContainText('lower-case letters')
  await page.getByRole('textbox', { name: 'Name' }).fill('issue-triage')
  await page.getByRole('textbox', { name: 'Daily cap, a day' }).fill('40')
  await page.getByRole('button', { name: /^Save as v2/ }).click()
  await expect(detail('issue-triage')).toContainText('At most 40 a day')
})

test('what was typed over an older version is kept, and saved only where a person said so', async () => {
  const { page } = app
  await pressKey(detail('issue-triage'), 'e')
  await page.getByRole('textbox', { name: 'Goal' }).fill('Mine.')
  await page.evaluate(async () => {
    const list = await window.threadsmith.call('mission.list', {})
    const id = list.ok ? list.value.find((mission) => mission.name === 'issue-triage')?.id : undefined
    const read = id === undefined ? undefined : await window.threadsmith.call('mission.get', { id })
    if (!read?.ok || read.value.definition === null) throw new Error('no such mission')
    const { projectId, definition } = read.value
    await window.threadsmith.call('mission.save', { id, projectId, definition: { ...definition, goal: 'Theirs.' } })
  })
  const outdated = page.getByRole('status').filter({ hasText: 'v3 is what there is, and you began with v2' })
  await expect(outdated).toContainText('It differs from v3 in goal.')
  await expect(page.getByRole('button', { name: /^Save as v4/ })).toBeDisabled()
  await look(app, 'missions-outdated')
  await page.reload()
  await expect(outdated).toBeVisible()
  await outdated.getByRole('button', { name: 'Use mine' }).click()
  await expect(page.getByRole('textbox', { name: 'Goal' })).toHaveValue('Mine.')
  await page.getByRole('button', { name: /^Save as v4/ }).click()
  await page.getByRole('tab', { name: 'Definition' }).click()
  await expect(page.getByRole('tabpanel')).toContainText('Mine.')
})

test('what the agent proposed says what it would do, and is started by a decision about that version', async () => {
  // Nothing but an agent proposes; the row is made one of its own while the app is closed.
  await app.close()
  const store = new Database(path.join(app.home, 'threadsmith.db'))
  store
    .prepare("UPDATE mission SET status = 'proposed', source = 'agent', nextFireAt = NULL WHERE name = 'issue-triage'")
    .run()
  store.close()
  app = await launchApp({ home: app.home, env: { THREADSMITH_MISSIONS: '1' } })
  await setWindowSize(app)
  const { page } = app
  await page.getByRole('link', { name: 'Missions, 1 waiting', exact: true }).click()
  await row('issue-triage').click()
  const proposal = page.getByRole('region', { name: 'Proposal' })
  await expect(proposal).toContainText('It does nothing until you start it')
  await expect(proposal).toContainText('The new one is skipped')
  await expect(page.getByRole('button', { name: 'Run now' })).toHaveCount(0)
  await look(app, 'missions-proposed')
  await proposal.getByRole('button', { name: 'Start v4' }).click()
  await expect(detail('issue-triage').getByRole('button', { name: 'Pause' })).toBeVisible()
  await expect(page.getByRole('contentinfo')).toContainText('next: issue-triage')
})

test('a webhook has its address, and its secret is shown once; what is not signed with it is refused and counted', async () => {
  const { page } = app
  await pressKey(page, 'n')
  await page.getByRole('textbox', { name: 'Name' }).fill('on-delivery')
  await page.getByRole('textbox', { name: 'Goal' }).fill('Look at what was delivered.')
  await page.getByRole('combobox', { name: 'Cadence' }).click()
  await page.getByRole('option', { name: 'By webhook' }).click()
  await page.keyboard.press('Control+Enter')
  const pane = detail('on-delivery')
  await expect(pane).toContainText('nothing can be delivered')
  await pane.getByRole('button', { name: 'Make a secret' }).click()
  await expect(pane.getByRole('status').filter({ hasText: 'whsec_' })).toBeVisible()
  await pane.getByRole('button', { name: 'Listen' }).click()
  await expect(pane).toContainText(/POST http:\/\/127\.0\.0\.1:\d+\/hooks\//)
  await look(app, 'missions-webhook')
  const url = /POST (\S+)/.exec((await pane.textContent()) ?? '')?.[1]?.replace(/Stop.*$/, '') ?? ''
  const answer = await fetch(url, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } })
  expect([answer.status, await answer.json()]).toEqual([401, { ok: false, code: 'webhook.headers' }])
  await page.reload()
  await expect(pane).toContainText('webhook.headers')
  await expect(pane).not.toContainText('whsec_')
  await pane.getByRole('button', { name: 'Stop listening' }).click()
  await expect(pane).toContainText('Not listening.')
})

test('after two crashes missions wait, say why, and fire again when a person lets them', async () => {
  for (let crash = 0; crash < 2; crash += 1) {
    await app.kill()
    app = await launchApp({ home: app.home, env: { THREADSMITH_MISSIONS: '1' } })
  }
  await setWindowSize(app)
  const { page } = app
  await page.getByRole('link', { name: 'Missions', exact: true }).click()
  const held = page.getByRole('status').filter({ hasText: '2 times within an hour' })
  await expect(held).toBeVisible()
  await expect(page.getByRole('contentinfo')).toContainText('missions held')
  await expect(page.getByRole('contentinfo')).not.toContainText('next:')
  await expect(detail('issue-triage').getByText('Held', { exact: true })).toBeVisible()
  await look(app, 'missions-held')
  await held.getByRole('button', { name: 'Let missions fire' }).click()
  await expect(held).toHaveCount(0)
  await expect(page.getByRole('contentinfo')).toContainText('next: issue-triage')
})

test('a mission that is not there is told with what to do next', async () => {
  const { page } = app
  await page.evaluate(() => {
    location.hash = '#/missions/mis_nowhere'
  })
  await expect(page.getByRole('group', { name: 'This mission could not be read' })).toContainText('mission.not_found')
  await look(app, 'missions-error')
  await page.getByRole('button', { name: 'Show the list' }).click()
})

test('removing asks with the consequences, and keeps by default', async () => {
  const { page } = app
  await row('issue-triage').click()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: /Remove the mission/ }).click()
  await expect(page.getByRole('button', { name: /Keep it/ })).toBeFocused()
  await look(app, 'missions-remove')
  await page.getByRole('button', { name: 'Remove issue-triage' }).click()
  await expect(row('issue-triage')).toHaveCount(0)
  await row('on-delivery').click()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: /Remove the mission/ }).click()
  await page.getByRole('button', { name: 'Remove on-delivery' }).click()
  await expect(page.getByRole('heading', { name: 'No missions of yours yet' })).toBeVisible()
})

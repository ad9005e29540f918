import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { z } from 'zod'
import type { JsonObject } from '../../core/domain/json.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { launchApp, type RunningApp } from './app-fixture.ts'
import {
  clearDesk,
  fireMission,
  look,
  pressKey,
  sendThread,
  setWindowSize,
  startWith,
  stepsOf,
  useServer,
} from './desk.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'threadsmith-learnt-'))
writeFileSync(path.join(folder, 'notes.md'), '# Notes\n')

let app: RunningApp
let server: ModelServer
/** What the mission proposes beside what is known already. */
let proposal: { readonly name: string; readonly arguments: JsonObject } | null = null

const asked = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
})
const account = '```json\n{"done": "looked", "nextFocus": null, "goalReached": false, "evidence": []}\n```'
const rule = 'Look up a path with list_files'

/** Guesses two paths unless a rule says better; as a learning mission it looks once, and tells what it did. */
test.beforeAll(async () => {
  server = await startModelServer(({ body }) => {
    const { messages } = asked.parse(body)
    const said = String(messages.findLast(({ role }) => role === 'user')?.content ?? '')
    const results = messages.filter(({ role }) => role === 'tool').length
    const looks = /^# Mission: (self-improvement|conversation-insights)/.exec(said)?.[1]
    if (looks !== undefined) {
      const name = looks === 'self-improvement' ? 'trace_findings' : 'thread_digest'
      if (results === 0) return { toolCalls: [{ name, arguments: {} }] }
      return results === 1 && proposal ? { toolCalls: [proposal] } : { text: account }
    }
    const isTold = String(messages[0]?.content ?? '').includes(rule)
    if (isTold || results === 2 || said.startsWith('Always')) return { text: 'The water is high at six.' }
    const call = { name: 'read_file', arguments: { path: `tide-${results}.md` }, id: `c${results}` }
    return { toolCalls: [call] }
  })
  app = await launchApp({ env: { THREADSMITH_MISSIONS: '1' } })
  await setWindowSize(app)
  await startWith(app, folder)
  await useServer(app, server.baseUrl)
})
test.describe.configure({ mode: 'serial' })
test.afterAll(() => clearDesk({ app, server, folder }))

/** In a chat of its own, until it is done. */
async function runThread(text: string): Promise<void> {
  await stepsOf(app, await sendThread(app, text))
}

/** A learning mission fires now, and has come to rest. */
async function learn(name: string): Promise<void> {
  const threadId = await fireMission(app, name)
  if (threadId !== null) await stepsOf(app, threadId)
}

const ruleRegion = () => app.page.getByRole('region', { name: `Learnt: ${rule}` })

async function goToLearnt(): Promise<void> {
  await app.page.keyboard.press('g')
  await app.page.keyboard.press('l')
}

test('before anything was learnt, it says what would stand here and what may happen by itself', async () => {
  const { page } = app
  await page.getByRole('link', { name: 'Threads', exact: true }).click()
  await goToLearnt()
  await expect(page.getByRole('heading', { name: 'Nothing was learnt yet' })).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Put small things in force without asking' })).not.toBeChecked()
  await look(app, 'learnt-empty')
})

test('a rule that a mission proposed waits, with its threads; Approvals says that it does', async () => {
  const { page } = app
  await runThread('When is high water?')
  await runThread('When is high water tomorrow?')
  await learn('self-improvement')
  await expect(page.getByRole('link', { name: 'What I learnt, 1 waiting' })).toBeVisible()
  await page.getByRole('link', { name: 'Approvals', exact: true }).click()
  await expect(page.getByText('1 proposal to learn from waits on another screen.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Nothing waits for you' })).toHaveCount(0)
  await look(app, 'learnt-in-approvals')
  await goToLearnt()
  await expect(ruleRegion()).toContainText('Waits for you')
  await expect(ruleRegion()).toContainText('are told this rule')
  await expect(ruleRegion().getByRole('link', { name: '#1' })).toBeVisible()
  await look(app, 'learnt-waits')
})

test('approved by keyboard it is in force; what it did is told with how many threads there were', async () => {
  const { page } = app
  await expect(ruleRegion().getByRole('button', { name: 'Reject' })).toBeFocused()
  await page.keyboard.press('y')
  await expect(ruleRegion().getByRole('heading', { level: 2 })).toContainText('In force')
  await expect(ruleRegion()).toContainText('by you')
  await expect(page.getByRole('link', { name: 'What I learnt', exact: true })).toBeVisible()
  await runThread('When is high water on Sunday?')
  await page.getByRole('link', { name: 'Threads', exact: true }).click()
  await goToLearnt()
  await expect(ruleRegion()).toContainText('Too few to say: 1 thread so far, it takes 5.')
  await look(app, 'learnt-in-force')
})

test('what a person said leads to the place where it was said, and is refused with a reason', async () => {
  const { page } = app
  await runThread('Always use metric units. How far is the pier?')
  await learn('conversation-insights')
  const insight = page.getByRole('region', { name: 'Learnt: Always use metric units.' })
  await page.getByRole('link', { name: /^Candidate Always use metric units/ }).click()
  await expect(insight).toContainText('are told that you said this')
  await insight.getByRole('link', { name: /^#/ }).click()
  await expect(page.locator('[aria-current="location"]')).toContainText('Always use metric units.')
  await look(app, 'learnt-source')
  await page.goBack()
  await expect(insight).toBeVisible()
  await page.keyboard.press('j')
  await expect(ruleRegion()).toBeVisible()
  await page.keyboard.press('k')
  await expect(insight).toBeVisible()
  await page.keyboard.press('n')
  await page.keyboard.type('only in this chat')
  await look(app, 'learnt-refusing')
  await page.keyboard.press('Enter')
  await expect(insight.getByRole('heading', { level: 2 })).toContainText('Rejected')
  await expect(insight).toContainText('only in this chat')
})

test('taken back by keyboard it is in force no longer, and says so with the reason', async () => {
  const { page } = app
  await page
    .getByRole('navigation', { name: 'What was learnt' })
    .getByRole('link', { name: new RegExp(rule) })
    .click()
  await pressKey(page, 'u')
  await page.keyboard.type('it looks too often')
  await page.keyboard.press('Enter')
  await expect(ruleRegion().getByRole('heading', { level: 2 })).toContainText('Taken back')
  await expect(ruleRegion()).toContainText('it looks too often')
  await expect(ruleRegion().getByRole('button', { name: 'Take it back' })).toHaveCount(0)
  await look(app, 'learnt-taken-back')
})

test('whether small things come into force at once is one switch, which is kept', async () => {
  const { page } = app
  const toggle = page.getByRole('checkbox', { name: 'Put small things in force without asking' })
  await toggle.click()
  await expect(toggle).toBeChecked()
  await page.reload()
  await expect(toggle).toBeChecked()
  await page.getByRole('combobox', { name: 'Kind' }).click()
  await page.getByRole('option', { name: /^Preference/ }).click()
  await expect(page.getByRole('navigation', { name: 'What was learnt' }).getByRole('link')).toHaveCount(1)
  // What was shown is no preference: the one that is listed stands in its place.
  await expect(page.getByRole('region', { name: 'Learnt: Always use metric units.' })).toBeVisible()
  await look(app, 'learnt-kind')
})

async function limitSteps(steps: number | null): Promise<void> {
  await app.page.evaluate(async (most) => {
    const settings = await window.threadsmith.call('settings.get', {})
    if (!settings.ok) throw new Error(settings.error.message)
    const { budgets } = settings.value
    const thread = { ...budgets.thread, steps: most }
    await window.threadsmith.call('settings.set', { patch: { budgets: { ...budgets, thread } } })
  }, steps)
}

const stepsNow = () =>
  app.page.evaluate(async () => {
    const settings = await window.threadsmith.call('settings.get', {})
    return settings.ok ? settings.value.budgets.thread.steps : 0
  })

test('a setting that was changed meanwhile is not written over, and says so; else a yes changes it, and taking it back too', async () => {
  const { page } = app
  const before = await stepsNow()
  const change = { setting: 'budgets.thread.steps', after: 80, threads: [1], reason: 'It stood in the way.' }
  proposal = { name: 'setting_propose', arguments: change }
  await learn('self-improvement')
  await page.getByRole('combobox', { name: 'Kind' }).click()
  await page.getByRole('option', { name: 'Every kind' }).click()
  await page.getByRole('link', { name: /^Candidate Budget of steps for each thread/ }).click()
  const setting = page.getByRole('region', { name: 'Learnt: Budget of steps for each thread: no limit → 80' })
  await expect(setting).toContainText('for all folders')
  await limitSteps(60)
  await page.keyboard.press('y')
  await expect(setting).toContainText('It is not what you saw.')
  await expect(setting).toContainText('no limit → 80; it is 60 now')
  await expect(setting.getByRole('heading', { level: 2 })).toContainText('Waits for you')
  expect(await stepsNow()).toBe(60)
  await look(app, 'learnt-stale')
  await limitSteps(before)
  await page.keyboard.press('y')
  await expect(setting.getByRole('heading', { level: 2 })).toContainText('In force')
  expect(await stepsNow()).toBe(80)
  await pressKey(page, 'u')
  await page.keyboard.press('Enter')
  await expect(setting.getByRole('heading', { level: 2 })).toContainText('Taken back')
  expect(await stepsNow()).toBe(before)
})

import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { z } from 'zod'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { launchApp, type RunningApp } from './app-fixture.ts'
import { clearDesk, look, say, setWindowSize, startWith, useServer } from './desk.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'threadsmith-skill-life-'))
writeFileSync(path.join(folder, 'notes.md'), '# Notes\n')

let app: RunningApp
let server: ModelServer

const asked = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
})

/** Proposes what the goal quotes, never comes to an answer where it says so, and else answers at once. */
test.beforeAll(async () => {
  server = await startModelServer(({ body }) => {
    const { messages } = asked.parse(body)
    const said = String(messages.findLast(({ role }) => role === 'user')?.content ?? '')
    if (/never/.test(said)) return { toolCalls: [{ name: 'time', arguments: {} }] }
    const text = /“(.*)”/s.exec(said)?.[1]
    const isProposed = messages.at(-1)?.role === 'tool'
    if (text === undefined || isProposed) return { text: 'The water is high at six.' }
    const draft = {
      ...{
        name: 'tide-report',
        description: 'Says when the water is high at a pier.',
        body: `# Tide report\n\n${text}`,
      },
      keywords: ['tide', 'high water'],
    }
    return { toolCalls: [{ name: 'save_skill', arguments: draft }] }
  })
  app = await launchApp()
  await setWindowSize(app)
  await startWith(app, folder)
  await useServer(app, server.baseUrl)
})
test.describe.configure({ mode: 'serial' })
test.afterAll(() => clearDesk({ app, server, folder }))

const candidate = () => app.page.getByRole('region', { name: 'Candidate: tide-report' })

async function openApprovals(): Promise<void> {
  await app.page.getByRole('link', { name: /^Approvals/ }).click()
  await expect(candidate()).toBeVisible()
}

/** In a chat of its own, by the call that the composer makes; waits until its uses are counted. */
async function runThread(text: string, maxSteps?: number): Promise<void> {
  await app.page.evaluate(
    async ([goal, most]) => {
      const projects = await window.threadsmith.call('project.list', {})
      const projectId = projects.ok ? projects.value[0]?.id : undefined
      const limit = most === null ? {} : { maxSteps: most }
      const sent = await window.threadsmith.call('thread.send', {
        ...(projectId && { projectId }),
        text: goal,
        ...limit,
      })
      if (!sent.ok) throw new Error(sent.error.message)
      for (;;) {
        const { threadId: id } = sent.value
        const events = await window.threadsmith.call('thread.events', { id, after: 0, limit: 500 })
        if (events.ok && events.value.rows.some(({ kind }) => kind === 'skill.used')) return
        const thread = await window.threadsmith.call('thread.get', { id })
        if (thread.ok && thread.value.state === 'Suspended')
          throw new Error(`The thread came to rest before its skills were counted: ${thread.value.reason}`)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
    [text, maxSteps ?? null] as const,
  )
}

async function approveByKey(version: string): Promise<void> {
  const { page } = app
  await expect(page.getByRole('button', { name: new RegExp(`^Approve as ${version}`) })).toBeEnabled()
  await page.keyboard.press('y')
  await expect(candidate().getByRole('heading', { level: 2 })).toContainText('Approved')
}

test('what a thread proposes waits in Approvals, with its difference and the steps that it comes from', async () => {
  const { page } = app
  await say(app, 'When is the tide at the pier? Keep how you found out: “Ask the gauge for the time of high water.”')
  await expect(page.getByText('The water is high at six.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Approvals, 1 waiting' })).toBeVisible()
  await expect(page.getByText('A skill was proposed: tide-report.')).toBeVisible()
  await look(app, 'skill-life-proposed')
  await page.getByRole('link', { name: 'Look at it' }).click()
  await expect(candidate()).toContainText('#1')
  await expect(page.locator('.diff .add').filter({ hasText: 'Ask the gauge' })).toBeVisible()
  await look(app, 'skill-life-candidate')
  await page.getByRole('tab', { name: 'Evidence' }).click()
  await expect(
    page.getByRole('tabpanel').getByText('When is the tide at the pier', { exact: false }).first(),
  ).toBeVisible()
  await look(app, 'skill-life-evidence')
  await page.getByRole('tab', { name: /^Diff/ }).click()
  await approveByKey('v1')
})

test('approved, it is chosen for the next goal that calls for it, and counted', async () => {
  const { page } = app
  await page.getByRole('link', { name: 'Chat', exact: true }).click()
  await say(app, 'And the tide tomorrow?')
  const chip = page.getByRole('list', { name: 'Skills' }).getByRole('link', { name: /tide-report v1/ })
  await expect(chip).toBeVisible()
  await chip.click()
  await page.getByRole('tab', { name: 'Metrics' }).click()
  await expect(page.getByRole('img', { name: /v1 1 of 1/ })).toBeVisible()
  for (const day of ['today', 'on Monday', 'on Tuesday', 'on Friday']) await runThread(`The tide ${day}?`)
  await expect(page.getByRole('img', { name: /v1 5 of 5/ })).toBeVisible()
  await expect(page.getByRole('tabpanel')).toContainText('57 – 100 %')
})

test('a worse version of it is taken back by itself after three failures, and the chart shows it', async () => {
  const { page } = app
  await page.getByRole('link', { name: 'Chat', exact: true }).click()
  await say(app, 'The tide once more. Keep it better: “Ask the gauge twice.”')
  await expect(page.getByRole('link', { name: 'Approvals, 1 waiting' })).toBeVisible()
  await openApprovals()
  await expect(page.locator('.diff .del').filter({ hasText: 'for the time of high water' })).toBeVisible()
  await look(app, 'skill-life-update')
  await approveByKey('v2')
  for (const day of ['today', 'tomorrow', 'on Monday']) await runThread(`The tide ${day}, never`, 2)
  await page.getByRole('link', { name: 'Skills', exact: true }).click()
  await page.getByRole('list', { name: 'Skills' }).getByRole('link', { name: 'tide-report', exact: true }).click()
  const pane = page.getByRole('region', { name: 'tide-report', exact: true })
  await expect(pane.getByRole('link', { name: 'v2 taken back' })).toBeVisible()
  await page.getByRole('tab', { name: 'Overview' }).click()
  await expect(page.getByRole('tabpanel').getByText(/^v2 was taken back on/)).toBeVisible()
  await look(app, 'skill-life-taken-back')
  await page.getByRole('tab', { name: 'Metrics' }).click()
  const chart = page.getByRole('img', { name: /v2 0 of 3/ })
  await expect(chart).toBeVisible()
  await expect(pane.getByRole('heading', { level: 2 })).toBeVisible()
  await expect(pane).toContainText('v2 rolled back')
  await look(app, 'skill-life-rolled-back')
  await page.getByRole('tab', { name: /^Versions/ }).click()
  await expect(page.getByRole('tabpanel')).toContainText('it is worse, or what it relies on has changed')
  await look(app, 'skill-life-versions')
})

test('the version before is chosen again', async () => {
  const { page } = app
  await page.getByRole('link', { name: 'Chat', exact: true }).click()
  await say(app, 'The tide on Sunday?')
  await expect(
    page
      .getByRole('list', { name: 'Skills' })
      .getByRole('link', { name: /tide-report v1/ })
      .last(),
  ).toBeVisible()
})

import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { z } from 'zod'
import type { JsonObject } from '../../core/domain/json.ts'
import { type ModelServer, type ServedAnswer, startModelServer } from '../support/model-server.ts'
import { launchApp, type RunningApp } from './app-fixture.ts'
import { clearDesk, fireMission, look, sendThread, setWindowSize, startWith, stepsOf, useServer } from './desk.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'threadsmith-learned-model-'))
mkdirSync(path.join(folder, 'reports'))
const months = [1, 2, 3, 4].map((month) => `2026-0${month}`)
for (const [at, month] of months.entries()) {
  const rows = Array.from({ length: at + 3 }, (_, row) => `c${row},${(row + 1) * 10 + at}`)
  writeFileSync(path.join(folder, `reports/${month}.csv`), `customer,amount\n${rows.join('\n')}\n`)
}

const bundled = readFileSync(path.resolve(import.meta.dirname, '../../core/orchestrator/default.py'), 'utf8')
/** Works on what is on record, and fails as soon as it is told something new. */
const brittle = bundled.replace(
  'reply = llm_complete(checkpoint)',
  'reply = llm_complete(checkpoint)\n        if reply["type"] == "text" and reply["text"] == "new":\n            raise ValueError("my own fault")',
)
const account = '```json\n{"done": "looked", "nextFocus": null, "goalReached": false, "evidence": []}\n```'
const rule = 'Look up a path with list_files'

interface Asked {
  /** The newest of what a person, or a brief, said. */
  readonly said: string
  readonly system: string
  readonly results: readonly string[]
  readonly canPropose: boolean
}
const bodySchema = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional(),
})

function askedOf(body: unknown): Asked {
  const { messages, tools = [] } = bodySchema.parse(body)
  const texts = (role: string) => messages.filter((each) => each.role === role).map(({ content }) => String(content))
  return {
    said: texts('user').at(-1) ?? '',
    system: texts('system').join('\n'),
    results: texts('tool'),
    canPropose: tools.some(({ function: { name } }) => name === 'orchestrator_propose'),
  }
}

/** As a learning mission it looks once, proposes a loop where it may, and tells what it did. */
function inMission({ said, results, canPropose }: Asked): ServedAnswer {
  const isMining = said.startsWith('# Mission: skill-extraction')
  if (results.length === 0) return calling(isMining ? 'skill_mine' : 'trace_findings', {})
  if (results.length === 1 && canPropose && !isMining)
    return calling('orchestrator_propose', { code: brittle, reason: 'sturdier' })
  return { text: account }
}

/** Three calls for a total, or the function of a skill where there is one. */
function total(month: string, { system, results }: Asked): ServedAnswer {
  const file = `reports/${month}.csv`
  const known = /`(\w+)\(\*, path\)`/.exec(system)?.[1]
  if (known !== undefined) return { text: `\`\`\`repl\nFINAL(${known}(path="${file}")["answer"])\n\`\`\`` }
  if (results.length === 0) return calling('file_facts', { path: file })
  if (results.length === 1) return calling('read_file', { path: file })
  if (results.length === 2) return calling('table', { path: file, aggregate: [{ fn: 'sum', column: 'amount' }] })
  return { text: `The total is ${/"sum_amount":\s*(\d+)/.exec(results[2] ?? '')?.[1]}.` }
}

/** Guesses two paths unless a rule says better. */
function tide({ system, results }: Asked): ServedAnswer {
  if (system.includes(rule) || results.length === 2) return { text: 'The water is high at six.' }
  return calling('read_file', { path: `tide-${results.length}.md` })
}

let calls = 0
function calling(name: string, args: JsonObject): ServedAnswer {
  calls += 1
  return { toolCalls: [{ name, arguments: args, id: `c${calls}` }] }
}

let app: RunningApp
let server: ModelServer
test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  server = await startModelServer(({ body }) => {
    const asked = askedOf(body)
    if (asked.said.startsWith('# Mission: ')) return inMission(asked)
    const month = /2026-\d\d/.exec(asked.said)?.[0]
    if (month !== undefined) return total(month, asked)
    return asked.said === 'something new' ? { text: 'new' } : tide(asked)
  })
  app = await launchApp({ env: { THREADSMITH_MISSIONS: '1' } })
  await setWindowSize(app)
  await startWith(app, folder)
  await useServer(app, server.baseUrl)
})
test.afterAll(() => clearDesk({ app, server, folder }))

const run = async (text: string): Promise<number> => stepsOf(app, await sendThread(app, text))
const show = (hash: string) => app.page.evaluate((to) => location.assign(to), hash)

async function learn(name: string): Promise<void> {
  const threadId = await fireMission(app, name)
  if (threadId !== null) await stepsOf(app, threadId)
}

test('with a model: three threads alike are mined, and the function that is approved answers the next in one step', async () => {
  const { page } = app
  const before = [
    await run('What is the total of the amount column in reports/2026-01.csv?'),
    await run('Sum up the amount column of reports/2026-02.csv'),
    await run('Please tell me the total amount in reports/2026-03.csv'),
  ]
  expect(before).toEqual([4, 4, 4])
  await learn('skill-extraction')
  await expect(page.getByRole('link', { name: 'Approvals, 1 waiting' })).toBeVisible()
  await page.getByRole('link', { name: /^Approvals/ }).click()
  const candidate = page.getByRole('region', { name: /^Candidate: / })
  await expect(candidate).toContainText('3 threads did the same work')
  await page.getByRole('tab', { name: 'Evidence' }).click()
  await look(app, 'learned-model-evidence')
  await page.getByRole('tab', { name: /^Diff/ }).click()
  await expect(page.getByRole('button', { name: /^Approve as v1/ })).toBeEnabled()
  await page.keyboard.press('y')
  await expect(candidate.getByRole('heading', { level: 2 })).toContainText('Approved')
  const asked = server.requests.length
  const threadId = await sendThread(app, 'What is the total of the amount column in reports/2026-04.csv?')
  expect(await stepsOf(app, threadId)).toBe(1)
  expect(server.requests.length - asked).toBe(1)
  await show(`#/thread/${threadId}`)
  await expect(page.getByText('The total is 228.').first()).toBeVisible()
  await look(app, 'learned-model-used')
})

test('level 1: a rule of threads that went wrong is approved, and the next thread does better', async () => {
  const { page } = app
  expect(await run('When is high water?')).toBe(3)
  expect(await run('When is high water tomorrow?')).toBe(3)
  await learn('self-improvement')
  await show('#/learnt')
  const learnt = page.getByRole('region', { name: `Learnt: ${rule}` })
  await expect(learnt.getByRole('heading', { level: 2 })).toContainText('Waits for you')
  await page.keyboard.press('y')
  await expect(learnt.getByRole('heading', { level: 2 })).toContainText('In force')
  expect(await run('When is high water on Sunday?')).toBe(1)
})

test('level 2: a loop of its own is tried on the record, approved, activated, and taken back by itself once it fails', async () => {
  const { page } = app
  await page.evaluate(async () => {
    const patch = { orchestrator: { selfModify: true, pinned: null } }
    const saved = await window.threadsmith.call('settings.set', { patch })
    if (!saved.ok) throw new Error(saved.error.message)
  })
  const mission = await fireMission(app, 'self-improvement')
  if (mission === null) throw new Error('the mission did not fire')
  await expect(page.getByRole('link', { name: 'Approvals, 1 waiting' })).toBeVisible()
  await page.getByRole('link', { name: /^Approvals/ }).click()
  await expect(page.getByText(/^Tried on the record of the last \d+/).first()).toBeVisible()
  await look(app, 'learned-loop-asks')
  await page.getByRole('button', { name: /^Run orchestrator_propose/ }).click()
  await stepsOf(app, mission)
  await show('#/settings/agent')
  await page.getByRole('button', { name: /^Activate / }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Activate/ })
    .click()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  for (const _time of [1, 2, 3]) await ended(await sendThread(app, 'something new'))
  await show('#/learnt')
  await page.getByRole('combobox', { name: 'Kind' }).click()
  await page.getByRole('option', { name: /^Version of the loop/ }).click()
  const loop = page.getByRole('region', { name: /^Learnt: / })
  await expect(loop.getByRole('heading', { level: 2 })).toContainText('Taken back')
  await expect(loop).toContainText('It failed 3 times by itself.')
  await look(app, 'learned-loop-taken-back')
  // The loop that came with the app is back, and answers.
  expect(await run('something new')).toBe(1)
})

/** However it ended: these are to fail. */
async function ended(threadId: string): Promise<void> {
  const endedAt = () =>
    app.page.evaluate(async (id) => {
      const thread = await window.threadsmith.call('thread.get', { id })
      return thread.ok ? thread.value.endedAt : null
    }, threadId)
  await expect.poll(endedAt).not.toBeNull()
}

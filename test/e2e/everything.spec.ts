import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { z } from 'zod'
import type { Json } from '../../core/domain/json.ts'
import { type ModelServer, type ServedAnswer, startModelServer } from '../support/model-server.ts'
import { launchApp, type RunningApp } from './app-fixture.ts'
import { clearDesk, limitThreads, setTheme, setWindowSize, startWith, useServer } from './desk.ts'

/** One thread in which all that a step loop can meet happens, as its timeline shows it. */
let app: RunningApp
let server: ModelServer
const folder = mkdtempSync(path.join(tmpdir(), 'threadsmith-saltmarsh-'))
writeFileSync(path.join(folder, 'tides.csv'), `month,high\n${'July,5.9\nMay,5.1\n'.repeat(2_100)}`)
writeFileSync(path.join(folder, 'moorings.md'), '# Moorings\n\nTwelve at the quay.\n')

const bodySchema = z.object({ messages: z.array(z.object({ role: z.string(), content: z.string().nullish() })) })
function saidIn(body: Json): readonly string[] {
  return bodySchema.parse(body).messages.map((message) => message.content ?? '')
}

const code = [
  'facts = parallel(file_facts(path="tides.csv"), file_facts(path="moorings.md"))',
  'print("looked at", len(facts), "files")',
  'best = rlm_query("Which month has the highest water?")',
  'state["best"] = best',
  'print(best)',
].join('\n')

/** What the model says next follows from how often it was asked for this thread so far. */
function script(): (said: readonly string[]) => ServedAnswer {
  let turn = 0
  return (said) => {
    if (said[0]?.startsWith('Sum up') || said.some((text) => text.startsWith('Sum up the conversation'))) {
      return {
        text: 'The tables were read: July has the highest water. The reference page is still to be written.',
        usage: { input: 2_400, output: 40 },
      }
    }
    if (
      said.some((text) => text.includes('Which month has the highest water?')) &&
      !said.some((text) => text.includes('tide tables'))
    ) {
      return { text: 'July, with 5.9 m.', usage: { input: 600, output: 12 } }
    }
    turn += 1
    const usage = { input: 5_200, output: 60 }
    switch (turn) {
      case 1:
        return { text: 'Let me check the tables first.', usage }
      case 2:
        return {
          toolCalls: [
            { name: 'list_files', arguments: {}, id: 'a' },
            { name: 'read_file', arguments: { path: 'moorings.md' }, id: 'b' },
            { name: 'read_file', arguments: { path: 'tides.csv' }, id: 'c' },
          ],
          usage,
        }
      case 3:
        return { text: `The child can look.\n\`\`\`repl\n${code}\n\`\`\``, usage }
      case 4:
        return {
          toolCalls: [
            { name: 'write_file', arguments: { path: 'reference.md', content: '# Tides\n\nJuly 5.9 m\n' }, id: 'w' },
          ],
          usage,
        }
      default:
        return {
          toolCalls: [
            { name: 'file_facts', arguments: { path: turn % 2 ? 'tides.csv' : 'moorings.md' }, id: `f${turn}` },
          ],
          usage: { input: 9_000, output: 60 },
        }
    }
  }
}

test.describe.configure({ mode: 'serial' })
test.beforeAll(async () => {
  const answer = script()
  server = await startModelServer(({ body }) => answer(saidIn(body)), { contextTokens: 16_000 })
  app = await launchApp()
  await setWindowSize(app)
  await startWith(app, folder)
  await useServer(app, server.baseUrl)
  await limitThreads(app, 58_000)
})
test.afterAll(() => clearDesk({ app, server, folder }))

test('nudge, parallel calls, compaction, code, a child, a denial and the end of the budget stand on one timeline', async () => {
  const { page } = app
  const box = page.getByRole('textbox', { name: 'Message' })
  await box.fill('Look through the tide tables and write the reference page')
  await box.press('Enter')
  await expect.poll(async () => pendingId(app)).not.toBe('')
  await app.screenshot('everything-chat-waiting')
  await page.evaluate(
    async (id) => {
      const input = { id, decision: 'deny', reason: 'the page has an owner: ask first' } as const
      const decided = await window.threadsmith.call('approval.decide', input)
      if (!decided.ok) throw new Error(decided.error.message)
    },
    await pendingId(app),
  )
  await expect.poll(async () => (await firstThread(app)).outcome).toBe('budget')
  const { id } = await firstThread(app)
  await page.evaluate((thread) => {
    window.location.hash = `#/thread/${thread}`
  }, id)
  await expect(page.getByRole('treegrid').getByRole('row', { name: /^write_file/ })).toBeVisible()
  expect(await kindsOf(app, id)).toEqual(
    expect.arrayContaining([
      ...['nudge', 'context.compacted', 'code.finished', 'child.finished', 'approval.decided', 'budget.checked'],
    ]),
  )
  for (const theme of ['light', 'dark'] as const) {
    await setTheme(app, theme)
    await app.screenshot(`everything-timeline-${theme}`)
  }
})

async function pendingId({ page }: RunningApp): Promise<string> {
  return page.evaluate(async () => {
    const listed = await window.threadsmith.call('approval.list', { state: 'pending' })
    return listed.ok ? (listed.value.rows[0]?.id ?? '') : ''
  })
}

/** What happened, by kind; notes of the step loop by their origin. */
async function kindsOf({ page }: RunningApp, id: string): Promise<readonly string[]> {
  return page.evaluate(async (thread) => {
    const listed = await window.threadsmith.call('thread.events', { id: thread, limit: 1_000 })
    if (!listed.ok) return []
    return listed.value.rows.map((event) =>
      event.kind === 'message.added' && event.data.origin !== undefined ? event.data.origin : event.kind,
    )
  }, id)
}

async function firstThread({ page }: RunningApp): Promise<{ id: string; outcome: string | null }> {
  return page.evaluate(async () => {
    const listed = await window.threadsmith.call('thread.list', {})
    const root = listed.ok ? listed.value.rows.find((thread) => thread.parentId === null) : undefined
    return { id: root?.id ?? '', outcome: root?.outcome ?? null }
  })
}

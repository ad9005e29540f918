import { expect, onTestFinished, test } from 'vitest'
import type { ContextWarned, StoredEvent } from '../../../core/domain/event.ts'
import { createConversation, createRepeats, replayRecord } from '../../../core/orchestrator/orchestrator.ts'
import { eventsOf, folderWith, runGoal, startEngine, temporaryFolder } from '../../support/engine.ts'
import {
  type ChatRequest,
  type LocalServerKind,
  type LocalServerOptions,
  startLocalServer,
} from '../../support/local-servers.ts'
import { startModelServer } from '../../support/model-server.ts'

/** An engine whose every tier is the model of one local server. */
async function engineOn(kind: LocalServerKind, options: LocalServerOptions, window?: number) {
  const server = await startLocalServer(kind, options)
  onTestFinished(() => server.close())
  const engine = await startEngine({ dataDir: temporaryFolder() })
  const { id } = await engine.api.call('provider.save', {
    provider: { kind: server.kind, title: 'Local', baseUrl: server.baseUrl },
  })
  const mine = { providerId: id, model: 'test-model' }
  const modelLimits = window === undefined ? {} : { [`${id}/test-model`]: { contextTokens: window } }
  const patch = { tiers: { minuet: mine, allegro: mine, forte: mine }, modelLimits, runsCode: false }
  await engine.api.call('settings.set', { patch })
  return { server, engine, providerId: id }
}

function warningsIn(events: readonly StoredEvent[]): readonly ContextWarned[] {
  return events.flatMap((event) => (event.kind === 'context.warned' ? [event.data] : []))
}

const isSummary = (text: string) => text.includes('Sum up the conversation below')
const resultsIn = (text: string) => text.split('"role":"tool"').length - 1

const echo = (text: string) => ({ toolCalls: [{ name: 'echo', arguments: { text } }] })

test('before a prompt is sent that cannot fit, the thread says so, and says it once', async () => {
  const script = ({ text }: ChatRequest) =>
    isSummary(text) ? { text: 'A summary.' } : resultsIn(text) < 2 ? echo('x') : { text: 'done' }
  const { engine, providerId } = await engineOn('ollama', { script }, 1_024)
  const thread = await runGoal(engine, folderWith({}), `Think about ${'this '.repeat(1_000)}`)
  expect(thread).toMatchObject({ outcome: 'answered', steps: 3 })
  const [before, ...others] = warningsIn(eventsOf(engine, thread.id)).filter(({ phase }) => phase === 'before')
  expect(others).toEqual([])
  expect(before).toMatchObject({ step: 0, providerId, model: 'test-model', windowTokens: 1_024 })
  expect(before?.promptTokens).toBeGreaterThan(1_024)
})

test('a prompt that fits is followed by no warning', async () => {
  for (const kind of ['ollama', 'lm-studio', 'llama-cpp', 'vllm', 'gateway'] as const) {
    const script = { script: (_: unknown, n: number) => (n < 3 ? echo(`${n}`) : { text: 'done' }) }
    const { engine } = await engineOn(kind, { ...script, windowTokens: 16_384 })
    const thread = await runGoal(engine, folderWith({}), 'Echo three numbers')
    expect(thread, kind).toMatchObject({ outcome: 'answered', steps: 4 })
    expect(warningsIn(eventsOf(engine, thread.id)), kind).toEqual([])
  }
})

test('after an answer to a part of the prompt, the thread says how much was read', async () => {
  const script = () => ({ text: 'ok', promptTokens: 4_096 })
  const { engine } = await engineOn('gateway', { windowTokens: 100_000, script })
  const thread = await runGoal(engine, folderWith({}), 'x'.repeat(30_000))
  expect(thread).toMatchObject({ outcome: 'answered' })
  const [after, ...others] = warningsIn(eventsOf(engine, thread.id))
  expect(others).toEqual([])
  expect(after).toMatchObject({ step: 0, phase: 'after', reportedTokens: 4_096, windowTokens: 100_000 })
  expect(after?.promptTokens).toBeGreaterThan(7_500)
})

test('a server whose count does not grow with the conversation left out the front of it', async () => {
  const window = 6_000
  const { engine } = await engineOn('gateway', {
    windowTokens: 100_000,
    script: ({ text }, n) => ({
      ...(n < 6 ? echo(`${n} ${'word '.repeat(800)}`) : { text: 'done' }),
      promptTokens: Math.min(window, Math.ceil(text.length / 4)),
    }),
  })
  const thread = await runGoal(engine, folderWith({}), 'Echo long words')
  const [after, ...others] = warningsIn(eventsOf(engine, thread.id))
  expect(others).toEqual([])
  expect(after).toMatchObject({ phase: 'after', reportedTokens: window, windowTokens: 100_000 })
  expect(after?.promptTokens).toBeGreaterThan(window * 1.2)
})

test('a model that counts three times our estimate is summed up at its own 85 %, and the record says the same after a restart', async () => {
  const dataDir = temporaryFolder()
  const counted = (text: string) => Math.ceil((text.length / 4) * 3)
  const server = await startLocalServer('vllm', {
    windowTokens: 60_000,
    script: ({ text }, n) => {
      if (isSummary(text)) return { text: 'We echoed.' }
      const next = n < 9 ? echo(`${n} ${'word '.repeat(800)}`) : { text: 'done' }
      return { ...next, promptTokens: counted(text) }
    },
  })
  onTestFinished(() => server.close())
  const engine = await startEngine({ dataDir })
  const { id } = await engine.api.call('provider.save', {
    provider: { kind: 'openai-compatible', title: 'vLLM', baseUrl: server.baseUrl },
  })
  const mine = { providerId: id, model: 'test-model' }
  await engine.api.call('settings.set', { patch: { tiers: { minuet: mine, allegro: mine, forte: mine } } })
  const thread = await runGoal(engine, folderWith({}), 'Echo long words')
  const events = eventsOf(engine, thread.id)
  const compacted = events.find((event) => event.kind === 'context.compacted')
  expect(compacted?.kind === 'context.compacted' && compacted.data).toMatchObject({
    trigger: 'threshold',
    windowTokens: 60_000,
  })
  // No request was over the window by the server's own count: none would have been refused.
  for (const request of server.requests) expect(counted(request.text)).toBeLessThan(60_000)
  const { counts } = replayRecord(events, createConversation([]), createRepeats())
  const started = events.findLast((event) => event.kind === 'step.started')
  const answered = events.findLast((event) => event.kind === 'model.completed')
  const last = {
    model: `${id}/test-model`,
    messageTokens: started?.kind === 'step.started' && started.data.promptTokens,
    countedTokens: answered?.kind === 'model.completed' && answered.data.inputTokens,
  }
  expect(counts).toMatchObject({ last, measure: last })
  // What was counted before the transcript was shortened is no beginning of what is sent now.
  expect(counts.first?.countedTokens).toBeLessThan(60_000 * 0.85)
})

test('a count of what was not the whole prompt is no measure, in the thread and in its record', async () => {
  const script = () => ({ text: 'ok', promptTokens: 4_096 })
  const { engine } = await engineOn('gateway', { windowTokens: 100_000, script })
  const thread = await runGoal(engine, folderWith({}), 'x'.repeat(30_000))
  const { counts, warned } = replayRecord(eventsOf(engine, thread.id), createConversation([]), createRepeats())
  expect(warned).toHaveLength(1)
  expect(counts).toEqual({ first: undefined, last: undefined, measure: undefined })
})

test('a step that another model makes again is booked to that one, in the thread, in its record and in its row', async () => {
  let isHeld = true
  const server = await startModelServer(
    ({ body }) => {
      const text = JSON.stringify(body)
      if (text.includes('"model":"one"') && text.includes('"role":"tool"') && isHeld) return { raw: () => undefined }
      if (!text.includes('"role":"tool"'))
        return { toolCalls: [{ name: 'echo', arguments: { text: 'x' } }], usage: { input: 5_000, output: 5 } }
      return { text: 'done', usage: { input: 9_999, output: 5 } }
    },
    { models: ['one', 'two'] },
  )
  onTestFinished(() => server.close())
  const dataDir = temporaryFolder()
  const engine = await startEngine({ dataDir })
  const { id: providerId } = await engine.api.call('provider.save', {
    provider: { kind: 'openai-compatible', title: 'Two', baseUrl: server.baseUrl },
  })
  const tiers = (model: string) => {
    const ref = { providerId, model }
    return { patch: { tiers: { minuet: ref, allegro: ref, forte: ref } } }
  }
  await engine.api.call('settings.set', tiers('one'))
  const project = await engine.api.call('project.open', { folder: folderWith({}) })
  const { threadId } = await engine.api.call('thread.send', { projectId: project.id, text: 'Echo' })
  await expect.poll(() => server.requests.length).toBe(2)
  await engine.stop('quit')
  isHeld = false
  const later = await startEngine({ dataDir })
  await later.api.call('settings.set', tiers('two'))
  await later.api.call('thread.resume', { id: threadId })
  await later.threads.join([threadId], AbortSignal.timeout(60_000))
  const events = eventsOf(later, threadId)
  const status = events.flatMap((event) => (event.kind === 'status' ? [event.data.text] : []))
  expect(status).toEqual([`The settings changed: ${providerId}/two answers from here, not ${providerId}/one`])
  expect(events.find(({ kind }) => kind === 'step.restarted')).toMatchObject({
    data: { step: 1, providerId, model: 'two' },
  })
  const { counts, lastModel } = replayRecord(events, createConversation([]), createRepeats())
  expect(lastModel).toBe(`${providerId}/two`)
  expect(counts.last).toMatchObject({ model: `${providerId}/two`, countedTokens: 9_999 })
  const { rows } = await later.api.call('thread.calls', { id: threadId })
  expect(rows.filter(({ path }) => path === '0').map(({ name }) => name)).toEqual(['one', 'two'])
})

import fs from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { AppError } from '../../../core/domain/error.ts'
import { limits } from '../../../core/domain/limits.ts'
import type { SettingsPatch } from '../../../core/domain/settings.ts'
import type { Engine, EngineOptions } from '../../../core/engine.ts'
import { eventsOf, folderWith, startEngine, temporaryFolder, useScriptedModel } from '../../support/engine.ts'
import { type ModelScript, scriptedCall, scriptedModel } from '../../support/scripted-model.ts'

const usage = { inputTokens: 900, outputTokens: 100 }
const echoes: ModelScript = (_request, n) => ({ toolCalls: [scriptedCall('echo', { text: `t${n}` }, `c${n}`)], usage })
const none = { tokens: null, usd: null }
const noThread = { ...none, steps: null, ms: null }

async function start(script: ModelScript, patch: SettingsPatch = {}, options: Partial<EngineOptions> = {}) {
  const model = scriptedModel(script)
  const engine = await startEngine({ embedded: { scripted: model }, ...options })
  await useScriptedModel(engine)
  await engine.api.call('settings.set', { patch })
  const project = await engine.api.call('project.open', { folder: folderWith({}) })
  const send = async (budget?: { tokens: number | null; usd: number | null; ms: number | null }) => {
    const asked = { projectId: project.id, text: 'go', ...(budget && { budget }) }
    const { threadId } = await engine.api.call('thread.send', asked)
    await engine.threads.join([threadId], AbortSignal.timeout(60_000))
    return engine.api.call('thread.get', { id: threadId })
  }
  return { engine, model, send }
}
function checksOf(engine: Engine, threadId: string) {
  return eventsOf(engine, threadId).flatMap((event) => (event.kind === 'budget.checked' ? event.data.checks : []))
}

test('tokens: warned from 80 % on, stopped with its reason before it goes over; each check is on record', async () => {
  const { engine, model, send } = await start(echoes)
  const thread = await send({ tokens: 14_000, usd: null, ms: null })
  expect(thread).toMatchObject({ state: 'Done', outcome: 'budget' })
  expect(thread.reason).toContain('the budget of this thread is used up')
  expect(thread.inputTokens + thread.outputTokens).toBeLessThanOrEqual(14_000)
  const checks = checksOf(engine, thread.id)
  expect(checks).toHaveLength(model.requests.length + 1)
  expect(checks[0]).toMatchObject({ scope: 'thread', kind: 'tokens', limit: 14_000, used: 0, verdict: 'ok' })
  expect(checks.at(-1)?.verdict).toBe('stop')
  expect(checks.map(({ verdict }) => verdict)).toContain('warn')
  for (const { used, reserved, limit, verdict } of checks) {
    expect(verdict === 'stop').toBe(used + reserved > limit || used >= limit)
  }
})

test('an answer is never asked to be longer than what is left', async () => {
  const { model, send } = await start(echoes)
  await send({ tokens: 14_000, usd: null, ms: null })
  expect(model.requests[0]?.maxOutputTokens).toBe(limits.outputTokens)
  expect(model.requests.at(-1)?.maxOutputTokens).toBeLessThan(model.requests[0]?.maxOutputTokens ?? 0)
})

describe('USD', () => {
  const priced = { 'scripted/scripted': { inputUsd: 1_000, outputUsd: 1_000 } }

  test('what calls cost stands with them, and stops the thread', async () => {
    const { engine, send } = await start(echoes, { prices: priced })
    const thread = await send({ tokens: null, usd: 11, ms: null })
    expect(thread).toMatchObject({ outcome: 'budget' })
    expect(thread.usd).toBeGreaterThan(0)
    expect(thread.usd).toBeLessThanOrEqual(11)
    const completed = eventsOf(engine, thread.id).find((event) => event.kind === 'model.completed')
    expect(completed).toMatchObject({ data: { usd: 1 } })
    expect(await engine.api.call('engine.info', {})).toMatchObject({ usedToday: { usd: thread.usd } })
  })

  test('an answer that broke off is paid for as far as it came, and stands so in the figures', async () => {
    const broken: ModelScript = () => {
      const data = { partialText: 'x'.repeat(4_000) }
      throw new AppError('model.truncated', { message: 'cut', userMessage: 'It broke off.', retryable: false, data })
    }
    const { engine, send } = await start(broken, { prices: priced })
    const thread = await send({ tokens: null, usd: 100, ms: null })
    const failed = eventsOf(engine, thread.id).flatMap((event) => (event.kind === 'model.failed' ? [event.data] : []))
    expect(failed.length).toBeGreaterThan(0)
    const usd = failed.reduce((sum, data) => sum + (data.usd ?? 0), 0)
    expect(usd).toBeGreaterThan(1)
    expect(thread.usd).toBeCloseTo(usd)
    expect(thread.outputTokens).toBe(failed.length * 1_000)
    expect(await engine.api.call('engine.info', {})).toMatchObject({ usedToday: { usd: thread.usd } })
    expect(failed[0]).toMatchObject({ outputTokens: 1_000 })
  })

  test('a model without a price is not asked at all where there is a limit in USD', async () => {
    const { engine, model, send } = await start(echoes, {})
    await engine.api.call('provider.save', {
      provider: { id: 'far', kind: 'openai-compatible', title: 'Far', baseUrl: 'https://models.example' },
    })
    const far = { providerId: 'far', model: 'm' }
    await engine.api.call('settings.set', { patch: { tiers: { minuet: far, allegro: far, forte: far } } })
    await engine.api.call('settings.set', { patch: { modelLimits: { 'far/m': { contextTokens: 8_000 } } } })
    const thread = await send({ tokens: null, usd: 11, ms: null })
    expect(thread).toMatchObject({ outcome: 'budget' })
    expect(thread.reason).toContain('no price is known for far/m')
    expect(model.requests).toHaveLength(0)
  })
})

test('steps: the settings give every new thread its limit', async () => {
  const budgets = { thread: { ...noThread, steps: 3 }, project: none, day: none }
  const { model, send } = await start(echoes, { budgets })
  expect(await send()).toMatchObject({ outcome: 'maxSteps', steps: 3 })
  expect(model.requests).toHaveLength(3)
})

test('running time: a model that does not answer is given up when it is over', async () => {
  const { send } = await start(() => new Promise(() => undefined))
  const thread = await send({ tokens: null, usd: null, ms: 150 })
  expect(thread).toMatchObject({ state: 'Done', outcome: 'budget' })
  expect(thread.reason).toContain('time budget')
})

test('a day: threads draw from one budget, and the next day begins anew', async () => {
  let now = Date.parse('2026-06-01T20:00:00Z')
  const clock = { now: () => now, monotonic: () => performance.now() }
  const budgets = { thread: noThread, project: none, day: { tokens: 14_000, usd: null } }
  const { engine, send } = await start(echoes, { budgets }, { clock, timeZone: 'UTC' })
  const first = await send()
  expect(first).toMatchObject({ outcome: 'budget' })
  expect(first.reason).toContain('the budget of today')
  expect(await send()).toMatchObject({ outcome: 'budget', steps: 0 })
  now = Date.parse('2026-06-02T00:00:01Z')
  expect((await send()).steps).toBeGreaterThan(0)
  expect(await engine.api.call('engine.info', {})).toMatchObject({ usedToday: { usd: 0 } })
})

test('a project: what another project used does not count', async () => {
  const budgets = { thread: noThread, project: { tokens: 14_000, usd: null }, day: none }
  const { engine, send } = await start(echoes, { budgets })
  expect((await send()).reason).toContain("the budget of this project's day")
  const other = await engine.api.call('project.open', { folder: folderWith({}) })
  const { threadId } = await engine.api.call('thread.send', { projectId: other.id, text: 'go' })
  await engine.threads.join([threadId], AbortSignal.timeout(60_000))
  expect((await engine.api.call('thread.get', { id: threadId })).steps).toBeGreaterThan(0)
})

test('queries and children draw from the root’s budget', async () => {
  const code = (source: string) => ({ text: `\`\`\`repl\n${source}\n\`\`\``, usage })
  const script: ModelScript = (request) => {
    const asked = request.messages.findLast((message) => message.role === 'user')?.content
    if (asked === 'go')
      return code('try:\n    while True:\n        rlm_query("more")\nexcept RuntimeError as e:\n    print(e)')
    return { text: 'more', usage }
  }
  const { engine, send } = await start(script)
  const thread = await send({ tokens: 15_000, usd: null, ms: null })
  expect(thread).toMatchObject({ outcome: 'budget' })
  const children = await engine.api.call('thread.children', { id: thread.id })
  expect(children.length).toBeGreaterThan(1)
  expect(children.at(-1)).toMatchObject({ outcome: 'budget' })
  const all = [thread, ...children].reduce((sum, each) => sum + each.inputTokens + each.outputTokens, 0)
  expect(all).toBeLessThanOrEqual(15_000)
})

test('running time: the time between a crash and the next start does not count', async () => {
  const model = scriptedModel(() => new Promise(() => undefined))
  const dataDir = temporaryFolder()
  const engine = await startEngine({ embedded: { scripted: model }, dataDir })
  await useScriptedModel(engine)
  const project = await engine.api.call('project.open', { folder: folderWith({}) })
  const budget = { tokens: null, usd: null, ms: 60_000 }
  const { threadId } = await engine.api.call('thread.send', { projectId: project.id, text: 'go', budget })
  await expect.poll(() => model.requests.length).toBe(1)
  const crashed = `${dataDir}-crashed`
  fs.cpSync(dataDir, crashed, { recursive: true, filter: (file) => !file.endsWith('.sock') })
  onTestFinished(() => fs.rmSync(crashed, { recursive: true, force: true }))
  const clock = { now: () => Date.now() + 86_400_000, monotonic: () => performance.now() }
  const slow = () => new Promise<{ text: string }>((resolve) => setTimeout(resolve, 300, { text: 'done' }))
  const scripted = scriptedModel(slow)
  const later = await startEngine({ embedded: { scripted }, dataDir: crashed, clock, recover: 'resume' })
  await later.threads.join([threadId], AbortSignal.timeout(60_000))
  expect(await later.api.call('thread.get', { id: threadId })).toMatchObject({ outcome: 'answered' })
})

test('a day: two threads that ask at once do not both take what is left', async () => {
  const budgets = { thread: noThread, project: none, day: { tokens: 11_000, usd: null } }
  const { engine, model } = await start(() => new Promise(() => undefined), { budgets })
  const [{ id: projectId = '' } = {}] = await engine.api.call('project.list', {})
  for (let n = 0; n < 2; n += 1) {
    await engine.api.call('thread.send', { projectId, text: 'go' })
  }
  const reasons = async () => (await engine.api.call('thread.list', { limit: 10 })).rows.map(({ outcome }) => outcome)
  await expect.poll(reasons).toContain('budget')
  expect(model.requests).toHaveLength(1)
})

import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { defineAction } from '../../../core/capabilities/action.ts'
import { AppError, type ErrorCode, errorCodes } from '../../../core/domain/error.ts'
import { isJsonObject, type Json } from '../../../core/domain/json.ts'
import type { ModelRef } from '../../../core/domain/model.ts'
import type { Engine, Secrets } from '../../../core/engine.ts'
import { eventsOf, folderWith, startEngine, temporaryFolder } from '../../support/engine.ts'
import { deltaEvent, type ServedAnswer, type ServerScript, startModelServer } from '../../support/model-server.ts'
import { scriptedCall, scriptedModel } from '../../support/scripted-model.ts'

/** An effect that is never repeated by itself; one line of the ledger each. */
const touch = defineAction({
  name: 'touch',
  description: 'Touches the world; cannot be taken back.',
  parameters: z.strictObject({ key: z.string() }),
  effects: ['WriteLocal'],
  isIdempotent: false,
  summarize: ({ key }) => key,
  run({ key }, { folder }) {
    fs.appendFileSync(path.join(folder, 'ledger'), `${key}\n`)
    return `touched ${key}`
  },
})
const touched = (folder: string) => fs.readFileSync(path.join(folder, 'ledger'), 'utf8').trim().split('\n')

function messagesOf(body: Json): readonly Json[] {
  return isJsonObject(body) && Array.isArray(body.messages) ? body.messages : []
}
const resultsIn = (body: Json) =>
  messagesOf(body).flatMap((message) => (isJsonObject(message) && message.role === 'tool' ? [message.content] : []))

/** Asks for what is not done yet, as the transcript has it: `a`, then `b`; then it answers. */
function worker(body: Json): ServedAnswer {
  const next = ['a', 'b'][resultsIn(body).length]
  return next === undefined
    ? { text: 'both are touched' }
    : { toolCalls: [{ name: 'touch', arguments: { key: next } }] }
}

/** A keychain that a person can lock. */
function lockable(lock: { isLocked: boolean }): Secrets {
  const kept = new Map<string, string>()
  const locked = () =>
    new AppError('secret.unavailable', { message: 'locked', userMessage: 'The keychain is locked.', retryable: true })
  return {
    ...{ backend: 'a test', isProtected: true },
    get: async (name) => {
      if (lock.isLocked) throw locked()
      return kept.get(name)
    },
    set: async (name, value) => void kept.set(name, value),
    remove: async (name) => void kept.delete(name),
  }
}

async function start(script: ServerScript, limits: Record<string, number> = {}, secrets?: Secrets) {
  const server = await startModelServer(script)
  onTestFinished(() => server.close())
  const folder = folderWith({ ledger: '' })
  const dataDir = temporaryFolder()
  const open = () =>
    startEngine({ dataDir, actions: [touch], wait: async () => undefined, ...(secrets && { secrets }) })
  const engine = await open()
  const { id } = await engine.api.call('provider.save', {
    provider: { kind: 'openai-compatible', title: 'Local', baseUrl: server.baseUrl },
    ...(secrets && { key: 'k-of-the-test' }),
  })
  await engine.api.call('settings.set', { patch: { modelLimits: { [`${id}/test-model`]: limits } } })
  const project = await engine.api.call('project.open', { folder })
  const input = { projectId: project.id, text: 'Please run it', model: `${id}/test-model`, approvesAll: true }
  const { threadId } = await engine.api.call('thread.send', input)
  return { engine, open, server, folder, threadId }
}

async function rest(engine: Engine, threadId: string) {
  await engine.threads.join([threadId], AbortSignal.timeout(60_000))
  return engine.api.call('thread.get', { id: threadId })
}

const says = (status: number, message: string, headers: Record<string, string> = {}): ServedAnswer => ({
  status,
  headers,
  body: { error: { message } },
})
const half = (then: 'reset' | 'silence'): ServedAnswer => ({
  raw: (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(deltaEvent({ content: 'I will now ' }), () => {
      if (then === 'reset') response.socket?.resetAndDestroy()
    })
  },
})

type Failure = readonly [code: ErrorCode, what: string, answer: ServedAnswer, limits: Readonly<Record<string, number>>]
const failures: readonly Failure[] = [
  ['model.auth', 'a wrong key', says(401, 'Incorrect API key provided'), {}],
  ['model.not_found', 'a model that is gone', says(404, 'The model `test-model` does not exist'), {}],
  ['model.rate_limit', '429 without end', says(429, 'slow down', { 'retry-after': '7' }), {}],
  ['model.template', 'a template that breaks', says(500, 'Jinja Exception: Conversation roles must alternate'), {}],
  ['model.tools', 'no tools', says(400, 'test-model does not support tools'), {}],
  ['model.loading', 'a model that loads without end', says(503, 'Loading model'), {}],
  ['model.provider', 'an error of its own', says(500, 'The server had an error'), {}],
  ['model.refused', 'a refusal', says(422, 'field required'), {}],
  ['model.html', 'a page', { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html>' }, {}],
  ['model.connect', 'a connection that is closed', { raw: (response) => void response.socket?.destroy() }, {}],
  ['model.truncated', 'an answer that breaks off', half('reset'), {}],
  ['model.timeout', 'a server that falls silent', half('silence'), { idleMs: 1_000 }],
  ['model.timeout', 'a server that never begins', { raw: () => undefined }, { firstTokenMs: 1_000 }],
]

test.each(failures)(
  '%s: after %s a retry goes on where the thread broke off, and nothing is done twice',
  async (code, _, answer, limits) => {
    let isBroken = true
    const { engine, server, folder, threadId } = await start(
      ({ body }) => (isBroken && resultsIn(body).length === 1 ? answer : worker(body)),
      limits,
    )
    expect(await rest(engine, threadId)).toMatchObject({ state: 'Failed', outcome: 'failed' })
    const failed = eventsOf(engine, threadId).find((event) => event.kind === 'model.failed')
    expect(failed).toMatchObject({ data: { code } })
    const partial = code === 'model.truncated' || limits.idleMs !== undefined ? 'I will now ' : ''
    expect(failed).toMatchObject({ body: { partialText: partial } })
    expect(touched(folder)).toEqual(['a'])

    isBroken = false
    const second = await engine.api.call('thread.retry', { id: threadId })
    expect(await rest(engine, second.threadId)).toMatchObject({ outcome: 'answered' })
    expect(touched(folder)).toEqual(['a', 'b'])
    // What was done is told with its result, the question once.
    const last = messagesOf(server.requests.at(-1)?.body ?? null)
    expect(resultsIn(server.requests.at(-1)?.body ?? null)).toEqual(['touched a', 'touched b'])
    expect(last.filter((message) => JSON.stringify(message).includes('Please run it'))).toHaveLength(1)
  },
)

/** Every code by which a model, or what stands before it, gives no answer. */
const modelCodes = errorCodes.filter((code) => /^(model|local)\./.test(code))

test.each(modelCodes)(
  '%s: whatever kept the model from answering, a retry goes on with what was done',
  async (code) => {
    let isBroken = true
    const scripted = scriptedModel((request) => {
      const done = request.messages.filter(({ role }) => role === 'tool').length
      if (isBroken && done === 1) throw new AppError(code, { message: code, userMessage: `${code}: kept` })
      const next = ['a', 'b'][done]
      return next === undefined ? { text: 'both' } : { toolCalls: [scriptedCall('touch', { key: next }, `c${done}`)] }
    })
    const folder = folderWith({ ledger: '' })
    const engine = await startEngine({ actions: [touch], embedded: { scripted } })
    const project = await engine.api.call('project.open', { folder })
    const { threadId } = await engine.api.call('thread.send', {
      ...{ projectId: project.id, text: 'Please run it', model: 'scripted/scripted', approvesAll: true },
    })
    expect(await rest(engine, threadId)).toMatchObject({ state: 'Failed', outcome: 'failed' })
    expect(eventsOf(engine, threadId).find(({ kind }) => kind === 'model.failed')).toMatchObject({ data: { code } })
    isBroken = false
    const second = await engine.api.call('thread.retry', { id: threadId })
    expect(await rest(engine, second.threadId)).toMatchObject({ outcome: 'answered' })
    expect(touched(folder)).toEqual(['a', 'b'])
  },
)

test('a model that is not there any more is on record as the model that failed, and a retry goes on', async () => {
  const scripted = scriptedModel(async ({ messages }) => {
    const done = messages.filter(({ role }) => role === 'tool').length
    if (done === 0) await useModel({ providerId: 'gone', model: 'gone' })
    const next = ['a', 'b'][done]
    return next === undefined ? { text: 'both' } : { toolCalls: [scriptedCall('touch', { key: next }, `c${done}`)] }
  })
  const folder = folderWith({ ledger: '' })
  const engine = await startEngine({ actions: [touch], embedded: { scripted } })
  const useModel = (ref: ModelRef) =>
    engine.api.call('settings.set', { patch: { tiers: { minuet: ref, allegro: ref, forte: ref } } })
  await useModel({ providerId: 'scripted', model: 'scripted' })
  const project = await engine.api.call('project.open', { folder })
  const asked = { projectId: project.id, text: 'Please run it', approvesAll: true }
  const { threadId } = await engine.api.call('thread.send', asked)
  expect(await rest(engine, threadId)).toMatchObject({ state: 'Failed', outcome: 'failed' })
  expect(eventsOf(engine, threadId).find(({ kind }) => kind === 'model.failed')).toMatchObject({
    data: { code: 'model.none', providerId: 'gone', step: 1 },
  })
  await useModel({ providerId: 'scripted', model: 'scripted' })
  const second = await engine.api.call('thread.retry', { id: threadId })
  expect(await rest(engine, second.threadId)).toMatchObject({ outcome: 'answered' })
  expect(touched(folder)).toEqual(['a', 'b'])
})

test('a key that cannot be reached suspends the thread, and it is resumed where it was', async () => {
  const lock = { isLocked: false }
  const { engine, folder, threadId } = await start(
    ({ body }) => {
      lock.isLocked = resultsIn(body).length === 0
      return worker(body)
    },
    {},
    lockable(lock),
  )
  const code = 'secret.unavailable'
  expect(await rest(engine, threadId)).toMatchObject({
    state: 'Suspended',
    outcome: null,
    reason: 'The keychain is locked.',
  })
  expect(eventsOf(engine, threadId).find(({ kind }) => kind === 'model.failed')).toMatchObject({
    data: { code, step: 1 },
  })
  expect(eventsOf(engine, threadId).at(-1)).toMatchObject({ kind: 'thread.state', data: { to: 'Suspended', code } })
  lock.isLocked = false
  await engine.api.call('thread.resume', { id: threadId })
  expect(await rest(engine, threadId)).toMatchObject({ state: 'Done', outcome: 'answered' })
  expect(touched(folder)).toEqual(['a', 'b'])
})

test('a retry of a retry goes on with both', async () => {
  let brokenAfter = 1
  const { engine, folder, threadId } = await start(({ body }) =>
    resultsIn(body).length === brokenAfter ? says(500, 'The server had an error') : worker(body),
  )
  await rest(engine, threadId)
  brokenAfter = 2
  const second = await engine.api.call('thread.retry', { id: threadId })
  expect(await rest(engine, second.threadId)).toMatchObject({ outcome: 'failed' })
  brokenAfter = -1
  const third = await engine.api.call('thread.retry', { id: second.threadId })
  expect(await rest(engine, third.threadId)).toMatchObject({ outcome: 'answered' })
  expect(touched(folder)).toEqual(['a', 'b'])
})

test('a retry of the first of two that failed goes on with both, and is refused while the second is under way', async () => {
  let brokenAfter = 1
  let isHeld = false
  const { engine, folder, threadId } = await start(({ body }) => {
    if (isHeld) return { raw: () => undefined }
    return resultsIn(body).length === brokenAfter ? says(500, 'The server had an error') : worker(body)
  })
  await rest(engine, threadId)
  brokenAfter = 2
  const second = await engine.api.call('thread.retry', { id: threadId })
  await rest(engine, second.threadId)
  isHeld = true
  const third = await engine.api.call('thread.retry', { id: threadId })
  await expect(engine.api.call('thread.retry', { id: threadId })).rejects.toMatchObject({ code: 'thread.transition' })
  // Whoever stops it has not undone what the others did.
  await engine.api.call('thread.stop', { id: third.threadId })
  isHeld = false
  brokenAfter = -1
  const fourth = await engine.api.call('thread.retry', { id: threadId })
  expect(await rest(engine, fourth.threadId)).toMatchObject({ outcome: 'answered' })
  expect(touched(folder)).toEqual(['a', 'b'])
})

test('a retry of a turn that the chat has left behind goes on with what it did, and knows what was said since', async () => {
  let isBroken = true
  const { engine, server, folder, threadId } = await start(({ body }) => {
    if (JSON.stringify(messagesOf(body).at(-1)).includes('How late is it?')) return { text: 'Past noon.' }
    return isBroken && resultsIn(body).length === 1 ? says(500, 'The server had an error') : worker(body)
  })
  await rest(engine, threadId)
  const other = await engine.api.call('thread.send', { threadId, text: 'How late is it?' })
  expect(await rest(engine, other.threadId)).toMatchObject({ outcome: 'answered' })
  isBroken = false
  const again = await engine.api.call('thread.retry', { id: threadId })
  expect(await rest(engine, again.threadId)).toMatchObject({ outcome: 'answered' })
  expect(touched(folder)).toEqual(['a', 'b'])
  const told = messagesOf(server.requests.at(-1)?.body ?? null).map((message) => JSON.stringify(message))
  const places = ['Please run it', 'touched a', 'How late is it?', 'Past noon.', 'touched b'].map((said) =>
    told.findIndex((message) => message.includes(said)),
  )
  expect(places).not.toContain(-1)
  expect(places).toEqual([...places].sort((a, b) => a - b))
})

test('a retry of a turn whose retry was answered asks it anew', async () => {
  let isBroken = true
  const { engine, server, threadId } = await start(({ body }) =>
    isBroken && resultsIn(body).length === 1 ? says(500, 'The server had an error') : worker(body),
  )
  await rest(engine, threadId)
  isBroken = false
  await rest(engine, (await engine.api.call('thread.retry', { id: threadId })).threadId)
  const asked = server.requests.length
  await rest(engine, (await engine.api.call('thread.retry', { id: threadId })).threadId)
  expect(resultsIn(server.requests[asked]?.body ?? null)).toEqual([])
})

test('a retry after another failure begins anew: what went wrong there was not the model', async () => {
  const { engine, server, threadId } = await start(({ body }) =>
    resultsIn(body).length < 7 ? { toolCalls: [{ name: 'no_such_action', arguments: {} }] } : { text: 'never' },
  )
  expect(await rest(engine, threadId)).toMatchObject({ outcome: 'failed' })
  const asked = server.requests.length
  const { threadId: again } = await engine.api.call('thread.retry', { id: threadId })
  await rest(engine, again)
  expect(resultsIn(server.requests[asked]?.body ?? null)).toEqual([])
})

test('a call that was under way at a quit is made again when the thread is resumed, and nothing before it', async () => {
  let isHanging = true
  const { engine, open, folder, threadId } = await start(({ body }) =>
    isHanging && resultsIn(body).length === 1 ? { raw: () => undefined } : worker(body),
  )
  const isAsked = () => eventsOf(engine, threadId).filter((event) => event.kind === 'step.started').length
  await expect.poll(isAsked).toBe(2)
  await engine.stop('quit')
  isHanging = false
  const later = await open()
  await later.api.call('thread.resume', { id: threadId })
  expect(await rest(later, threadId)).toMatchObject({ outcome: 'answered' })
  expect(touched(folder)).toEqual(['a', 'b'])
})

describe('stopped in mid-answer', () => {
  const said = 'I will now '
  const startTalking = async () => {
    const begun = await start(({ body }) => (resultsIn(body).length === 1 ? half('silence') : worker(body)), {})
    // Its first words have come.
    await new Promise<void>((resolve) => {
      const leave = begun.engine.subscribe(0, ({ deltas }) => {
        if (deltas.every(({ kind }) => kind !== 'text')) return
        leave()
        resolve()
      })
    })
    return begun
  }

  test('what a person had read of it stays on record, is paid for, and is no failure of the model', async () => {
    const { engine, folder, threadId } = await startTalking()
    const thread = await engine.api.call('thread.stop', { id: threadId })
    expect(thread).toMatchObject({ state: 'Done', outcome: 'stopped' })
    const failed = eventsOf(engine, threadId).find(({ kind }) => kind === 'model.failed')
    expect(failed).toMatchObject({
      data: { code: 'cancelled', inputTokens: expect.any(Number), outputTokens: 3 },
      body: { partialText: said },
    })
    const { rows } = await engine.api.call('thread.calls', { id: threadId })
    expect(rows.findLast(({ path }) => path === '0')).toMatchObject({ step: 1, state: 'cancelled', outputTokens: 3 })
    expect(await engine.api.call('thread.issues', { id: threadId })).toEqual([])
    expect(touched(folder)).toEqual(['a'])
  })
})

import { expect, onTestFinished, test } from 'vitest'
import { isJsonObject, type Json } from '../../../core/domain/json.ts'
import type { Engine } from '../../../core/engine.ts'
import { wireMessages } from '../../../core/models/history.ts'
import { createConversation, createRepeats, replayRecord } from '../../../core/orchestrator/orchestrator.ts'
import { eventsOf, folderWith, startEngine, temporaryFolder } from '../../support/engine.ts'
import { startLocalServer } from '../../support/local-servers.ts'
import { type ServedAnswer, startModelServer } from '../../support/model-server.ts'

async function startWithoutActions() {
  const server = await startLocalServer('ollama', {
    script: ({ body, text }) => {
      if (body.tools !== undefined) return { status: 400, body: { error: 'test-model does not support tools' } }
      if (!text.includes('read_file(path: string')) return { text: 'ready' }
      if (!text.includes('High water is')) return { text: '```repl\nread_file(path="tides.md")["text"]\n```' }
      return { text: '```repl\nFINAL("At noon.")\n```' }
    },
  })
  onTestFinished(() => server.close())
  const engine = await startEngine()
  const provider = { kind: server.kind, title: 'Local', baseUrl: server.baseUrl }
  const { id } = await engine.api.call('provider.save', { provider })
  const project = await engine.api.call('project.open', {
    folder: folderWith({ 'tides.md': 'High water is at noon.\n' }),
  })
  const ask = async () => {
    const asked = { projectId: project.id, text: 'When does the tide turn?', model: `${id}/test-model` }
    const { threadId } = await engine.api.call('thread.send', asked)
    return rest(threadId)
  }
  const rest = async (threadId: string) => {
    await engine.threads.join([threadId], AbortSignal.timeout(60_000))
    return engine.api.call('thread.get', { id: threadId })
  }
  return { engine, providerId: id, ask, rest }
}

test('a model that calls no actions, as a test of it showed, is offered none and works by code', async () => {
  const { engine, providerId, ask } = await startWithoutActions()
  const probed = await engine.api.call('model.probe', { providerId, model: 'test-model' })
  expect(probed).toMatchObject({ tools: false, parallel: false, firstTokenMs: expect.any(Number) })

  const thread = await ask()
  expect(thread).toMatchObject({ outcome: 'answered', steps: 2 })
  const finished = eventsOf(engine, thread.id).filter(({ kind }) => kind === 'action.finished')
  expect(finished).toMatchObject([{ data: { name: 'read_file', ok: true } }])
})

test('a server that refuses actions is asked without them from then on, and the retry works by code', async () => {
  const { engine, ask, rest } = await startWithoutActions()
  const refused = await ask()
  expect(refused).toMatchObject({ outcome: 'failed' })
  expect(eventsOf(engine, refused.id).find(({ kind }) => kind === 'model.failed')).toMatchObject({
    data: { code: 'model.tools', retryable: true },
  })
  const { threadId } = await engine.api.call('thread.retry', { id: refused.id })
  expect(await rest(threadId)).toMatchObject({ outcome: 'answered', steps: 2 })
})

test('with code switched off a model that refuses actions is told apart: the thread fails and says what helps, again and again', async () => {
  const { engine, ask, rest } = await startWithoutActions()
  await engine.api.call('settings.set', { patch: { runsCode: false } })
  const first = await ask()
  const second = await rest((await engine.api.call('thread.retry', { id: first.id })).threadId)
  for (const { id, outcome, reason } of [first, second]) {
    expect(outcome).toBe('failed')
    expect(reason).toContain('Settings → Models')
    expect(reason).toContain('running code is switched off')
    expect(reason).not.toContain('asked to act by code')
    expect(eventsOf(engine, id).find(({ kind }) => kind === 'model.failed')).toMatchObject({
      data: { code: 'model.tools' },
    })
  }
})

const isSummary = (body: Json) => JSON.stringify(body).includes('Sum up the conversation below')

/** The transcript as the record of a thread gives it, up to the request of a step, and as a server gets it. */
function replayedMessages(engine: Engine, threadId: string, step: number): readonly string[] {
  const events = eventsOf(engine, threadId)
  const system = events.find((event) => event.kind === 'message.added' && event.data.role === 'system')
  const content = system?.kind === 'message.added' ? system.body.content : ''
  const conversation = createConversation([{ role: 'system', content }])
  const last = events.findIndex((event) => event.kind === 'step.started' && event.data.step === step)
  replayRecord(events.slice(0, last + 1), conversation, createRepeats())
  return wireMessages(conversation.messages).map((message) => message.content)
}

function sentMessages(body: Json): readonly Json[] {
  const messages = isJsonObject(body) && Array.isArray(body.messages) ? body.messages : []
  return messages.map((message) => (isJsonObject(message) ? (message.content ?? '') : ''))
}

const listed = 'Actions as functions'

/** Answers with what it asks of `plain`, a model that takes no actions; `test-model` takes them. */
async function startTwo(script: (body: Json, n: number) => ServedAnswer | Promise<ServedAnswer>) {
  let asked = 0
  let isProbe = true
  const server = await startModelServer(
    ({ body }) => {
      if (isJsonObject(body) && body.model === 'plain' && body.tools !== undefined)
        return { status: 400, body: { error: { message: 'plain does not support tools' } } }
      return isProbe ? { text: 'no calls' } : script(body, asked++)
    },
    { models: ['test-model', 'plain'] },
  )
  onTestFinished(() => server.close())
  const dataDir = temporaryFolder()
  const open = () => startEngine({ dataDir })
  const engine = await open()
  const { id: providerId } = await engine.api.call('provider.save', {
    provider: { kind: 'openai-compatible', title: 'Two', baseUrl: server.baseUrl },
  })
  const use = (model: string, of: Engine = engine) => {
    const ref = { providerId, model }
    return of.api.call('settings.set', { patch: { tiers: { minuet: ref, allegro: ref, forte: ref } } })
  }
  await engine.api.call('model.probe', { providerId, model: 'plain' })
  isProbe = false
  const project = await engine.api.call('project.open', { folder: folderWith({ 'tides.md': 'noon' }) })
  const send = async (text: string) => engine.api.call('thread.send', { projectId: project.id, text })
  const settle = (threadId: string, of: Engine = engine) => of.threads.join([threadId], AbortSignal.timeout(60_000))
  return { engine, open, server, use, send, settle, providerId }
}

const timesListed = (body: Json) => JSON.stringify(body).split(listed).length - 1

test('a switch to a model that calls no actions tells it of the functions, once, and the record says the same', async () => {
  const { engine, server, use, send, settle } = await startTwo(async (body, n) => {
    if (isJsonObject(body) && body.model === 'plain' && n < 3) return { text: '```repl\necho(text="tide")\n```' }
    if (n > 0) return { text: 'At noon.' }
    await use('plain')
    return { toolCalls: [{ name: 'list_files', arguments: {} }] }
  })
  await use('test-model')
  const from = server.requests.length
  const { threadId } = await send('When does the tide turn?')
  await settle(threadId)
  expect(await engine.api.call('thread.get', { id: threadId })).toMatchObject({ outcome: 'answered' })
  const asked = server.requests.slice(from).map(({ body }) => body)
  expect(asked.map(timesListed)).toEqual([0, 1, 1, 1])
  for (const [step, body] of asked.entries())
    expect(replayedMessages(engine, threadId, step)).toEqual(sentMessages(body))
})

test('a summary leaves out the functions, so they are told again; a restart under such a model tells them too', async () => {
  let isHeld = true
  const output = 'lorem ipsum dolor '.repeat(250)
  const { engine, open, server, use, send, settle, providerId } = await startTwo((body, n) => {
    const text = JSON.stringify(body)
    if (text.includes('Sum up the conversation below')) return { text: 'It printed.', usage: null }
    if (isJsonObject(body) && body.model === 'test-model' && isHeld) return { raw: () => undefined }
    return n < 12
      ? { text: `\`\`\`repl\nprint("${output}", ${n})\n\`\`\``, usage: null }
      : { text: 'done', usage: null }
  })
  await engine.api.call('settings.set', {
    patch: { modelLimits: { [`${providerId}/plain`]: { contextTokens: 14_000 } } },
  })
  await use('test-model')
  const from = server.requests.length
  const { threadId } = await send('Print, please')
  await expect.poll(() => server.requests.length).toBe(from + 1)
  await engine.stop('quit')
  isHeld = false
  const later = await open()
  await use('plain', later)
  await later.api.call('thread.resume', { id: threadId })
  await settle(threadId, later)
  expect(await later.api.call('thread.get', { id: threadId })).toMatchObject({ outcome: 'answered' })
  const asked = server.requests.slice(from + 1).flatMap(({ body }) => (isSummary(body) ? [] : [body]))
  expect(asked.length).toBeGreaterThan(6)
  expect(asked.map(timesListed)).toEqual(asked.map(() => 1))
  expect(eventsOf(later, threadId).some(({ kind }) => kind === 'context.compacted')).toBe(true)
  // What the step was begun with, its restart changed.
  for (const [step, body] of asked.entries())
    if (step > 0) expect(replayedMessages(later, threadId, step)).toEqual(sentMessages(body))
})

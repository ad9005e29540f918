import { createServer } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { AppError } from '../../../core/domain/error.ts'
import type { ModelDelta } from '../../../core/domain/model.ts'
import { defaultSettings } from '../../../core/domain/settings.ts'
import { createModels, type ModelsOptions } from '../../../core/models/models.ts'
import { startHostedServer } from '../../support/hosted-server.ts'
import { startLocalServer } from '../../support/local-servers.ts'
import { startModelServer } from '../../support/model-server.ts'
import { scriptedCall, scriptedModel } from '../../support/scripted-model.ts'
import { localProvider, modelsOn, testModel } from './support.ts'

const opened: { readonly close: () => Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})
const live = () => new AbortController().signal
const user = [{ role: 'user', content: 'hello' }] as const

function wired(options: Partial<ModelsOptions>) {
  const models = createModels({
    settings: () => defaultSettings,
    secrets: { get: async () => undefined },
    embedded: {},
    clock: { now: () => 0, monotonic: () => performance.now() },
    random: () => 0.5,
    wait: async () => {},
    ...options,
  })
  opened.push(models)
  return models
}

/** A server that answers each path with a value; anything else is 404. */
async function serveJson(routes: Readonly<Record<string, unknown>>): Promise<string> {
  const server = createServer((request, response) => {
    const body = routes[request.url ?? '']
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body ?? { error: 'not here' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  opened.push({ close: async () => void server.close().closeAllConnections() })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
}

it('what a server refuses holds for that server, not for the one that has its place by the time of the refusal', async () => {
  const second = 'http://127.0.0.1:9/v1'
  let providers = [localProvider('')]
  const server = await startModelServer(() => {
    providers = [localProvider(second)]
    return { status: 400, body: { error: 'registry/model does not support tools' } }
  })
  providers = [localProvider(server.baseUrl)]
  const models = wired({ settings: () => ({ ...defaultSettings, providers }) })
  opened.push(server)
  const asked = models.complete({ ref: testModel, messages: user, tools: [] }, { signal: live() })
  await expect(asked).rejects.toMatchObject({ code: 'model.tools' })
  expect(models.callsActions(testModel)).toBe(true)
  providers = [localProvider(server.baseUrl)]
  expect(models.callsActions(testModel)).toBe(false)
})

describe('a provider inside the process', () => {
  it('answers through the same complete()', async () => {
    const scripted = scriptedModel([{ text: 'Hi', toolCalls: [scriptedCall('echo', { text: 'x' })] }])
    const deltas: ModelDelta[] = []
    const { completion } = await wired({ embedded: { scripted } }).complete(
      { ref: { providerId: 'scripted', model: 'scripted' }, messages: user, tools: [] },
      { signal: live(), onDelta: (delta) => deltas.push(delta) },
    )
    expect(completion).toMatchObject({
      text: 'Hi',
      finishReason: 'tool_calls',
      usage: { inputTokens: 10, outputTokens: 5 },
    })
    expect(deltas).toEqual([
      { kind: 'text', text: 'Hi' },
      { kind: 'call', name: 'echo' },
    ])
    expect(scripted.requests[0]).toEqual({ model: 'scripted', messages: user, tools: [] })
  })

  it('is what every tier means at first; a change of the settings counts from the next request on', async () => {
    const planner = scriptedModel(() => ({ text: 'planner' }))
    const scripted = scriptedModel(() => ({ text: 'scripted' }))
    let settings = defaultSettings
    const models = wired({ embedded: { planner, scripted }, settings: () => settings })
    const ask = async () =>
      (await models.complete({ ref: 'allegro', messages: user, tools: [] }, { signal: live() })).completion.text
    expect(await ask()).toBe('planner')
    settings = { ...settings, tiers: { ...settings.tiers, allegro: { providerId: 'scripted', model: 'scripted' } } }
    expect(models.resolve('allegro')).toEqual({ providerId: 'scripted', model: 'scripted' })
    expect(await ask()).toBe('scripted')
  })

  it('is left when it is cancelled, and what it says afterwards is dropped', async () => {
    const controller = new AbortController()
    const deltas: ModelDelta[] = []
    let late: ((delta: ModelDelta) => void) | undefined
    const models = wired({
      embedded: {
        scripted: {
          models: () => [],
          complete: async (_, { onDelta }) => {
            late = onDelta
            controller.abort()
            return { text: 'too late', toolCalls: [], finishReason: 'stop' }
          },
        },
      },
    })
    const asked = models.complete(
      { ref: { providerId: 'scripted', model: 'x' }, messages: user, tools: [] },
      { signal: controller.signal, onDelta: (delta) => deltas.push(delta) },
    )
    await expect(asked).rejects.toMatchObject({ code: 'cancelled' })
    late?.({ kind: 'text', text: 'later' })
    expect(deltas).toEqual([])
  })

  it('that throws is a failed answer with a text for the person', async () => {
    const failing = scriptedModel(() => {
      throw new TypeError('bug')
    })
    const asked = wired({ embedded: { planner: failing } }).complete(
      { ref: 'forte', messages: user, tools: [] },
      { signal: live() },
    )
    await expect(asked).rejects.toMatchObject({
      code: 'model.provider',
      message: 'bug',
      userMessage: expect.stringContaining('kept'),
    })
  })
})

it('a model that nobody configured is refused as such', async () => {
  const asked = wired({}).complete(
    { ref: { providerId: 'gone', model: 'x' }, messages: user, tools: [] },
    { signal: live() },
  )
  await expect(asked).rejects.toMatchObject({
    code: 'model.none',
    userMessage: expect.stringContaining('Settings → Models'),
  })
})

describe('the request to a server', () => {
  it('has no empty list of tools, asks for usage, and is a history that every server accepts', async () => {
    const server = await startModelServer(() => ({ text: 'ok' }))
    const models = modelsOn(localProvider(server.origin))
    opened.push(models, server)
    const tool = { name: 'http.get', description: 'Gets', parameters: { type: 'object' } }
    const messages = [
      ...user,
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: 'a', name: 'http.get', argumentsRaw: '{"u', invalid: 'E_TOOL_ARGS_INVALID' }],
      },
    ] as const
    await models.complete({ ref: testModel, messages: user, tools: [] }, { signal: live() })
    await models.complete(
      { ref: testModel, messages, tools: [tool], maxOutputTokens: 50, temperature: 0 },
      { signal: live() },
    )
    const [plain, full] = server.requests.map((request) => request.body)
    expect(plain).toEqual({
      model: 'test-model',
      messages: [{ role: 'user', content: 'hello' }],
      stream: true,
      stream_options: { include_usage: true },
    })
    const name = expect.stringMatching(/^http_get_[0-9a-f]{8}$/)
    expect(full).toMatchObject({
      max_tokens: 50,
      temperature: 0,
      tools: [{ type: 'function', function: { name, description: 'Gets', parameters: { type: 'object' } } }],
      messages: [
        { role: 'user' },
        { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name, arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'a', content: '[no result]' },
      ],
    })
  })

  it('names an action in the answer as the engine knows it', async () => {
    const server = await startModelServer(({ body }) => {
      const [, wireName = ''] = /"name":"(http_get_\w+)"/.exec(JSON.stringify(body)) ?? []
      return { toolCalls: [{ name: wireName, arguments: {} }] }
    })
    const models = modelsOn(localProvider(server.baseUrl))
    opened.push(models, server)
    const deltas: ModelDelta[] = []
    const { completion } = await models.complete(
      { ref: testModel, messages: user, tools: [{ name: 'http.get', description: '', parameters: {} }] },
      { signal: live(), onDelta: (delta) => deltas.push(delta) },
    )
    expect(completion.toolCalls).toMatchObject([{ name: 'http.get' }])
    expect(deltas).toEqual([{ kind: 'call', name: 'http.get' }])
  })

  it('to Ollama goes by the native route: arguments are objects, a result names its action', async () => {
    const server = await startLocalServer('ollama', { script: () => ({ text: 'ok', promptTokens: 9 }) })
    const models = modelsOn(localProvider(`${server.origin}/v1`, { kind: 'ollama' }))
    opened.push(models, server)
    const messages = [
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'f', arguments: { n: 1 } }] },
      { role: 'tool', callId: 'a', name: 'f', content: 'R' },
    ] as const
    const { completion } = await models.complete({ ref: testModel, messages, tools: [] }, { signal: live() })
    expect(completion).toMatchObject({ text: 'ok', usage: { inputTokens: 9, outputTokens: 7 } })
    expect(server.requests.map(({ body }) => body)).toMatchObject([
      {
        messages: [
          {},
          { tool_calls: [{ function: { name: 'f', arguments: { n: 1 } } }] },
          { role: 'tool', tool_name: 'f', content: 'R' },
        ],
      },
    ])
  })
})

it('an error field of llama.cpp at HTTP 200 is the real error (R34)', async () => {
  const body =
    ':\n\n: ping\n\nerror: {"code":400,"message":"the request exceeds the available context size"}\n\ndata: [DONE]\n\n'
  const server = await startModelServer([{ status: 200, headers: { 'content-type': 'text/event-stream' }, body }])
  const models = modelsOn(localProvider(server.baseUrl))
  opened.push(models, server)
  const asked = models.complete({ ref: testModel, messages: user, tools: [] }, { signal: live() })
  await expect(asked).rejects.toMatchObject({
    code: 'model.overflow',
    message: 'the request exceeds the available context size',
  })
})

describe('the list of models', () => {
  it('has each provider with its models, and an honest error where they cannot be had', async () => {
    const server = await startModelServer([], { models: ['a', 'b'], contextTokens: 8_192 })
    const providers = [
      localProvider(server.baseUrl, { keyName: 'k' }),
      localProvider('http://127.0.0.1:9/v1', { id: 'gone', title: 'Gone' }),
    ]
    const models = wired({
      settings: () => ({ ...defaultSettings, providers }),
      embedded: { planner: scriptedModel([]) },
      secrets: { get: async (name) => (name === 'k' ? 'key' : undefined) },
    })
    opened.push(server)
    expect(await models.list(live())).toMatchObject([
      { id: 'planner', kind: 'planner', baseUrl: null, hasKey: false, models: [{}] },
      {
        id: 'local',
        hasKey: true,
        models: [{ providerId: 'local', model: 'a', contextTokens: 8_192 }, { model: 'b' }],
      },
      { id: 'gone', hasKey: false, models: [], error: { code: 'model.connect' } },
    ])
  })
})

describe('a probe', () => {
  const oslo = { name: 'look_up_city', arguments: { city: 'Oslo' } }
  const rome = { name: 'look_up_city', arguments: { city: 'Rome' } }

  it.each([
    ['both calls at once', [oslo, rome], { tools: true, parallel: true }],
    ['one call', [oslo], { tools: true, parallel: false }],
    ['no call: it may do so the next time', [], { tools: null, parallel: null }],
    ['a call of something else', [{ name: 'made_up', arguments: {} }], { tools: null, parallel: null }],
  ])('shows what a real request showed: %s', async (_, toolCalls, expected) => {
    const server = await startModelServer(() => ({ text: 'x', toolCalls }), { contextTokens: 16_384 })
    const models = modelsOn(localProvider(server.baseUrl))
    opened.push(models, server)
    const result = await models.probe(testModel, live())
    expect(result).toEqual({
      name: 'test-model',
      provider: 'local',
      ...expected,
      contextTokens: 16_384,
      firstTokenMs: expect.any(Number),
    })
  })

  it('of a model that knows no tools still shows that the connection works', async () => {
    const server = await startModelServer((_, n) =>
      n === 0 ? { status: 400, body: { error: 'registry/model does not support tools' } } : { text: 'ready' },
    )
    const models = modelsOn(localProvider(server.baseUrl))
    opened.push(models, server)
    expect(await models.probe(testModel, live())).toMatchObject({
      tools: false,
      parallel: false,
      firstTokenMs: expect.any(Number),
    })
  })

  it.each([
    ['no key is set', async () => undefined, 'model.auth'],
    [
      'the key cannot be had',
      () =>
        Promise.reject(
          new AppError('secret.unavailable', { message: 'locked', userMessage: 'The keyring is locked.' }),
        ),
      'secret.unavailable',
    ],
  ])('says so where %s: nothing was sent', async (_, get, code) => {
    const server = await startHostedServer('openai', [])
    const models = modelsOn(localProvider(server.baseUrl, { kind: 'openai', keyName: 'k' }), { secrets: { get } })
    opened.push(models, server)
    const nothing = { tools: null, parallel: null, contextTokens: null, firstTokenMs: null }
    const head = { name: 'test-model', provider: 'local' }
    expect(await models.probe(testModel, live())).toMatchObject({ ...head, ...nothing, error: { code } })
    expect(server.requests).toEqual([])
  })

  it('that is cancelled, or of a model that nobody configured, is no result', async () => {
    const controller = new AbortController()
    const get = () => {
      controller.abort()
      return Promise.reject(new Error('the keyring was asked in vain'))
    }
    const models = modelsOn(localProvider('http://127.0.0.1:9/v1', { keyName: 'k' }), { secrets: { get } })
    opened.push(models)
    await expect(models.probe(testModel, controller.signal)).rejects.toMatchObject({ code: 'cancelled' })
    await expect(models.probe({ providerId: 'gone', model: 'x' }, live())).rejects.toMatchObject({ code: 'model.none' })
  })

  it('that fails carries the error and does not try again', async () => {
    const server = await startModelServer(() => ({ status: 429, body: { error: { message: 'slow down' } } }))
    const models = modelsOn(localProvider(server.baseUrl))
    opened.push(models, server)
    expect(await models.probe(testModel, live())).toMatchObject({
      tools: null,
      firstTokenMs: null,
      error: { code: 'model.rate_limit' },
    })
    expect(server.requests).toHaveLength(1)
  })

  it('of the built-in planner names its tier and measures no connection', async () => {
    const planner = {
      ...scriptedModel([]),
      models: () => [{ providerId: 'planner', model: 'planner', title: 'Planner', contextTokens: null }],
    }
    expect(await wired({ embedded: { planner } }).probe({ providerId: 'planner', model: 'planner' }, live())).toEqual({
      name: 'planner',
      provider: 'planner',
      tier: 'minuet',
      tools: true,
      parallel: true,
      contextTokens: null,
      firstTokenMs: null,
    })
  })

  it('of a server that does not say its window shows none', async () => {
    const models = modelsOn(localProvider(await serveJson({ '/v1/models': { data: [{ id: 'test-model' }] } })))
    opened.push(models)
    expect((await models.probe(testModel, live())).contextTokens).toBe(null)
  })
})

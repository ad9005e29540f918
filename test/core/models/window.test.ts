import { afterEach, describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject } from '../../../core/domain/json.ts'
import type { Settings } from '../../../core/domain/settings.ts'
import {
  type ChatRequest,
  type LocalServer,
  type LocalServerKind,
  type LocalServerOptions,
  startLocalServer,
} from '../../support/local-servers.ts'
import { startModelServer } from '../../support/model-server.ts'
import { localProvider, modelsOn, type TestModels, testModel } from './support.ts'

const opened: { readonly close: () => Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})
const live = () => new AbortController().signal

interface Connected {
  readonly server: LocalServer
  readonly models: TestModels
}

async function connect(
  kind: LocalServerKind,
  options: LocalServerOptions = {},
  limits: Settings['modelLimits'] = {},
): Promise<Connected> {
  const server = await startLocalServer(kind, options)
  const models = modelsOn(localProvider(server.baseUrl, { kind: server.kind }), { limits })
  opened.push(models, server)
  return { server, models }
}

/** Sends so many characters and answers the window that Ollama was asked for. */
async function askedFor({ server, models }: Connected, characters: number, promptTokens?: number): Promise<number> {
  const messages = [{ role: 'user', content: 'x'.repeat(characters) }] as const
  const more = promptTokens === undefined ? {} : { promptTokens }
  await models.complete({ ref: testModel, messages, tools: [], ...more }, { signal: live() })
  return windowIn(server.requests.at(-1)?.body ?? {})
}

function windowIn({ options }: JsonObject): number {
  const window = isJsonObject(options) ? options.num_ctx : undefined
  return typeof window === 'number' ? window : 0
}

const own = (contextTokens: number) => ({ 'local/test-model': { contextTokens } })

describe('the window that Ollama is asked for', () => {
  it.each([
    ['a power of two that holds the request', {}, {}, 60_000, 32_768],
    ['16,384 at least', {}, {}, 10, 16_384],
    ['never more than the model was trained for', { trainedTokens: 20_000 }, {}, 90_000, 20_000],
    ['never more than 65,536 of our own accord', {}, {}, 900_000, 65_536],
    [
      'what a Modelfile says',
      { parameters: 'stop "<|eot_id|>"\nnum_ctx                        12000' },
      {},
      10,
      12_000,
    ],
    [
      'what a Modelfile says, as far as the model was trained',
      { parameters: 'num_ctx 9000', trainedTokens: 4_096 },
      {},
      10,
      4_096,
    ],
    ['what a person set, over the Modelfile', { parameters: 'num_ctx 12000' }, own(100_000), 10, 100_000],
    ['what a person set, as far as the model was trained', { trainedTokens: 32_768 }, own(100_000), 10, 32_768],
    ['what it runs with already, so that it is not loaded anew', { windowTokens: 32_768 }, {}, 10, 32_768],
    ['more than our own limit where it runs with that already', { windowTokens: 131_072 }, {}, 10, 131_072],
  ])('is %s', async (_, options, limits, characters, expected) => {
    expect(await askedFor(await connect('ollama', options, limits), characters)).toBe(expected)
  })

  it('grows with a conversation and never shrinks, because each change loads the model anew', async () => {
    const connected = await connect('ollama')
    const asked: unknown[] = []
    for (const characters of [10, 40_000, 60_000, 10, 200_000, 10]) asked.push(await askedFor(connected, characters))
    expect(asked).toEqual([16_384, 16_384, 32_768, 32_768, 65_536, 65_536])
    expect([...connected.server.asked].sort()).toEqual(['/api/ps', '/api/show'])
  })

  it('holds what the caller knows the prompt to be, where that is more than its length says', async () => {
    expect(await askedFor(await connect('ollama'), 20_000, 25_000)).toBe(32_768)
  })

  it('is twice as large after a prompt that filled it: that one was longer than it was thought to be', async () => {
    const script = ({ body }: ChatRequest) => ({ text: 'ok', promptTokens: windowIn(body) })
    const connected = await connect('ollama', { script, trainedTokens: 30_000 })
    const asked: unknown[] = []
    for (const characters of [10, 10, 10, 10]) asked.push(await askedFor(connected, characters))
    expect(asked).toEqual([16_384, 30_000, 30_000, 30_000])
  })

  it('holds a Chinese text, of which a character is a token or more', async () => {
    const connected = await connect('ollama')
    const messages = [{ role: 'user', content: '漢'.repeat(20_000) }] as const
    await connected.models.complete({ ref: testModel, messages, tools: [] }, { signal: live() })
    expect(windowIn(connected.server.requests[0]?.body ?? {})).toBe(32_768)
  })

  it('is the smallest one for a server that says nothing of the model, and it is asked again', async () => {
    const connected = await connect('ollama', { models: [] })
    const { models } = connected
    expect(await askedFor(connected, 10)).toBe(16_384)
    const before = connected.server.asked.length
    expect(await models.windowOf(testModel, live())).toBe(65_536)
    expect(connected.server.asked.length).toBe(before * 2)
  })
})

describe('the window that a thread counts on', () => {
  it.each([
    ['ollama', 'our own limit', {}, {}, 65_536],
    ['ollama', 'the trained length', { trainedTokens: 40_960 }, {}, 40_960],
    ['ollama', 'the Modelfile’s', { parameters: 'num_ctx 4096' }, {}, 4_096],
    ['ollama', 'a person’s, as far as the model was trained', { trainedTokens: 8_192 }, own(100_000), 8_192],
    ['llama-cpp', 'that of one slot, not the sum of all', { windowTokens: 4_096 }, {}, 4_096],
    ['lm-studio', 'what the model is loaded with, not the most it could be', { windowTokens: 6_000 }, {}, 6_000],
    ['vllm', 'the longest request', { windowTokens: 20_480 }, {}, 20_480],
    ['gateway', 'the one in the list', { windowTokens: 200_000 }, {}, 200_000],
    ['vllm', 'a person’s, who knows better', { windowTokens: 20_480 }, own(10_000), 10_000],
  ] as const)('of %s is %s', async (kind, _, options, limits, expected) => {
    const { models } = await connect(kind, options, limits)
    expect(await models.windowOf(testModel, live())).toBe(expected)
    expect(await models.probe(testModel, live())).toMatchObject({ contextTokens: expected })
  })

  it('of a model that LM Studio loads with the first request is asked for again after it', async () => {
    const { models } = await connect('lm-studio', { isLoaded: false, windowTokens: 4_096, trainedTokens: 32_768 })
    expect(await models.windowOf(testModel, live())).toBe(32_768)
    await models.complete(
      { ref: testModel, messages: [{ role: 'user', content: 'hello' }], tools: [] },
      { signal: live() },
    )
    expect(await models.windowOf(testModel, live())).toBe(4_096)
    expect(models.windowOf(testModel, live())).toBe(4_096)
  })

  it('is asked for again after a request failed: the server may have been started anew', async () => {
    const { models, server } = await connect('vllm', {
      script: () => ({ status: 500, body: { error: 'out of memory' } }),
    })
    await models.windowOf(testModel, live())
    await models.windowOf(testModel, live())
    const before = server.asked.length
    const asked = models.complete(
      { ref: testModel, messages: [{ role: 'user', content: 'hello' }], tools: [] },
      { signal: live() },
    )
    await expect(asked).rejects.toMatchObject({ code: 'model.provider' })
    await models.windowOf(testModel, live())
    expect(server.asked.length).toBe(before * 2)
  })
})

describe('what a server refused', () => {
  const overflow = { status: 400, body: { error: { message: 'prompt is too long' } } }
  const refusal = { messages: [{ role: 'user', content: 'x' }], tools: [], ref: testModel } as const

  it('is no more than that from then on, through later failures, until the server names another window', async () => {
    const server = await startModelServer(() => overflow, { contextTokens: 32_000 })
    const models = modelsOn(localProvider(server.baseUrl))
    opened.push(models, server)
    expect(await models.windowOf(testModel, live())).toBe(32_000)
    models.noteOverflow(testModel, 9_000)
    models.noteOverflow(testModel, 12_000)
    expect(await models.windowOf(testModel, live())).toBe(9_000)
    await expect(models.complete(refusal, { signal: live() })).rejects.toMatchObject({ code: 'model.overflow' })
    expect(await models.windowOf(testModel, live())).toBe(9_000)
    expect(await models.windowOf({ ...testModel, model: 'other' }, live())).not.toBe(9_000)
  })

  it('is forgotten when a person names another window, when the model is tested, and when the server was away', async () => {
    const limits: { 'local/test-model': { contextTokens: number } } = own(20_000)
    const server = await startModelServer(() => overflow)
    const models = modelsOn(localProvider(server.baseUrl), { limits })
    opened.push(models)
    expect(await models.windowOf(testModel, live())).toBe(20_000)
    models.noteOverflow(testModel, 9_000)
    expect(await models.windowOf(testModel, live())).toBe(9_000)
    limits['local/test-model'].contextTokens = 24_000
    expect(await models.windowOf(testModel, live())).toBe(24_000)

    models.noteOverflow(testModel, 9_000)
    await models.probe(testModel, live())
    expect(await models.windowOf(testModel, live())).toBe(24_000)

    models.noteOverflow(testModel, 9_000)
    await server.close()
    await expect(models.complete(refusal, { signal: live() })).rejects.toMatchObject({ code: 'model.connect' })
    expect(await models.windowOf(testModel, live())).toBe(24_000)
  })
})

import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import { hostedKinds, type ModelMessage, type ToolDefinition } from '../../../core/domain/model.ts'
import { defaultSettings } from '../../../core/domain/settings.ts'
import { createModels } from '../../../core/models/models.ts'
import {
  beginStream,
  type HostedKind,
  type HostedReply,
  hostedErrorEvent,
  hostedEvents,
  startHostedServer,
} from '../../support/hosted-server.ts'
import { type Asked, ask, localProvider, modelsOn, testModel } from './support.ts'

const opened: { readonly close: () => Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

const key = 'sk-very-secret-1234567890'
type Script = Parameters<typeof startHostedServer>[1]

async function serve(kind: HostedKind, script: Script, options: Parameters<typeof modelsOn>[1] = {}, routes = {}) {
  const server = await startHostedServer(kind, script, routes)
  const provider = localProvider(server.baseUrl, { kind, title: 'The provider', keyName: 'k' })
  const models = modelsOn(provider, { secrets: { get: async () => key }, ...options })
  opened.push(models, server)
  return { server, models }
}

const tool: ToolDefinition = {
  name: 'read_file',
  description: 'Reads one file.',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}
const always = (reply: HostedReply) => () => reply
const refusal = (status: number, body: string | object, headers = {}): HostedReply => ({
  status,
  headers,
  body: typeof body === 'string' ? { error: { message: body } } : JSON.parse(JSON.stringify(body)),
})
/** Begins a stream with a piece of text, and leaves the rest to the test. */
const begun = (kind: HostedKind, then: (response: ServerResponse) => void): HostedReply => ({
  raw: (response) => {
    beginStream(response)
    const events = hostedEvents(kind, { text: 'Half an answer.' })
    const first = events.findIndex((event) => event.includes('Half')) + 1
    response.write(events.slice(0, first).join(''), () => then(response))
  },
})
const shownText = ({ deltas }: Asked) => deltas.map((delta) => (delta.kind === 'text' ? delta.text : '')).join('')

describe.each(hostedKinds)('an answer of %s', (kind) => {
  it('streams as text, thinking and one named call, and carries what was counted and what was cached', async () => {
    const { server, models } = await serve(kind, [
      {
        text: 'Looking at it.',
        reasoning: 'Which file?',
        calls: [{ id: 'call_1', name: 'read_file', raw: '{"path":"a b.md"}' }],
        usage: { input: 900, output: 41, cached: 640 },
      },
    ])
    const asked = await ask(models)
    expect(asked.completed?.completion).toEqual({
      text: 'Looking at it.',
      // Chat completions of OpenAI never show what a model thinks.
      ...(kind !== 'openai' && { reasoning: 'Which file?' }),
      toolCalls: [expect.objectContaining({ id: 'call_1', name: 'read_file', arguments: { path: 'a b.md' } })],
      finishReason: 'tool_calls',
      usage: { inputTokens: 900, outputTokens: 41, cachedInputTokens: 640 },
    })
    expect(shownText(asked)).toBe('Looking at it.')
    expect(asked.deltas.filter(({ kind: what }) => what === 'text').length).toBeGreaterThan(1)
    expect(asked.deltas).toContainEqual({ kind: 'call', name: 'read_file' })
    expect(asked.completed?.firstTokenMs).toEqual(expect.any(Number))
    expect(server.requests).toHaveLength(1)
  })

  it('may hold two calls at once, each with its own id and arguments', async () => {
    const { models } = await serve(kind, [
      {
        calls: [
          { id: 'call_1', name: 'read_file', raw: '{"path":"a.md"}' },
          { id: 'call_2', name: 'read_file', raw: '{"path":"b.md"}' },
        ],
      },
    ])
    expect((await ask(models)).completed?.completion.toolCalls).toEqual([
      expect.objectContaining({ id: 'call_1', arguments: { path: 'a.md' } }),
      expect.objectContaining({ id: 'call_2', arguments: { path: 'b.md' } }),
    ])
  })

  it.each([
    ['length', 'length'],
    ['filter', 'content_filter'],
    ['stop', 'stop'],
  ] as const)('ends for the reason that is given: %s', async (stop, finishReason) => {
    const { models } = await serve(kind, [{ text: 'Enough.', stop }])
    expect((await ask(models)).completed?.completion).toMatchObject({ text: 'Enough.', finishReason })
  })

  it('that was cut inside a call keeps that call as one that is never run', async () => {
    const { models } = await serve(kind, [
      { calls: [{ id: 'call_1', name: 'read_file', raw: '{"path":"a.md"}' }], stop: 'length' },
    ])
    const [call] = (await ask(models)).completed?.completion.toolCalls ?? []
    expect(call).toMatchObject({ id: 'call_1', invalid: 'E_TOOL_ARGS_TRUNCATED' })
  })

  it('cut off after any event is an error with a beginning of the text and no call, or the whole answer', async () => {
    const whole = {
      text: 'Looking at it.',
      calls: [{ id: 'call_1', name: 'read_file', raw: '{"path":"a.md"}' }],
    }
    const body = Buffer.from(hostedEvents(kind, whole).join(''))
    const cuts = Array.from({ length: 24 }, (_, n) => Math.floor((n * body.length) / 24))
    const replies = cuts.flatMap((at) =>
      (['end', 'reset'] as const).map(
        (how): HostedReply => ({
          raw: (response) => {
            beginStream(response)
            response.write(body.subarray(0, at), () =>
              how === 'end' ? response.end() : response.socket?.resetAndDestroy(),
            )
          },
        }),
      ),
    )
    // Before the first byte a lost connection is asked again, which another test is about.
    const { models } = await serve(kind, replies.slice(2))
    for (const at of cuts.slice(1).flatMap((cut) => [cut, cut])) {
      const { completed, error } = await ask(models)
      if (completed !== undefined) {
        expect(completed.completion, `cut at ${at}`).toMatchObject({ text: whole.text, finishReason: 'tool_calls' })
        expect(completed.completion.toolCalls[0]).toMatchObject({ arguments: { path: 'a.md' } })
        continue
      }
      expect(error, `cut at ${at}`).toMatchObject({ code: 'model.truncated', retryable: true })
      expect(whole.text.startsWith(String(error?.data?.partialText)), `cut at ${at}`).toBe(true)
    }
  })

  it('without end is cut off at the limit', async () => {
    const block = Buffer.from(`: ${'x'.repeat(1_048_573)}\n`)
    const { models } = await serve(kind, [
      {
        raw: async (response) => {
          beginStream(response)
          for (let sent = 0; sent <= limits.responseBytes && !response.destroyed; sent += block.length) {
            await new Promise<void>((resolve) => response.write(block, () => resolve()))
          }
          response.end()
        },
      },
    ])
    expect((await ask(models)).error).toMatchObject({ code: 'model.stream', data: { maxBytes: limits.responseBytes } })
  })
})

describe.each(hostedKinds)('a request to %s', (kind) => {
  const history: readonly ModelMessage[] = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'What is in a and b?' },
    {
      role: 'assistant',
      content: '',
      toolCalls: [
        { id: 'c1', name: 'skill/read file', arguments: { path: 'a' } },
        { id: 'c2', name: 'read_file', argumentsRaw: '{"path":', invalid: 'E_TOOL_ARGS_INVALID' },
      ],
    },
    { role: 'tool', callId: 'c1', name: 'skill/read file', content: 'tides' },
    { role: 'system', content: 'Mind the time.' },
  ]

  it('has the key, the names as servers allow them, and exactly one result for each call', async () => {
    const { server, models } = await serve(kind, [{ text: 'ok' }])
    const odd = { ...tool, name: 'skill/read file' }
    await models.complete(
      { ref: testModel, messages: history, tools: [odd, tool], maxOutputTokens: 77, temperature: 0.5 },
      { signal: new AbortController().signal },
    )
    const [request] = server.requests
    const body = JSON.stringify(request?.body)
    expect(body).not.toContain('skill/read file')
    expect(body.match(/skill_read_file_[0-9a-f]{8}/g)?.length).toBeGreaterThanOrEqual(2)
    expect(body).toContain('Be brief.')
    expect(body).toContain('tides')
    expect(body.split('[no result]')).toHaveLength(2)
    expect(body).toContain('Mind the time.')
    expect(body).toContain('77')
    expect(body).not.toContain(key)
    expect({ path: request?.path, ...request?.headers }).toMatchObject(
      {
        openai: { path: '/v1/chat/completions', authorization: `Bearer ${key}` },
        anthropic: { path: '/v1/messages', 'x-api-key': key, 'anthropic-version': '2023-06-01' },
        google: { path: '/v1beta/models/test-model:streamGenerateContent?alt=sse', 'x-goog-api-key': key },
        openrouter: { path: '/api/v1/chat/completions', authorization: `Bearer ${key}` },
      }[kind],
    )
  })

  it('brings back a call of an odd name under the name that it has here', async () => {
    const wire = /skill_read_file_[0-9a-f]{8}/
    const replies: HostedReply[] = [{ text: 'first' }]
    const { server, models } = await serve(kind, (n) => replies[n] ?? { text: 'none' })
    const call = { ref: testModel, messages: history, tools: [{ ...tool, name: 'skill/read file' }] }
    await models.complete(call, { signal: new AbortController().signal })
    const name = wire.exec(JSON.stringify(server.requests[0]?.body))?.[0] ?? ''
    replies.push({ calls: [{ id: 'c9', name, raw: '{"path":"x"}' }] })
    const { completion } = await models.complete(call, { signal: new AbortController().signal })
    expect(completion.toolCalls).toEqual([expect.objectContaining({ id: 'c9', name: 'skill/read file' })])
  })

  it('leaves tools out where there are none', async () => {
    const { server, models } = await serve(kind, [{ text: 'ok' }])
    await ask(models)
    expect(server.requests[0]?.body).not.toHaveProperty('tools')
    expect(server.requests[0]?.body).not.toHaveProperty('toolConfig')
  })

  it('is not made without a key, and that is said', async () => {
    const { server, models } = await serve(kind, [{ text: 'ok' }], { secrets: { get: async () => undefined } })
    const { error } = await ask(models)
    expect(error).toMatchObject({
      code: 'model.auth',
      userMessage: expect.stringContaining('The provider wants a key, and none is set'),
    })
    expect((await models.list(new AbortController().signal))[0]).toMatchObject({ error: { code: 'model.auth' } })
    expect(server.requests).toEqual([])
  })
})

const toolsRefused = 'This model does not support tools'
const refusals: Readonly<Record<HostedKind, readonly (readonly [string, HostedReply, object])[]>> = {
  openai: [
    ['a wrong key', refusal(401, 'Incorrect API key provided'), { code: 'model.auth', retryable: false }],
    ['a model that is not there', refusal(404, 'The model `test-model` does not exist'), { code: 'model.not_found' }],
    [
      'an overflow',
      refusal(400, {
        error: {
          message:
            "This model's maximum context length is 128000 tokens. However, your messages resulted in 130001 tokens.",
          code: 'context_length_exceeded',
        },
      }),
      { code: 'model.overflow', data: { limit: 128_000, got: 130_001 } },
    ],
  ],
  anthropic: [
    [
      'a wrong key',
      refusal(401, { type: 'error', error: { type: 'authentication_error', message: 'invalid x-api-key' } }),
      { code: 'model.auth', retryable: false },
    ],
    [
      'a model that is not there',
      refusal(404, { type: 'error', error: { type: 'not_found_error', message: 'model: test-model not found' } }),
      { code: 'model.not_found' },
    ],
    [
      'an overflow',
      refusal(400, {
        type: 'error',
        error: { type: 'invalid_request_error', message: 'prompt is too long: 208310 tokens > 200000 maximum' },
      }),
      { code: 'model.overflow', data: { limit: 200_000, got: 208_310 } },
    ],
  ],
  google: [
    [
      'a wrong key',
      refusal(400, {
        error: { code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' },
      }),
      { code: 'model.auth', retryable: false },
    ],
    [
      'a model that is not there',
      refusal(404, {
        error: { code: 404, message: 'models/x is not found for API version v1beta', status: 'NOT_FOUND' },
      }),
      { code: 'model.not_found' },
    ],
    [
      'an overflow',
      refusal(400, 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).'),
      { code: 'model.overflow', data: { limit: 1_048_576, got: 1_200_000 } },
    ],
  ],
  openrouter: [
    [
      'a wrong key',
      refusal(401, { error: { message: 'No auth credentials found', code: 401 } }),
      { code: 'model.auth' },
    ],
    [
      'a model that is not there',
      refusal(400, { error: { message: 'test-model is not a valid model ID: unknown model', code: 400 } }),
      { code: 'model.not_found' },
    ],
    [
      'an overflow',
      refusal(400, "This endpoint's maximum context length is 131072 tokens. However, you requested 140000 tokens"),
      { code: 'model.overflow', data: { limit: 131_072, got: 140_000 } },
    ],
  ],
}

describe.each(hostedKinds)('what goes wrong at %s reads as at any other server', (kind) => {
  it.each([
    ...refusals[kind],
    ['no tools', refusal(400, toolsRefused), { code: 'model.tools' }],
    ['an error of its own', refusal(500, 'boom'), { code: 'model.provider', retryable: true }],
    [
      'a page',
      { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html>' },
      { code: 'model.html' },
    ],
    [
      'a redirect, which no key follows',
      { status: 307, headers: { location: 'http://127.0.0.1:9/elsewhere' }, body: '' },
      { code: 'model.refused', data: { status: 307 } },
    ],
  ] satisfies (readonly [string, HostedReply, object])[])('%s, after one request', async (_, reply, expected) => {
    const { server, models } = await serve(kind, always(reply))
    const { error, retries } = await ask(models)
    expect(error).toMatchObject(expected)
    expect(error?.userMessage).toContain('kept')
    expect(retries).toEqual([])
    expect(server.requests).toHaveLength(1)
  })

  it('a limit is waited for as long as the provider asks, twice', async () => {
    const { server, models } = await serve(kind, always(refusal(429, 'slow down', { 'retry-after': '7' })))
    expect((await ask(models)).error?.code).toBe('model.rate_limit')
    expect(models.waits).toEqual([7_000, 7_000])
    expect(server.requests).toHaveLength(1 + limits.modelRetries)
  })

  it.each([503, 529])('a provider that is too busy (%i) is asked again', async (status) => {
    const { server, models } = await serve(kind, [refusal(status, 'Overloaded'), { text: 'now' }])
    expect((await ask(models)).completed?.completion.text).toBe('now')
    expect(server.requests).toHaveLength(2)
  })

  it('a connection that fails before the first byte is made again', async () => {
    const { server, models } = await serve(kind, [
      { raw: (response) => void response.socket?.destroy() },
      {
        raw: (response) => {
          beginStream(response)
          response.write('', () => response.socket?.resetAndDestroy())
          response.flushHeaders()
        },
      },
      { text: 'third' },
    ])
    const asked = await ask(models)
    expect(asked.completed?.completion.text).toBe('third')
    expect(shownText(asked)).toBe('third')
    // By the engine's own loop: the SDK sends nothing again by itself.
    expect(asked.retries.map(({ attempt }) => attempt)).toEqual([1, 2])
    expect(server.requests).toHaveLength(3)
  })

  it('an error in mid-answer keeps what had come, and is not asked again', async () => {
    const { server, models } = await serve(kind, [
      begun(kind, (response) => response.end(hostedErrorEvent(kind, 'The engine fell over'))),
    ])
    const { error } = await ask(models)
    expect(error).toMatchObject({ code: 'model.provider', data: { partialText: expect.stringMatching(/^Half/) } })
    expect(error?.userMessage).toContain('The engine fell over')
    expect(server.requests).toHaveLength(1)
  })

  it('what is no answer at all is said to be none', async () => {
    const { models } = await serve(kind, [begun(kind, (response) => response.end('data: {"this is": [not, json\n\n'))])
    expect((await ask(models)).error).toMatchObject({ code: 'model.stream', data: { streamCode: 'E_PROVIDER_STREAM' } })
  })

  it('the key is in no text, even where the provider repeats it', async () => {
    const { models } = await serve(kind, always(refusal(401, `the key ${key} is not known`)))
    const { error } = await ask(models)
    expect(`${error?.message} ${error?.userMessage} ${JSON.stringify(error?.data)}`).not.toContain(key)
    expect(error?.message).toContain('***')
  })

  it('silence in mid-answer ends it after the idle time, silence before it after the first one', async () => {
    const silent: HostedReply[] = [begun(kind, () => undefined), { raw: () => undefined }]
    const limits = { 'local/test-model': { firstTokenMs: 2_000, idleMs: 60 } }
    const { models } = await serve(kind, silent, { limits })
    expect((await ask(models)).error).toMatchObject({ code: 'model.timeout', data: { phase: 'idle' } })
    const impatient = await serve(kind, silent.slice(1), {
      limits: { 'local/test-model': { firstTokenMs: 60, idleMs: 2_000 } },
    })
    expect((await ask(impatient.models)).error).toMatchObject({ code: 'model.timeout', data: { phase: 'first-token' } })
  })

  it('a cancelled answer stops at once, and the connection with it', async () => {
    const closed = Promise.withResolvers<void>()
    const controller = new AbortController()
    const { models } = await serve(kind, [begun(kind, (response) => response.on('close', () => closed.resolve()))])
    const { error } = await ask(models, { signal: controller.signal, onDelta: () => controller.abort() })
    expect(error).toMatchObject({ code: 'cancelled', data: { partialText: expect.stringMatching(/^Half/) } })
    await closed.promise
  })
})

describe('arguments that are no JSON', () => {
  it.each(['openai', 'anthropic', 'openrouter'] as const)(
    '%s: the call is kept as it came, and never run',
    async (kind) => {
      const raw = '{"path": "a.md", '
      const { models } = await serve(kind, [{ calls: [{ id: 'call_1', name: 'read_file', raw }] }])
      expect((await ask(models)).completed?.completion.toolCalls).toEqual([
        expect.objectContaining({ id: 'call_1', argumentsRaw: raw, invalid: 'E_TOOL_ARGS_INVALID' }),
      ])
    },
  )

  it('openrouter: also where they came in one piece, which its package would replace by {}', async () => {
    const head = { id: 'gen-1', object: 'chat.completion.chunk', created: 1, model: 'm' }
    const chunk = (delta: object, finish_reason: string | null = null) =>
      `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason }] })}\n\n`
    const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'delete', arguments: '{"path":' } }
    const { models } = await serve('openrouter', [
      {
        raw: (response) => {
          beginStream(response)
          response.end(`${chunk({ tool_calls: [call] })}${chunk({}, 'tool_calls')}data: [DONE]\n\n`)
        },
      },
    ])
    expect((await ask(models)).completed?.completion.toolCalls).toMatchObject([
      { id: 'call_1', name: 'delete', argumentsRaw: '{"path":', invalid: 'E_TOOL_ARGS_INVALID' },
    ])
  })
})

describe('what a provider wants back with a call', () => {
  it.each(['google', 'openrouter'] as const)(
    '%s: the signature of its thoughts returns, byte for byte',
    async (kind) => {
      const signature = 'c2lnbmF0dXJlIG9mIHRob3VnaHRz/+=='
      const call = { id: 'call_1', name: 'read_file', raw: '{"path":"a.md"}' }
      const { server, models } = await serve(kind, [{ calls: [call], signature }, { text: 'done' }])
      const { completion } = await models.complete(
        { ref: testModel, messages: [{ role: 'user', content: 'read a' }], tools: [tool] },
        { signal: new AbortController().signal },
      )
      await models.complete(
        {
          ref: testModel,
          messages: [
            { role: 'user', content: 'read a' },
            { role: 'assistant', content: '', toolCalls: completion.toolCalls },
            { role: 'tool', callId: 'call_1', name: 'read_file', content: 'tides' },
          ],
          tools: [tool],
        },
        { signal: new AbortController().signal },
      )
      expect(JSON.stringify(server.requests[0]?.body)).not.toContain(signature)
      expect(JSON.stringify(server.requests[1]?.body)).toContain(signature)
    },
  )

  it('no other server gets it', async () => {
    const { server, models } = await serve('openai', [{ text: 'done' }])
    const providerMetadata = { google: { thoughtSignature: 'c2ln' } }
    const messages: readonly ModelMessage[] = [
      { role: 'user', content: 'read a' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'c', name: 'read_file', arguments: {}, providerMetadata }] },
    ]
    await models.complete({ ref: testModel, messages, tools: [tool] }, { signal: new AbortController().signal })
    expect(JSON.stringify(server.requests[0]?.body)).not.toContain('c2ln')
  })
})

describe('the cached prefix', () => {
  const marks = (body: unknown) => JSON.stringify(body).match(/"cache_control":\{"type":"ephemeral"\}/g)?.length ?? 0
  const messages: readonly ModelMessage[] = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'one' },
    { role: 'assistant', content: 'two' },
    { role: 'user', content: 'three' },
  ]
  const request = { messages, tools: [tool] }

  it('is marked for Anthropic after tools and system prompt, and at the last message', async () => {
    const { server, models } = await serve('anthropic', [{ text: 'ok' }])
    await models.complete({ ref: testModel, ...request }, { signal: new AbortController().signal })
    const body = server.requests[0]?.body
    expect(marks(body?.system)).toBe(1)
    expect(body?.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant' },
      { role: 'user', content: [{ text: 'three', cache_control: { type: 'ephemeral' } }] },
    ])
    expect(marks(body)).toBe(2)
  })

  it('is marked at OpenRouter for Claude only', async () => {
    const { server, models } = await serve('openrouter', [{ text: 'ok' }, { text: 'ok' }])
    const signal = new AbortController().signal
    await models.complete({ ref: { ...testModel, model: 'anthropic/claude' }, ...request }, { signal })
    await models.complete({ ref: { ...testModel, model: 'deepseek/chat' }, ...request }, { signal })
    expect(server.requests.map(({ body }) => marks(body))).toEqual([2, 0])
  })
})

describe('the models that a provider offers', () => {
  const listed = async (kind: HostedKind, routes: Parameters<typeof startHostedServer>[2]) => {
    const { server, models } = await serve(kind, [], {}, routes)
    const [provider] = await models.list(new AbortController().signal)
    return { server, models, provider }
  }
  const row = (model: string, title: string, contextTokens: number | null) => ({
    ...{ providerId: 'local', model, title, contextTokens },
  })

  it('openai: those that answer a chat', async () => {
    const ids = ['gpt-5', 'text-embedding-3-small', 'whisper-1', 'o4-mini', 'gpt-image-1', 'gpt-4o-mini-tts']
    const { provider } = await listed('openai', { '/v1/models': { data: ids.map((id) => ({ id, object: 'model' })) } })
    expect(provider?.models).toEqual([row('gpt-5', 'gpt-5', null), row('o4-mini', 'o4-mini', null)])
    expect(provider?.hasKey).toBe(true)
  })

  it('anthropic: page by page, with the window where it is told', async () => {
    const claude = (id: string, max_input_tokens?: number) => ({
      ...{ type: 'model', id, display_name: id.toUpperCase() },
      ...(max_input_tokens && { max_input_tokens }),
    })
    const { server, models, provider } = await listed('anthropic', {
      '/v1/models?limit=1000': { data: [claude('c-1', 200_000)], has_more: true, last_id: 'c-1' },
      '/v1/models?limit=1000&after_id=c-1': { data: [claude('c-2')], has_more: false, last_id: 'c-2' },
      '/v1/models/c-1': claude('c-1', 200_000),
    })
    expect(provider?.models).toEqual([row('c-1', 'C-1', 200_000), row('c-2', 'C-2', null)])
    expect(server.requests[0]?.headers).toMatchObject({ 'x-api-key': key, 'anthropic-version': '2023-06-01' })
    expect(await models.windowOf({ providerId: 'local', model: 'c-1' }, new AbortController().signal)).toBe(200_000)
  })

  it('google: those that generate, by their plain names', async () => {
    const gemini = (name: string, methods: readonly string[]) => ({
      ...{
        name: `models/${name}`,
        displayName: name,
        inputTokenLimit: 1_048_576,
        supportedGenerationMethods: [...methods],
      },
    })
    const { models, provider } = await listed('google', {
      '/v1beta/models?pageSize=1000': { models: [gemini('g-1', ['generateContent'])], nextPageToken: 'p/2' },
      '/v1beta/models?pageSize=1000&pageToken=p%2F2': { models: [gemini('embed', ['embedContent'])] },
      '/v1beta/models/g-1': gemini('g-1', ['generateContent']),
    })
    expect(provider?.models).toEqual([row('g-1', 'g-1', 1_048_576)])
    expect(await models.windowOf({ providerId: 'local', model: 'g-1' }, new AbortController().signal)).toBe(1_048_576)
  })

  it('openrouter: with windows and prices, which count where a person set none', async () => {
    const pricing = { prompt: '0.000003', completion: '0.000015', input_cache_read: '0.0000003', request: '0' }
    const auto = { id: 'openrouter/auto', name: 'Auto', pricing: { prompt: '-1', completion: '-1' } }
    const { models, provider } = await listed('openrouter', {
      '/api/v1/models': { data: [{ id: 'a/b', name: 'A: B', context_length: 131_072, pricing }, auto] },
    })
    expect(provider?.models).toEqual([
      { ...row('a/b', 'A: B', 131_072), price: { inputUsd: 3, outputUsd: 15, cachedInputUsd: 0.3 } },
      row('openrouter/auto', 'Auto', null),
    ])
    const usage = { inputTokens: 1_000_000, outputTokens: 100_000, cachedInputTokens: 500_000 }
    expect(models.usdOf({ providerId: 'local', model: 'a/b' }, usage)).toBeCloseTo(1.5 + 0.15 + 1.5)
    expect(models.usdOf({ providerId: 'local', model: 'openrouter/auto' }, usage)).toBeNull()
  })
})

describe('the price that OpenRouter names', () => {
  const routes = {
    '/api/v1/models': {
      data: [
        { id: 'a/b', name: 'A', context_length: 131_072, pricing: { prompt: '0.000003', completion: '0.000015' } },
      ],
    },
  }
  const ref = { providerId: 'local', model: 'a/b' }
  const usage = { inputTokens: 1_000_000, outputTokens: 0 }
  const set = { 'local/a/b': { contextTokens: 50_000 } }
  const live = () => new AbortController().signal

  it('counts for a model whose window a person set, and that window stays theirs', async () => {
    const { server, models } = await serve('openrouter', [], { limits: set }, routes)
    expect(await models.windowOf(ref, live())).toBe(50_000)
    expect(models.usdOf(ref, usage)).toBeCloseTo(3)
    expect(await models.windowOf(ref, live())).toBe(50_000)
    expect(server.requests).toHaveLength(1)
  })

  it('is not waited for where the key cannot be had: a window that a person set holds all the same', async () => {
    const secrets = { get: () => Promise.reject(new Error('the keyring is locked')) }
    const { server, models } = await serve('openrouter', [], { limits: set, secrets }, routes)
    expect(await models.windowOf(ref, live())).toBe(50_000)
    expect(server.requests).toHaveLength(0)
  })

  it('does not count for another provider that has its place in the settings by now', async () => {
    const { server } = await serve('openrouter', [], {}, routes)
    let provider = localProvider(server.baseUrl, { kind: 'openrouter', keyName: 'k' })
    const models = createModels({
      settings: () => ({ ...defaultSettings, providers: [provider] }),
      secrets: { get: async () => key },
      embedded: {},
      clock: { now: () => 0, monotonic: () => 0 },
      random: () => 0,
    })
    opened.push(models)
    await models.windowOf(ref, live())
    expect(models.usdOf(ref, usage)).toBeCloseTo(3)
    provider = { ...provider, kind: 'openai' }
    expect(models.usdOf(ref, usage)).toBeNull()
  })
})

it.each(hostedKinds)('%s: a probe shows actions, two at once, and how fast the first token came', async (kind) => {
  const call = (n: number, city: string) => ({ id: `c${n}`, name: 'look_up_city', raw: `{"city":"${city}"}` })
  const { models } = await serve(kind, [{ calls: [call(1, 'Oslo'), call(2, 'Rome')] }])
  const probed = await models.probe(testModel, new AbortController().signal)
  expect(probed).toMatchObject({ tools: true, parallel: true, firstTokenMs: expect.any(Number) })
  expect(probed.error).toBeUndefined()
})

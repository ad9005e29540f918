import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import type { Json } from '../../../core/domain/json.ts'
import type { CompletionRequest } from '../../../core/domain/model.ts'
import type { Completed, RetryNotice } from '../../../core/models/models.ts'
import { type LocalServerKind, type LocalServerOptions, startLocalServer } from '../../support/local-servers.ts'
import { localProvider, modelsOn, testModel } from './support.ts'

const opened: { readonly close: () => Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

const hello = [{ role: 'user', content: 'hello' }] as const
const tool = { name: 'look', description: 'Looks', parameters: { type: 'object' } }

async function connect(kind: LocalServerKind, options: LocalServerOptions = {}, address?: (port: string) => string) {
  const server = await startLocalServer(kind, options)
  const baseUrl = address === undefined ? server.baseUrl : address(new URL(server.origin).port)
  const models = modelsOn(localProvider(baseUrl, { kind: server.kind }))
  opened.push(models, server)
  const ask = (
    request: Partial<CompletionRequest> = {},
    more: { readonly onRetry?: (notice: RetryNotice) => void } = {},
  ): Promise<Completed> =>
    models.complete(
      { ref: testModel, messages: hello, tools: [], ...request },
      { signal: new AbortController().signal, ...more },
    )
  return { server, models, ask }
}

type Script = NonNullable<LocalServerOptions['script']>

/** Bytes of an event stream as they are. */
function stream(...events: readonly string[]): Script {
  const raw = (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of events) response.write(event)
    response.end()
  }
  return () => ({ raw })
}
const data = (value: Json, space = ' ') => `data:${space}${JSON.stringify(value)}\n\n`
const delta = (fields: Json, reason: string | null = null) =>
  data({ choices: [{ index: 0, delta: fields, finish_reason: reason }] })
const done = 'data: [DONE]\n\n'

/** NDJSON as it is. */
function lines(...values: readonly Json[]): Script {
  const raw = (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    response.end(values.map((value) => `${JSON.stringify(value)}\n`).join(''))
  }
  return () => ({ raw })
}

const twoCalls = [
  { name: 'look', arguments: { at: 'Oslo' } },
  { name: 'look', arguments: { at: 'Rome' } },
]

describe('every server’s own shape of a stream', () => {
  it.each(['ollama', 'lm-studio', 'llama-cpp', 'vllm', 'gateway'] as const)(
    '%s: text, thinking and two calls at once, each whole and with an id of its own',
    async (kind) => {
      const script = () => ({ text: 'I look.', reasoning: 'Two cities.', toolCalls: twoCalls, promptTokens: 90 })
      const { ask } = await connect(kind, { script })
      const { completion } = await ask({ tools: [tool] })
      expect(completion).toMatchObject({
        ...{ text: 'I look.', reasoning: 'Two cities.', toolCalls: twoCalls, finishReason: 'tool_calls' },
        usage: { inputTokens: 90, outputTokens: 7 },
      })
      expect(new Set(completion.toolCalls.map(({ id }) => id)).size).toBe(2)
    },
  )
})

describe('Ollama', () => {
  const call = (index: number | undefined, at: string) => ({
    function: { ...(index !== undefined && { index }), name: 'look', arguments: { at } },
  })
  const end = { done: true, done_reason: 'stop', prompt_eval_count: 5, eval_count: 5 }

  it.each([
    ['every call has the index 0 (ollama#15457)', 0],
    ['no call has an index (ollama#7881)', undefined],
  ])('%s', async (_, index) => {
    const script = lines(
      { message: { content: '', tool_calls: [call(index, 'Oslo')] }, done: false },
      { message: { content: '', tool_calls: [call(index, 'Rome')] }, done: false },
      end,
    )
    const { ask } = await connect('ollama', { script })
    const { completion } = await ask({ tools: [tool] })
    expect(completion.toolCalls).toMatchObject(twoCalls)
    expect(completion.finishReason).toBe('tool_calls')
  })

  it('the window is asked for by `num_ctx`, which its OpenAI route ignores', async () => {
    const { server, ask } = await connect('ollama')
    await ask()
    expect(server.requests[0]?.body).toMatchObject({ options: { num_ctx: 16_384 } })
  })

  it('no count of a prompt that it had cached: the figures are our own, and said to be', async () => {
    const { ask } = await connect('ollama', {
      script: lines({ message: { content: 'ok' } }, { ...end, prompt_eval_count: null }),
    })
    expect((await ask()).completion.usage).toEqual({ inputTokens: 2, outputTokens: 5, estimated: true })
  })
})

describe('LM Studio', () => {
  it('an empty name in later pieces of a call (bug-tracker#649)', async () => {
    const script = stream(
      delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'look', arguments: '' } }] }),
      delta({ tool_calls: [{ index: 0, id: '', function: { name: '', arguments: '{"at":' } }] }),
      delta({ tool_calls: [{ index: 0, function: { name: '', arguments: '"Oslo"}' } }] }, 'tool_calls'),
      done,
    )
    const { ask } = await connect('lm-studio', { script })
    expect((await ask({ tools: [tool] })).completion.toolCalls).toEqual([{ id: 'a', ...twoCalls[0] }])
  })

  it('broken arguments are never mended into a call (bug-tracker#1922)', async () => {
    const script = stream(
      delta({ tool_calls: [{ index: 0, id: 'a', function: { name: 'look', arguments: '{"at":"Os' } }] }, 'tool_calls'),
      done,
    )
    const { ask } = await connect('lm-studio', { script })
    expect((await ask({ tools: [tool] })).completion.toolCalls).toMatchObject([{ invalid: 'E_TOOL_ARGS_INVALID' }])
  })

  it('templates that want user and assistant in turn, after one system message', async () => {
    const { server, ask } = await connect('lm-studio')
    const messages = [
      { role: 'system', content: 'S' },
      { role: 'user', content: 'a' },
      { role: 'system', content: 'note' },
      { role: 'assistant', content: 'b' },
      { role: 'user', content: 'c' },
      { role: 'user', content: 'd' },
    ] as const
    await ask({ messages })
    const sent = server.requests[0]?.body.messages
    expect(Array.isArray(sent) && sent.map((message) => JSON.parse(JSON.stringify(message)).role)).toEqual([
      ...['system', 'user', 'assistant', 'user'],
    ])
  })
})

describe('llama.cpp', () => {
  const refused = (status: number, error: Json) => ({ script: () => ({ status, body: { error } }) })

  it('comments that keep the connection alive are no answer', async () => {
    const { ask } = await connect('llama-cpp', {
      script: stream(':\n\n', ':\n\n', delta({ content: 'ok' }, 'stop'), ':\n\n', done),
    })
    expect((await ask()).completion.text).toBe('ok')
  })

  it('an error in the `error:` field of a stream with status 200', async () => {
    const { ask } = await connect('llama-cpp', {
      script: stream('error: {"code":500,"message":"the slot is gone"}\n\n', done),
    })
    await expect(ask()).rejects.toMatchObject({ message: 'the slot is gone' })
  })

  it('exceed_context_size_error is an overflow, with both figures, and not sent again', async () => {
    const error = {
      ...{ code: 400, type: 'exceed_context_size_error', n_prompt_tokens: 5_000, n_ctx: 4_096 },
      message: 'the request exceeds the available context size, try increasing it',
    }
    const { server, ask } = await connect('llama-cpp', refused(400, error))
    await expect(ask()).rejects.toMatchObject({ code: 'model.overflow', data: { limit: 4_096, got: 5_000 } })
    expect(server.requests).toHaveLength(1)
  })

  it('a template that fails is neither an overflow nor sent again', async () => {
    const message =
      'Value is not callable: null at row 12, column 34:\n{{- raise_exception("Conversation roles must alternate user/assistant/user/assistant/...") }}'
    const { server, ask } = await connect('llama-cpp', refused(500, { code: 500, type: 'server_error', message }))
    const error = await ask().then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(error).not.toMatchObject({ code: 'model.overflow' })
    expect(error).toMatchObject({ message: expect.stringContaining('raise_exception') })
    expect(server.requests).toHaveLength(1)
  })

  it('what it had cached stands in `timings`', async () => {
    const script = () => ({ text: 'ok', promptTokens: 900, cachedTokens: 850 })
    const { ask } = await connect('llama-cpp', { script })
    expect((await ask()).completion.usage).toEqual({ inputTokens: 900, outputTokens: 7, cachedInputTokens: 850 })
  })
})

describe('vLLM', () => {
  it('refuses an empty list of tools, so none is sent (open-webui#26655)', async () => {
    const { server, ask } = await connect('vllm')
    await ask()
    expect(server.requests[0]?.body).not.toHaveProperty('tools')
  })

  it('its words for an overflow, the answer’s reserve among them (kon#91)', async () => {
    const message =
      "This model's maximum context length is 4096 tokens. However, you requested 100 output tokens and your prompt contains at least 3997 input tokens, for a total of at least 4097 tokens."
    const { ask } = await connect('vllm', {
      script: () => ({ status: 400, body: { object: 'error', message, type: 'BadRequestError', code: 400 } }),
    })
    await expect(ask()).rejects.toMatchObject({ code: 'model.overflow', data: { limit: 4_096, got: 4_097 } })
  })
})

describe('gateways', () => {
  it('comments as pings, before, between and after', async () => {
    const ping = ': OPENROUTER PROCESSING\n\n'
    const { ask } = await connect('gateway', {
      script: stream(ping, delta({ content: 'o' }), ping, delta({ content: 'k' }, 'stop'), ping, done),
    })
    expect((await ask()).completion.text).toBe('ok')
  })

  it('a finish reason of `stop` beside calls', async () => {
    const { ask } = await connect('gateway', { script: () => ({ toolCalls: twoCalls }) })
    expect((await ask({ tools: [tool] })).completion.finishReason).toBe('tool_calls')
  })

  it('no usage: the figures are our own, and said to be', async () => {
    const { ask } = await connect('gateway', { script: stream(delta({ content: 'ok' }, 'stop'), done) })
    expect((await ask()).completion.usage).toMatchObject({ estimated: true, inputTokens: 2 })
  })

  it.each<[string, Json, Json]>([
    [
      'OpenAI and vLLM',
      { prompt_tokens: 100, prompt_tokens_details: { cached_tokens: 64 } },
      { inputTokens: 100, cachedInputTokens: 64 },
    ],
    ['DeepSeek', { prompt_tokens: 100, prompt_cache_hit_tokens: 64 }, { inputTokens: 100, cachedInputTokens: 64 }],
    [
      'LiteLLM to Anthropic',
      { prompt_tokens: 100, cache_read_input_tokens: 64 },
      { inputTokens: 100, cachedInputTokens: 64 },
    ],
    [
      'one that counts only what was not cached',
      { prompt_tokens: 36, cache_read_input_tokens: 64 },
      { inputTokens: 100, cachedInputTokens: 64 },
    ],
  ])('the cached part as %s names it', async (_, usage, expected) => {
    const counted = data({ choices: [], usage: Object.assign({ completion_tokens: 3 }, usage) })
    const { ask } = await connect('gateway', { script: stream(delta({ content: 'ok' }, 'stop'), counted, done) })
    expect((await ask()).completion.usage).toEqual(Object.assign({ outputTokens: 3 }, expected))
  })
})

describe('any server', () => {
  it('data: with no space after the colon', async () => {
    const chunk = { choices: [{ delta: { content: 'ok' }, finish_reason: 'stop' }] }
    const { ask } = await connect('gateway', { script: stream(data(chunk, ''), 'data:[DONE]\n\n') })
    expect((await ask()).completion.text).toBe('ok')
  })

  it('no [DONE] at the end', async () => {
    const { ask } = await connect('gateway', { script: stream(delta({ content: 'ok' }, 'stop')) })
    expect((await ask()).completion.text).toBe('ok')
  })

  it('usage in a piece without choices', async () => {
    const usage = data({ choices: [], usage: { prompt_tokens: 8, completion_tokens: 1 } })
    const { ask } = await connect('gateway', { script: stream(delta({ content: 'ok' }, 'stop'), usage, done) })
    expect((await ask()).completion.usage).toEqual({ inputTokens: 8, outputTokens: 1 })
  })

  it('tool_calls: null', async () => {
    const { ask } = await connect('gateway', {
      script: stream(delta({ content: 'ok', tool_calls: null }, 'stop'), done),
    })
    expect((await ask()).completion).toMatchObject({ text: 'ok', toolCalls: [] })
  })

  it('a call without an id gets one', async () => {
    const call = { index: 0, function: { name: 'look', arguments: '{"at":"Oslo"}' } }
    const { ask } = await connect('gateway', { script: stream(delta({ tool_calls: [call] }, 'tool_calls'), done) })
    expect((await ask({ tools: [tool] })).completion.toolCalls).toEqual([
      { id: expect.stringMatching(/^call_\w{8}$/), ...twoCalls[0] },
    ])
  })

  it('arguments as an object in place of a text', async () => {
    const call = { index: 0, id: 'a', function: { name: 'look', arguments: { at: 'Oslo' } } }
    const { ask } = await connect('gateway', { script: stream(delta({ tool_calls: [call] }, 'tool_calls'), done) })
    expect((await ask({ tools: [tool] })).completion.toolCalls).toEqual([{ id: 'a', ...twoCalls[0] }])
  })

  it.each<[string, readonly Json[]]>([
    ['reasoning_content', [{ reasoning_content: 'Hm.' }, { content: 'ok' }]],
    ['reasoning', [{ reasoning: 'Hm.' }, { content: 'ok' }]],
    ['<think>', [{ content: '<thi' }, { content: 'nk>Hm.</think>' }, { content: 'ok' }]],
    ['[THINK]', [{ content: '[THINK]Hm.[/TH' }, { content: 'INK]ok' }]],
  ])('thinking as %s is not part of the answer', async (_, pieces) => {
    const { ask } = await connect('gateway', {
      script: stream(...pieces.map((piece) => delta(piece)), delta({}, 'stop'), done),
    })
    expect((await ask()).completion).toMatchObject({ text: 'ok', reasoning: 'Hm.' })
  })

  it('a typed localhost reaches a server that listens on 127.0.0.1 only', async () => {
    const { server, ask } = await connect('vllm', {}, (port) => `http://localhost:${port}/v1`)
    expect((await ask()).completion.text).toBe('ready')
    expect(server.requests).toHaveLength(1)
  })

  it('localhost that means IPv6 first: where that refuses, IPv4 is tried', async () => {
    const server = await startLocalServer('vllm')
    const addresses = [
      { address: '::1', family: 6 },
      { address: '127.0.0.1', family: 4 },
    ]
    const models = modelsOn(localProvider(server.baseUrl.replace('127.0.0.1', 'localhost')), {
      lookup: (_host, _options, callback) => callback(null, addresses),
    })
    opened.push(models, server)
    const asked = models.complete(
      { ref: testModel, messages: hello, tools: [] },
      { signal: new AbortController().signal },
    )
    expect((await asked).completion.text).toBe('ready')
  })
})

describe('ids of nine letters and figures (Mistral)', () => {
  const messages = [
    ...hello,
    { role: 'assistant', content: '', toolCalls: [{ id: 'call_0', name: 'look', arguments: {} }] },
    { role: 'tool', callId: 'call_0', name: 'look', content: 'R' },
  ] as const
  const refusal = 'Tool call id was call_0 but must be a-z, A-Z, 0-9, with a length of 9.'
  const strict: Script = ({ text }) =>
    text.includes('"call_0"') ? { status: 400, body: { object: 'error', message: refusal } } : { text: 'ok' }

  it('are sent once a server asked for them, the same for a call and its result, and remembered', async () => {
    const { server, ask } = await connect('vllm', { script: strict })
    expect((await ask({ messages, tools: [tool] })).completion.text).toBe('ok')
    expect((await ask({ messages, tools: [tool] })).completion.text).toBe('ok')
    const texts = server.requests.map(({ text }) => text)
    expect(texts).toHaveLength(3)
    const [, id = ''] = /"tool_calls":\[\{"id":"(\w{9})"/.exec(texts[1] ?? '') ?? []
    expect(texts[1]).toContain(`"tool_call_id":"${id}"`)
    expect(texts[2]).toBe(texts[1])
  })

  it('are a second request like any other: it is told, and not waited for', async () => {
    const { ask } = await connect('vllm', { script: strict })
    const retries: RetryNotice[] = []
    await ask({ messages, tools: [tool] }, { onRetry: (notice) => void retries.push(notice) })
    expect(retries).toEqual([{ attempt: 1, waitMs: 0, code: 'model.refused' }])
  })

  it('are sent to every thread that was refused for them at the same time', async () => {
    const { server, ask } = await connect('vllm', { script: strict })
    const [one, other] = await Promise.all([ask({ messages, tools: [tool] }), ask({ messages, tools: [tool] })])
    expect([one.completion.text, other.completion.text]).toEqual(['ok', 'ok'])
    expect(server.requests).toHaveLength(4)
  })

  it('are not sent by themselves once a piece of the answer was shown, but to whoever tries again', async () => {
    const late = stream(delta({ content: 'Hello there.' }), data({ error: { message: refusal } }))
    const script: Script = (request, n) => (request.text.includes('"call_0"') ? late(request, n) : { text: 'ok' })
    const { server, ask } = await connect('vllm', { script })
    const refused = ask({ messages, tools: [tool] })
    await expect(refused).rejects.toMatchObject({ data: { partialText: 'Hello there.' } })
    expect(server.requests).toHaveLength(1)
    expect((await ask({ messages, tools: [tool] })).completion.text).toBe('ok')
  })

  it('are no reason for a test of the model, which asks once, to ask twice', async () => {
    const { server, models } = await connect('vllm', { script: () => ({ status: 400, body: { message: refusal } }) })
    const probed = await models.probe(testModel, new AbortController().signal)
    expect(probed).toMatchObject({ error: { code: 'model.refused' } })
    expect(server.requests).toHaveLength(1)
  })

  it('are left to servers that do not ask: some models know their own by its form', async () => {
    const { server, ask } = await connect('vllm')
    await ask({ messages, tools: [tool] })
    expect(server.requests[0]?.text).toContain('"tool_call_id":"call_0"')
  })
})

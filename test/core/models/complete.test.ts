import { createServer, type Server } from 'node:net'
import tls from 'node:tls'
import { afterEach, describe, expect, it } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import {
  deltaEvent,
  type ModelServer,
  type ServedAnswer,
  type ServerScript,
  startModelServer,
} from '../../support/model-server.ts'
import { selfSigned } from '../../support/self-signed.ts'
import { ask, localProvider, modelsOn, type TestModels, testModel } from './support.ts'

const opened: { readonly close: () => Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

async function serve(
  script: ServerScript,
  options: Parameters<typeof modelsOn>[1] = {},
): Promise<{ server: ModelServer; models: TestModels }> {
  const server = await startModelServer(script)
  const models = modelsOn(localProvider(server.baseUrl), options)
  opened.push(models, server)
  return { server, models }
}

const error = (status: number, message = 'no', headers: Record<string, string> = {}): ServedAnswer => ({
  status,
  headers,
  body: { error: { message } },
})
const always = (answer: ServedAnswer) => () => answer
const drop: ServedAnswer = { raw: (response) => void response.socket?.destroy() }
const begin = (then: (socketEnd: () => void) => void): ServedAnswer => ({
  raw: (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(deltaEvent({ content: 'Half an ' }), () => then(() => response.socket?.resetAndDestroy()))
  },
})

describe('an answer', () => {
  it('streams as text, thinking and named calls, and carries the counted tokens', async () => {
    const { models } = await serve([
      {
        text: 'Looking.',
        reasoning: 'where?',
        toolCalls: [{ name: 'list_files', arguments: { path: '.' } }],
        usage: { input: 40, output: 9 },
      },
    ])
    const { completed, deltas } = await ask(models)
    expect(completed).toMatchObject({ providerId: 'local', model: 'test-model', firstTokenMs: expect.any(Number) })
    expect(completed?.completion).toEqual({
      text: 'Looking.',
      reasoning: 'where?',
      toolCalls: [{ id: 'call_1', name: 'list_files', arguments: { path: '.' } }],
      finishReason: 'tool_calls',
      usage: { inputTokens: 40, outputTokens: 9 },
    })
    const texts = deltas.map((delta) => (delta.kind === 'text' ? delta.text : ''))
    expect(texts.join('')).toBe('Looking.')
    expect(deltas).toContainEqual({ kind: 'call', name: 'list_files' })
  })

  it.each([
    ['nothing', null],
    ['zero', { input: 0, output: 0 }],
  ])('of a server that counts %s gets our own estimate, marked as one', async (_, usage) => {
    const { models } = await serve([{ text: 'twelve characters and more', usage }])
    const { completed } = await ask(models)
    expect(completed?.completion.usage).toEqual({ inputTokens: 2, outputTokens: 7, estimated: true })
  })

  it('is whole when the server closes after the finish reason without an end mark, or is lost there', async () => {
    const finished = (end: 'close' | 'reset'): ServedAnswer => ({
      raw: (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(deltaEvent({ content: 'All.' }, 'stop'), () => {
          if (end === 'close') response.end()
          else response.socket?.resetAndDestroy()
        })
      },
    })
    const { models } = await serve([finished('close'), finished('reset')])
    expect((await ask(models)).completed?.completion.text).toBe('All.')
    expect((await ask(models)).completed?.completion.text).toBe('All.')
  })

  it('does not wait for a server that keeps the connection open after the end mark', async () => {
    const { models } = await serve([
      {
        raw: (response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' })
          response.write(`${deltaEvent({ content: 'Done.' }, 'stop')}data: [DONE]\n\n`)
        },
      },
    ])
    expect((await ask(models)).completed?.completion.text).toBe('Done.')
  })

  it('that comes as one JSON document instead of a stream is read too', async () => {
    const message = { role: 'assistant', content: 'Plain.' }
    const { models } = await serve([{ status: 200, body: { choices: [{ index: 0, message, finish_reason: 'stop' }] } }])
    expect((await ask(models)).completed?.completion.text).toBe('Plain.')
  })

  it('without end is cut off at the limit', async () => {
    const block = Buffer.from(`: ${'x'.repeat(1_048_574)}`)
    const flood = (bytes: number): ServedAnswer => ({
      raw: async (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        for (let left = bytes; left > 0 && !response.destroyed; left -= block.length) {
          await new Promise<void>((resolve) => response.write(block.subarray(0, left), () => resolve()))
        }
        if (!response.destroyed) response.end(`\n\n${deltaEvent({ content: 'ok' }, 'stop')}`)
      },
    })
    const tail = `\n\n${deltaEvent({ content: 'ok' }, 'stop')}`.length
    const { models } = await serve([flood(limits.responseBytes - tail), flood(limits.responseBytes + 1 - tail)])
    expect((await ask(models)).completed?.completion.text).toBe('ok')
    expect((await ask(models)).error).toMatchObject({ code: 'model.stream', data: { maxBytes: limits.responseBytes } })
  })
})

describe('the engine sends a request again by itself', () => {
  it('on 429, twice and no more', async () => {
    const { server, models } = await serve(always(error(429)))
    const asked = await ask(models)
    expect(asked.error?.code).toBe('model.rate_limit')
    expect(server.requests).toHaveLength(1 + limits.modelRetries)
    expect(asked.retries.map(({ attempt, code }) => ({ attempt, code }))).toEqual([
      { attempt: 1, code: 'model.rate_limit' },
      { attempt: 2, code: 'model.rate_limit' },
    ])
    const [first = 0, second = 0] = models.waits
    expect(first).toBeGreaterThanOrEqual(2_000)
    expect(first).toBeLessThan(2_500)
    expect(second).toBeGreaterThanOrEqual(4_000)
    expect(second).toBeLessThan(5_000)
  })

  it.each([
    ['seconds', '7', 7_000],
    ['a date', 'Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
    ['a date that is past', 'Wed, 31 Dec 2025 00:00:30 GMT', 0],
    ['exactly the cap', '120', limits.retryAfterMs],
    ['more than the cap', '121', limits.retryAfterMs],
  ])('after the time that the server asks for: %s', async (_, retryAfter, waitMs) => {
    const { models } = await serve([error(429, 'slow down', { 'retry-after': retryAfter }), { text: 'now' }])
    expect((await ask(models)).completed?.completion.text).toBe('now')
    expect(models.waits).toEqual([waitMs])
  })

  it('after the time at which the limit that was hit is reset', async () => {
    const headers = { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '1m5s' }
    const { models } = await serve([error(429, 'slow down', headers), { text: 'now' }])
    expect((await ask(models)).completed?.completion.text).toBe('now')
    expect(models.waits).toEqual([65_000])
  })

  it.each([
    ['503', error(503, 'overloaded')],
    ['llama.cpp’s text', error(500, 'Loading model')],
    [
      'an error in the stream before any text',
      { status: 200, headers: { 'content-type': 'text/event-stream' }, body: 'data: {"error":"model is loading"}\n\n' },
    ],
  ] satisfies [string, ServedAnswer][])('while the model is loading: %s', async (_, loading) => {
    const { server, models } = await serve([loading, { text: 'ready' }])
    expect((await ask(models)).completed?.completion.text).toBe('ready')
    expect(server.requests).toHaveLength(2)
  })

  it('when the connection fails before the first byte, and the answer shows each text once', async () => {
    const { server, models } = await serve([drop, drop, { text: 'third' }])
    const { completed, deltas, retries } = await ask(models)
    expect(completed?.completion.text).toBe('third')
    expect(deltas.map((delta) => ('text' in delta ? delta.text : '')).join('')).toBe('third')
    expect(server.requests).toHaveLength(3)
    expect(retries.map((retry) => retry.code)).toEqual(['model.connect', 'model.connect'])
  })

  it('and lets its caller give the slot back and take it again around the wait', async () => {
    const order: string[] = []
    const { models } = await serve([error(429), { text: 'x' }], {
      wait: async () => {
        order.push('wait')
      },
    })
    await models.complete(
      { ref: testModel, messages: [{ role: 'user', content: 'hello' }], tools: [] },
      {
        signal: new AbortController().signal,
        onRetry: async () => {
          order.push('retry')
        },
        onResume: async () => {
          order.push('resume')
        },
      },
    )
    expect(order).toEqual(['retry', 'wait', 'resume'])
  })
})

describe('the engine does not send a request again', () => {
  it('where the quota of its key is used up: no wait helps', async () => {
    const body = { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } }
    const { server, models } = await serve(always({ status: 429, body }))
    expect((await ask(models)).error).toMatchObject({ code: 'model.rate_limit', data: { quota: true } })
    expect(server.requests).toHaveLength(1)
  })

  it.each([400, 401, 402, 403, 404, 500, 502, 504])('after status %i', async (status) => {
    const { server, models } = await serve(always(error(status)))
    const { error: failed, retries } = await ask(models)
    expect(failed).toBeDefined()
    expect(retries).toEqual([])
    expect(server.requests).toHaveLength(1)
  })

  it('after the first byte: what had come is kept and nothing of it is carried out', async () => {
    const { server, models } = await serve(always(begin((reset) => reset())))
    const { error: failed } = await ask(models)
    expect(failed).toMatchObject({
      code: 'model.truncated',
      retryable: true,
      data: { partialText: 'Half an ', streamCode: 'E_STREAM_TRUNCATED' },
    })
    expect(server.requests).toHaveLength(1)
  })

  it('when the stream reports an overload in mid-answer', async () => {
    const overload = `${deltaEvent({ content: 'Half' })}data: {"error":{"message":"loading model","code":429}}\n\n`
    const { server, models } = await serve(
      always({ status: 200, headers: { 'content-type': 'text/event-stream' }, body: overload }),
    )
    expect((await ask(models)).error?.data).toMatchObject({ partialText: 'Half' })
    expect(server.requests).toHaveLength(1)
  })
})

describe('four different things that can be wrong read differently', () => {
  it('server unreachable, wrong key, model missing, a web page instead of JSON', async () => {
    const { server, models } = await serve([
      error(401, 'Incorrect API key provided'),
      error(404, 'The model `test-model` does not exist.'),
      { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Welcome</title>' },
    ])
    const errors = [(await ask(models)).error, (await ask(models)).error, (await ask(models)).error]
    await server.close()
    errors.unshift((await ask(models)).error)
    expect(errors.map((one) => one?.code)).toEqual(['model.connect', 'model.auth', 'model.not_found', 'model.html'])
    const texts = errors.map((one) => one?.userMessage ?? '')
    expect(new Set(texts).size).toBe(4)
    for (const text of texts) {
      expect(text).toContain('kept')
      expect(text).toContain('Settings → Models')
    }
  })

  it.each(['<!DOCTYPE html><title>Portal</title>', '\n  <html><body>Sign in</body></html>'])(
    'a page is known even when it claims to be an event stream: %s',
    async (body) => {
      const { models } = await serve([{ status: 200, headers: { 'content-type': 'text/event-stream' }, body }])
      expect((await ask(models)).error?.code).toBe('model.html')
    },
  )

  it('an address that leads elsewhere is not followed with the key', async () => {
    const { server, models } = await serve([{ status: 307, headers: { location: 'http://127.0.0.1:9/v1' }, body: '' }])
    expect((await ask(models)).error).toMatchObject({
      code: 'model.refused',
      message: expect.stringContaining('http://127.0.0.1:9/v1'),
    })
    expect(server.requests).toHaveLength(1)
  })
})

describe('the key', () => {
  const withKey = (key: string | undefined) => ({ secrets: { get: async () => key } })

  it('goes along when there is one', async () => {
    const server = await startModelServer(always({ text: 'x' }))
    const keyed = modelsOn(localProvider(server.baseUrl, { keyName: 'local' }), withKey('sk-secret-1'))
    const keyless = modelsOn(localProvider(server.baseUrl, { keyName: 'local' }), withKey(undefined))
    opened.push(keyed, keyless, server)
    await ask(keyed)
    await ask(keyless)
    expect(server.requests.map((request) => request.headers.authorization)).toEqual(['Bearer sk-secret-1', undefined])
  })

  it('never stands in an error, even when the server repeats it or it cannot be sent', async () => {
    const server = await startModelServer(always(error(401, 'Incorrect API key provided: sk-secret-1')))
    const wrong = modelsOn(localProvider(server.baseUrl, { keyName: 'local' }), withKey('sk-secret-1'))
    const broken = modelsOn(localProvider(server.baseUrl, { keyName: 'local' }), withKey('sk-secret-1\nx'))
    opened.push(wrong, broken, server)
    for (const models of [wrong, broken]) {
      const { error: failed } = await ask(models)
      expect(failed?.code).toBe('model.auth')
      expect(JSON.stringify([failed?.message, failed?.userMessage, failed?.data])).not.toContain('sk-secret')
    }
  })
})

describe('time', () => {
  const silent: ServedAnswer = { raw: () => {} }
  const tiny = (firstTokenMs: number, idleMs: number, totalMs = 60_000) => ({
    limits: { 'local/test-model': { firstTokenMs, idleMs, totalMs } },
  })

  it('a server that never begins is left after the first-token time', async () => {
    const { models } = await serve([silent], tiny(30, 60_000))
    expect((await ask(models)).error).toMatchObject({
      code: 'model.timeout',
      data: { phase: 'first-token', limitMs: 30 },
    })
  })

  it('a server that only sends keep-alive comments has not begun', async () => {
    const pinging: ServedAnswer = {
      raw: (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const timer = setInterval(() => response.write(': ping\n\n'), 5)
        response.once('close', () => clearInterval(timer))
      },
    }
    const { models } = await serve([pinging], tiny(60, 60_000))
    expect((await ask(models)).error).toMatchObject({ code: 'model.timeout', data: { phase: 'first-token' } })
  })

  it('a server that falls silent is left after the idle time, with what it had said', async () => {
    const { models } = await serve([begin(() => {})], tiny(60_000, 30))
    expect((await ask(models)).error).toMatchObject({
      code: 'model.timeout',
      data: { phase: 'idle', partialText: 'Half an ' },
    })
  })

  it('a server that never comes to an end is left after the total time, with what it had said', async () => {
    const endless: ServedAnswer = {
      raw: (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const timer = setInterval(() => response.write(deltaEvent({ content: '.' })), 5)
        response.once('close', () => clearInterval(timer))
      },
    }
    const { server, models } = await serve([endless], tiny(60_000, 60_000, 200))
    const { error: failed } = await ask(models)
    expect(failed).toMatchObject({
      code: 'model.timeout',
      retryable: true,
      data: { phase: 'total', limitMs: 200, partialText: expect.stringMatching(/^\.+$/) },
    })
    expect(failed?.userMessage).toContain('did not come to the end of its answer within 1 s')
    expect(server.requests).toHaveLength(1)
  })

  it('keep-alive comments reset the idle time', async () => {
    const lively: ServedAnswer = {
      raw: (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(deltaEvent({ content: 'slow' }))
        let pings = 0
        const timer = setInterval(() => {
          pings += 1
          if (pings < 60) return response.write(': ping\n\n')
          clearInterval(timer)
          return response.end(deltaEvent({ content: ' but sure' }, 'stop'))
        }, 20)
      },
    }
    const { models } = await serve([lively], tiny(60_000, 1_000))
    expect((await ask(models)).completed?.completion.text).toBe('slow but sure')
  })
})

describe('cancelling', () => {
  it('leaves at once in mid-answer and drops what comes later', async () => {
    const { models } = await serve([begin(() => {})])
    const controller = new AbortController()
    const { error: failed, deltas } = await ask(models, {
      signal: controller.signal,
      onDelta: () => controller.abort(),
    })
    expect(failed?.code).toBe('cancelled')
    expect(deltas).toHaveLength(1)
  })

  it('leaves while a server keeps silent', async () => {
    const controller = new AbortController()
    const { models } = await serve([{ raw: () => controller.abort() }])
    expect((await ask(models, { signal: controller.signal })).error?.code).toBe('cancelled')
  })

  it('leaves during the pause before another attempt', async () => {
    const controller = new AbortController()
    const { server, models } = await serve(always(error(429)), {
      wait: (_, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
          controller.abort()
        }),
    })
    expect((await ask(models, { signal: controller.signal })).error?.code).toBe('cancelled')
    expect(server.requests).toHaveLength(1)
  })

  it('before the request sends nothing', async () => {
    const { server, models } = await serve([{ text: 'x' }])
    expect((await ask(models, { signal: AbortSignal.abort() })).error?.code).toBe('cancelled')
    expect(server.requests).toEqual([])
  })
})

it('a server that is no HTTP server at all is a connection failure', async () => {
  const listener = createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'))
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const address = listener.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const models = modelsOn(localProvider(`http://127.0.0.1:${port}/v1`))
  opened.push(models, { close: async () => void listener.close() })
  expect((await ask(models)).error?.code).toBe('model.connect')
})

describe('an https address', () => {
  async function listen(server: Server) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const models = modelsOn(localProvider(`https://127.0.0.1:${port}/v1`))
    opened.push(models, { close: async () => void server.close() })
    return models
  }

  it.each([
    [
      'whose certificate nobody vouches for',
      () => tls.createServer(selfSigned('127.0.0.1')),
      'its certificate is not trusted',
    ],
    [
      'where plain HTTP answers',
      () => createServer((socket) => socket.end('HTTP/1.1 400 No\r\n\r\n')),
      'does not speak https',
    ],
  ])('%s is told apart from one where nobody answers, and is not asked again', async (_, make, told) => {
    const models = await listen(make())
    const { error: failed, retries } = await ask(models)
    expect(failed).toMatchObject({ code: 'model.connect', retryable: true })
    expect(failed?.userMessage).toContain(told)
    expect(failed?.userMessage).toContain('kept')
    expect(retries).toEqual([])
  })

  it('that is lost in the middle of the handshake is a lost connection, and is asked again', async () => {
    const models = await listen(createServer((socket) => socket.once('data', () => socket.resetAndDestroy())))
    const { error: failed, retries } = await ask(models)
    expect(failed?.code).toBe('model.connect')
    expect(retries).toHaveLength(limits.modelRetries)
  })
})

it('an address with a password in it is refused without showing the password', async () => {
  const models = modelsOn(localProvider('http://someone:hidden-word@127.0.0.1:9/v1'))
  opened.push(models)
  const { error: failed } = await ask(models)
  expect(failed?.code).toBe('model.connect')
  expect(JSON.stringify([failed?.message, failed?.userMessage])).not.toContain('hidden-word')
})

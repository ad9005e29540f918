import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { Json, JsonObject } from '../../core/domain/json.ts'
import type { hostedKinds } from '../../core/domain/model.ts'

export type HostedKind = (typeof hostedKinds)[number]

interface HostedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: JsonObject
}

export interface HostedAnswer {
  readonly text?: string
  readonly reasoning?: string
  /** `raw`: the arguments as text, broken perhaps; Gemini can only send whole JSON. */
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly raw: string }[]
  readonly usage?: { readonly input: number; readonly output: number; readonly cached?: number }
  readonly stop?: 'stop' | 'length' | 'filter'
  /** Gemini's signature of the thoughts before the first call; OpenRouter's encrypted reasoning. */
  readonly signature?: string
}

export type HostedReply =
  | HostedAnswer
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body: Json }
  | { readonly raw: (response: ServerResponse) => void }

export interface HostedServer {
  readonly baseUrl: string
  readonly requests: readonly HostedRequest[]
  readonly close: () => Promise<void>
}

type Routes = Readonly<Record<string, Json>>

/** One hosted provider on a loopback port, in its own streaming format. GETs are answered from `routes`. */
export async function startHostedServer(
  kind: HostedKind,
  script: readonly HostedReply[] | ((n: number) => HostedReply),
  routes: Routes = {},
): Promise<HostedServer> {
  const requests: HostedRequest[] = []
  let asked = 0
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const text = Buffer.concat(parts).toString()
    const { method = '', url: path = '', headers } = request
    requests.push({ method, path, headers, body: text === '' ? {} : JSON.parse(text) })
    if (method === 'GET') {
      const body = routes[path]
      response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body ?? { error: { message: `no route ${path}` } }))
      return
    }
    const given = typeof script === 'function' ? script(asked) : script[asked]
    asked += 1
    if (given === undefined) return void response.writeHead(500).end('no more answers in the script')
    reply(response, kind, given)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function reply(response: ServerResponse, kind: HostedKind, given: HostedReply): void {
  if ('raw' in given) {
    given.raw(response)
    return
  }
  if ('status' in given) {
    const isText = typeof given.body === 'string'
    const type = isText ? 'text/plain' : 'application/json'
    response.writeHead(given.status, { 'content-type': type, ...given.headers })
    response.end(isText ? given.body : JSON.stringify(given.body))
    return
  }
  beginStream(response)
  for (const event of hostedEvents(kind, given)) response.write(event)
  response.end()
}

export function beginStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
}

/** A whole answer as the events of its provider. */
export function hostedEvents(kind: HostedKind, answer: HostedAnswer): readonly string[] {
  if (kind === 'anthropic') return anthropicEvents(answer)
  return kind === 'google' ? googleEvents(answer) : chatEvents(kind, answer)
}

/** An error in the middle of a stream, as the provider sends it. */
export function hostedErrorEvent(kind: HostedKind, message: string): string {
  switch (kind) {
    case 'openai':
      return data({ error: { message, type: 'server_error', param: null, code: null } })
    case 'anthropic':
      return named('error', { error: { type: 'api_error', message } })
    case 'google':
      return data({ error: { code: 500, message, status: 'INTERNAL' } })
    case 'openrouter':
      return data({ id: 'gen-1', error: { code: 502, message }, choices: [] })
  }
}

const data = (value: JsonObject) => `data: ${JSON.stringify(value)}\n\n`
const named = (type: string, value: JsonObject) => `event: ${type}\n${data({ type, ...value })}`
const pieces = (text: string) => text.match(/[\s\S]{1,5}/g) ?? []

function chatEvents(kind: HostedKind, answer: HostedAnswer): readonly string[] {
  const { text = '', reasoning = '', calls = [], usage = { input: 12, output: 7 }, stop = 'stop', signature } = answer
  const head = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'test-model' }
  const chunk = (delta: JsonObject, finish_reason: string | null = null) =>
    data({ ...head, choices: [{ index: 0, delta, finish_reason }] })
  const thought = (piece: string) => ({ type: 'reasoning.text', text: piece, format: 'unknown', index: 0 })
  const finish = { stop: calls.length > 0 ? 'tool_calls' : 'stop', length: 'length', filter: 'content_filter' }[stop]
  const counted = {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
  }
  return [
    ...(kind === 'openrouter' ? [': OPENROUTER PROCESSING\n\n'] : []),
    chunk({ role: 'assistant', content: '' }),
    ...(kind === 'openrouter'
      ? pieces(reasoning).map((piece) => chunk({ reasoning: piece, reasoning_details: [thought(piece)] }))
      : []),
    ...pieces(text).map((piece) => chunk({ content: piece })),
    ...(kind === 'openrouter' && signature !== undefined
      ? [chunk({ reasoning_details: [{ type: 'reasoning.encrypted', data: signature, format: 'unknown', index: 1 }] })]
      : []),
    ...calls.flatMap(({ id, name, raw }, index) => [
      chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
      ...pieces(raw).map((piece) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ]),
    chunk({}, finish),
    data({ ...head, choices: [], usage: counted }),
    'data: [DONE]\n\n',
  ]
}

function anthropicEvents(answer: HostedAnswer): readonly string[] {
  const { text = '', reasoning = '', calls = [], usage = { input: 12, output: 7 }, stop = 'stop' } = answer
  const cached = usage.cached ?? 0
  const blocks: { readonly start: JsonObject; readonly deltas: readonly JsonObject[] }[] = []
  if (reasoning !== '') {
    const deltas = pieces(reasoning).map((thinking) => ({ type: 'thinking_delta', thinking }))
    blocks.push({ start: { type: 'thinking', thinking: '', signature: '' }, deltas })
  }
  if (text !== '') {
    const deltas = pieces(text).map((piece) => ({ type: 'text_delta', text: piece }))
    blocks.push({ start: { type: 'text', text: '' }, deltas })
  }
  for (const { id, name, raw } of calls) {
    const deltas = pieces(raw).map((partial_json) => ({ type: 'input_json_delta', partial_json }))
    blocks.push({ start: { type: 'tool_use', id, name, input: {} }, deltas })
  }
  const stop_reason = { stop: calls.length > 0 ? 'tool_use' : 'end_turn', length: 'max_tokens', filter: 'refusal' }[
    stop
  ]
  return [
    named('message_start', {
      message: {
        ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'test-model', content: [], stop_reason: null },
        usage: {
          input_tokens: usage.input - cached,
          cache_read_input_tokens: cached,
          cache_creation_input_tokens: 0,
          output_tokens: 1,
        },
      },
    }),
    named('ping', {}),
    ...blocks.flatMap(({ start, deltas }, index) => [
      named('content_block_start', { index, content_block: start }),
      ...deltas.map((delta) => named('content_block_delta', { index, delta })),
      named('content_block_stop', { index }),
    ]),
    named('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: usage.output } }),
    named('message_stop', {}),
  ]
}

function googleEvents(answer: HostedAnswer): readonly string[] {
  const { text = '', reasoning = '', calls = [], usage = { input: 12, output: 7 }, stop = 'stop', signature } = answer
  const chunk = (parts: readonly JsonObject[], more: JsonObject = {}) =>
    data({ candidates: [{ content: { role: 'model', parts }, index: 0, ...more }], modelVersion: 'test-model' })
  const finishReason = { stop: 'STOP', length: 'MAX_TOKENS', filter: 'SAFETY' }[stop]
  const usageMetadata = {
    promptTokenCount: usage.input,
    candidatesTokenCount: usage.output,
    cachedContentTokenCount: usage.cached ?? 0,
    totalTokenCount: usage.input + usage.output,
  }
  return [
    ...pieces(reasoning).map((piece) => chunk([{ text: piece, thought: true }])),
    ...pieces(text).map((piece) => chunk([{ text: piece }])),
    ...calls.map(({ id, name, raw }, n) =>
      chunk([
        {
          functionCall: { id, name, args: JSON.parse(raw) },
          ...(n === 0 && signature !== undefined && { thoughtSignature: signature }),
        },
      ]),
    ),
    data({
      candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason, index: 0 }],
      usageMetadata,
      modelVersion: 'test-model',
    }),
  ]
}

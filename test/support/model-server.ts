import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Json, JsonObject } from '../../core/domain/json.ts'

/** A request as the server got it. `body` is null for a GET. */
interface RecordedRequest {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Json
}

/** One answer of the script. */
export type ServedAnswer =
  | {
      readonly text?: string
      readonly reasoning?: string
      readonly toolCalls?: readonly { readonly name: string; readonly arguments: JsonObject; readonly id?: string }[]
      /** Null: the server counts nothing. */
      readonly usage?: { readonly input: number; readonly output: number } | null
      /** Texts and arguments are streamed in pieces of this many characters (default 4). */
      readonly pieceCharacters?: number
      /** Pause before each piece; 0 by default. */
      readonly pauseMs?: number
    }
  /** Anything but an answer: an error with its status, a page, an empty body. */
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: Json }
  /** Everything by hand. */
  | { readonly raw: (response: ServerResponse, request: RecordedRequest) => void | Promise<void> }

export type ServerScript =
  | readonly ServedAnswer[]
  | ((request: RecordedRequest, n: number) => ServedAnswer | Promise<ServedAnswer>)

export interface ModelServerOptions {
  readonly models?: readonly string[]
  readonly contextTokens?: number
  /** Whoever comes without it is refused, as hosted servers do. */
  readonly key?: string
}

export interface ModelServer {
  /** With `/v1`. */
  readonly baseUrl: string
  readonly origin: string
  /** Completion requests so far, oldest first. */
  readonly requests: readonly RecordedRequest[]
  readonly close: () => Promise<void>
}

/** An OpenAI-compatible server on a loopback port that says what the test wrote down, in small pieces. */
export async function startModelServer(script: ServerScript, options: ModelServerOptions = {}): Promise<ModelServer> {
  const { models = ['test-model'], contextTokens, key } = options
  const requests: RecordedRequest[] = []
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    )
  })

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const recorded = { path: request.url ?? '', headers: request.headers, body: await bodyOf(request) }
    if (key !== undefined && request.headers.authorization !== `Bearer ${key}`) {
      const error = { message: 'Incorrect API key provided', type: 'invalid_request_error', code: 'invalid_api_key' }
      return sendJson(response, 401, { error })
    }
    if (recorded.path === '/v1/models') {
      const data = models.map((id) => ({ id, object: 'model', ...(contextTokens && { max_model_len: contextTokens }) }))
      return sendJson(response, 200, { object: 'list', data })
    }
    if (recorded.path !== '/v1/chat/completions') return sendJson(response, 404, { detail: 'Not Found' })
    const n = requests.length
    requests.push(recorded)
    const given = typeof script === 'function' ? await script(recorded, n) : script[n]
    if (given === undefined)
      return sendJson(response, 500, { error: { message: `no answer number ${n + 1} in the script` } })
    if ('raw' in given) return given.raw(response, recorded)
    if ('status' in given) return sendStatus(response, given)
    return stream(response, given)
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const port = address !== null && typeof address !== 'string' ? address.port : 0
  const origin = `http://127.0.0.1:${port}`
  return {
    origin,
    baseUrl: `${origin}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function bodyOf(request: IncomingMessage): Promise<Json> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  const text = Buffer.concat(parts).toString()
  return text === '' ? null : JSON.parse(text)
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function sendStatus(response: ServerResponse, given: Extract<ServedAnswer, { status: number }>): void {
  const { status, headers, body = '' } = given
  const isText = typeof body === 'string'
  const type = isText ? 'text/plain' : 'application/json'
  response.writeHead(status, { 'content-type': type, ...headers }).end(isText ? body : JSON.stringify(body))
}

/** One event of a chat completion stream. */
function chunkEvent(fields: JsonObject): string {
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', ...fields })}\n\n`
}

export function deltaEvent(delta: JsonObject, finishReason: string | null = null): string {
  return chunkEvent({ choices: [{ index: 0, delta, finish_reason: finishReason }] })
}

type StreamedAnswer = Exclude<ServedAnswer, { status: number } | { raw: unknown }>

async function stream(response: ServerResponse, answer: StreamedAnswer): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  response.socket?.setNoDelay(true)
  for (const event of eventsOf(answer)) {
    if (answer.pauseMs) await new Promise((resolve) => setTimeout(resolve, answer.pauseMs))
    if (response.destroyed) return
    await new Promise<void>((resolve) => response.write(event, () => resolve()))
  }
  response.end()
}

function* eventsOf(answer: StreamedAnswer): Generator<string> {
  const { text = '', reasoning = '', toolCalls = [], usage = { input: 12, output: 7 }, pieceCharacters = 4 } = answer
  yield deltaEvent({ role: 'assistant', content: '' })
  for (const piece of pieces(reasoning, pieceCharacters)) yield deltaEvent({ reasoning_content: piece })
  for (const piece of pieces(text, pieceCharacters)) yield deltaEvent({ content: piece })
  for (const [index, call] of toolCalls.entries()) {
    const head = {
      index,
      id: call.id ?? `call_${index + 1}`,
      type: 'function',
      function: { name: call.name, arguments: '' },
    }
    yield deltaEvent({ tool_calls: [head] })
    for (const piece of pieces(JSON.stringify(call.arguments), pieceCharacters)) {
      yield deltaEvent({ tool_calls: [{ index, function: { arguments: piece } }] })
    }
  }
  yield deltaEvent({}, toolCalls.length > 0 ? 'tool_calls' : 'stop')
  if (usage) yield chunkEvent({ choices: [], usage: { prompt_tokens: usage.input, completion_tokens: usage.output } })
  yield 'data: [DONE]\n\n'
}

function pieces(text: string, characters: number): readonly string[] {
  return Array.from({ length: Math.ceil(text.length / characters) }, (_, n) =>
    text.slice(n * characters, (n + 1) * characters),
  )
}

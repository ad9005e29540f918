import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { isJsonObject, type Json, type JsonObject } from '../../core/domain/json.ts'

/** The servers that people run, each with its own routes, list of models and shape of a stream (conventions 4.3). */
export const localServerKinds = ['ollama', 'lm-studio', 'llama-cpp', 'vllm', 'gateway'] as const
export type LocalServerKind = (typeof localServerKinds)[number]

interface SpokenAnswer {
  readonly text?: string
  readonly reasoning?: string
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: JsonObject }[]
  /** Null: the server counts nothing. Without it: what it read of the prompt, a token for four characters. */
  readonly promptTokens?: number | null
  readonly cachedTokens?: number
}
/** Anything but an answer: an error with its status, or bytes by hand. */
type OtherAnswer =
  | { readonly status: number; readonly body: Json }
  | { readonly raw: (response: ServerResponse) => void | Promise<void> }
export type LocalAnswer = SpokenAnswer | OtherAnswer

/** A chat request: as it was parsed, and byte for byte. */
export interface ChatRequest {
  readonly body: JsonObject
  readonly text: string
}

export interface LocalServerOptions {
  /** Without one: the calls that a probe asks for where tools are offered, else a word. */
  readonly script?: (request: ChatRequest, n: number) => LocalAnswer | Promise<LocalAnswer>
  readonly models?: readonly string[]
  /** What the model runs with; of Ollama, the window of a model that is loaded already. */
  readonly windowTokens?: number
  readonly trainedTokens?: number
  /** Of a Modelfile: `num_ctx 8192`. */
  readonly parameters?: string
  /** LM Studio: the model is loaded by the first request. */
  readonly isLoaded?: boolean
}

export interface LocalServer {
  readonly kind: 'ollama' | 'openai-compatible'
  readonly origin: string
  /** As a person enters it. */
  readonly baseUrl: string
  readonly requests: readonly ChatRequest[]
  /** Every other route that was asked for. */
  readonly asked: readonly string[]
  readonly close: () => Promise<void>
}

export async function startLocalServer(kind: LocalServerKind, options: LocalServerOptions = {}): Promise<LocalServer> {
  const requests: ChatRequest[] = []
  const asked: string[] = []
  const state: ServerState = { kind, options, isLoaded: options.isLoaded ?? true }

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await textOf(request)
    const path = request.url ?? ''
    if (path !== chatPath(kind)) {
      asked.push(path)
      return sendJson(response, routes(state)[path])
    }
    const body: unknown = JSON.parse(text)
    if (!isJsonObject(body)) return sendJson(response, { error: 'no object' }, 400)
    requests.push({ body, text })
    state.isLoaded = true
    const refusal = refusalOf(kind, body)
    const given = refusal ?? (await (options.script ?? probed)({ body, text }, requests.length - 1))
    if ('raw' in given) return given.raw(response)
    if ('status' in given) return sendJson(response, given.body, given.status)
    send(response, kind, { ...given, promptTokens: given.promptTokens ?? readTokens(kind, body) })
  }

  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const origin = `http://127.0.0.1:${address !== null && typeof address !== 'string' ? address.port : 0}`
  return {
    kind: kind === 'ollama' ? 'ollama' : 'openai-compatible',
    origin,
    baseUrl: kind === 'ollama' ? origin : `${origin}/v1`,
    requests,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface ServerState {
  readonly kind: LocalServerKind
  readonly options: LocalServerOptions
  isLoaded: boolean
}

function chatPath(kind: LocalServerKind): string {
  return kind === 'ollama' ? '/api/chat' : '/v1/chat/completions'
}

/** What each path answers; anything else is 404. */
function routes(state: ServerState): Readonly<Record<string, Json>> {
  const { models = ['test-model'], windowTokens = 8_192, trainedTokens = 131_072 } = state.options
  const list = (fields: (id: string) => JsonObject): Json => ({
    object: 'list',
    data: models.map((id) => ({ id, object: 'model', ...fields(id) })),
  })
  switch (state.kind) {
    case 'ollama':
      return ollamaRoutes(state)
    case 'lm-studio': {
      const loaded = state.isLoaded ? { state: 'loaded', loaded_context_length: windowTokens } : { state: 'not-loaded' }
      return {
        '/v1/models': list(() => ({ owned_by: 'organization_owner' })),
        '/api/v0/models': list(() => ({ type: 'llm', arch: 'llama', max_context_length: trainedTokens, ...loaded })),
      }
    }
    case 'llama-cpp': {
      const slots = 4
      const meta = { vocab_type: 2, n_ctx: windowTokens * slots, n_ctx_train: trainedTokens, size: 4_912_898_048 }
      return {
        '/v1/models': list(() => ({ owned_by: 'llamacpp', meta })),
        '/props': { total_slots: slots, default_generation_settings: { n_ctx: windowTokens }, model_path: '/m.gguf' },
      }
    }
    case 'vllm':
      return { '/v1/models': list((id) => ({ owned_by: 'vllm', root: id, max_model_len: windowTokens })) }
    case 'gateway':
      return { '/v1/models': list((id) => ({ name: id, context_length: windowTokens, pricing: { prompt: '0' } })) }
  }
}

function ollamaRoutes({ options }: ServerState): Readonly<Record<string, Json>> {
  const { models = ['test-model'], windowTokens, trainedTokens = 131_072, parameters } = options
  const shown = {
    ...(parameters !== undefined && { parameters }),
    model_info: { 'general.architecture': 'llama', 'llama.context_length': trainedTokens },
    capabilities: ['completion', 'tools'],
  }
  const row = (name: string) => ({ name, model: name, size: 4_920_753_328 })
  return {
    '/api/version': { version: '0.12.6' },
    '/api/tags': { models: models.map(row) },
    '/api/ps': {
      models: windowTokens === undefined ? [] : models.map((name) => ({ ...row(name), context_length: windowTokens })),
    },
    ...(models.length > 0 && { '/api/show': shown }),
  }
}

/** vLLM refuses an empty list of tools. */
function refusalOf(kind: LocalServerKind, { tools }: JsonObject): OtherAnswer | undefined {
  if (kind !== 'vllm' || !Array.isArray(tools) || tools.length > 0) return undefined
  return { status: 400, body: { object: 'error', message: '`tools` must not be an empty array', code: 400 } }
}

/** Both calls that a probe asks for. */
function probed({ body }: ChatRequest): SpokenAnswer {
  if (body.tools === undefined) return { text: 'ready' }
  const call = (city: string) => ({ name: 'look_up_city', arguments: { city } })
  return { toolCalls: [call('Oslo'), call('Rome')] }
}

/** A token for four characters of what was sent; Ollama reads no more than the window and says nothing of the rest. */
function readTokens(kind: LocalServerKind, { messages = [], tools = [], options }: JsonObject): number {
  const sent = Math.ceil((JSON.stringify(messages).length + JSON.stringify(tools).length) / 4)
  const window = isJsonObject(options) ? options.num_ctx : undefined
  return kind === 'ollama' && typeof window === 'number' ? Math.min(sent, window) : sent
}

function send(response: ServerResponse, kind: LocalServerKind, answer: SpokenAnswer): void {
  const isLines = kind === 'ollama'
  response.writeHead(200, { 'content-type': isLines ? 'application/x-ndjson' : 'text/event-stream' })
  for (const piece of isLines ? ollamaLines(answer) : events(kind, answer)) response.write(piece)
  response.end()
}

function* ollamaLines({ text = '', reasoning = '', toolCalls = [], promptTokens }: SpokenAnswer): Generator<string> {
  const line = (fields: JsonObject) => `${JSON.stringify({ model: 'test-model', ...fields })}\n`
  const message = (fields: JsonObject) => line({ message: { role: 'assistant', content: '', ...fields }, done: false })
  if (reasoning !== '') yield message({ thinking: reasoning })
  for (const piece of pieces(text)) yield message({ content: piece })
  // Every call has the index 0, the arguments are an object, and the reason is `stop` all the same.
  const calls = toolCalls.map((call) => ({ function: { index: 0, ...call } }))
  if (calls.length > 0) yield message({ tool_calls: calls })
  const counts = promptTokens == null ? {} : { prompt_eval_count: promptTokens, eval_count: 7 }
  yield line({ message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop', ...counts })
}

function* events(kind: LocalServerKind, answer: SpokenAnswer): Generator<string> {
  const { text = '', reasoning = '', toolCalls = [], promptTokens, cachedTokens = 0 } = answer
  const event = (fields: JsonObject) => `data: ${JSON.stringify({ object: 'chat.completion.chunk', ...fields })}\n\n`
  const delta = (fields: JsonObject, reason: string | null = null) =>
    event({ choices: [{ index: 0, delta: fields, finish_reason: reason }] })
  if (kind === 'gateway') yield ': OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n'
  if (kind === 'llama-cpp') yield ':\n\n'
  yield delta({ role: 'assistant', content: kind === 'llama-cpp' ? null : '', tool_calls: null })
  if (reasoning !== '') yield delta({ [kind === 'gateway' ? 'reasoning' : 'reasoning_content']: reasoning })
  for (const piece of pieces(text)) yield delta({ content: piece })
  for (const [index, { name, arguments: args }] of toolCalls.entries()) {
    yield delta({ tool_calls: [{ index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } }] })
    for (const piece of pieces(JSON.stringify(args))) {
      // LM Studio sends an empty name along with each later piece.
      const named = kind === 'lm-studio' ? { name: '', arguments: piece } : { arguments: piece }
      yield delta({ tool_calls: [{ index, function: named }] })
    }
  }
  yield delta({}, toolCalls.length > 0 && kind !== 'gateway' ? 'tool_calls' : 'stop')
  if (promptTokens != null) {
    const details =
      kind === 'gateway' || kind === 'vllm' ? { prompt_tokens_details: { cached_tokens: cachedTokens } } : {}
    const timings = { cache_n: cachedTokens, prompt_n: promptTokens - cachedTokens, predicted_n: 7 }
    const usage = { prompt_tokens: promptTokens, completion_tokens: 7, total_tokens: promptTokens + 7, ...details }
    yield event({ choices: [], usage, ...(kind === 'llama-cpp' && { timings }) })
  }
  if (kind !== 'gateway') yield 'data: [DONE]\n\n'
}

function pieces(text: string): readonly string[] {
  return text.match(/[\s\S]{1,5}/gu) ?? []
}

function sendJson(response: ServerResponse, body: Json | undefined, status = body === undefined ? 404 : 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? { error: 'Not Found' }))
}

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString()
}

import { z } from 'zod'
import type { CompletionRequest, ModelMessage } from '../../domain/model.ts'
import type { Accumulator, CallDelta } from '../accumulator.ts'
import { streamedError } from '../classify.ts'
import { type FailureContext, unreadable, webPage } from '../failure.ts'
import { byOwnTransport } from '../http-answer.ts'
import {
  type AskJson,
  bearer,
  type ModelFacts,
  type ModelProvider,
  type ModelServer,
  versionedAddress,
} from '../provider.ts'
import { type BodyReader, createDocumentReader, createEventReader, createSniffingReader } from '../sse.ts'

const text = z.string().nullish().catch(null)
const count = z.number().nonnegative().nullish().catch(null)
const callDelta = z.object({
  index: z.number().nullish().catch(null),
  id: text,
  function: z.object({ name: text, arguments: z.unknown() }).nullish(),
})
const delta = z.object({
  content: text,
  reasoning_content: text,
  reasoning: text,
  tool_calls: z.array(callDelta).nullish(),
})
const chunk = z.object({
  error: z.unknown().optional(),
  choices: z
    .array(z.object({ delta: delta.nullish(), message: delta.nullish(), finish_reason: text, finishReason: text }))
    .nullish(),
  usage: z
    .object({
      prompt_tokens: count,
      completion_tokens: count,
      prompt_tokens_details: z.object({ cached_tokens: count }).nullish().catch(null),
      prompt_cache_hit_tokens: count,
      cache_read_input_tokens: count,
    })
    .nullish()
    .catch(null),
  timings: z.object({ cache_n: count, prompt_n: count, predicted_n: count }).nullish().catch(null),
})
type Chunk = z.infer<typeof chunk>

/** Any server that speaks OpenAI's chat completions: LM Studio, llama.cpp, vLLM, gateways. Quirks: conventions 4.3. */
export const openaiCompatible: ModelProvider = {
  officialAddress: null,
  needsKey: false,
  keyHeaders: bearer,
  address: (typed) => versionedAddress(typed, { routes: chatRoutes, version: 'v1' }),
  answer: byOwnTransport({
    chat: (server, request) => ({
      url: `${server.address}/chat/completions`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(requestBody(request)),
    }),
    reader: chatReader,
  }),
  models: async (server, ask) =>
    (await modelRows(server, ask)).map((row) => ({
      providerId: server.id,
      model: row.id,
      title: row.id,
      contextTokens: statedContext(row),
    })),
  facts: modelWindow,
  assumedWindow: { tokens: null },
  async embed(server, { model, texts }, ask) {
    const body = JSON.stringify({ model, input: texts, encoding_format: 'float' })
    const read = embeddingList.safeParse(await ask({ url: `${server.address}/embeddings`, body }))
    if (!read.success) throw unreadable('the vectors have another shape than OpenAI’s', { ...server, model })
    return read.data.data.toSorted((a, b) => a.index - b.index).map(({ embedding }) => embedding)
  },
}

const embeddingList = z.object({ data: z.array(z.object({ index: z.number(), embedding: z.array(z.number()) })) })

/** One answer as events, or as one document. */
export function chatReader(into: Accumulator, context: FailureContext): BodyReader {
  return createSniffingReader((first) => {
    if (first === '<') throw webPage(200, '', context)
    return first === '{' ? documentReader(into, context) : eventReader(into, context)
  })
}

/** What people paste along with an address. */
export const chatRoutes = /\/(?:chat\/completions|completions|models)$/

function requestBody(request: CompletionRequest) {
  const { model, tools, maxOutputTokens, temperature } = request
  return {
    model,
    // First, because it never changes: a cache may go by the bytes. vLLM refuses an empty list.
    ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
    messages: request.messages.map(wireMessage),
    stream: true,
    stream_options: { include_usage: true },
    ...(maxOutputTokens !== undefined && { max_tokens: maxOutputTokens }),
    ...(temperature !== undefined && { temperature }),
  }
}

function wireMessage(message: ModelMessage) {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.callId, content: message.content }
  if (message.role !== 'assistant') return message
  const { role, content, toolCalls = [] } = message
  if (toolCalls.length === 0) return { role, content }
  return {
    role,
    content,
    tool_calls: toolCalls.map((call) => ({
      id: call.id,
      type: 'function',
      // Broken arguments would make some servers refuse the whole history; the result after it says what was wrong.
      function: { name: call.name, arguments: JSON.stringify('invalid' in call ? {} : call.arguments) },
    })),
  }
}

function eventReader(into: Accumulator, context: FailureContext): BodyReader {
  return createEventReader({
    onErrorField: (value) => {
      throw streamedError(jsonOrText(value), context)
    },
    onData(data, { event, isTail }) {
      const trimmed = data.trim()
      if (into.hasEndMark() || trimmed === '') return
      if (trimmed === '[DONE]') return into.endMark()
      const value = jsonOrText(trimmed)
      if (event === 'error') throw streamedError(value, context)
      // Half a message at the end: the accumulator knows that the answer is not whole.
      if (typeof value === 'string' && isTail) return
      takeChunk(value, into, context)
    },
  })
}

/** A server that does not stream answers with one JSON value: a completion or an error. */
function documentReader(into: Accumulator, context: FailureContext): BodyReader {
  return createDocumentReader((document) => {
    const value = jsonOrText(document)
    if (typeof value !== 'string') takeChunk(value, into, context)
  })
}

function takeChunk(value: unknown, into: Accumulator, context: FailureContext): void {
  const read = chunk.safeParse(value)
  if (!read.success) throw unreadable(`a piece of the stream cannot be read: ${z.prettifyError(read.error)}`, context)
  const { error, choices, usage, timings } = read.data
  if (error !== undefined && error !== null) throw streamedError(value, context)
  const choice = choices?.[0]
  if (choice !== undefined) takeChoice(choice, into)
  if (usage || timings) takeUsage({ usage, timings }, into)
}

function takeChoice(choice: NonNullable<Chunk['choices']>[number], into: Accumulator): void {
  const piece = choice.delta ?? choice.message
  into.reasoning(piece?.reasoning_content ?? piece?.reasoning ?? '')
  if (piece?.content) into.text(piece.content)
  for (const call of callDeltas(piece)) into.call(call)
  into.finish(choice.finish_reason ?? choice.finishReason ?? '')
}

function callDeltas(piece: z.infer<typeof delta> | null | undefined): readonly CallDelta[] {
  return (piece?.tool_calls ?? []).map((call) => ({
    index: call.index ?? null,
    id: call.id ?? '',
    name: call.function?.name ?? '',
    arguments: call.function?.arguments,
  }))
}

/** The pieces of calls in one chunk; none in what is no chunk. */
export function callsOfChunk(value: unknown): readonly CallDelta[] {
  const choice = chunk.safeParse(value).data?.choices?.[0]
  return callDeltas(choice?.delta ?? choice?.message)
}

/** Where the cached part stands: OpenAI and vLLM, DeepSeek, gateways to Anthropic, llama.cpp. */
function takeUsage({ usage, timings }: Pick<Chunk, 'usage' | 'timings'>, into: Accumulator): void {
  const stated = usage?.prompt_tokens_details?.cached_tokens || usage?.prompt_cache_hit_tokens
  const cached = stated || usage?.cache_read_input_tokens || timings?.cache_n || 0
  const whole = usage?.prompt_tokens ?? (timings?.prompt_n ?? 0) + cached
  into.usage({
    // Of a prompt that is smaller than what was cached of it, only the rest was counted.
    inputTokens: whole < cached ? whole + cached : whole,
    outputTokens: usage?.completion_tokens ?? timings?.predicted_n ?? 0,
    ...(cached > 0 && { cachedInputTokens: cached }),
  })
}

/** Text that is not JSON stays text. */
function jsonOrText(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

const tokenCount = z.number().int().positive().nullish().catch(null)
const modelRow = z.object({
  id: z.string().min(1),
  max_model_len: tokenCount,
  context_length: tokenCount,
  loaded_context_length: tokenCount,
  max_context_length: tokenCount,
  state: text,
  meta: z.object({ n_ctx: tokenCount, n_ctx_train: tokenCount }).nullish().catch(null),
})
type ModelRow = z.infer<typeof modelRow>
const modelList = z.object({ data: z.array(modelRow) })
const llamaProps = z.object({ default_generation_settings: z.object({ n_ctx: tokenCount }) })

async function modelRows(server: ModelServer, ask: AskJson): Promise<readonly ModelRow[]> {
  const answer = modelList.safeParse(await ask({ url: `${server.address}/models` }))
  if (answer.success) return answer.data.data
  throw unreadable('the list of models has another shape than OpenAI’s', { ...server, model: '' })
}

function statedContext(row: ModelRow): number | null {
  return (
    row.max_model_len ??
    row.loaded_context_length ??
    row.context_length ??
    row.meta?.n_ctx ??
    row.max_context_length ??
    null
  )
}

/**
 * llama.cpp says it under `/props`, for one slot (its list may have the sum of all); vLLM and gateways in the list, LM Studio
 * under `/api/v0/models`: of a model that is not loaded only what it could be loaded with.
 */
async function modelWindow(server: ModelServer, model: string, ask: AskJson): Promise<ModelFacts> {
  const root = server.address.replace(/\/v\d+$/, '')
  const [rows, props, studio] = await Promise.allSettled([
    modelRows(server, ask),
    ask({ url: `${root}/props` }),
    ask({ url: `${root}/api/v0/models` }),
  ])
  // One that cannot be asked is not one that does not say.
  if (rows.status === 'rejected' && props.status === 'rejected' && studio.status === 'rejected') throw rows.reason
  const named = (list: readonly ModelRow[]) => list.find((row) => row.id === model)
  const row = rows.status === 'fulfilled' ? named(rows.value) : undefined
  const llama = llamaProps.safeParse(props.status === 'fulfilled' ? props.value : null)
  const slot = llama.success ? llama.data.default_generation_settings.n_ctx : null
  const other = modelList.safeParse(studio.status === 'fulfilled' ? studio.value : null)
  const studioRow = other.success ? named(other.data.data) : undefined
  const tokens =
    slot ?? (row && statedContext(row)) ?? (studioRow && statedContext(studioRow)) ?? row?.meta?.n_ctx_train
  return { tokens: tokens ?? null, ...(studioRow?.state === 'not-loaded' && { isPassing: true }) }
}

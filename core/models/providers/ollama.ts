import { z } from 'zod'
import type { CompletionRequest, ModelMessage } from '../../domain/model.ts'
import type { Accumulator } from '../accumulator.ts'
import { streamedError } from '../classify.ts'
import { type FailureContext, unreadable, webPage } from '../failure.ts'
import { byOwnTransport } from '../http-answer.ts'
import {
  type AskJson,
  bearer,
  type ModelFacts,
  type ModelProvider,
  type ModelServer,
  trimmedAddress,
} from '../provider.ts'
import { type BodyReader, createLineReader, createSniffingReader } from '../sse.ts'

const text = z.string().nullish().catch(null)
const count = z.number().nonnegative().nullish().catch(null)
const line = z.object({
  error: z.unknown().optional(),
  message: z
    .object({
      content: text,
      thinking: text,
      tool_calls: z
        .array(
          z.object({
            id: text,
            function: z.object({ index: z.number().nullish().catch(null), name: text, arguments: z.unknown() }),
          }),
        )
        .nullish(),
    })
    .nullish(),
  done: z.boolean().nullish().catch(null),
  done_reason: text,
  prompt_eval_count: count,
  eval_count: count,
})

/**
 * In powers of two from here on: each change makes the server load the model anew. System message and actions take 5,000, so
 * most threads need no other.
 */
const smallestWindow = 16_384
/** More takes gigabytes for the cache of the window alone: a person may ask for it, we do not. */
const largestOwnWindow = 65_536

/**
 * Ollama by its native route: the OpenAI one ignores `num_ctx`, and the default window drops the front of a longer
 * conversation without a word. docs/models.md, Windows.
 */
export const ollama: ModelProvider = {
  officialAddress: null,
  needsKey: false,
  keyHeaders: bearer,
  address: (typed) => trimmedAddress(typed, /\/(?:v1|api)(?:\/.*)?$/),
  answer: byOwnTransport({
    chat: (server, request, windowTokens) => ({
      url: `${server.address}/api/chat`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(requestBody(request, windowTokens ?? smallestWindow)),
    }),
    reader: ollamaReader,
  }),
  models,
  facts: modelWindow,
  assumedWindow: { tokens: largestOwnWindow, floor: smallestWindow },
  async embed(server, { model, texts }, ask) {
    const answer = await ask({ url: `${server.address}/api/embed`, body: JSON.stringify({ model, input: texts }) })
    const read = embeddings.safeParse(answer)
    if (read.success) return read.data.embeddings
    throw unreadable('the vectors have another shape than Ollama’s', { ...server, model })
  },
}

/** One answer as lines of JSON. */
export function ollamaReader(into: Accumulator, context: FailureContext): BodyReader {
  return createSniffingReader((first) => {
    if (first === '<') throw webPage(200, '', context)
    return createLineReader((value, { isTail }) => takeLine(value, { into, context, isTail }))
  })
}
const embeddings = z.object({ embeddings: z.array(z.array(z.number())) })

function requestBody(request: CompletionRequest, windowTokens: number) {
  const { model, tools, maxOutputTokens, temperature } = request
  return {
    model,
    ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
    messages: request.messages.map(wireMessage),
    stream: true,
    options: {
      num_ctx: windowTokens,
      ...(maxOutputTokens !== undefined && { num_predict: maxOutputTokens }),
      ...(temperature !== undefined && { temperature }),
    },
  }
}

function wireMessage(message: ModelMessage) {
  if (message.role === 'tool') return { role: 'tool', tool_name: message.name, content: message.content }
  if (message.role !== 'assistant') return message
  const { role, content, toolCalls = [] } = message
  if (toolCalls.length === 0) return { role, content }
  return {
    role,
    content,
    tool_calls: toolCalls.map((call) => ({
      function: { name: call.name, arguments: 'invalid' in call ? {} : call.arguments },
    })),
  }
}

interface LineTarget {
  readonly into: Accumulator
  readonly context: FailureContext
  readonly isTail: boolean
}

function takeLine(value: string, { into, context, isTail }: LineTarget): void {
  const json = parsed(value)
  // Half a line at the end: the accumulator knows that the answer is not whole.
  if (json === undefined && isTail) return
  const read = line.safeParse(json)
  if (!read.success) throw unreadable(`a line of the stream cannot be read: ${z.prettifyError(read.error)}`, context)
  const { error, message, done, done_reason, prompt_eval_count, eval_count } = read.data
  if (error !== undefined && error !== null) throw streamedError(json, context)
  into.reasoning(message?.thinking ?? '')
  if (message?.content) into.text(message.content)
  for (const { id, function: asked } of message?.tool_calls ?? []) {
    into.call({ index: asked.index ?? null, id: id ?? '', name: asked.name ?? '', arguments: asked.arguments ?? {} })
  }
  if (done !== true) return
  if (prompt_eval_count != null || eval_count != null) {
    into.usage({ inputTokens: prompt_eval_count ?? 0, outputTokens: eval_count ?? 0 })
  }
  into.finish(done_reason ?? '')
  into.endMark()
}

function parsed(value: string): unknown {
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

const tagList = z.object({ models: z.array(z.object({ name: z.string().min(1) })) })

async function models(server: ModelServer, ask: AskJson) {
  const answer = tagList.safeParse(await ask({ url: `${server.address}/api/tags` }))
  if (!answer.success) throw unreadable('the list of models has another shape than Ollama’s', { ...server, model: '' })
  return answer.data.models.map(({ name }) => ({
    providerId: server.id,
    model: name,
    title: name,
    contextTokens: null,
  }))
}

const tokenCount = z.number().int().positive().nullish().catch(null)
const shownModel = z.object({
  model_info: z.record(z.string(), z.unknown()).nullish().catch(null),
  parameters: text,
})
const loadedList = z.object({
  models: z.array(z.object({ name: text, model: text, context_length: tokenCount })),
})

/**
 * A Modelfile's `num_ctx` is the window; without one it is ours to choose, up to our own limit or what the model runs with
 * already. The trained length caps both: more is cut down by the server without a word.
 */
async function modelWindow(server: ModelServer, model: string, ask: AskJson): Promise<ModelFacts> {
  const [shown, loaded] = await Promise.allSettled([
    ask({ url: `${server.address}/api/show`, body: JSON.stringify({ model }) }),
    ask({ url: `${server.address}/api/ps` }),
  ])
  if (shown.status === 'rejected') throw shown.reason
  const { model_info, parameters } = shownModel.parse(shown.value)
  const trained = trainedLength(model_info ?? {})
  const running = loaded.status === 'fulfilled' ? runningWindow(loaded.value, model) : 0
  const given = /^\s*num_ctx\s+(\d+)/m.exec(parameters ?? '')?.[1]
  const tokens = given === undefined ? Math.max(largestOwnWindow, running) : Number(given)
  const capped = Math.min(tokens, trained ?? tokens)
  const floor = given === undefined ? Math.min(Math.max(smallestWindow, running), capped) : capped
  return { tokens: capped, floor, ...(trained !== null && { ceiling: trained }) }
}

/** `model_info` names it after the architecture: `llama.context_length`. */
function trainedLength(info: Readonly<Record<string, unknown>>): number | null {
  const found = Object.entries(info).find(([name]) => name.endsWith('.context_length'))?.[1]
  return tokenCount.parse(found) ?? null
}

/** What the model runs with now; 0 where it is not loaded, or the server is too old to say. */
function runningWindow(loaded: unknown, model: string): number {
  const list = loadedList.safeParse(loaded)
  const names = [model, `${model}:latest`]
  const row = list.success ? list.data.models.find((each) => names.includes(each.model ?? each.name ?? '')) : undefined
  return row?.context_length ?? 0
}

import { z } from 'zod'
import { isJsonObject } from '../../domain/json.ts'
import type { CompletionRequest, ModelMessage } from '../../domain/model.ts'
import type { Accumulator } from '../accumulator.ts'
import { streamedError } from '../classify.ts'
import { type FailureContext, unreadable, webPage } from '../failure.ts'
import { byOwnTransport } from '../http-answer.ts'
import { type AskJson, bearer, type ModelProvider, type ModelServer, trimmedAddress } from '../provider.ts'
import { type BodyReader, createLineReader, createSniffingReader } from '../sse.ts'
import { estimatedInput } from '../usage.ts'

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
 * Ollama by its native route: the OpenAI one ignores `num_ctx`, and the default window drops the front of a longer
 * conversation without a word.
 */
export const ollama: ModelProvider = {
  officialAddress: null,
  needsKey: false,
  keyHeaders: bearer,
  address: (typed) => trimmedAddress(typed, /\/(?:v1|api)(?:\/.*)?$/),
  answer: byOwnTransport({
    chat: (server, request, contextTokens) => ({
      url: `${server.address}/api/chat`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(requestBody(request, contextTokens)),
    }),
    reader: ollamaReader,
  }),
  models,
  facts: async (server, model, ask) => {
    const shown = await ask({ url: `${server.address}/api/show`, body: JSON.stringify({ model }) })
    return { contextTokens: statedContext(shown) }
  },
}

/** One answer as lines of JSON. */
export function ollamaReader(into: Accumulator, context: FailureContext): BodyReader {
  return createSniffingReader((first) => {
    if (first === '<') throw webPage(200, '', context)
    return createLineReader((value, { isTail }) => takeLine(value, { into, context, isTail }))
  })
}

const smallestWindow = 8_192
const largestOwnWindow = 131_072
const answerReserve = 2_048

/** A window that holds the request, in powers of two: each change makes the server load the model anew. */
function windowFor(request: CompletionRequest): number {
  const needed = estimatedInput(request) + (request.maxOutputTokens ?? answerReserve)
  let tokens = smallestWindow
  while (tokens < needed && tokens < largestOwnWindow) tokens *= 2
  return tokens
}

function requestBody(request: CompletionRequest, contextTokens: number | undefined) {
  const { model, tools, maxOutputTokens, temperature } = request
  return {
    model,
    messages: request.messages.map(wireMessage),
    stream: true,
    ...(tools.length > 0 && { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
    options: {
      num_ctx: contextTokens ?? windowFor(request),
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

/** `model_info` names it after the architecture: `llama.context_length`. */
function statedContext(shown: unknown): number | null {
  const info = isJsonObject(shown) ? shown.model_info : undefined
  if (!isJsonObject(info)) return null
  const found = Object.entries(info).find(([name]) => name.endsWith('.context_length'))?.[1]
  return typeof found === 'number' ? found : null
}

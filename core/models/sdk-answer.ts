import type { JSONSchema7, LanguageModel, TextStreamPart, ToolSet } from 'ai'
import { z } from 'zod'
import { AppError } from '../domain/error.ts'
import { isJsonObject } from '../domain/json.ts'
import type { ToolDefinition } from '../domain/model.ts'
import type { Accumulator, CallDelta } from './accumulator.ts'
import { streamedError } from './classify.ts'
import { type FailureContext, noKey, truncated, unreadable } from './failure.ts'
import type { Lent } from './lent-fetch.ts'
import type { ModelProvider } from './provider.ts'
import { sdkPrompt } from './sdk-prompt.ts'

/** What a package of the AI SDK needs to reach its provider. All of it is given: else it would look into the environment. */
interface SdkAccess {
  readonly baseURL: string
  readonly apiKey: string
  readonly fetch: Lent['fetch']
}

interface SdkSpeech {
  /** Loads the package: it takes a third of a second, which only those who use it wait for. */
  readonly model: (access: SdkAccess, model: string) => Promise<LanguageModel>
  /** True where the cached prefix has to be marked. */
  readonly marksCache?: (model: string) => boolean
  /** Reads the calls out of the bytes, where the package would put `{}` in place of arguments that it cannot parse. */
  readonly callsIn?: (chunk: unknown) => readonly CallDelta[]
}

/**
 * Answers through the AI SDK, for hosted providers (RULES 28). Its requests go out over our transport, so deadlines, bounds,
 * refusals and their texts are those of every other server; it sends nothing again and runs nothing.
 */
export function bySdk(speech: SdkSpeech): ModelProvider['answer'] {
  return async ({ server, request, into, waits, transport, context }) => {
    const { address: baseURL, key: apiKey } = server
    if (apiKey === undefined) throw noKey(context)
    return transport.lend(waits, context, async ({ fetch, signal, onToken }) => {
      const { streamText, jsonSchema } = await import('ai')
      // Else the SDK prints what a model does not support, into the output of the command line.
      globalThis.AI_SDK_LOG_WARNINGS = false
      const model = await speech.model({ baseURL, apiKey, fetch }, request.model)
      const { maxOutputTokens, temperature, tools } = request
      const { stream } = streamText({
        model,
        ...sdkPrompt(request.messages, speech.marksCache?.(request.model) ?? false),
        ...(tools.length > 0 && { tools: toolSet(tools, jsonSchema) }),
        ...(maxOutputTokens !== undefined && { maxOutputTokens }),
        ...(temperature !== undefined && { temperature }),
        maxRetries: 0,
        abortSignal: signal,
        include: { rawChunks: speech.callsIn !== undefined },
        // Errors are parts of the stream; by itself it would print them too.
        onError: () => undefined,
      })
      for await (const part of stream) {
        takePart(part, { into, context, callsIn: speech.callsIn })
        if (into.hasDelta()) onToken()
      }
      // An aborted stream just ends.
      if (!into.isFinished()) signal.throwIfAborted()
    })
  }
}

const schemaOf = z.custom<JSONSchema7>((value) => isJsonObject(value))

/** Without `execute`: a call is a wish, and `capabilities.execute()` is the only door. */
function toolSet(
  tools: readonly ToolDefinition[],
  jsonSchema: (schema: JSONSchema7) => ToolSet[string]['inputSchema'],
) {
  const set: ToolSet = {}
  for (const { name, description, parameters } of tools) {
    set[name] = { description, inputSchema: jsonSchema(schemaOf.parse(parameters)) }
  }
  return set
}

interface PartTarget {
  readonly into: Accumulator
  readonly context: FailureContext
  readonly callsIn: SdkSpeech['callsIn']
}

type Part = TextStreamPart<ToolSet>

function takePart(part: Part, { into, context, callsIn }: PartTarget): void {
  switch (part.type) {
    case 'text-delta':
      if (part.text !== '') into.text(part.text)
      return
    case 'reasoning-delta':
      into.reasoning(part.text)
      return
    case 'raw':
      for (const call of callsIn?.(part.rawValue) ?? []) into.call(call)
      return
    case 'tool-input-start':
      if (callsIn === undefined) into.call({ index: null, id: part.id, name: part.toolName, arguments: undefined })
      return
    case 'tool-input-delta':
      if (callsIn === undefined) into.call({ index: null, id: part.id, name: '', arguments: part.delta })
      return
    case 'tool-call':
      // Its input is what the SDK made of the arguments; those that came are with us already.
      if (part.providerMetadata !== undefined) into.annotate(part.toolCallId, plainJson(part.providerMetadata))
      return
    case 'finish-step':
      finish(part, into, context)
      return
    case 'error':
      // After the end of the answer a failure takes nothing from it.
      if (!into.isFinished()) throw sdkFailure(part.error, context)
  }
}

const jsonMetadata = z.record(z.string(), z.record(z.string(), z.json()))

/** A copy without the `undefined` that packages leave in it; they also go on changing what they handed over. */
function plainJson(metadata: unknown): z.infer<typeof jsonMetadata> {
  return jsonMetadata.parse(JSON.parse(JSON.stringify(metadata)))
}

function finish(part: Extract<Part, { type: 'finish-step' }>, into: Accumulator, context: FailureContext): void {
  const { finishReason, rawFinishReason, usage } = part
  // No reason of the provider's own: the stream just ended.
  if (rawFinishReason === undefined) return
  if (finishReason === 'error') throw truncated(`the provider ended the answer with ${rawFinishReason}`, context)
  const { inputTokens, outputTokens, inputTokenDetails } = usage
  const cached = inputTokenDetails.cacheReadTokens
  into.usage({
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    ...(cached && { cachedInputTokens: cached }),
  })
  into.finish(finishReason === 'content-filter' ? 'content_filter' : finishReason)
  into.endMark()
}

const said = z.object({
  name: z.string().optional(),
  message: z.string().optional(),
  responseBody: z.string().optional().catch(undefined),
  data: z.unknown().optional(),
})

const fromProvider: ReadonlySet<string> = new Set(['AI_APICallError', 'AI_StreamProviderError'])

/** What the SDK makes of an `error` in the stream carries the provider's own words; its own errors are about the stream. */
function sdkFailure(error: unknown, context: FailureContext): AppError {
  if (error instanceof AppError) return error
  const { name = '', message = '', responseBody, data } = said.safeParse(error).data ?? {}
  if (name === 'AI_NoOutputGeneratedError') return truncated('the stream ended before the answer began', context)
  const isOwn = name !== '' && !fromProvider.has(name)
  if (isOwn || message === '') return unreadable(message === '' ? String(error) : message, context)
  return streamedError(isJsonObject(data) ? data : (parsed(responseBody) ?? error), context)
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

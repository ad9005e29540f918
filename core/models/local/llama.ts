import type {
  ChatModelFunctions,
  Llama,
  LlamaChat,
  LlamaChatResponseChunk,
  LlamaContext,
  LlamaEmbeddingContext,
  LlamaModel,
  Token,
} from 'node-llama-cpp'
import { z } from 'zod'
import type { CompletionRequest, ToolDefinition } from '../../domain/model.ts'
import { chatHistory } from './chat-history.ts'
import { grammarSchema, withoutNulls } from './grammar.ts'
import { resolveFrom } from './parts-hook.ts'
import type { Failed, GpuParts, Loaded, News, Order } from './protocol.ts'

type Library = typeof import('node-llama-cpp')

/** What went wrong, in a form that crosses to the parent, which knows the words for people. */
export class LlamaFailure extends Error {
  readonly reason: Failed['reason']
  readonly figures: Pick<Failed, 'limit' | 'got'>
  constructor(reason: Failed['reason'], message: string, figures: Pick<Failed, 'limit' | 'got'> = {}) {
    super(message)
    this.reason = reason
    this.figures = figures
  }
}

/** A model in memory. */
export interface LoadedLlama {
  readonly facts: Loaded
  /** Tells each piece as it comes; the answer is what it resolves to. Throws LlamaFailure. */
  complete(order: Extract<Order, { op: 'complete' }>, watch: Watch): Promise<News>
  embed(order: Extract<Order, { op: 'embed' }>, signal: AbortSignal): Promise<News>
}

interface Watch {
  readonly signal: AbortSignal
  readonly tell: (news: News) => void
}

type Load = Extract<Order, { op: 'load' }>

/** Loads the library, which is an optional part, and with it a model. Throws LlamaFailure. */
export async function loadLlama(order: Load): Promise<LoadedLlama> {
  const library = await libraryOf()
  const started = await startedWith(library, order.gpu)
  try {
    const model = await started.llama.loadModel({ modelPath: order.file, ...gpuLayersFor(order, started) })
    return order.purpose === 'chat'
      ? await chatWith(library, await chatParts(started, model, order))
      : await embedderWith(started, model, order)
  } catch (error) {
    const isMemory = error instanceof library.InsufficientMemoryError
    throw new LlamaFailure(isMemory ? 'memory' : 'load', messageOf(error))
  }
}

/** As many layers as fit beside the window that the model is to have. */
function gpuLayersFor({ contextTokens: contextSize, purpose }: Load, { llama }: Started) {
  if (llama.gpu === false) return {}
  return { gpuLayers: { fitContext: { contextSize, embeddingContext: purpose === 'embedding' } } }
}

async function libraryOf(): Promise<Library> {
  try {
    return await import('node-llama-cpp')
  } catch (error) {
    throw new LlamaFailure('library', messageOf(error))
  }
}

interface Started {
  readonly llama: Llama
  readonly gpuProblem: string | null
}

/** A build for the graphics processor that does not run here (no driver, say) must not cost the answer. */
async function startedWith(library: Library, gpu: GpuParts | null): Promise<Started> {
  if (gpu === null) return { llama: await processorOf(library, 'auto'), gpuProblem: null }
  try {
    resolveFrom(gpu)
    return { llama: await getLlama(library, gpu.kind), gpuProblem: null }
  } catch (error) {
    return { llama: await processorOf(library, false), gpuProblem: unusable(library, error) }
  }
}

/** The library tries a binary in a process of its own, and says no more of a failure than that it has none. */
function unusable(library: Library, error: unknown): string {
  return error instanceof library.NoBinaryFoundError ? 'llama.cpp did not start with it' : messageOf(error)
}

async function processorOf(library: Library, gpu: 'auto' | false): Promise<Llama> {
  try {
    return await getLlama(library, gpu)
  } catch (error) {
    throw new LlamaFailure('library', messageOf(error))
  }
}

/** Never builds and never downloads: a binary that is there, or none. */
function getLlama(library: Library, gpu: 'auto' | false | GpuParts['kind']): Promise<Llama> {
  return library.getLlama({
    ...{ gpu, build: 'never', skipDownload: true, maxThreads: 0 },
    logLevel: library.LlamaLogLevel.error,
  })
}

interface ChatParts {
  readonly model: LlamaModel
  readonly context: LlamaContext
  readonly facts: Loaded
}

async function chatParts(started: Started, model: LlamaModel, order: Load): Promise<ChatParts> {
  // More threads than cores wait for each other: on a busy machine that is a hundred times slower, measured.
  const threads = order.threads ?? started.llama.cpuMathCores
  const context = await model.createContext({ contextSize: order.contextTokens, threads, failedCreationRemedy: false })
  return { model, context, facts: factsOf(started, model, { threads, contextTokens: context.contextSize }) }
}

function factsOf(
  { llama, gpuProblem }: Started,
  model: LlamaModel,
  own: Pick<Loaded, 'threads' | 'contextTokens'>,
): Loaded {
  const { ram, vram } = model.memoryUsage
  const gpu = llama.gpu === false ? null : llama.gpu
  return { kind: 'loaded', ...own, gpu, gpuProblem, gpuLayers: model.gpuLayers, memoryBytes: ram + vram }
}

/** The least room for an answer, and what the template may add around calls. */
const leastAnswerTokens = 16

async function chatWith(library: Library, { model, context, facts }: ChatParts): Promise<LoadedLlama> {
  const chat = new library.LlamaChat({ contextSequence: context.getSequence() })
  return {
    facts,
    complete: (order, watch) => complete(chat, model, { ...order, ...watch }),
    embed: async () => {
      throw new LlamaFailure('failed', 'this model was loaded to chat')
    },
  }
}

async function complete(
  chat: LlamaChat,
  model: LlamaModel,
  { id, request, signal, tell }: Extract<Order, { op: 'complete' }> & Watch,
): Promise<News> {
  const history = chatHistory(request.messages)
  const functions = functionsOf(request.tools)
  const offered = functions === undefined ? {} : { functions }
  const prompt = promptOf(chat, model, { history, functions })
  const inputTokens = prompt.length
  const room = chat.context.contextSize - inputTokens - leastAnswerTokens
  if (room < 1) {
    const figures = { limit: chat.context.contextSize, got: inputTokens }
    throw new LlamaFailure('overflow', `${inputTokens} tokens in a window of ${figures.limit}`, figures)
  }
  const cachedInputTokens = chat.sequence.compareContextTokens(prompt).firstDifferentIndex
  const before = chat.sequence.tokenMeter.getState()
  const full = new AbortController()
  const called = new Set<number>()
  const answer = await chat.generateResponse(history, {
    ...offered,
    ...sampling(request),
    maxTokens: Math.min(request.maxOutputTokens ?? room, room),
    signal: AbortSignal.any([signal, full.signal]),
    stopOnAbortSignal: true,
    onResponseChunk: (chunk) => tell(newsOf(chunk, id)),
    onFunctionCallParamsChunk: ({ callIndex: index, functionName: name }) => {
      tell(called.has(index) ? { kind: 'progress', id } : { kind: 'call', id, index, name })
      called.add(index)
    },
    // The library would drop the front of the conversation and go on. A full window ends the answer instead.
    contextShift: {
      strategy: ({ chatHistory: unchanged }) => {
        full.abort()
        return { chatHistory: [...unchanged] }
      },
    },
  })
  if (signal.aborted) throw new LlamaFailure('stopped', 'stopped')
  const { usedOutputTokens } = chat.sequence.tokenMeter.diff(before)
  const calls = (answer.functionCalls ?? []).map(({ functionName, params }) =>
    callOf(functionName, params, request.tools),
  )
  const isCut = full.signal.aborted || answer.metadata.stopReason === 'maxTokens'
  return {
    kind: 'done',
    id,
    finish: isCut ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop',
    inputTokens,
    cachedInputTokens,
    outputTokens: usedOutputTokens,
    calls,
  }
}

/** By the model's own tokenizer, of the very text that its template makes of the conversation. */
function promptOf(
  chat: LlamaChat,
  model: LlamaModel,
  {
    history,
    functions,
  }: { readonly history: ReturnType<typeof chatHistory>; readonly functions: ChatModelFunctions | undefined },
): Token[] {
  const { contextText } = chat.chatWrapper.generateContextState({
    chatHistory: history,
    ...(functions && { availableFunctions: functions }),
  })
  return contextText.tokenize(model.tokenizer)
}

/** Usual values for instruct models. Repeats are not punished: paths, JSON and code repeat for good reasons. */
function sampling({ temperature = 0.7 }: CompletionRequest) {
  return { temperature, topK: 40, topP: 0.95, repeatPenalty: false } as const
}

function functionsOf(tools: readonly ToolDefinition[]): ChatModelFunctions | undefined {
  if (tools.length === 0) return undefined
  return Object.fromEntries(
    tools.map(({ name, description, parameters }) => [name, { description, params: grammarSchema(parameters) }]),
  )
}

function callOf(name: string, params: unknown, tools: readonly ToolDefinition[]): { name: string; arguments: string } {
  const schema = tools.find((tool) => tool.name === name)?.parameters
  const given = z.json().safeParse(params ?? {})
  if (!given.success) throw new LlamaFailure('failed', `the call of ${name} is not JSON`)
  return { name, arguments: JSON.stringify(schema === undefined ? given.data : withoutNulls(given.data, schema)) }
}

/** A chunk may be empty: where a segment begins or ends. */
function newsOf({ text, type }: LlamaChatResponseChunk, id: number): News {
  if (text === '') return { kind: 'progress', id }
  return { kind: 'delta', id, part: type === 'segment' ? 'reasoning' : 'text', text }
}

/** What a template may put around a text. */
const embeddingMarginTokens = 4

async function embedderWith(
  started: Started,
  model: LlamaModel,
  { contextTokens: contextSize, threads: given }: Load,
): Promise<LoadedLlama> {
  const threads = given ?? started.llama.cpuMathCores
  const context = await model.createEmbeddingContext({ contextSize, batchSize: contextSize, threads })
  return {
    facts: factsOf(started, model, { threads, contextTokens: contextSize }),
    complete: async () => {
      throw new LlamaFailure('failed', 'this model was loaded to embed')
    },
    async embed({ id, texts }, signal) {
      const vectors: Float32Array[] = []
      for (const text of texts) {
        if (signal.aborted) throw new LlamaFailure('stopped', 'stopped')
        vectors.push(await vectorOf(context, text, contextSize - embeddingMarginTokens))
      }
      return { kind: 'vectors', id, vectors }
    },
  }
}

async function vectorOf(context: LlamaEmbeddingContext, text: string, mostTokens: number): Promise<Float32Array> {
  // The start says what a text is about; a longer one would be refused whole.
  const tokens = context.model.tokenize(text).slice(0, mostTokens)
  if (tokens.length === 0) return new Float32Array(context.model.embeddingVectorSize)
  const { vector } = await context.getEmbeddingFor(tokens)
  const length = Math.hypot(...vector)
  return Float32Array.from(vector, (value) => (length === 0 ? 0 : value / length))
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

import { AppError, errorBody } from '../domain/error.ts'
import type { CompletionRequest, ModelRef, ProbeResult, ToolDefinition } from '../domain/model.ts'
import type { Settings } from '../domain/settings.ts'
import { tiers } from '../domain/thread.ts'
import { type Answerer, type Completed, type CompleterParts, completeWithRetries } from './complete.ts'

const cityTool: ToolDefinition = {
  name: 'look_up_city',
  description: 'Looks up the population of one city.',
  parameters: {
    type: 'object',
    properties: { city: { type: 'string', description: 'Name of the city' } },
    required: ['city'],
    additionalProperties: false,
  },
}
const question =
  'Look up the population of Oslo and of Rome. Call look_up_city once for each city, both calls in this one answer. Do not answer from memory.'

/** Name, provider and tier of a model: what every line of `model probe` begins with. */
export function probeHead(ref: ModelRef, settings: Settings) {
  const tier = tiers.find(
    (name) => settings.tiers[name].providerId === ref.providerId && settings.tiers[name].model === ref.model,
  )
  return { name: ref.model, provider: ref.providerId, ...(tier !== undefined && { tier }) }
}

interface Probing {
  readonly parts: CompleterParts
  readonly signal: AbortSignal
  /** What the model is to run with, where each request asks for a window. */
  readonly windowTokens: number | undefined
  /** Asked for after the request: some servers know the window only of a model that is loaded. */
  readonly contextTokens: () => Promise<number | null>
}

/** One real streamed request with one action on offer; what went wrong stands in the result, only `cancelled` is thrown. */
export async function probeModel(target: Answerer, ref: ModelRef, probing: Probing): Promise<ProbeResult> {
  const { parts, signal, windowTokens } = probing
  const head = probeHead(ref, parts.settings())
  const ask = (tools: readonly ToolDefinition[]) => {
    const request: CompletionRequest = {
      model: ref.model,
      messages: [{ role: 'user', content: tools.length > 0 ? question : 'Answer with the word ready.' }],
      tools,
    }
    return completeWithRetries(target, request, { parts, signal, maxRetries: 0, windowTokens })
  }
  try {
    const { completed, ...shown } = await askWithTools(ask)
    return { ...head, ...shown, contextTokens: await probing.contextTokens(), firstTokenMs: completed.firstTokenMs }
  } catch (error) {
    if (signal.aborted) throw error
    const contextTokens = await probing.contextTokens()
    const body = errorBody(error, 'model.provider')
    return { ...head, tools: null, parallel: null, contextTokens, firstTokenMs: null, error: body }
  }
}

/**
 * Only a refusal shows that a model calls no actions: one that happened not to call any may do so the next time. Some servers
 * refuse a request with tools for a model that knows none; the connection itself works all the same.
 */
async function askWithTools(ask: (tools: readonly ToolDefinition[]) => Promise<Completed>) {
  try {
    const completed = await ask([cityTool])
    const calls = completed.completion.toolCalls.filter((call) => !('invalid' in call) && call.name === cityTool.name)
    return { completed, ...(calls.length === 0 ? notShown : { tools: true, parallel: calls.length > 1 }) }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'model.tools') throw error
    return { completed: await ask([]), tools: false, parallel: false }
  }
}
const notShown = { tools: null, parallel: null }

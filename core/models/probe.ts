import { AppError, errorBody } from '../domain/error.ts'
import type { CompletionRequest, ModelRef, ProbeResult, ToolDefinition } from '../domain/model.ts'
import type { Settings } from '../domain/settings.ts'
import { tiers } from '../domain/thread.ts'
import {
  type Completed,
  type CompleterParts,
  completeWithRetries,
  overHttp,
  type ServerTarget,
  waitsOf,
} from './complete.ts'
import { factsOf } from './discover.ts'

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

/** One real streamed request with one action on offer; what went wrong stands in the result, only `cancelled` is thrown. */
export async function probeServer(
  target: ServerTarget,
  ref: ModelRef,
  { parts, signal }: { readonly parts: CompleterParts; readonly signal: AbortSignal },
): Promise<ProbeResult> {
  const settings = parts.settings()
  const head = probeHead(ref, settings)
  const ask = (tools: readonly ToolDefinition[]) => {
    const request: CompletionRequest = {
      model: ref.model,
      messages: [{ role: 'user', content: tools.length > 0 ? question : 'Answer with the word ready.' }],
      tools,
    }
    return completeWithRetries(overHttp(target, parts.transport), request, { parts, signal, maxRetries: 0 })
  }
  const [asked, facts] = await Promise.allSettled([
    askWithTools(ask),
    factsOf(target, ref.model, { transport: parts.transport, signal }),
  ])
  if (signal.aborted && asked.status === 'rejected') throw asked.reason
  // A server that does not tell its window is no failure; one that cannot be reached shows in the answer itself.
  const told = facts.status === 'fulfilled' ? facts.value.contextTokens : null
  const contextTokens = waitsOf(settings, ref).contextTokens ?? told
  if (asked.status === 'rejected') {
    const error = errorBody(asked.reason, 'model.provider')
    return { ...head, tools: null, parallel: null, contextTokens, firstTokenMs: null, error }
  }
  const { firstTokenMs } = asked.value.completed
  return { ...head, tools: asked.value.calls > 0, parallel: asked.value.calls > 1, contextTokens, firstTokenMs }
}

/** Some servers refuse a request with tools for a model that knows none; the connection itself works all the same. */
async function askWithTools(ask: (tools: readonly ToolDefinition[]) => Promise<Completed>) {
  try {
    const completed = await ask([cityTool])
    const calls = completed.completion.toolCalls.filter((call) => !('invalid' in call) && call.name === cityTool.name)
    return { completed, calls: calls.length }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'model.tools') throw error
    return { completed: await ask([]), calls: 0 }
  }
}

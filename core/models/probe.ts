import { AppError, errorBody, isCancelled } from '../domain/error.ts'
import type { CompletionRequest, ModelRef, ProbeResult, ToolDefinition } from '../domain/model.ts'
import type { Settings } from '../domain/settings.ts'
import { tiers } from '../domain/thread.ts'
import { type Answerer, type Completed, type CompleterParts, completeWithRetries } from './complete.ts'
import { cancelled } from './failure.ts'

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
  /** May fail as the request may: a key that cannot be had is a result too. `windowTokens`: as in `complete`. */
  readonly open: () => Promise<{ readonly answerer: Answerer; readonly windowTokens: number | undefined }>
  /** Asked for after the request: some servers know the window only of a model that is loaded. */
  readonly contextTokens: () => Promise<number | null>
}

/** One real streamed request with one action on offer; what went wrong stands in the result. @throws `cancelled`, `model.none` */
export async function probeModel(ref: ModelRef, probing: Probing): Promise<ProbeResult> {
  const { parts, signal, open } = probing
  const head = probeHead(ref, parts.settings())
  try {
    const { answerer, windowTokens } = await open()
    const { completed, ...shown } = await askWithTools((tools) =>
      completeWithRetries(answerer, questionWith(ref, tools), { parts, signal, maxRetries: 0, windowTokens }),
    )
    return { ...head, ...shown, contextTokens: await probing.contextTokens(), firstTokenMs: completed.firstTokenMs }
  } catch (error) {
    if (signal.aborted) throw isCancelled(error) ? error : cancelled(signal.reason)
    if (error instanceof AppError && error.code === 'model.none') throw error
    // Whatever keeps the window from being read is most often what went wrong already.
    const contextTokens = await probing.contextTokens().catch(() => null)
    const body = errorBody(error, 'model.provider')
    return { ...head, tools: null, parallel: null, contextTokens, firstTokenMs: null, error: body }
  }
}

function questionWith({ model }: ModelRef, tools: readonly ToolDefinition[]): CompletionRequest {
  const content = tools.length > 0 ? question : 'Answer with the word ready.'
  return { model, messages: [{ role: 'user', content }], tools }
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

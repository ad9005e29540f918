import { z } from 'zod'
import type { ModelInfo, ModelPrice } from '../../domain/model.ts'
import { unreadable } from '../failure.ts'
import { type AskJson, bearer, type ModelProvider, type ModelServer, trimmedAddress } from '../provider.ts'
import { bySdk } from '../sdk-answer.ts'
import { callsOfChunk, chatRoutes } from './openai-compatible.ts'

/** USD for one token, as text; -1 where it depends on the request. */
const perToken = z.coerce.number().min(0).optional().catch(undefined)
const modelRow = z.object({
  id: z.string().min(1),
  name: z.string().nullish().catch(null),
  context_length: z.number().int().positive().nullish().catch(null),
  pricing: z.object({ prompt: perToken, completion: perToken, input_cache_read: perToken }).nullish().catch(null),
})
type ModelRow = z.infer<typeof modelRow>
const modelList = z.object({ data: z.array(modelRow) })

/** Many providers behind one key. What it asks for a model stands in its list. */
export const openrouter: ModelProvider = {
  officialAddress: 'https://openrouter.ai/api/v1',
  needsKey: true,
  keyHeaders: bearer,
  address: (typed) => hostAddress(trimmedAddress(typed, chatRoutes)),
  answer: bySdk({
    marksCache: (model) => model.startsWith('anthropic/'),
    callsIn: callsOfChunk,
    model: async (access, model) => {
      const { createOpenRouter } = await import('@openrouter/ai-sdk-provider')
      return createOpenRouter({ ...access, compatibility: 'strict', appName: 'Threadsmith' }).chat(model)
    },
  }),
  models,
  async facts(server, model, ask) {
    const found = (await models(server, ask)).find((each) => each.model === model)
    return { tokens: found?.contextTokens ?? null, ...(found?.price && { price: found.price }) }
  },
  assumedWindow: { tokens: null },
}

function hostAddress(address: string): string {
  return URL.canParse(address) && new URL(address).pathname === '/' ? `${address}/api/v1` : address
}

async function models(server: ModelServer, ask: AskJson): Promise<readonly ModelInfo[]> {
  const answer = modelList.safeParse(await ask({ url: `${server.address}/models` }))
  if (!answer.success)
    throw unreadable('the list of models has another shape than OpenRouter’s', { ...server, model: '' })
  return answer.data.data.map((row) => {
    const price = priceOf(row)
    return {
      ...{ providerId: server.id, model: row.id, title: row.name || row.id },
      contextTokens: row.context_length ?? null,
      ...(price && { price }),
    }
  })
}

function priceOf({ pricing }: ModelRow): ModelPrice | undefined {
  if (pricing?.prompt === undefined || pricing.completion === undefined) return undefined
  const { prompt, completion, input_cache_read: cached } = pricing
  const ofMillion = (usd: number) => Number((usd * 1_000_000).toPrecision(12))
  return {
    inputUsd: ofMillion(prompt),
    outputUsd: ofMillion(completion),
    ...(cached !== undefined && { cachedInputUsd: ofMillion(cached) }),
  }
}

import { z } from 'zod'
import { unreadable } from '../failure.ts'
import { type AskJson, type ModelProvider, type ModelServer, versionedAddress } from '../provider.ts'
import { bySdk } from '../sdk-answer.ts'
import { allPages } from './pages.ts'

const tokenCount = z.number().int().positive().nullish().catch(null)
const modelRow = z.object({
  id: z.string().min(1),
  display_name: z.string().nullish().catch(null),
  max_input_tokens: tokenCount,
})
const modelPage = z.object({
  data: z.array(modelRow),
  has_more: z.boolean().nullish(),
  last_id: z.string().nullish(),
})

/** Claude by the messages API. Thinking is not asked for: its blocks would have to go back, signed, with every call. */
export const anthropic: ModelProvider = {
  officialAddress: 'https://api.anthropic.com/v1',
  needsKey: true,
  keyHeaders: (key) => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' }),
  address: (typed) => versionedAddress(typed, { routes: /\/(?:messages|models)$/, version: 'v1' }),
  answer: bySdk({
    marksCache: () => true,
    model: async (access, model) => {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      return createAnthropic(access)(model)
    },
  }),
  models: async (server, ask) =>
    (await modelRows(server, ask)).map(({ id, display_name, max_input_tokens }) => ({
      providerId: server.id,
      model: id,
      title: display_name || id,
      contextTokens: max_input_tokens ?? null,
    })),
  async facts(server, model, ask) {
    const row = modelRow.safeParse(await ask({ url: `${server.address}/models/${encodeURIComponent(model)}` }))
    return { tokens: row.data?.max_input_tokens ?? null }
  },
  assumedWindow: { tokens: null },
}

function modelRows(server: ModelServer, ask: AskJson): Promise<readonly z.infer<typeof modelRow>[]> {
  return allPages(async (after) => {
    const from = after === undefined ? '' : `&after_id=${encodeURIComponent(after)}`
    const page = modelPage.safeParse(await ask({ url: `${server.address}/models?limit=1000${from}` }))
    if (!page.success)
      throw unreadable('the list of models has another shape than Anthropic’s', { ...server, model: '' })
    const { data, has_more, last_id } = page.data
    return { rows: data, next: has_more === true && last_id ? last_id : undefined }
  })
}

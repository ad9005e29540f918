import { z } from 'zod'
import { unreadable } from '../failure.ts'
import { type AskJson, type ModelProvider, type ModelServer, versionedAddress } from '../provider.ts'
import { bySdk } from '../sdk-answer.ts'
import { allPages } from './pages.ts'

const modelRow = z.object({
  /** `models/gemini-…` */
  name: z.string().min(1),
  displayName: z.string().nullish().catch(null),
  inputTokenLimit: z.number().int().positive().nullish().catch(null),
  supportedGenerationMethods: z.array(z.string()).nullish().catch(null),
})
const modelPage = z.object({ models: z.array(modelRow).nullish(), nextPageToken: z.string().nullish() })

/** Gemini by `streamGenerateContent`. The signatures of its thoughts go back with the calls that they came with. */
export const google: ModelProvider = {
  officialAddress: 'https://generativelanguage.googleapis.com/v1beta',
  needsKey: true,
  keyHeaders: (key) => ({ 'x-goog-api-key': key }),
  address: (typed) => versionedAddress(typed, { routes: /\/models(?:\/.*)?$/, version: 'v1beta' }),
  answer: bySdk({
    model: async (access, model) => {
      const { createGoogle } = await import('@ai-sdk/google')
      return createGoogle(access)(model)
    },
  }),
  models: async (server, ask) =>
    (await modelRows(server, ask))
      .filter(({ supportedGenerationMethods }) => supportedGenerationMethods?.includes('generateContent'))
      .map(({ name, displayName, inputTokenLimit }) => ({
        providerId: server.id,
        model: name.replace(/^models\//, ''),
        title: displayName || name,
        contextTokens: inputTokenLimit ?? null,
      })),
  async facts(server, model, ask) {
    const row = modelRow.safeParse(await ask({ url: `${server.address}/models/${encodeURIComponent(model)}` }))
    return { tokens: row.data?.inputTokenLimit ?? null }
  },
  assumedWindow: { tokens: null },
}

function modelRows(server: ModelServer, ask: AskJson): Promise<readonly z.infer<typeof modelRow>[]> {
  return allPages(async (after) => {
    const from = after === undefined ? '' : `&pageToken=${encodeURIComponent(after)}`
    const page = modelPage.safeParse(await ask({ url: `${server.address}/models?pageSize=1000${from}` }))
    if (!page.success) throw unreadable('the list of models has another shape than Google’s', { ...server, model: '' })
    return { rows: page.data.models ?? [], next: page.data.nextPageToken || undefined }
  })
}

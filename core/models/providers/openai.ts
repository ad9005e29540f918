import { z } from 'zod'
import { unreadable } from '../failure.ts'
import { bearer, type ModelProvider, versionedAddress } from '../provider.ts'
import { bySdk } from '../sdk-answer.ts'
import { chatRoutes } from './openai-compatible.ts'

const modelList = z.object({ data: z.array(z.object({ id: z.string().min(1) })) })
/** The list names everything that OpenAI runs; these answer no chat. */
const notForChat =
  /embedding|whisper|moderation|dall-e|image|sora|realtime|transcribe|tts|^(?:babbage|davinci)|-instruct|-audio|audio-/

/**
 * OpenAI by chat completions: every model with actions is there, it keeps nothing of ours on its side, no reasoning has to
 * go back with a call, and gateways speak it. Why not the responses API: docs/adr/013.
 */
export const openai: ModelProvider = {
  officialAddress: 'https://api.openai.com/v1',
  needsKey: true,
  keyHeaders: bearer,
  address: (typed) => versionedAddress(typed, { routes: chatRoutes, version: 'v1' }),
  answer: bySdk({
    model: async (access, model) => {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI(access).chat(model)
    },
  }),
  async models(server, ask) {
    const answer = modelList.safeParse(await ask({ url: `${server.address}/models` }))
    if (!answer.success)
      throw unreadable('the list of models has another shape than OpenAI’s', { ...server, model: '' })
    const ids = answer.data.data.map(({ id }) => id).filter((id) => !notForChat.test(id))
    return ids.map((id) => ({ providerId: server.id, model: id, title: id, contextTokens: null }))
  },
  // OpenAI does not say.
  facts: async () => ({ tokens: null }),
  assumedWindow: { tokens: null },
}

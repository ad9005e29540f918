import { defaultSettings } from '../../core/domain/settings.ts'
import { createModels } from '../../core/models/models.ts'
import { deltaEvent, type ServedAnswer, startModelServer } from '../support/model-server.ts'
import { say } from './figures.ts'

const limitMs = 400_000
const ref = { providerId: 'slow', model: 'test-model' }

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
const eventStream = { 'content-type': 'text/event-stream' }

/** Silent before its first byte, or between two pieces of its answer: where clients cut by themselves after 300 s. */
const silent = (silentMs: number) =>
  ({
    'before the headers': {
      raw: async (response) => {
        await pause(silentMs)
        response.writeHead(200, eventStream).end(`${deltaEvent({ content: 'late' }, 'stop')}data: [DONE]\n\n`)
      },
    },
    'in mid-answer': {
      raw: async (response) => {
        response.writeHead(200, eventStream).write(deltaEvent({ content: 'la' }))
        await pause(silentMs)
        response.end(`${deltaEvent({ content: 'te' }, 'stop')}data: [DONE]\n\n`)
      },
    },
  }) satisfies Record<string, ServedAnswer>

/** A server that keeps silent longer than anything below the engine would wait. Answers whether all of it came. */
export async function slowHeaders(silentMs: number): Promise<boolean> {
  const cases = Object.entries(silent(silentMs))
  say(`model: a server that is silent for ${silentMs / 1_000} s, with a limit of ${limitMs / 1_000} s`)
  const ends = await Promise.all(cases.map(([where, answer]) => outlast(where, answer)))
  return ends.every((text) => text === 'late')
}

async function outlast(where: string, answer: ServedAnswer): Promise<string> {
  const server = await startModelServer([answer])
  const provider = { id: ref.providerId, kind: 'openai-compatible', title: 'Slow', keyName: null } as const
  const models = createModels({
    settings: () => ({
      ...defaultSettings,
      providers: [{ ...provider, baseUrl: server.baseUrl }],
      modelLimits: { 'slow/test-model': { firstTokenMs: limitMs, idleMs: limitMs } },
    }),
    secrets: { get: async () => undefined },
    embedded: {},
    clock: { now: Date.now, monotonic: () => performance.now() },
    random: Math.random,
  })
  const from = performance.now()
  const text = await models
    .complete(
      { ref, messages: [{ role: 'user', content: 'hello' }], tools: [] },
      { signal: new AbortController().signal },
    )
    .then(({ completion }) => completion.text, String)
  say(`${where}: ${text} after ${((performance.now() - from) / 1_000).toFixed(1)} s, ${server.requests.length} request`)
  await models.close()
  await server.close()
  return text
}

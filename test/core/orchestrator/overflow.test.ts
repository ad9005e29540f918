import { expect, onTestFinished, test } from 'vitest'
import type { Json } from '../../../core/domain/json.ts'
import { limits } from '../../../core/domain/limits.ts'
import { eventsOf, folderWith, startEngine } from '../../support/engine.ts'
import { type ServedAnswer, startModelServer } from '../../support/model-server.ts'

/** What the server reads of a request: the messages alone, four characters a token. */
const tokensOf = (body: Json) => Math.ceil(JSON.stringify(body).length / 4)
const isSummary = (body: Json) => JSON.stringify(body).includes('Sum up the conversation below')

interface Small {
  /** Above it the server refuses. */
  readonly holds: number
  /** How it says so. */
  readonly says: (got: number) => string
}

/** A server that holds so much, says its window nowhere, counts no usage, and asks for so many echoes. */
async function run({ holds, says }: Small, echoes: number) {
  let asked = 0
  const refusals: number[] = []
  const server = await startModelServer(({ body }): ServedAnswer => {
    const got = tokensOf(body)
    if (got > holds) {
      refusals.push(got)
      return { status: 400, body: { error: { message: says(got) } } }
    }
    if (isSummary(body)) return { text: 'It was echoed so far.', usage: null }
    asked += 1
    const text = `${asked} ${'word '.repeat(600)}`
    return asked <= echoes
      ? {
          toolCalls: [{ name: 'echo', arguments: { text }, id: `c${asked}` }],
          usage: { input: 0, output: 0 },
          pieceCharacters: 4_000,
        }
      : { text: 'done', usage: null }
  })
  onTestFinished(() => server.close())
  const engine = await startEngine()
  const { id } = await engine.api.call('provider.save', {
    provider: { kind: 'openai-compatible', title: 'Small', baseUrl: server.baseUrl },
  })
  const project = await engine.api.call('project.open', { folder: folderWith({}) })
  const input = { projectId: project.id, text: 'Echo, and never forget the gulls', model: `${id}/test-model` }
  const { threadId } = await engine.api.call('thread.send', input)
  await engine.threads.join([threadId], AbortSignal.timeout(60_000))
  const thread = await engine.api.call('thread.get', { id: threadId })
  return { thread, events: eventsOf(engine, threadId), refusals, requests: server.requests }
}

/** Room for the system message, the actions and some ten echoes. */
const small = 14_000

test('a window that nobody knew is learnt from the refusal: one compaction, and no second refusal', async () => {
  const says = (got: number) =>
    `This model's maximum context length is ${small} tokens. However, you requested ${got} tokens.`
  const { thread, events, refusals, requests } = await run({ holds: small, says }, 14)
  expect(thread).toMatchObject({ outcome: 'answered' })
  expect(refusals).toHaveLength(1)
  const compacted = events.flatMap((event) => (event.kind === 'context.compacted' ? [event.data] : []))
  expect(compacted[0]).toMatchObject({ trigger: 'overflow' })
  expect(compacted[0]?.windowTokens).toBeLessThan(limits.defaultWindowTokens)
  // From then on the learnt window is kept to before the server has to say it again.
  expect(compacted.slice(1).every(({ trigger }) => trigger === 'threshold')).toBe(true)
  expect(JSON.stringify(requests.at(-1)?.body)).toContain('never forget the gulls')
})

test('a refusal without figures is enough', async () => {
  const { thread, events } = await run({ holds: small, says: () => 'Context size has been exceeded.' }, 14)
  expect(thread).toMatchObject({ outcome: 'answered' })
  expect(events.some((event) => event.kind === 'context.compacted')).toBe(true)
})

test('the stored thread stays whole: every call, every result, every message', async () => {
  const says = () => 'prompt is too long'
  const { thread, events } = await run({ holds: small, says }, 14)
  expect(thread.outcome).toBe('answered')
  const results = events.flatMap((event) => (event.kind === 'action.finished' ? [String(event.body.result)] : []))
  expect(results.map((text) => Number.parseInt(text, 10))).toEqual(Array.from({ length: 14 }, (_, n) => n + 1))
  expect(events.some((event) => event.kind === 'message.added' && event.body.content.includes('the gulls'))).toBe(true)
})

test('a refusal after the compaction of the same turn ends the thread with both sizes: it is not compacted twice', async () => {
  const says = (got: number) => `prompt is too long: ${got} tokens > 500 maximum`
  const { thread, events } = await run({ holds: 500, says }, 3)
  expect(thread).toMatchObject({ state: 'Failed', outcome: 'failed' })
  expect(thread.reason).toContain('it holds 500 tokens')
  expect(events.filter((event) => event.kind === 'query.started').length).toBeLessThanOrEqual(1)
})

test('a server that counts nothing, or zero, is counted by our own estimate', async () => {
  const { thread, events } = await run({ holds: small, says: () => 'prompt is too long' }, 2)
  expect(thread.inputTokens).toBeGreaterThan(1_000)
  const answers = events.flatMap((event) => (event.kind === 'model.completed' ? [event.data] : []))
  expect(answers).toHaveLength(3)
  for (const answer of answers) {
    expect(answer.estimated).toBe(true)
    expect(answer.inputTokens).toBeGreaterThan(1_000)
  }
})

const named = (holds: number, got: number) =>
  `This model's maximum context length is ${holds} tokens. However, you requested ${got} tokens.`

test('the next messages of the chat keep to the learnt window: nothing is refused twice', async () => {
  const holds = 9_000
  let refusals = 0
  const server = await startModelServer(({ body }): ServedAnswer => {
    const got = tokensOf(body)
    if (got > holds) refusals += 1
    if (got > holds) return { status: 400, body: { error: { message: named(holds, got) } } }
    return { text: isSummary(body) ? 'They greet each other.' : 'hello', usage: null }
  })
  onTestFinished(() => server.close())
  const engine = await startEngine()
  const { id } = await engine.api.call('provider.save', {
    provider: { kind: 'openai-compatible', title: 'Small', baseUrl: server.baseUrl },
  })
  const project = await engine.api.call('project.open', { folder: folderWith({}) })
  const text = 'lorem ipsum dolor sit amet '.repeat(150)
  let { threadId } = await engine.api.call('thread.send', { projectId: project.id, text, model: `${id}/test-model` })
  for (let at = 0; at < 6; at += 1) {
    await engine.threads.join([threadId], AbortSignal.timeout(60_000))
    expect(await engine.api.call('thread.get', { id: threadId })).toMatchObject({ outcome: 'answered' })
    ;({ threadId } = await engine.api.call('thread.send', { threadId, text: `${at} ${text}` }))
  }
  await engine.threads.join([threadId], AbortSignal.timeout(60_000))
  expect(refusals).toBe(1)
})

test('what one model refused binds no other: a switch to a larger one in mid-thread is compacted no more', async () => {
  const holds = 9_000
  const scripted = { asked: 0 }
  const tiers = (providerId: string, model: string) => {
    const ref = { providerId, model }
    return { patch: { tiers: { minuet: ref, allegro: ref, forte: ref } } }
  }
  const server = await startModelServer(
    async ({ body }): Promise<ServedAnswer> => {
      const isBig = JSON.stringify(body).includes('"model":"big"')
      const got = tokensOf(body)
      if (!isBig && got > holds) return { status: 400, body: { error: { message: named(holds, got) } } }
      if (isSummary(body)) await engine.api.call('settings.set', tiers(id, 'big'))
      if (isSummary(body)) return { text: 'It was echoed so far.', usage: null }
      scripted.asked += 1
      const toolCalls = [{ name: 'echo', arguments: { text: `${scripted.asked} ${'lorem ipsum '.repeat(300)}` } }]
      return scripted.asked < 14 ? { toolCalls, usage: null, pieceCharacters: 4_000 } : { text: 'done', usage: null }
    },
    { models: ['test-model', 'big'] },
  )
  onTestFinished(() => server.close())
  const engine = await startEngine()
  const { id } = await engine.api.call('provider.save', {
    provider: { kind: 'openai-compatible', title: 'Two', baseUrl: server.baseUrl },
  })
  await engine.api.call('settings.set', tiers(id, 'test-model'))
  await engine.api.call('settings.set', { patch: { modelLimits: { [`${id}/big`]: { contextTokens: 200_000 } } } })
  const project = await engine.api.call('project.open', { folder: folderWith({}) })
  const { threadId } = await engine.api.call('thread.send', { projectId: project.id, text: 'Echo on' })
  await engine.threads.join([threadId], AbortSignal.timeout(60_000))
  expect(await engine.api.call('thread.get', { id: threadId })).toMatchObject({ outcome: 'answered' })
  expect(eventsOf(engine, threadId).filter(({ kind }) => kind === 'context.compacted')).toHaveLength(1)
})

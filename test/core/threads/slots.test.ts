import { expect, test } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import { folderWith, startEngine } from '../../support/engine.ts'
import { type ServedAnswer, startModelServer } from '../../support/model-server.ts'

test('queries of one thread that come back from a back-off together take one slot, not one each', async () => {
  const held: ((answer: ServedAnswer) => void)[] = []
  const refused = new Set<string>()
  const server = await startModelServer(({ body }) => {
    const text = JSON.stringify(body)
    if (text.includes('hold it')) return new Promise<ServedAnswer>((resolve) => held.push(resolve))
    const query = ['first?', 'second?'].find((each) => text.includes(each) && !text.includes('ask both'))
    if (query === undefined) return { text: '```repl\nFINAL("".join(llm_query_batched(["first?", "second?"])))\n```' }
    if (refused.has(query)) return { text: 'fine' }
    refused.add(query)
    const headers = { 'retry-after': String(limits.slotReleaseBackoffMs / 1_000 + 1) }
    return { status: 429, headers, body: { error: { message: 'slow down' } } }
  })
  const engine = await startEngine()
  const provider = { kind: 'openai-compatible', title: 'T', baseUrl: server.baseUrl } as const
  const { id } = await engine.api.call('provider.save', { provider })
  const project = await engine.api.call('project.open', { folder: folderWith({}) })
  const send = async (text: string) => {
    const sent = { projectId: project.id, text, model: `${id}/test-model` }
    return (await engine.api.call('thread.send', sent)).threadId
  }
  const slots = async () => (await engine.api.call('engine.info', {})).slots
  const asks = await send('ask both')
  await expect.poll(async () => [refused.size, (await slots()).used]).toEqual([2, 0])
  const others = [await send('hold it'), await send('hold it')]
  await expect.poll(() => held.length).toBe(2)
  await expect.poll(async () => (await slots()).queued).toBeGreaterThan(0)
  await new Promise((resolve) => setTimeout(resolve, 200))
  for (const answer of held) answer({ text: 'let go' })
  const outcomes = await engine.threads.join([asks, ...others], AbortSignal.timeout(60_000))
  expect(outcomes).toEqual(['answered', 'answered', 'answered'])
  expect(await slots()).toMatchObject({ used: 0, queued: 0 })
  await server.close()
}, 30_000)

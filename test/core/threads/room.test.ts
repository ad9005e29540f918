import { expect, onTestFinished, test } from 'vitest'
import { folderWith, runGoal, startEngine } from '../../support/engine.ts'
import { type LocalServerOptions, startLocalServer } from '../../support/local-servers.ts'

async function engineOn(options: LocalServerOptions) {
  const server = await startLocalServer('vllm', options)
  onTestFinished(() => server.close())
  const engine = await startEngine()
  const provider = { kind: server.kind, title: 'Local', baseUrl: server.baseUrl }
  const { id } = await engine.api.call('provider.save', { provider })
  const mine = { providerId: id, model: 'test-model' }
  const planner = { providerId: 'planner', model: 'planner' }
  await engine.api.call('settings.set', { patch: { tiers: { minuet: planner, allegro: mine, forte: mine } } })
  return { engine, server, model: `${id}/test-model` }
}

test('a new chat holds the system message, the actions and what is being written', async () => {
  const { engine, server, model } = await engineOn({ windowTokens: 10_000, script: () => ({ text: 'ok' }) })
  const empty = await engine.api.call('thread.room', { draftCharacters: 0 })
  expect(empty).toEqual({ promptTokens: expect.any(Number), windowTokens: 10_000, fits: true })
  const long = await engine.api.call('thread.room', { draftCharacters: 40_000, model })
  expect(long).toEqual({ promptTokens: empty.promptTokens + 10_000, windowTokens: 10_000, fits: false })
  await runGoal(engine, folderWith({}), 'x'.repeat(400))
  const sent = Math.ceil((server.requests[0]?.text.length ?? 0) / 4)
  expect((empty.promptTokens + 100) / sent).toBeGreaterThan(0.9)
  expect((empty.promptTokens + 100) / sent).toBeLessThan(1.1)
})

test('the planner has no window, so everything fits', async () => {
  const { engine } = await engineOn({})
  const room = await engine.api.call('thread.room', { tier: 'minuet', draftCharacters: 90_000 })
  expect(room).toMatchObject({ windowTokens: null, fits: true })
})

test('the next message of a chat holds what was said, but not the work that it took', async () => {
  const results = (text: string) => text.split('"role":"tool"').length - 1
  const { engine, server } = await engineOn({
    windowTokens: 20_000,
    script: ({ text }) =>
      results(text) < 3
        ? { toolCalls: [{ name: 'echo', arguments: { text: `${results(text)} ${'word '.repeat(1_000)}` } }] }
        : { text: 'An answer. '.repeat(100) },
  })
  const thread = await runGoal(engine, folderWith({}), 'Echo long words')
  const room = await engine.api.call('thread.room', { threadId: thread.id, draftCharacters: 400 })
  const [first = 0] = server.requests.map(({ text }) => Math.ceil(text.length / 4))
  expect(room.promptTokens / (first + 275 + 100)).toBeGreaterThan(0.9)
  expect(room.promptTokens / (first + 275 + 100)).toBeLessThan(1.1)
})

test('a message to a thread that waits holds all of its work; what is too much is summed up, so it fits', async () => {
  const { engine } = await engineOn({
    windowTokens: 9_000,
    script: (_, n) => ({
      toolCalls: [
        n === 0
          ? { name: 'read_file', arguments: { path: 'a.txt' } }
          : { name: 'write_file', arguments: { path: 'b.txt', content: 'x' } },
      ],
      promptTokens: n === 0 ? 3_000 : 8_000,
    }),
  })
  const thread = await runGoal(engine, folderWith({ 'a.txt': 'word '.repeat(4_000) }), 'Copy it')
  expect(thread).toMatchObject({ state: 'Waiting', steps: 2 })
  const room = await engine.api.call('thread.room', { threadId: thread.id, draftCharacters: 400 })
  expect(room.promptTokens).toBeGreaterThanOrEqual(8_000 + 7 + 100)
  expect(room.promptTokens).toBeLessThan(8_400)
  expect(room).toMatchObject({ windowTokens: 9_000, fits: true })
})

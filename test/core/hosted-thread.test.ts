import { expect, onTestFinished, test } from 'vitest'
import type { Secrets } from '../../core/secrets.ts'
import { eventsOf, folderWith, runGoal, startEngine } from '../support/engine.ts'
import { startHostedServer } from '../support/hosted-server.ts'

const secrets: Secrets = {
  backend: 'a keyring of this test',
  isProtected: true,
  get: async () => 'sk-test-1',
  set: async () => undefined,
  remove: async () => undefined,
}

test('a thread on a hosted provider acts, answers, and sends back the signature that it recorded', async () => {
  const signature = 'dGhvdWdodHM/+a=='
  const server = await startHostedServer('google', [
    {
      calls: [{ id: 'call_1', name: 'read_file', raw: '{"path":"notes.md"}' }],
      signature,
      usage: { input: 500, output: 20, cached: 100 },
    },
    { text: 'High water is at noon.' },
  ])
  onTestFinished(() => server.close())
  const engine = await startEngine({ secrets })
  const { id: providerId } = await engine.api.call('provider.save', {
    provider: { kind: 'google', title: 'Gemini', baseUrl: server.baseUrl },
    key: 'sk-test-1',
  })
  const model = { providerId, model: 'gemini-3-pro' }
  await engine.api.call('settings.set', { patch: { tiers: { minuet: model, allegro: model, forte: model } } })
  const thread = await runGoal(engine, folderWith({ 'notes.md': 'High water is at noon.\n' }), 'when is high water?')

  expect(thread).toMatchObject({ state: 'Done', outcome: 'answered' })
  const asked = server.requests.filter(({ method }) => method === 'POST')
  expect(asked).toHaveLength(2)
  expect(JSON.stringify(asked[1]?.body)).toContain('High water is at noon')
  expect(JSON.stringify(asked[1]?.body)).toContain(signature)
  const recorded = JSON.stringify(eventsOf(engine, thread.id))
  expect(recorded).not.toContain('sk-test-1')
  const completed = eventsOf(engine, thread.id).find((event) => event.kind === 'model.completed')
  expect(completed).toMatchObject({ data: { inputTokens: 500, cachedInputTokens: 100 } })
})

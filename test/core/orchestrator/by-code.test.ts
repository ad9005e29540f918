import { expect, onTestFinished, test } from 'vitest'
import { eventsOf, folderWith, startEngine } from '../../support/engine.ts'
import { startLocalServer } from '../../support/local-servers.ts'

async function startWithoutActions() {
  const server = await startLocalServer('ollama', {
    script: ({ body, text }) => {
      if (body.tools !== undefined) return { status: 400, body: { error: 'test-model does not support tools' } }
      if (!text.includes('read_file(path: string')) return { text: 'ready' }
      if (!text.includes('High water is')) return { text: '```repl\nread_file(path="tides.md")["text"]\n```' }
      return { text: '```repl\nFINAL("At noon.")\n```' }
    },
  })
  onTestFinished(() => server.close())
  const engine = await startEngine()
  const provider = { kind: server.kind, title: 'Local', baseUrl: server.baseUrl }
  const { id } = await engine.api.call('provider.save', { provider })
  const project = await engine.api.call('project.open', {
    folder: folderWith({ 'tides.md': 'High water is at noon.\n' }),
  })
  const ask = async () => {
    const asked = { projectId: project.id, text: 'When does the tide turn?', model: `${id}/test-model` }
    const { threadId } = await engine.api.call('thread.send', asked)
    return rest(threadId)
  }
  const rest = async (threadId: string) => {
    await engine.threads.join([threadId], AbortSignal.timeout(30_000))
    return engine.api.call('thread.get', { id: threadId })
  }
  return { engine, providerId: id, ask, rest }
}

test('a model that calls no actions, as a test of it showed, is offered none and works by code', async () => {
  const { engine, providerId, ask } = await startWithoutActions()
  const probed = await engine.api.call('model.probe', { providerId, model: 'test-model' })
  expect(probed).toMatchObject({ tools: false, parallel: false, firstTokenMs: expect.any(Number) })

  const thread = await ask()
  expect(thread).toMatchObject({ outcome: 'answered', steps: 2 })
  const finished = eventsOf(engine, thread.id).filter(({ kind }) => kind === 'action.finished')
  expect(finished).toMatchObject([{ data: { name: 'read_file', ok: true } }])
})

test('a server that refuses actions is asked without them from then on, and the retry works by code', async () => {
  const { engine, ask, rest } = await startWithoutActions()
  const refused = await ask()
  expect(refused).toMatchObject({ outcome: 'failed' })
  expect(eventsOf(engine, refused.id).find(({ kind }) => kind === 'model.failed')).toMatchObject({
    data: { code: 'model.tools', retryable: true },
  })
  const { threadId } = await engine.api.call('thread.retry', { id: refused.id })
  expect(await rest(threadId)).toMatchObject({ outcome: 'answered', steps: 2 })
})

test('with code switched off a model that refuses actions is told apart: the thread fails and says what helps, again and again', async () => {
  const { engine, ask, rest } = await startWithoutActions()
  await engine.api.call('settings.set', { patch: { runsCode: false } })
  const first = await ask()
  const second = await rest((await engine.api.call('thread.retry', { id: first.id })).threadId)
  for (const { id, outcome, reason } of [first, second]) {
    expect(outcome).toBe('failed')
    expect(reason).toContain('Settings → Models')
    expect(reason).toContain('running code is switched off')
    expect(reason).not.toContain('asked to act by code')
    expect(eventsOf(engine, id).find(({ kind }) => kind === 'model.failed')).toMatchObject({
      data: { code: 'model.tools' },
    })
  }
})

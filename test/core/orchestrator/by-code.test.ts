import { expect, onTestFinished, test } from 'vitest'
import { eventsOf, folderWith, startEngine } from '../../support/engine.ts'
import { startLocalServer } from '../../support/local-servers.ts'

test('a model that calls no actions is offered none, and works by code', async () => {
  const server = await startLocalServer('ollama', {
    script: ({ body, text }) => {
      if (body.tools !== undefined) return { status: 400, body: { error: 'test-model does not support tools' } }
      if (!text.includes('read_file(path: string')) return { text: 'ready' }
      if (!text.includes('High water')) return { text: '```repl\nread_file(path="tides.md")["text"]\n```' }
      return { text: '```repl\nFINAL("High water is at noon.")\n```' }
    },
  })
  onTestFinished(() => server.close())
  const engine = await startEngine()
  const provider = { kind: server.kind, title: 'Local', baseUrl: server.baseUrl }
  const { id } = await engine.api.call('provider.save', { provider })
  const probed = await engine.api.call('model.probe', { providerId: id, model: 'test-model' })
  expect(probed).toMatchObject({ tools: false, parallel: false, firstTokenMs: expect.any(Number) })

  const folder = folderWith({ 'tides.md': 'High water is at noon.\n' })
  const project = await engine.api.call('project.open', { folder })
  const asked = { projectId: project.id, text: 'When is high water?', model: `${id}/test-model` }
  const { threadId } = await engine.api.call('thread.send', asked)
  await engine.threads.join([threadId], AbortSignal.timeout(30_000))
  expect(await engine.api.call('thread.get', { id: threadId })).toMatchObject({ outcome: 'answered', steps: 2 })
  const finished = eventsOf(engine, threadId).filter(({ kind }) => kind === 'action.finished')
  expect(finished).toMatchObject([{ data: { name: 'read_file', ok: true } }])
})

import { expect, test } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import { eventsOf, folderWith, startEngine } from '../../support/engine.ts'
import { startModelServer } from '../../support/model-server.ts'

/** A server that asks to be left alone once for so many seconds, and then answers. */
async function start(retryAfterS: number) {
  const server = await startModelServer((_request, n) =>
    n === 0
      ? { status: 429, headers: { 'retry-after': String(retryAfterS) }, body: { error: { message: 'slow down' } } }
      : { text: 'fine' },
  )
  const engine = await startEngine()
  const { id } = await engine.api.call('provider.save', {
    provider: { kind: 'openai-compatible', title: 'T', baseUrl: server.baseUrl },
  })
  const project = await engine.api.call('project.open', { folder: folderWith({}) })
  const { threadId } = await engine.api.call('thread.send', {
    projectId: project.id,
    text: 'go',
    model: `${id}/test-model`,
  })
  const isWaiting = () => eventsOf(engine, threadId).some((event) => event.kind === 'model.retried')
  while (!isWaiting()) await new Promise((resolve) => setTimeout(resolve, 10))
  await new Promise((resolve) => setTimeout(resolve, 50))
  const { slots } = await engine.api.call('engine.info', {})
  const [outcome] = await engine.threads.join([threadId], AbortSignal.timeout(60_000))
  const after = await engine.api.call('engine.info', {})
  await server.close()
  return { usedWhileWaiting: slots.used, outcome, usedAfter: after.slots.used }
}

test('a back-off over five seconds gives the slot back and takes one again before going on; one of five keeps it', async () => {
  const seconds = limits.slotReleaseBackoffMs / 1_000
  const [long, short] = await Promise.all([start(seconds + 1), start(seconds)])
  expect(long).toEqual({ usedWhileWaiting: 0, outcome: 'answered', usedAfter: 0 })
  expect(short).toEqual({ usedWhileWaiting: 1, outcome: 'answered', usedAfter: 0 })
})

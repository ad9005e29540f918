import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import { eventsOf, folderWith, startEngine } from '../../support/engine.ts'
import { scriptedModel } from '../../support/scripted-model.ts'
import { meaningEmbedder, startMemory } from './support.ts'

/** A memory whose embedder can fall silent, by a clock that the test moves; `pass` lets the wait for it end. */
async function silenced() {
  const { embedder: meaning, asked } = meaningEmbedder([['car', 'vehicle']])
  const clock = { now: 1_000 }
  const state = { isSilent: false, fails: false, calls: 0 }
  let speak = () => undefined
  const embedder = {
    ...meaning,
    async embed(texts: readonly string[], as: 'doc' | 'query') {
      state.calls += 1
      if (state.fails) throw new Error('the server is away')
      if (state.isSilent) await new Promise<void>((resolve) => (speak = () => void resolve()))
      return meaning.embed(texts, as)
    },
  }
  const waits: { readonly ms: number; readonly pass: () => void }[] = []
  const wait = (ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      waits.push({ ms, pass: resolve })
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
  const faults: unknown[] = []
  const onFault = (error: unknown) => faults.push(error)
  const started = await startMemory({ embedder, wait, onFault, now: () => clock.now })
  started.write('car', 'in the yard')
  return { ...started, asked, clock, state, faults, waits, speak: () => speak() }
}

test('a silent embedder leaves the words after its time, is not asked again while it owes an answer, and then is', async () => {
  const { titles, state, faults, waits, speak } = await silenced()
  state.isSilent = true
  const searching = titles('car')
  await expect.poll(() => waits.length).toBe(1)
  expect(waits[0]?.ms).toBe(limits.embedderMs)
  waits[0]?.pass()
  expect(await searching).toEqual(['car'])
  expect(faults).toMatchObject([{ code: 'model.timeout' }])
  const { calls } = state
  expect(await titles('vehicle')).toEqual([])
  expect(state.calls).toBe(calls)
  state.isSilent = false
  speak()
  await expect.poll(() => titles('vehicle')).toEqual(['car'])
})

test('one that failed is left alone for a minute, and told once', async () => {
  const { titles, state, faults, clock } = await silenced()
  state.fails = true
  expect(await titles('vehicle')).toEqual([])
  const told = faults.length
  state.fails = false
  clock.now += limits.embedderRestMs - 1
  expect(await titles('vehicle')).toEqual([])
  expect(faults).toHaveLength(told)
  clock.now += 1
  expect(await titles('vehicle')).toEqual(['car'])
})

test('whoever asked may leave at once, and the embedder is not blamed for it', async () => {
  const { memory, titles, state, faults, projectId, speak } = await silenced()
  state.isSilent = true
  const leaving = new AbortController()
  const searching = memory.retrieveDocs(projectId, 'the vehicle in the yard', { signal: leaving.signal })
  await expect.poll(() => state.calls).toBe(1)
  leaving.abort(new Error('stopped'))
  await expect(searching).rejects.toThrow('stopped')
  expect(faults).toEqual([])
  state.isSilent = false
  speak()
  expect(await titles('vehicle')).toEqual(['car'])
})

test('a thread whose embedder says nothing is stopped at once, and one that is not stopped is answered', async () => {
  let embeddings = 0
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/embeddings')) embeddings += 1
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  const port = address !== null && typeof address !== 'string' ? address.port : 0
  const scripted = scriptedModel(() => ({ text: '5' }))
  const engine = await startEngine({ embedded: { scripted } })
  const { id } = await engine.api.call('provider.save', {
    provider: { kind: 'openai-compatible', title: 'Embedders', baseUrl: `http://127.0.0.1:${port}/v1` },
  })
  await engine.api.call('settings.set', { patch: { embedder: { providerId: id, model: 'silent' } } })
  const project = await engine.api.call('project.open', { folder: folderWith({}) })
  const asked = { projectId: project.id, text: 'What is 2 plus 3?', model: 'scripted/scripted' }
  const first = await engine.api.call('thread.send', asked)
  await expect.poll(() => embeddings).toBe(1)
  const stopped = await engine.api.call('thread.stop', { id: first.threadId })
  expect(stopped).toMatchObject({ outcome: 'stopped' })
  expect(eventsOf(engine, first.threadId).filter(({ kind }) => kind === 'step.started')).toEqual([])
  const second = await engine.api.call('thread.send', asked)
  await engine.threads.join([second.threadId], AbortSignal.timeout(60_000))
  expect(await engine.api.call('thread.get', { id: second.threadId })).toMatchObject({ outcome: 'answered' })
})

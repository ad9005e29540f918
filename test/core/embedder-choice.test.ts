import { createServer } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { defaultSettings, type LocalModelSettings, type Settings } from '../../core/domain/settings.ts'
import { createEmbedderChoice } from '../../core/embedder-choice.ts'
import type { Engine } from '../../core/engine.ts'
import { folderWith, startEngine } from '../support/engine.ts'

/** Answers each text with a vector of so many numbers; `isBroken` with an error. */
async function embeddingServer(dimensions: number) {
  const state = { origin: '', isBroken: false, asked: 0 }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const piece of request) body += piece
    response.setHeader('content-type', 'application/json')
    if (request.url !== '/v1/embeddings') return response.end('{"data":[]}')
    state.asked += 1
    if (state.isBroken) return response.writeHead(500).end('{"error":{"message":"broken"}}')
    const { input } = JSON.parse(body)
    const data = input.map((text: string, index: number) => ({ index, embedding: vectorOf(text, dimensions) }))
    return response.end(JSON.stringify({ data }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  state.origin = `http://127.0.0.1:${address !== null && typeof address !== 'string' ? address.port : 0}/v1`
  return state
}

/** What speaks of a harbour is alike; all else is alike where it is of one length, by a few of them. */
function vectorOf(text: string, dimensions: number): number[] {
  const direction = text.includes('harbour') ? 0 : text.length % dimensions
  return Array.from({ length: dimensions }, (_, at) => (at === direction ? 1 : 0))
}

async function world(baseUrl: string) {
  const engine = await startEngine()
  const { id: projectId } = await engine.api.call('project.open', { folder: folderWith({}) })
  const provider = { kind: 'openai-compatible', title: 'E', baseUrl } as const
  const { id } = await engine.api.call('provider.save', { provider })
  await engine.api.call('settings.set', { patch: { embedder: { providerId: id, model: 'emb' } } })
  await engine.api.call('doc.save', { type: 'Note', projectId, title: 'harbour', content: 'boats lie there' })
  return {
    engine,
    moveTo: (to: string) => engine.api.call('provider.save', { provider: { ...provider, id, baseUrl: to } }),
    search: () => engine.api.call('doc.search', { projectId, query: 'harbour' }),
  }
}

const faultOf = async (engine: Engine) => (await engine.api.call('engine.info', {})).fault

it('a server that moved is another embedder: vectors are made anew, and none of the old ones is compared', async () => {
  const [old, current] = [await embeddingServer(8), await embeddingServer(16)]
  const { engine, moveTo, search } = await world(old.origin)
  const [before] = await search()
  await moveTo(current.origin)
  const [after] = await search()
  expect(await faultOf(engine)).toBeNull()
  expect([before?.vectorRank, after?.vectorRank]).toEqual([1, 1])
  expect(after?.embedder).toMatch(/^[\w-]+\/emb$/)
  // What is alike by chance, the doc, the query.
  expect([old.asked, current.asked]).toEqual([4, 4])
  await moveTo(old.origin)
  await search()
  expect(old.asked).toBe(8)
})

it('what went wrong with one embedder is not said of the next one', async () => {
  const [old, current] = [await embeddingServer(8), await embeddingServer(8)]
  old.isBroken = true
  const { engine, moveTo, search } = await world(old.origin)
  await search()
  expect(await faultOf(engine)).toMatchObject({ code: 'model.provider' })
  await moveTo(current.origin)
  expect(await faultOf(engine)).toBeNull()
  await moveTo(old.origin)
  expect(await faultOf(engine)).toMatchObject({ code: 'model.provider' })
})

it.each<[string, Partial<LocalModelSettings>, boolean]>([
  ['other threads make the same embedder', { threads: 2 }, true],
  ['a file of another size makes another one', { bytes: 2 }, false],
  ['a file elsewhere makes another one', { file: '/b/finder.gguf' }, false],
])('%s under the same name', (_what, change, isSame) => {
  const file: LocalModelSettings = {
    ...{
      name: 'finder',
      title: 'Finder',
      file: '/a/finder.gguf',
      bytes: 1,
      purpose: 'embedding',
      architecture: 'llama',
    },
    ...{ trainedTokens: null, cacheBytesPerToken: 1, contextTokens: null, threads: null },
  }
  const named = (model: LocalModelSettings) => {
    const local = { ...defaultSettings.local, models: [model] }
    const settings = { ...defaultSettings, embedder: { providerId: 'local', model: 'finder' }, local }
    return createEmbedderChoice({ embed: async () => [] }, () => settings).chosen()
  }
  const [before, after] = [named(file), named({ ...file, ...change })]
  expect(after?.title).toBe('local/finder')
  expect(after?.name === before?.name).toBe(isSame)
})

it('one that was opened before its server moved asks the new address for nothing', async () => {
  const at = (baseUrl: string): Settings['providers'] => [
    { id: 's', kind: 'ollama', title: 'S', baseUrl, keyName: null },
  ]
  const embedder = { providerId: 's', model: 'emb' }
  let settings: Settings = { ...defaultSettings, providers: at('http://127.0.0.1:1'), embedder }
  const embed = async (_ref: unknown, texts: readonly string[]) => texts.map(() => Float32Array.of(1))
  const opened = await createEmbedderChoice({ embed }, () => settings)
    .chosen()
    ?.open()
  expect(await opened?.embed(['a'], 'doc')).toHaveLength(1)
  settings = { ...settings, providers: at('http://127.0.0.1:2') }
  await expect(opened?.embed(['a'], 'doc')).rejects.toThrow('another one by now')
})

it('who stops a question is no fault of the embedder', async () => {
  const settings: Settings = { ...defaultSettings, embedder: { providerId: 'local', model: 'finder' } }
  const isBroken = { now: false }
  const embed = async (_ref: unknown, texts: readonly string[]) => {
    if (isBroken.now) throw new Error('broken')
    return texts.map(() => Float32Array.of(1))
  }
  const choice = createEmbedderChoice({ embed }, () => settings)
  const opened = await choice.chosen()?.open()
  isBroken.now = true
  await expect(opened?.embed(['a'], 'query', AbortSignal.abort())).rejects.toThrow('broken')
  expect(choice.fault).toBeNull()
  await expect(opened?.embed(['a'], 'query')).rejects.toThrow('broken')
  expect(choice.fault).toMatchObject({ code: 'model.provider' })
})

it('an error that arrives after the embedder was changed is still that embedder’s', async () => {
  const failing = Promise.withResolvers<never>()
  const other = { providerId: 'local', model: 'other' }
  let settings: Settings = { ...defaultSettings, embedder: { providerId: 'local', model: 'finder' } }
  const choice = createEmbedderChoice({ embed: () => failing.promise }, () => settings)
  const opening = choice.chosen()?.open()
  for (const embedder of [other, null]) {
    settings = { ...settings, embedder }
    const error = new Error('late')
    failing.reject(error)
    await expect(opening).rejects.toThrow('late')
    expect(choice.fault).toBeNull()
  }
  await opening?.catch((error: unknown) => expect(choice.tookFault(error)).toBe(true))
  expect(choice.tookFault(new Error('of the store'))).toBe(false)
})

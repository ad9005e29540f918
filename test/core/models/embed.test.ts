import { createServer } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import type { ProviderKind } from '../../../core/domain/model.ts'
import { localProvider, modelsOn, testModel } from './support.ts'

const never = new AbortController().signal

/** Answers every request with this, and keeps what was asked. */
async function server(answer: unknown, kind: ProviderKind = 'openai-compatible') {
  const requests: { readonly path: string; readonly body: unknown }[] = []
  const http = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    requests.push({ path: request.url ?? '', body: JSON.parse(Buffer.concat(parts).toString()) })
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const address = http.address()
  const port = address !== null && typeof address !== 'string' ? address.port : 0
  const models = modelsOn(localProvider(`http://127.0.0.1:${port}`, { kind }))
  onTestFinished(async () => {
    await models.close()
    http.close()
  })
  return { requests, embed: () => models.embed(testModel, ['one', 'two'], { as: 'doc', signal: never }) }
}

it('an OpenAI-compatible server gives vectors of any length and order; they come back in ours, of length 1', async () => {
  const { embed, requests } = await server({
    data: [
      { index: 1, embedding: [0, 2] },
      { index: 0, embedding: [3, 4] },
    ],
  })
  const vectors = await embed()
  expect(vectors.map((vector) => [...vector].map((value) => Number(value.toFixed(3))))).toEqual([
    [0.6, 0.8],
    [0, 1],
  ])
  expect(requests).toEqual([
    { path: '/v1/embeddings', body: { model: 'test-model', input: ['one', 'two'], encoding_format: 'float' } },
  ])
})

it('Ollama is asked on its own route', async () => {
  const { embed, requests } = await server(
    {
      embeddings: [
        [1, 0],
        [0, 1],
      ],
    },
    'ollama',
  )
  expect((await embed()).map((vector) => [...vector])).toEqual([
    [1, 0],
    [0, 1],
  ])
  expect(requests).toEqual([{ path: '/api/embed', body: { model: 'test-model', input: ['one', 'two'] } }])
})

it.each([
  ['fewer vectors than texts', { data: [{ index: 0, embedding: [1] }] }],
  ['something else', { object: 'list' }],
])('%s is refused as unreadable', async (_what, answer) => {
  await expect((await server(answer)).embed()).rejects.toMatchObject({ code: 'model.stream' })
})

it('the planner has no vectors', async () => {
  const planner = { complete: () => Promise.reject(new Error('not asked')), models: () => [] }
  const models = modelsOn(localProvider('http://127.0.0.1:9'), { embedded: { planner } })
  await expect(
    models.embed({ providerId: 'planner', model: 'planner' }, ['one'], { as: 'query', signal: never }),
  ).rejects.toMatchObject({ code: 'model.refused' })
  await models.close()
})

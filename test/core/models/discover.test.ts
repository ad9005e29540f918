import { createServer } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { usualServers } from '../../../core/models/discover.ts'
import { localProvider, modelsOn } from './support.ts'

const opened: { readonly close: () => Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

/** A server that gives the same answer to everything, by its path. */
async function serve(routes: Readonly<Record<string, unknown>>, otherwise = 404): Promise<string> {
  const server = createServer((request, response) => {
    const body = routes[request.url ?? '']
    response.writeHead(body === undefined ? otherwise : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body ?? { error: 'no' }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  opened.push({ close: async () => void server.close().closeAllConnections() })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
}

describe('looking for servers', () => {
  it('finds those that answer as model servers and says why the others do not', async () => {
    const openai = await serve({ '/v1/models': { data: [{ id: 'm', max_model_len: 4_096 }] } })
    const native = await serve({ '/api/tags': { models: [{ name: 'llama3.2:3b' }] } })
    const other = await serve({ '/v1/models': { hello: 'I am no model server' } })
    const locked = await serve({}, 401)
    const place = (title: string, kind: 'ollama' | 'openai-compatible', baseUrl: string) => ({
      id: title,
      kind,
      title,
      baseUrl,
    })
    const models = modelsOn(localProvider('http://127.0.0.1:9/v1'), {
      usualServers: [
        place('lm', 'openai-compatible', `${openai}/v1`),
        place('ollama', 'ollama', native),
        place('other', 'openai-compatible', `${other}/v1`),
        place('locked', 'openai-compatible', `${locked}/v1`),
        place('none', 'openai-compatible', 'http://127.0.0.1:9/v1'),
      ],
    })
    opened.push(models)
    expect(await models.discover(new AbortController().signal)).toMatchObject([
      { title: 'lm', found: true, models: [{ providerId: 'lm', model: 'm', contextTokens: 4_096 }] },
      { title: 'ollama', kind: 'ollama', found: true, models: [{ model: 'llama3.2:3b' }] },
      { title: 'other', found: false, error: { code: 'model.stream' } },
      { title: 'locked', found: true, models: [], error: { code: 'model.auth' } },
      { title: 'none', found: false, models: [], error: { code: 'model.connect' } },
    ])
  })

  it('looks on this machine only, by number, where the four usual servers listen', () => {
    expect(usualServers.map((server) => server.baseUrl)).toEqual([
      'http://127.0.0.1:11434',
      'http://127.0.0.1:1234/v1',
      'http://127.0.0.1:8080/v1',
      'http://127.0.0.1:8000/v1',
    ])
  })
})

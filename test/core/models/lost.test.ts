import { createServer } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { deltaEvent, startModelServer } from '../../support/model-server.ts'
import { ask, localProvider, modelsOn, testModel } from './support.ts'

const opened: { readonly close: () => Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

/** Sends these bytes of a 200 answer, then ends cleanly or resets the connection. */
async function serveThen(end: 'close' | 'reset', body: string) {
  const server = await startModelServer(() => ({
    raw: (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(body, () => {
        if (end === 'close') response.end()
        else response.socket?.resetAndDestroy()
      })
    },
  }))
  const models = modelsOn(localProvider(server.baseUrl))
  opened.push(models, server)
  return { server, models }
}

describe('an answer that is lost on its way', () => {
  it.each([
    ['a keep-alive comment', ': ping\n\n'],
    ['an empty first piece', deltaEvent({ role: 'assistant', content: '' })],
    ['half a line', 'data: {"choi'],
  ])('after %s is not asked for again: the first byte had come', async (_, body) => {
    const { server, models } = await serveThen('reset', body)
    expect((await ask(models)).error).toMatchObject({
      code: 'model.truncated',
      retryable: true,
      data: { partialText: '' },
    })
    expect(server.requests).toHaveLength(1)
  })

  it('inside a message is broken off, not unreadable, even if the server closes politely', async () => {
    const { models } = await serveThen('close', `${deltaEvent({ content: 'Half' })}data: {"choices":[{"delta":{"cont`)
    expect((await ask(models)).error).toMatchObject({ code: 'model.truncated', data: { partialText: 'Half' } })
  })

  it('and a broken message in its middle is unreadable: a piece of a call may be gone', async () => {
    const { models } = await serveThen('close', `data: {"choices":[{"del\n\n${deltaEvent({ content: 'Rest' }, 'stop')}`)
    expect((await ask(models)).error).toMatchObject({ code: 'model.stream' })
  })
})

it('the rest of a list or of vectors that is lost is told as such, not as a fault of ours', async () => {
  const http = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"data":[', () => response.socket?.resetAndDestroy())
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const address = http.address()
  const port = address !== null && typeof address !== 'string' ? address.port : 0
  const models = modelsOn(localProvider(`http://127.0.0.1:${port}`))
  opened.push(models, { close: async () => void http.close() })
  const lost = {
    code: 'model.truncated',
    message: expect.stringContaining('connection was lost'),
    userMessage: expect.stringContaining('Local server'),
  }
  const { signal } = new AbortController()
  await expect(models.embed(testModel, ['one'], { as: 'doc', signal })).rejects.toMatchObject(lost)
  expect((await models.list(signal)).at(-1)).toMatchObject({ models: [], error: lost })
})

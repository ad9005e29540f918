import { createServer, type RequestListener } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { createNetwork, type NetworkRequest } from '../../../../core/capabilities/network/network.ts'
import { limits } from '../../../../core/domain/limits.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

interface Listening {
  readonly origin: string
  readonly port: number
  /** Connections that reached the socket, whether or not a request followed. */
  readonly connections: () => number
}

async function listen(handle: RequestListener): Promise<Listening> {
  let connections = 0
  const server = createServer(handle)
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const address = server.address()
  const port = address !== null && typeof address !== 'string' ? address.port : 0
  return { origin: `http://127.0.0.1:${port}`, port, connections: () => connections }
}

const request = (url: string, more: Partial<NetworkRequest> = {}): NetworkRequest => ({
  method: 'GET',
  url,
  headers: {},
  maxBytes: 10_000,
  timeoutMs: 10_000,
  signal: new AbortController().signal,
  mayFollow: () => true,
  ...more,
})

/** `own`: hosts that stand for the public internet here, because every test server listens on loopback. */
function networkFor(own: readonly string[], answers: Readonly<Record<string, readonly string[]>> = {}) {
  const asked = new Map<string, number>()
  return createNetwork({
    isOwn: (url) => own.includes(url.host),
    async resolve(host) {
      const list = answers[host] ?? []
      const n = asked.get(host) ?? 0
      asked.set(host, n + 1)
      const answer = list[Math.min(n, list.length - 1)]
      return answer === undefined ? [] : [answer]
    },
  })
}

const text = (body: Uint8Array) => new TextDecoder().decode(body)

describe('a request', () => {
  it('brings back status, headers and body', async () => {
    const server = await listen((_request, response) => response.writeHead(201, { 'x-a': 'b' }).end('hello'))
    const answer = await networkFor([`127.0.0.1:${server.port}`]).send(request(server.origin))
    if (!answer.ok) throw new Error(answer.code)
    expect([answer.status, answer.headers['x-a'], text(answer.body), answer.isCut]).toEqual([201, 'b', 'hello', false])
  })

  it('makes no connection to an address that is not public', async () => {
    const server = await listen((_request, response) => response.end('secret'))
    const network = networkFor([], { 'inner.example': ['127.0.0.1'] })
    const urls = [
      server.origin,
      `http://localhost:${server.port}/`,
      `http://inner.example:${server.port}/`,
      `http://2130706433:${server.port}/`,
      `http://[::ffff:127.0.0.1]:${server.port}/`,
      `http://0:${server.port}/`,
    ]
    for (const url of urls) await expect(network.send(request(url))).resolves.toMatchObject({ ok: false })
    expect(server.connections()).toBe(0)
  })

  it('follows a redirect only to an address that is checked too', async () => {
    const inner = await listen((_request, response) => response.end('inner'))
    const outer = await listen((_request, response) => response.writeHead(302, { location: inner.origin }).end())
    const answer = await networkFor([`127.0.0.1:${outer.port}`]).send(request(outer.origin))
    expect(answer).toMatchObject({ ok: false, code: 'SSRF_LOOPBACK' })
    expect(inner.connections()).toBe(0)
  })

  it('leaves every header behind that belongs to the first origin', async () => {
    const seen: Record<string, unknown>[] = []
    const second = await listen((incoming, response) => {
      seen.push(incoming.headers)
      response.end('there')
    })
    const first = await listen((_request, response) =>
      response.writeHead(307, { location: `${second.origin}/x` }).end(),
    )
    const network = networkFor([`127.0.0.1:${first.port}`, `127.0.0.1:${second.port}`])
    const headers = { authorization: 'Bearer key', 'x-api-key': 'key', cookie: 'a=b', accept: 'text/plain' }
    await expect(network.send(request(first.origin, { headers }))).resolves.toMatchObject({ ok: true, status: 200 })
    expect(seen[0]).toMatchObject({ accept: 'text/plain' })
    for (const name of ['authorization', 'x-api-key', 'cookie']) expect(seen[0]).not.toHaveProperty(name)
  })

  it('keeps its headers on a redirect of the same origin', async () => {
    const seen: unknown[] = []
    const server = await listen((incoming, response) => {
      seen.push(incoming.headers.authorization)
      if (incoming.url === '/') response.writeHead(301, { location: '/next' }).end()
      else response.end()
    })
    await networkFor([`127.0.0.1:${server.port}`]).send(request(server.origin, { headers: { authorization: 'k' } }))
    expect(seen).toEqual(['k', 'k'])
  })

  it('does not send an effect on to another address', async () => {
    const second = await listen((_request, response) => response.end())
    const first = await listen((_request, response) => response.writeHead(307, { location: second.origin }).end())
    const network = networkFor([`127.0.0.1:${first.port}`, `127.0.0.1:${second.port}`])
    const answer = await network.send(request(first.origin, { method: 'POST', body: '{}' }))
    expect(answer).toMatchObject({ ok: true, status: 307 })
    expect(second.connections()).toBe(0)
  })

  it(`gives up after ${limits.httpRedirects} redirects`, async () => {
    const server = await listen((_request, response) => response.writeHead(302, { location: '/again' }).end())
    const answer = await networkFor([`127.0.0.1:${server.port}`]).send(request(server.origin))
    expect(answer).toMatchObject({ ok: false, code: 'SSRF_REDIRECTS' })
    expect(server.connections()).toBe(limits.httpRedirects + 1)
  })

  it('reads no more than it may, of what a small answer opens to as well', async () => {
    const server = await listen((_request, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(20_000_000))),
    )
    const answer = await networkFor([`127.0.0.1:${server.port}`]).send(request(server.origin))
    expect(answer).toMatchObject({ ok: true, isCut: true })
    if (answer.ok) expect(answer.body.byteLength).toBe(10_000)
  })

  it('is not cut where it fits exactly', async () => {
    const server = await listen((_request, response) => response.end(Buffer.alloc(10_000)))
    const answer = await networkFor([`127.0.0.1:${server.port}`]).send(request(server.origin))
    expect(answer).toMatchObject({ ok: true, isCut: false })
  })

  it('ends when its time is over, however slowly bytes keep coming', async () => {
    const server = await listen((_request, response) => {
      response.writeHead(200)
      const timer = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(timer))
    })
    const sent = networkFor([`127.0.0.1:${server.port}`]).send(request(server.origin, { timeoutMs: 300 }))
    await expect(sent).rejects.toMatchObject({ code: 'http.timeout' })
  })

  it('says when nobody listens, and when the connection is lost', async () => {
    const dead = await listen(() => undefined)
    await closers.pop()?.()
    await expect(networkFor([`127.0.0.1:${dead.port}`]).send(request(dead.origin))).rejects.toMatchObject({
      code: 'http.connect',
    })
    const lost = await listen((_request, response) => {
      response.writeHead(200, { 'content-length': '1000' })
      response.write('part', () => response.socket?.destroy())
    })
    await expect(networkFor([`127.0.0.1:${lost.port}`]).send(request(lost.origin))).rejects.toMatchObject({
      code: 'http.lost',
    })
  })

  it('does not say that nothing was sent when the connection ends before the answer: it may have been', async () => {
    let received = 0
    const rude = await listen((request) => {
      received += 1
      request.socket.destroy()
    })
    const sent = networkFor([`127.0.0.1:${rude.port}`]).send(request(rude.origin, { method: 'POST', body: 'x' }))
    await expect(sent).rejects.toMatchObject({
      code: 'http.lost',
      userMessage: expect.stringContaining('may have happened'),
    })
    expect(received).toBe(1)
  })

  it('stops with its caller', async () => {
    const server = await listen(() => undefined)
    const controller = new AbortController()
    const sent = networkFor([`127.0.0.1:${server.port}`]).send(request(server.origin, { signal: controller.signal }))
    controller.abort(new Error('stopped'))
    await expect(sent).rejects.toThrow('stopped')
  })

  it('takes no part of a proxy that the environment names', async () => {
    const proxy = createTcpServer()
    let reached = 0
    proxy.on('connection', (socket) => {
      reached += 1
      socket.destroy()
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    closers.push(() => new Promise((resolve) => proxy.close(() => resolve())))
    const address = proxy.address()
    const port = address !== null && typeof address !== 'string' ? address.port : 0
    const before = { http: process.env.http_proxy, all: process.env.ALL_PROXY }
    process.env.http_proxy = `http://127.0.0.1:${port}`
    process.env.ALL_PROXY = `http://127.0.0.1:${port}`
    try {
      const server = await listen((_request, response) => response.end('direct'))
      await expect(networkFor([`127.0.0.1:${server.port}`]).send(request(server.origin))).resolves.toMatchObject({
        ok: true,
      })
      expect(reached).toBe(0)
    } finally {
      restore('http_proxy', before.http)
      restore('ALL_PROXY', before.all)
    }
  })
})

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name]
  else process.env[name] = value
}

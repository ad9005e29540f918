import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { buildConnector } from 'undici'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createNetwork } from '../../core/capabilities/network/network.ts'
import { limits } from '../../core/domain/limits.ts'
import { createManifestFetch } from '../../core/skill-manifests.ts'
import { createManifestSource } from '../../core/skills/sources/manifest.ts'
import { selfSigned } from '../support/self-signed.ts'

/** A server on loopback that speaks https; gone when the test has ended. */
async function serve(handle: RequestListener): Promise<string> {
  const server = createServer(selfSigned('127.0.0.1'), handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  return `https://127.0.0.1:${address !== null && typeof address !== 'string' ? address.port : 0}`
}

/** `own`: origins that the person named. Nobody vouches for the certificates of these servers. */
function fetchFor(...own: readonly string[]) {
  return createManifestFetch(
    createNetwork({
      resolve: async () => [],
      isOwn: ({ origin }) => own.includes(origin),
      connector: (lookup) => buildConnector({ lookup, rejectUnauthorized: false }),
    }),
  )
}
const never = new AbortController().signal
const load = (url: string, ...own: readonly string[]) =>
  createManifestSource({ url, headers: { 'x-key': 'secret' } }, fetchFor(...own)).load(never)
const list = JSON.stringify([{ name: 'tides', description: 'High water.', body: 'Do it.' }])

describe('a manifest of a server', () => {
  test('is read with its headers from a server that the person named', async () => {
    const keys: unknown[] = []
    const origin = await serve(({ headers }, response) => {
      keys.push(headers['x-key'])
      response.end(list)
    })
    expect(await load(`${origin}/list.json`, origin)).toMatchObject({ found: [{ skill: { name: 'tides' } }] })
    expect(keys).toEqual(['secret'])
  })

  test('is not asked of this computer or its network otherwise', async () => {
    let asked = 0
    const origin = await serve((_request, response) => {
      asked += 1
      response.end(list)
    })
    await expect(load(`${origin}/list.json`)).rejects.toMatchObject({
      ...{ code: 'skill.manifest', message: expect.stringContaining('SSRF_LOOPBACK') },
    })
    for (const host of ['169.254.169.254', '10.0.0.1', '[::1]', 'localhost']) {
      await expect(load(`https://${host}/list.json`)).rejects.toMatchObject({
        ...{ code: 'skill.manifest', message: expect.stringContaining('SSRF_') },
      })
    }
    expect(asked).toBe(0)
  })

  test('is not fetched by a redirect to this computer’s network, nor to http, and another origin gets no header', async () => {
    const seen: unknown[] = []
    const other = await serve(({ headers }, response) => {
      seen.push(headers['x-key'])
      response.end(list)
    })
    let to = ''
    const origin = await serve((_request, response) => response.writeHead(302, { location: to }).end())
    to = `${other}/list.json`
    await expect(load(origin, origin)).rejects.toMatchObject({ message: expect.stringContaining('SSRF_LOOPBACK') })
    expect(seen).toEqual([])
    expect((await load(origin, origin, other)).found).toHaveLength(1)
    expect(seen).toEqual([undefined])
    to = 'http://93.184.215.14/list.json'
    await expect(load(origin, origin)).rejects.toMatchObject({ message: expect.stringContaining('answers 302') })
  })

  test('follows limits.httpRedirects redirects, and not one more', async () => {
    const origin = await serve(({ url = '' }, response) => {
      const left = Number(url.slice(1))
      if (left === 0) response.end(list)
      else response.writeHead(302, { location: `/${left - 1}` }).end()
    })
    expect((await load(`${origin}/${limits.httpRedirects}`, origin)).found).toHaveLength(1)
    await expect(load(`${origin}/${limits.httpRedirects + 1}`, origin)).rejects.toMatchObject({
      message: expect.stringContaining('SSRF_REDIRECTS'),
    })
  })

  test('may have limits.manifestBytes, and not one more, whatever it says of its length', async () => {
    let length = 0
    const origin = await serve((_request, response) => response.end(list + ' '.repeat(length - list.length)))
    length = limits.manifestBytes
    expect((await load(origin, origin)).found).toHaveLength(1)
    length = limits.manifestBytes + 1
    await expect(load(origin, origin)).rejects.toMatchObject({ message: expect.stringContaining('larger than 5 MiB') })
  })

  test('has limits.manifestMs for all of it', async () => {
    const asked: number[] = []
    const source = createManifestSource({ url: 'https://skills.example/' }, async (_url, { timeoutMs }) => {
      asked.push(timeoutMs)
      return list
    })
    await source.load(never)
    expect(asked).toEqual([limits.manifestMs])
    const origin = await serve((_request, response) => response.write('['))
    const request = { headers: {}, maxBytes: 1_000, timeoutMs: 200, signal: never }
    await expect(fetchFor(origin)(origin, request)).rejects.toMatchObject({
      ...{ code: 'skill.manifest', message: expect.stringContaining('in time') },
    })
  })

  test.each([
    ['another status', 500, list, 'answers 500'],
    ['bytes that are no UTF-8', 200, Buffer.from([0x5b, 0xff, 0x5d]), 'not UTF-8'],
    ['no JSON', 200, '<html>', 'no JSON'],
  ])('that answers with %s says so, and what it sent stays out of the message', async (_what, status, body, reason) => {
    const origin = await serve((_request, response) => response.writeHead(status).end(body))
    await expect(load(origin, origin)).rejects.toMatchObject({
      ...{ code: 'skill.manifest', message: expect.stringContaining(reason) },
      userMessage: expect.stringMatching(
        /could not be read.*Your other skills are there as before\. It is tried again/,
      ),
    })
  })

  test('is given up when whoever asked for it gives up', async () => {
    const origin = await serve((_request, response) => response.write('['))
    const giveUp = new AbortController()
    const loading = createManifestSource({ url: origin }, fetchFor(origin)).load(giveUp.signal)
    giveUp.abort(new Error('enough'))
    await expect(loading).rejects.toThrow('enough')
  })
})

import fs from 'node:fs'
import { connect, isIP } from 'node:net'
import path from 'node:path'
import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { describe, expect, it, test } from 'vitest'
import { addressProblem } from '../../../../core/capabilities/network/address.ts'
import {
  createNetwork,
  type NetworkOptions,
  type NetworkRequest,
} from '../../../../core/capabilities/network/network.ts'
import { json, listen } from '../../../support/loopback.ts'
import { nameServer } from '../../../support/name-server.ts'

const request = (url: string): NetworkRequest => ({
  ...{ method: 'GET', url, headers: {}, maxBytes: 1_000, timeoutMs: 5_000, mayFollow: () => true },
  signal: new AbortController().signal,
})

/**
 * A network of which every connection is written down. Those to this computer are really made, so that a listening socket
 * counts them too; those to the public internet end there, because tests reach nobody.
 */
function countedNetwork(options: Omit<NetworkOptions, 'connector'>) {
  const addresses: string[] = []
  const network = createNetwork({
    ...options,
    connector: (lookup) => (asked, callback) => {
      const name = asked.hostname.replace(/^\[|\]$/g, '')
      const go = (address: string) => {
        addresses.push(address)
        if (!/^(?:127\.|::1$)/.test(address)) return callback(new Error('tests reach nobody'), null)
        const socket = connect({ host: address, port: Number(asked.port) })
        socket.once('connect', () => callback(null, socket))
        socket.once('error', (error) => callback(error, null))
      }
      if (isIP(name) > 0) return go(name)
      lookup(name, {}, (error, address) => {
        if (error !== null || typeof address !== 'string') return callback(error ?? new Error('no address'), null)
        go(address)
      })
    },
  })
  return { network, addresses }
}

/** What `send` decided: the code of a refusal, or that it went on to connect. */
async function verdictOf(network: ReturnType<typeof countedNetwork>['network'], url: string): Promise<string> {
  const answer = await network.send(request(url)).catch(() => 'connected')
  if (typeof answer === 'string') return answer
  return answer.ok ? 'connected' : answer.code
}

const rows = fs
  .readFileSync(path.join(import.meta.dirname, 'ssrf.tsv'), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [id = '', url = '', dns = '', , expected = ''] = line.split('\t')
    return { id, url, answers: dns.split('|').filter((answer) => answer !== ''), expected }
  })

test('of all rows of the corpus no denied one is connected to, and each allowed one only where it was checked', async () => {
  const wrong: string[] = []
  let connected = 0
  for (const { id, url, answers, expected } of rows) {
    let asked = 0
    const { network, addresses } = countedNetwork({
      resolve: async () =>
        (answers[Math.min(asked++, answers.length - 1)] ?? '').split(',').filter((each) => each !== ''),
    })
    await verdictOf(network, url)
    if (addresses.some((address) => addressProblem(address) !== null)) wrong.push(`${id} reached ${addresses}`)
    const mayConnect = expected !== 'deny'
    if (mayConnect && addresses.length === 0) wrong.push(`${id} was denied`)
    connected += addresses.length
  }
  expect(wrong).toEqual([])
  expect(connected).toBeGreaterThan(5)
})

describe('a name server that says something else each time', () => {
  const rounds = 200
  const publicAddress = '93.184.215.14'

  it(`reaches this computer in none of ${rounds} rounds`, async () => {
    const inner = await listen((_request, response) => json(response, 200, 'inner'))
    const orders = [
      [publicAddress, '127.0.0.1'],
      ['127.0.0.1', publicAddress],
      [publicAddress, '::1'],
      ['::1', '127.0.0.1'],
      [publicAddress, '169.254.169.254'],
    ]
    let turn = 0
    const names = await nameServer((name) => {
      const [first, second] = orders[Number(name.split('.')[0]?.slice(1)) % orders.length] ?? []
      turn += 1
      // Half of them flip between the two look-ups of one resolution, half between resolutions.
      return [(turn % 3 === 0 ? second : first) ?? publicAddress]
    })
    const { network, addresses } = countedNetwork({ resolve: names.resolve })
    for (let round = 0; round < rounds; round += 1) {
      await verdictOf(network, `http://n${round}.rebind.example.com:${inner.port}/`)
    }
    expect(names.asked).toBeGreaterThanOrEqual(rounds * 2)
    expect(inner.connections).toBe(0)
    expect(new Set(addresses)).toEqual(new Set([publicAddress]))
    expect(addresses.length).toBeGreaterThan(rounds / 4)
  })

  it('nor by a redirect of a server that may be reached', async () => {
    const inner = await listen((_request, response) => json(response, 200, 'inner'))
    const outer = await listen((received, response) =>
      response.writeHead(302, { location: `http://r${received.url.slice(1)}.example.com:${inner.port}/` }).end(),
    )
    const names = await nameServer(() => ['127.0.0.1'])
    const { network } = countedNetwork({ resolve: names.resolve, isOwn: ({ origin }) => origin === outer.base })
    for (let round = 0; round < 20; round += 1) {
      await expect(verdictOf(network, `${outer.base}/${round}`)).resolves.toBe('SSRF_LOOPBACK')
    }
    expect(outer.received).toHaveLength(20)
    expect(inner.connections).toBe(0)
  })

  it('and would be seen if a name were looked up twice', async () => {
    const inner = await listen((_request, response) => json(response, 200, 'inner'))
    // The negative control: a network that trusts what it is told of the host.
    const { network } = countedNetwork({ resolve: async () => ['127.0.0.1'], isOwn: () => true })
    await verdictOf(network, `http://n.rebind.example.com:${inner.port}/`)
    expect(inner.connections).toBe(1)
  })
})

/** Ways to write one IPv4 address that a URL may hold. Source: WHATWG URL, host parsing. */
const spellings: readonly ((bytes: readonly number[]) => string)[] = [
  (bytes) => bytes.join('.'),
  (bytes) => String(numberOf(bytes)),
  (bytes) => `0x${numberOf(bytes).toString(16)}`,
  (bytes) => `0${numberOf(bytes).toString(8)}`,
  (bytes) => bytes.map((byte) => `0x${byte.toString(16)}`).join('.'),
  (bytes) => bytes.map((byte) => `0${byte.toString(8)}`).join('.'),
  ([a = 0, ...rest]) => `${a}.${numberOf([0, ...rest])}`,
  ([a = 0, b = 0, ...rest]) => `${a}.0x${b.toString(16)}.${numberOf([0, 0, ...rest])}`,
  (bytes) => `${bytes.join('.')}.`,
  (bytes) => bytes.join('。'),
  (bytes) =>
    [...bytes.join('.')].map((sign) => (sign === '.' ? sign : String.fromCodePoint(0xff10 + Number(sign)))).join(''),
  (bytes) => bytes.map((byte) => [...String(byte)].map((digit) => `%3${digit}`).join('')).join('.'),
]
/** The same as an IPv6 address that leads there. */
const embeddings: readonly ((hex: string) => string)[] = [
  (hex) => `[::ffff:${hex}]`,
  (hex) => `[0:0:0:0:0:ffff:${hex}]`,
  (hex) => `[::${hex}]`,
  (hex) => `[64:ff9b::${hex}]`,
  (hex) => `[2002:${hex}::]`,
]

function numberOf(bytes: readonly number[]): number {
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0)
}
function hexOf([a = 0, b = 0, c = 0, d = 0]: readonly number[]): string {
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`
}

const byte = fc.integer({ min: 0, max: 255 })
const innerBlocks: readonly fc.Arbitrary<readonly number[]>[] = [
  fc.tuple(fc.constant(127), byte, byte, byte),
  fc.tuple(fc.constant(10), byte, byte, byte),
  fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), byte, byte),
  fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
  fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
  fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), byte, byte),
  fc.tuple(fc.constant(0), byte, byte, byte),
  fc.tuple(fc.integer({ min: 224, max: 255 }), byte, byte, byte),
  fc.tuple(fc.constant(198), fc.constantFrom(18, 19), byte, byte),
]
// Judged by the library's own table, not by the code that is tested.
const outer = fc.tuple(byte, byte, byte, byte).filter((bytes) => new ipaddr.IPv4([...bytes]).range() === 'unicast')

test('10,000 spellings of addresses that are not public reach none of them', async () => {
  const { network, addresses } = countedNetwork({ resolve: async (host) => [host] })
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(...innerBlocks),
      fc.oneof(
        fc.constantFrom(...spellings).map((spell) => ({ spell })),
        fc.constantFrom(...embeddings).map((embed) => ({ embed })),
      ),
      async (bytes, way) => {
        const host = 'spell' in way ? way.spell(bytes) : way.embed(hexOf(bytes))
        expect(await verdictOf(network, `http://${host}/`)).toMatch(/^SSRF_/)
      },
    ),
    { numRuns: 10_000 },
  )
  expect(addresses).toEqual([])
})

test('500 spellings of public addresses are all reached, and nothing else', async () => {
  const { network, addresses } = countedNetwork({ resolve: async (host) => [host] })
  await fc.assert(
    fc.asyncProperty(outer, fc.constantFrom(...spellings), async (bytes, spell) => {
      expect(await verdictOf(network, `http://${spell(bytes)}/`)).toBe('connected')
      expect(addresses.at(-1)).toBe(bytes.join('.'))
    }),
    { numRuns: 500 },
  )
  expect(addresses).toHaveLength(500)
})

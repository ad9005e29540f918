import { createHmac } from 'node:crypto'
import net from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import { webhookRefusals } from '../../../core/domain/webhook.ts'
import { createWebhooks, type Webhooks } from '../../../core/missions/missions.ts'
import { temporaryFolder } from '../../support/engine.ts'
import { definition, type MissionWorld, openMissionWorld } from './mission-world.ts'

interface Hooked {
  readonly world: MissionWorld
  readonly hooks: Webhooks
  readonly missionId: string
  readonly secret: string
  readonly port: number
}

function hooksOf(world: MissionWorld, kept = new Map<string, string>()): Webhooks {
  let made = 0
  return createWebhooks({
    ...{ store: world.store, deliver: (delivery) => world.missions.deliver(delivery) },
    secrets: {
      get: async (name) => kept.get(name),
      set: async (name, value) => void kept.set(name, value),
      remove: async (name) => void kept.delete(name),
    },
    randomBytes(count) {
      made += 1
      return Buffer.alloc(count, made)
    },
    now: () => world.now,
    monotonic: () => world.monotonicAt,
    onFault: (error) => void world.faults.push(error),
  })
}

async function open(dataDir = temporaryFolder()): Promise<Hooked> {
  const world = openMissionWorld(dataDir)
  const hooks = hooksOf(world)
  onTestFinished(async () => {
    await hooks.close()
    await world.close()
  })
  const cadence = { kind: 'webhook' } as const
  const made = definition({ cadence, overlap: 'queue' })
  const { id: missionId } = world.missions.save({ projectId: 'p', definition: made, source: 'person' })
  const status = await hooks.apply({ enabled: true, port: 0 })
  const { secret } = await hooks.renew(missionId)
  return { world, hooks, missionId, secret, port: status.state === 'listening' ? status.port : expect.fail('closed') }
}

interface Sent {
  readonly method?: string
  readonly path?: string
  /** Over the usual ones; null leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>
  readonly body?: string | Uint8Array
  readonly id?: string
  /** Seconds off the clock. */
  readonly offsetS?: number
  /** Signed with another secret, or another body. */
  readonly secret?: string
  readonly signedBody?: string
}

function request(hooked: Hooked, sent: Sent): Buffer {
  const { body = '{"a":1}', id = 'msg_1', offsetS = 0 } = sent
  const at = String(Math.floor(hooked.world.now / 1_000) + offsetS)
  const key = Buffer.from((sent.secret ?? hooked.secret).slice('whsec_'.length), 'base64')
  const digest = createHmac('sha256', key)
    .update(`${id}.${at}.`)
    .update(sent.signedBody ?? body)
  const usual = {
    ...{ Host: `127.0.0.1:${hooked.port}`, 'Content-Type': 'application/json' },
    ...{ 'Content-Length': String(Buffer.byteLength(body)), 'Webhook-Id': id, 'Webhook-Timestamp': at },
    'Webhook-Signature': `v1,${digest.digest('base64')}`,
  }
  const headers = Object.entries({ ...usual, ...sent.headers }).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${value}`],
  )
  const first = `${sent.method ?? 'POST'} ${sent.path ?? `/hooks/${hooked.missionId}`} HTTP/1.1`
  return Buffer.concat([Buffer.from([first, ...headers, '', ''].join('\r\n')), Buffer.from(body)])
}

interface Answer {
  readonly status: number
  readonly text: string
  readonly code: string | undefined
  readonly firing: string | undefined
}

/** Writes the bytes, leaves the rest to the other side, and answers with what came until it closed the connection. */
function exchange(port: number, bytes: string | Uint8Array): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      text += chunk
    })
    socket.on('error', (error) => (text === '' ? reject(error) : undefined))
    socket.on('close', () => {
      const final = text.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '')
      const { code, firing } = JSON.parse(final.slice(final.indexOf('\r\n\r\n') + 4) || '{}')
      resolve({ status: Number(final.slice(9, 12)), text, code, firing })
    })
  })
}
const send = (hooked: Hooked, sent: Sent = {}) => exchange(hooked.port, request(hooked, sent))
const count = ({ world, missionId }: Hooked) => world.missions.firings({ id: missionId }).length

test('a delivery sets off its mission, with its body as what came with it', async () => {
  const hooked = await open()
  const { status, firing } = await send(hooked, { body: '{"order":17}' })
  expect(status).toBe(202)
  const [row] = hooked.world.missions.firings({ id: hooked.missionId })
  expect(row).toMatchObject({ id: firing, trigger: 'webhook', causeDepth: 0 })
  expect(hooked.world.store.missions.payloadOf(firing ?? '')).toBe('{"order":17}')
  await hooked.world.missions.tick(hooked.world.now)
  expect(hooked.world.orders[0]?.brief).toContain('<untrusted api="what set off the mission">\n{"order":17}')
  expect(hooked.world.orders[0]?.sources).toEqual([{ kind: 'api', name: 'what set off the mission' }])
})

test.each([
  ['from a program on Node', { headers: { 'Sec-Fetch-Mode': 'cors' } }],
  ['a charset', { headers: { 'Content-Type': 'application/json; charset=utf-8' } }],
  ['the other name of this computer', {}],
  ['at the edge of the window', { offsetS: -limits.webhookWindowMs / 1_000 }],
  ['at its other edge', { offsetS: limits.webhookWindowMs / 1_000 }],
  ['waiting to be asked for its body', { headers: { Expect: '100-continue' } }],
  ['as large as may be', { body: `"${'x'.repeat(limits.firingPayloadBytes - 2)}"` }],
])('taken: %s', async (name, sent) => {
  const hooked = await open()
  const headers = name.startsWith('the other') ? { Host: `localhost:${hooked.port}` } : {}
  expect((await send(hooked, { headers, ...sent })).status).toBe(202)
  expect(count(hooked)).toBe(1)
})

const other = `whsec_${Buffer.alloc(32, 99).toString('base64')}`
const hostile: readonly (readonly [string, keyof typeof webhookRefusals, Sent | ((hooked: Hooked) => Sent)])[] = [
  ['another host', 'webhook.host', { headers: { Host: 'evil.example' } }],
  ['another host on this port', 'webhook.host', ({ port }) => ({ headers: { Host: `evil.example:${port}` } })],
  ['a host that begins like this one', 'webhook.host', ({ port }) => ({ headers: { Host: `localhost.evil:${port}` } })],
  ['this host with a dot', 'webhook.host', ({ port }) => ({ headers: { Host: `127.0.0.1.:${port}` } })],
  ['this host without its port', 'webhook.host', { headers: { Host: '127.0.0.1' } }],
  ['any address', 'webhook.host', ({ port }) => ({ headers: { Host: `0.0.0.0:${port}` } })],
  ['two hosts', 'webhook.host', ({ port }) => ({ headers: { host: `127.0.0.1:${port}` } })],
  ['a page', 'webhook.origin', { headers: { Origin: 'https://evil.example' } }],
  ['a page without an origin', 'webhook.origin', { headers: { Origin: 'null' } }],
  ['a page of this computer', 'webhook.origin', ({ port }) => ({ headers: { Origin: `http://127.0.0.1:${port}` } })],
  ['a browser', 'webhook.origin', { headers: { 'Sec-Fetch-Site': 'cross-site' } }],
  ['a page that asks as a program', 'webhook.origin', { headers: { Origin: 'null', 'Sec-Fetch-Mode': 'cors' } }],
  ['a browser that was asked to', 'webhook.origin', { headers: { 'Sec-Fetch-Mode': 'no-cors' } }],
  ['another method', 'webhook.not_found', { method: 'GET' }],
  ['a preflight', 'webhook.not_found', { method: 'OPTIONS' }],
  ['another path', 'webhook.not_found', { path: '/' }],
  ['a path below', 'webhook.not_found', ({ missionId }) => ({ path: `/hooks/${missionId}/x` })],
  ['a query', 'webhook.not_found', ({ missionId }) => ({ path: `/hooks/${missionId}?token=x` })],
  ['a path that climbs', 'webhook.not_found', ({ missionId }) => ({ path: `/hooks/../hooks/${missionId}` })],
  [
    'a whole address',
    'webhook.not_found',
    ({ port, missionId: id }) => ({ path: `http://127.0.0.1:${port}/hooks/${id}` }),
  ],
  ['a form', 'webhook.content_type', { headers: { 'Content-Type': 'text/plain' } }],
  ['no type', 'webhook.content_type', { headers: { 'Content-Type': null } }],
  ['another charset', 'webhook.content_type', { headers: { 'Content-Type': 'application/json; charset=utf-16' } }],
  ['a packed body', 'webhook.content_type', { headers: { 'Content-Encoding': 'gzip' } }],
  ['no identity', 'webhook.headers', { headers: { 'Webhook-Id': null } }],
  ['an identity with a line in it', 'webhook.headers', { headers: { 'Webhook-Id': 'a b' } }],
  ['no time', 'webhook.headers', { headers: { 'Webhook-Timestamp': null } }],
  ['a time that is no number', 'webhook.headers', { headers: { 'Webhook-Timestamp': 'NaN' } }],
  ['a time below zero', 'webhook.headers', { headers: { 'Webhook-Timestamp': '-1' } }],
  ['a time with an exponent', 'webhook.headers', { headers: { 'Webhook-Timestamp': '1e20' } }],
  ['a time in ms', 'webhook.headers', ({ world }) => ({ headers: { 'Webhook-Timestamp': String(world.now) } })],
  ['no signature', 'webhook.headers', { headers: { 'Webhook-Signature': null } }],
  ['an empty signature', 'webhook.headers', { headers: { 'Webhook-Signature': '' } }],
  ['a signature of another version', 'webhook.headers', { headers: { 'Webhook-Signature': 'v0,AAAA' } }],
  ['ten thousand signatures', 'webhook.headers', { headers: { 'Webhook-Signature': 'v1,A '.repeat(1_000) } }],
  ['a time long ago', 'webhook.time', { offsetS: -limits.webhookWindowMs / 1_000 - 1 }],
  ['a time to come', 'webhook.time', { offsetS: limits.webhookWindowMs / 1_000 + 1 }],
  ['another secret', 'webhook.signature', { secret: other }],
  ['no secret at all', 'webhook.signature', { secret: 'whsec_' }],
  ['another body', 'webhook.signature', { signedBody: '{"a":2}' }],
  ['the same JSON in other bytes', 'webhook.signature', { body: '{"a": 1}', signedBody: '{"a":1}' }],
  ['a signature in hex', 'webhook.signature', { headers: { 'Webhook-Signature': `v1,${'ab'.repeat(32)}` } }],
  ['a signature that is too short', 'webhook.signature', { headers: { 'Webhook-Signature': 'v1,AAAA' } }],
  ['another identity', 'webhook.signature', { headers: { 'Webhook-Id': 'msg_2' } }],
  [
    'another time',
    'webhook.signature',
    ({ world: { now } }) => ({
      headers: { 'Webhook-Timestamp': String(Math.floor(now / 1_000) + 1) },
    }),
  ],
  ['a mission that is not there', 'webhook.signature', { path: '/hooks/mis_none' }],
  ['no JSON', 'webhook.json', { body: '{"a":' }],
  ['no UTF-8', 'webhook.json', { body: Buffer.from([0x22, 0xff, 0x22]) }],
  ['JSON that is nested too deeply', 'webhook.json', { body: `${'['.repeat(9_000)}${']'.repeat(9_000)}` }],
  ['too large', 'webhook.too_large', { body: `"${'x'.repeat(limits.firingPayloadBytes - 1)}"` }],
  ['too large by what it says', 'webhook.too_large', { headers: { 'Content-Length': '99999999' } }],
  ['a length beside pieces', 'webhook.malformed', { headers: { 'Transfer-Encoding': 'chunked' } }],
  ['two lengths', 'webhook.malformed', { headers: { 'content-length': '3' } }],
  ['no host', 'webhook.malformed', { headers: { Host: null } }],
  ['too many headers', 'webhook.header_size', { headers: { 'X-Much': 'x'.repeat(limits.webhookHeaderBytes) } }],
]

test.each(hostile)('refused: %s (%s)', async (_name, code, sent) => {
  const hooked = await open()
  const answer = await send(hooked, typeof sent === 'function' ? sent(hooked) : sent)
  // A request without a host is answered by the parser itself.
  if (_name === 'no host') expect(answer.status).toBe(400)
  else expect(answer).toMatchObject({ status: webhookRefusals[code], code })
  expect(count(hooked)).toBe(0)
  expect(answer.text).not.toContain(hooked.secret.slice(6, 20))
  expect(answer.text).not.toMatch(/access-control/i)
  expect(hooked.world.faults).toEqual([])
})

test('there are at least 40 of them', () => {
  expect(hostile.length).toBeGreaterThanOrEqual(40)
})

test('pieces without a length are counted as they come', async () => {
  const hooked = await open()
  const piece = 'x'.repeat(40_000)
  const chunks = [piece, piece].map((each) => `${each.length.toString(16)}\r\n${each}\r\n`).join('')
  const head = request(hooked, { body: '', headers: { 'Content-Length': null, 'Transfer-Encoding': 'chunked' } })
  expect(await exchange(hooked.port, Buffer.concat([head, Buffer.from(`${chunks}0\r\n\r\n`)]))).toMatchObject({
    ...{ status: 413, code: 'webhook.too_large' },
  })
})

test('the same delivery again, at once or after a restart, sets off nothing more', async () => {
  const dataDir = temporaryFolder()
  const hooked = await open(dataDir)
  const bytes = request(hooked, {})
  const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(hooked.port, bytes)))
  expect(answers.filter(({ status }) => status === 202)).toHaveLength(1)
  expect(answers.filter(({ code }) => code === 'webhook.duplicate')).toHaveLength(19)
  expect(count(hooked)).toBe(1)
  // One that was left out because another was at work is known all the same.
  for (const id of ['msg_2', 'msg_3']) await send(hooked, { id })
  expect(hooked.world.missions.firings({ id: hooked.missionId })[0]).toMatchObject({ state: 'skipped' })
  expect(await send(hooked, { id: 'msg_3' })).toMatchObject({ code: 'webhook.duplicate' })
  await hooked.world.close()

  const again = openMissionWorld(dataDir, hooked.world.now + 1_000)
  onTestFinished(() => again.close())
  const { missionId } = hooked
  expect(again.missions.deliver({ missionId, deliveryId: 'msg_1', body: '{}' })).toMatchObject({ isDuplicate: true })
  expect(again.missions.firings({ id: missionId })).toHaveLength(3)
})

test('a new secret makes the old one worthless; a mission that is paused, removed or has none is sent nothing', async () => {
  const hooked = await open()
  const { secret } = await hooked.hooks.renew(hooked.missionId)
  expect(secret).not.toBe(hooked.secret)
  expect(await send(hooked)).toMatchObject({ code: 'webhook.signature' })
  const renewed = { ...hooked, secret }
  hooked.world.missions.pause(hooked.missionId)
  expect(await send(renewed)).toMatchObject({ status: 409, code: 'webhook.state' })
  hooked.world.missions.resume(hooked.missionId)
  expect(await send(renewed)).toMatchObject({ status: 202 })
  hooked.world.missions.remove(hooked.missionId)
  await hooked.hooks.forget(hooked.missionId)
  expect(await send(renewed, { id: 'msg_9' })).toMatchObject({ code: 'webhook.signature' })
  const plain = { projectId: 'p', definition: definition({ name: 'plain' }), source: 'person' } as const
  const { id } = hooked.world.missions.save(plain)
  await expect(hooked.hooks.renew(id)).rejects.toMatchObject({ code: 'mission.state' })
  const made = { ...plain, definition: definition({ name: 'fresh', cadence: { kind: 'webhook' } }) }
  const fresh = hooked.world.missions.save(made)
  expect(hooked.hooks.door(fresh.id)).toMatchObject({ secretMadeAt: null })
  expect(await send(hooked, { path: `/hooks/${fresh.id}` })).toMatchObject({ code: 'webhook.signature' })
})

test('so many of one mission in a minute, and no more; what is not authentic uses up nothing of it', async () => {
  const hooked = await open()
  for (let n = 0; n < 5; n += 1) await send(hooked, { secret: other })
  const statuses: number[] = []
  for (let n = 0; n < limits.webhookPerMinute + 1; n += 1) statuses.push((await send(hooked, { id: `m${n}` })).status)
  expect(statuses).toEqual([...Array.from({ length: limits.webhookPerMinute }, () => 202), 429])
  hooked.world.pass(60_000)
  expect(await send(hooked, { id: 'later' })).toMatchObject({ status: 202 })
})

test('so many in all in a minute, and no more; the answer says when to come again', async () => {
  const hooked = await open()
  const statuses: number[] = []
  for (let n = 0; n < limits.webhookAllPerMinute; n += 1) statuses.push((await send(hooked, { secret: other })).status)
  expect(new Set(statuses)).toEqual(new Set([401]))
  const refused = await send(hooked)
  expect(refused).toMatchObject({ status: 429, code: 'webhook.rate' })
  expect(refused.text).toMatch(/retry-after: 60/i)
  expect(hooked.hooks.status()).toMatchObject({
    refused: { 'webhook.signature': limits.webhookAllPerMinute, 'webhook.rate': 1 },
  })
  hooked.world.pass(60_000)
  expect(await send(hooked)).toMatchObject({ status: 202 })
})

/** A connection that says nothing more; resolves with what it was told when the other side ends it. */
function slow(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk: string) => {
      text += chunk
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(text))
  })
}

test('who sends slowly is ended: no request, half a head, half a body', async () => {
  const hooked = await open()
  expect(limits.webhookHeaderMs).toBeLessThan(limits.webhookRequestMs)
  const half = request(hooked, { headers: { 'Content-Length': '100' } }).toString()
  const texts = await Promise.all([
    slow(hooked.port, ''),
    slow(hooked.port, 'POST /hooks/x HTTP/1.1\r\nHost: '),
    slow(hooked.port, half),
  ])
  for (const text of texts) expect(text).toMatch(/^HTTP\/1\.1 408 [\s\S]*"webhook\.slow"/)
  expect(count(hooked)).toBe(0)
  expect((await send(hooked)).status).toBe(202)
})

test('so many connections at once, and one more is closed unheard', async () => {
  const hooked = await open()
  const connect = () =>
    new Promise<net.Socket>((resolve, reject) => {
      const socket = net.connect(hooked.port, '127.0.0.1', () => resolve(socket))
      socket.on('error', reject)
    })
  const sockets: net.Socket[] = []
  for (let n = 0; n < limits.webhookConnections; n += 1) sockets.push(await connect())
  expect(await slow(hooked.port, '')).toBe('')
  expect(sockets.every((socket) => !socket.destroyed)).toBe(true)
  const [first] = sockets
  first?.end(request(hooked, {}))
  await new Promise((resolve) => first?.on('data', resolve))
  expect(count(hooked)).toBe(1)
  for (const socket of sockets) socket.destroy()
})

test('it is closed until it is opened, moves when its port does, and says why it cannot listen', async () => {
  const hooked = await open()
  const { hooks, port, missionId } = hooked
  expect(hooks.door(missionId).url).toBe(`http://127.0.0.1:${port}/hooks/${missionId}`)
  const taken = net.createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void taken.close())
  const address = taken.address()
  const wanted = typeof address === 'object' && address !== null ? address.port : 0
  expect(await hooks.apply({ enabled: true, port: wanted })).toMatchObject({
    ...{ state: 'failed', reason: expect.stringContaining('EADDRINUSE') },
  })
  await expect(send(hooked)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  expect(await hooks.apply({ enabled: true, port: 0 })).toMatchObject({ state: 'listening' })
  expect(await hooks.apply({ enabled: false, port: 0 })).toEqual({ state: 'off' })
  expect(hooks.door(missionId).url).toBeNull()
  const never = hooksOf(hooked.world)
  expect(never.status()).toEqual({ state: 'off' })
  await never.close()
})

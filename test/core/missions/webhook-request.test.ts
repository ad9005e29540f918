import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import { isSigned, jsonText, readHead, secretText } from '../../../core/missions/webhook-request.ts'

const port = 4_000
const now = Date.parse('2026-02-03T09:30:00Z')
const seconds = now / 1_000
const usual = {
  host: `127.0.0.1:${port}`,
  'content-type': 'application/json',
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(seconds),
  'webhook-signature': 'v1,AAAA',
}
const verdict = (headers: Readonly<Record<string, string>>) =>
  readHead(
    { method: 'POST', url: '/hooks/mis_1', rawHeaders: Object.entries({ ...usual, ...headers }).flat() },
    { port, now },
  )
const code = (headers: Readonly<Record<string, string>>) => {
  const read = verdict(headers)
  return read.ok ? 'ok' : read.code
}

test('what is usual is taken, by either name of this computer', () => {
  expect(verdict({ 'Content-Type': 'application/json; charset=UTF-8' })).toMatchObject({ ok: false })
  expect(verdict({ 'content-type': 'application/json; charset=UTF-8' })).toEqual({
    ok: true,
    head: { missionId: 'mis_1', deliveryId: 'msg_1', timestamp: String(seconds), signatures: ['v1,AAAA'] },
  })
  expect(code({ host: `localhost:${port}` })).toBe('ok')
})

test('the window of time, by a second in both directions', () => {
  const windowS = limits.webhookWindowMs / 1_000
  const at = (offsetS: number) => code({ 'webhook-timestamp': String(seconds + offsetS) })
  expect([at(-windowS), at(windowS)]).toEqual(['ok', 'ok'])
  expect([at(-windowS - 1), at(windowS + 1)]).toEqual(['webhook.time', 'webhook.time'])
})

test('so many signatures are looked at, and one more is too many', () => {
  const many = (count: number) =>
    code({ 'webhook-signature': Array.from({ length: count }, (_each, n) => `v1,${n}`).join(' ') })
  expect(many(limits.webhookSignatures)).toBe('ok')
  expect(many(limits.webhookSignatures + 1)).toBe('webhook.headers')
})

test('a signature is that of identity, time and exact bytes under the secret; beside an old one too', () => {
  const secret = secretText(Buffer.alloc(32, 7))
  expect(secret).toBe(`whsec_${Buffer.alloc(32, 7).toString('base64')}`)
  const body = Buffer.from('{"a":1}')
  const signature = createHmac('sha256', Buffer.alloc(32, 7)).update(`msg_1.${seconds}.${body}`).digest('base64')
  const head = { missionId: 'mis_1', deliveryId: 'msg_1', timestamp: String(seconds), signatures: [`v1,${signature}`] }
  expect(isSigned(head, body, secret)).toBe(true)
  expect(isSigned({ ...head, signatures: ['v1,AAAA', `v1,${signature}`] }, body, secret)).toBe(true)
  expect(isSigned(head, Buffer.from('{"a": 1}'), secret)).toBe(false)
  expect(isSigned({ ...head, deliveryId: 'msg_2' }, body, secret)).toBe(false)
  expect(isSigned({ ...head, timestamp: String(seconds + 1) }, body, secret)).toBe(false)
  expect(isSigned(head, body, secretText(Buffer.alloc(32, 8)))).toBe(false)
})

test('a body is JSON in UTF-8, not nested beyond what may cross', () => {
  const nested = (depth: number) => Buffer.from(`${'['.repeat(depth)}${']'.repeat(depth)}`)
  expect(jsonText(Buffer.from('{"__proto__":{"x":1}}'))).toBe('{"__proto__":{"x":1}}')
  expect(Object.hasOwn(Object.prototype, 'x')).toBe(false)
  expect(jsonText(nested(limits.vmValueDepth))).not.toBeNull()
  expect(jsonText(nested(limits.vmValueDepth + 2))).toBeNull()
  for (const bad of [Buffer.from([0x22, 0xff, 0x22]), Buffer.from('{'), Buffer.from(''), Buffer.from('\ufeff{}')])
    expect(jsonText(bad)).toBeNull()
})

import { createHmac, timingSafeEqual } from 'node:crypto'
import { limits } from '../domain/limits.ts'
import type { WebhookCode } from '../domain/webhook.ts'

/** The beginning of a request, as it came. */
export interface RequestHead {
  readonly method?: string | undefined
  readonly url?: string | undefined
  /** Name, value, name, value, as they were sent. */
  readonly rawHeaders: readonly string[]
}

/** What its head says of a delivery. */
export interface DeliveryHead {
  readonly missionId: string
  readonly deliveryId: string
  /** Seconds since the epoch, as they are signed. */
  readonly timestamp: string
  readonly signatures: readonly string[]
}

export type HeadVerdict = { readonly ok: true; readonly head: DeliveryHead } | Refused
interface Refused {
  readonly ok: false
  readonly code: WebhookCode
}

/**
 * Looks at all that can be known before the body. A page in a browser can send to this computer, and can make a name point to it: so
 * the host must be this very door, and nothing that a browser adds may be there.
 */
export function readHead(
  request: RequestHead,
  { port, now }: { readonly port: number; readonly now: number },
): HeadVerdict {
  const all = (name: string) => valuesOf(request.rawHeaders, name)
  const one = (name: string) => (all(name).length === 1 ? all(name)[0] : undefined)
  const host = one('host')
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) return refused('webhook.host')
  if (isFromBrowser(all)) return refused('webhook.origin')
  const [, missionId] = /^\/hooks\/([A-Za-z0-9_-]{1,64})$/.exec(request.url ?? '') ?? []
  if (request.method !== 'POST' || missionId === undefined) return refused('webhook.not_found')
  if (all('upgrade').length > 0) return refused('webhook.malformed')
  const type = one('content-type') ?? ''
  if (!/^application\/json(?:\s*;\s*charset="?utf-8"?)?$/i.test(type) || all('content-encoding').length > 0)
    return refused('webhook.content_type')
  if (Number(one('content-length') ?? 0) > limits.firingPayloadBytes) return refused('webhook.too_large')
  const deliveryId = one('webhook-id') ?? ''
  const timestamp = one('webhook-timestamp') ?? ''
  const signatures = (one('webhook-signature') ?? '').split(' ').filter((each) => each.startsWith('v1,'))
  const isWhole = /^[A-Za-z0-9_.:-]{1,128}$/.test(deliveryId) && /^\d{1,10}$/.test(timestamp)
  if (!isWhole || signatures.length === 0 || signatures.length > limits.webhookSignatures)
    return refused('webhook.headers')
  if (Math.abs(now - Number(timestamp) * 1_000) > limits.webhookWindowMs) return refused('webhook.time')
  return { ok: true, head: { missionId, deliveryId, timestamp, signatures } }
}

/** A browser tells from where it asks (Origin, Sec-Fetch-Site). A mode of `cors` alone is how Node's own `fetch` asks. */
function isFromBrowser(all: (name: string) => readonly string[]): boolean {
  return (
    all('origin').length > 0 ||
    all('sec-fetch-site').length > 0 ||
    all('sec-fetch-mode').some((mode) => mode.toLowerCase() !== 'cors')
  )
}

function refused(code: WebhookCode): Refused {
  return { ok: false, code }
}

function valuesOf(rawHeaders: readonly string[], name: string): readonly string[] {
  return rawHeaders.filter((_value, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name)
}

const secretPrefix = 'whsec_'

/** Whether one of the signatures is that of the delivery under this secret. All are compared, each in constant time. */
export function isSigned(head: DeliveryHead, body: Uint8Array, secret: string): boolean {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64')
  const expected = createHmac('sha256', key).update(`${head.deliveryId}.${head.timestamp}.`).update(body).digest()
  let isOne = false
  for (const signature of head.signatures) {
    const given = Buffer.from(signature.slice('v1,'.length), 'base64')
    if (given.length === expected.length && timingSafeEqual(given, expected)) isOne = true
  }
  return isOne
}

/** The secret as its sender keeps it. `bytes`: 32 of chance. */
export function secretText(bytes: Uint8Array): string {
  return `${secretPrefix}${Buffer.from(bytes).toString('base64')}`
}

/** The text of a body; null for what is no JSON, or nested so deeply that whoever walks through it might fail. */
export function jsonText(body: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
    return isShallow(JSON.parse(text)) ? text : null
  } catch {
    return null
  }
}

function isShallow(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limits.vmValueDepth) return false
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
  }
  return true
}

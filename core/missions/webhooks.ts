import http from 'node:http'
import type { Duplex } from 'node:stream'
import { createRateMeter } from '../capabilities/capabilities.ts'
import { AppError } from '../domain/error.ts'
import { limits } from '../domain/limits.ts'
import {
  type WebhookCode,
  type WebhookDoor,
  type WebhookSecret,
  type WebhookStatus,
  webhookRefusals,
} from '../domain/webhook.ts'
import type { Store } from '../store/store.ts'
import type { Delivered, Delivery } from './delivery.ts'
import { requireMission } from './facts.ts'
import { type DeliveryHead, isSigned, jsonText, readHead, secretText } from './webhook-request.ts'

export interface WebhookParts {
  readonly store: Store
  readonly deliver: (delivery: Delivery) => Delivered
  /** The seam for keys. */
  readonly secrets: {
    get(name: string): Promise<string | undefined>
    set(name: string, value: string): Promise<void>
    remove(name: string): Promise<void>
  }
  readonly randomBytes: (count: number) => Uint8Array
  /** Epoch ms. */
  readonly now: () => number
  /** Ms that never go back. */
  readonly monotonic: () => number
  readonly onFault: (error: unknown) => void
}

/** The door by which other programs of this computer set off missions. Closed until it is opened. */
export interface Webhooks {
  /** Opens, moves or closes the door. What keeps it from listening stands in its status. */
  apply(wanted: { readonly enabled: boolean; readonly port: number }): Promise<WebhookStatus>
  status(): WebhookStatus
  /** @throws AppError mission.not_found, mission.state where no webhook sets it off */
  door(missionId: string): WebhookDoor
  /** A new secret; the one before is worth nothing from then on. @throws AppError mission.*, secret.unavailable */
  renew(missionId: string): Promise<WebhookSecret>
  /** The mission is about to be removed. */
  forget(missionId: string): Promise<void>
  /** Lets what was begun come to its end. */
  close(): Promise<void>
}

interface Open {
  readonly server: http.Server
  readonly port: number
  readonly wantedPort: number
  readonly refused: Partial<Record<WebhookCode, number>>
}

const secretName = (missionId: string) => `mission.${missionId}.webhook`
const minuteOnly = (perMinute: number) => ({ perMinute, perHour: Number.MAX_SAFE_INTEGER })

export function createWebhooks(parts: WebhookParts): Webhooks {
  let open: Open | undefined
  let failure: string | null = null
  let turn: Promise<unknown> = Promise.resolve()

  /** One change after the other: two that open at once would leave one behind. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = turn.then(work)
    turn = result.catch(() => undefined)
    return result
  }
  function status(): WebhookStatus {
    if (open !== undefined) return { state: 'listening', port: open.port, refused: { ...open.refused } }
    return failure === null ? { state: 'off' } : { state: 'failed', reason: failure }
  }
  async function shut(): Promise<void> {
    const closing = open
    open = undefined
    if (closing === undefined) return
    const closed = new Promise((resolve) => closing.server.close(resolve))
    closing.server.closeAllConnections()
    await closed
  }
  function requireHook(missionId: string) {
    const mission = requireMission(parts.store, missionId)
    const row = parts.store.triggers.get(missionId)
    if (row?.kind === 'webhook') return { mission, secretMadeAt: row.heard < 0 ? null : row.heard }
    throw new AppError('mission.state', {
      message: `no webhook sets off ${mission.name}`,
      userMessage: `No webhook sets off the mission ${mission.name}: its cadence says otherwise. Nothing was changed.`,
    })
  }
  function door(missionId: string): WebhookDoor {
    const { secretMadeAt } = requireHook(missionId)
    return { url: open === undefined ? null : `http://127.0.0.1:${open.port}/hooks/${missionId}`, secretMadeAt }
  }

  return {
    status,
    door,
    apply: ({ enabled, port }) =>
      inTurn(async () => {
        if (enabled && open?.wantedPort === port) return status()
        failure = null
        await shut()
        if (!enabled) return status()
        try {
          open = await listen(parts, port)
        } catch (error) {
          failure = error instanceof Error ? error.message : String(error)
        }
        return status()
      }),
    async renew(missionId) {
      requireHook(missionId)
      const secret = secretText(parts.randomBytes(32))
      await parts.secrets.set(secretName(missionId), secret)
      parts.store.transaction(() => parts.store.triggers.move(missionId, parts.now(), 0))
      return { ...door(missionId), secret }
    },
    async forget(missionId) {
      const row = parts.store.triggers.get(missionId)
      if (row?.kind !== 'webhook' || row.heard < 0) return
      // One that cannot be reached now opens nothing any more: the mission must be removable all the same.
      await parts.secrets.remove(secretName(missionId)).catch(parts.onFault)
    },
    close: () => inTurn(shut),
  }
}

async function listen(parts: WebhookParts, wantedPort: number): Promise<Open> {
  const refused: Open['refused'] = {}
  const count = (code: WebhookCode) => {
    refused[code] = (refused[code] ?? 0) + 1
  }
  const server = http.createServer({
    ...{ maxHeaderSize: limits.webhookHeaderBytes, headersTimeout: limits.webhookHeaderMs, keepAlive: false },
    ...{ requestTimeout: limits.webhookRequestMs, connectionsCheckingInterval: 500, insecureHTTPParser: false },
  })
  server.maxConnections = limits.webhookConnections
  server.maxRequestsPerSocket = 1
  const handle = handler(parts, () => portOf(server), count)
  server.on('request', handle)
  server.on('checkContinue', handle)
  server.on('clientError', (error, socket) => refuseRaw(error, socket, count))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: '127.0.0.1', port: wantedPort, exclusive: true }, resolve)
  })
  server.on('error', parts.onFault)
  return { server, port: portOf(server), wantedPort, refused }
}

function portOf(server: http.Server): number {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

function handler(parts: WebhookParts, port: () => number, count: (code: WebhookCode) => void) {
  const rates = createRateMeter()
  // Of a mission that is not there, or has no secret: its deliveries are looked at as any, and are worth nothing.
  const noSecret = secretText(parts.randomBytes(32))

  async function secretOf({ missionId }: DeliveryHead): Promise<string> {
    const row = parts.store.triggers.get(missionId)
    const isHook = row?.kind === 'webhook' && row.heard >= 0
    return (isHook ? await parts.secrets.get(secretName(missionId)) : undefined) ?? noSecret
  }
  async function answer(
    request: http.IncomingMessage,
    response: http.ServerResponse,
  ): Promise<Delivered | WebhookCode> {
    const read = readHead(request, { port: port(), now: parts.now() })
    if (!read.ok) return read.code
    const { head } = read
    if (rates.take('all', minuteOnly(limits.webhookAllPerMinute), parts.monotonic()) > 0) return 'webhook.rate'
    if (request.headers.expect !== undefined) response.writeContinue()
    const body = await bodyOf(request)
    if (body === null) return 'webhook.too_large'
    if (!isSigned(head, body, await secretOf(head))) return 'webhook.signature'
    const text = jsonText(body)
    if (text === null) return 'webhook.json'
    const { missionId, deliveryId } = head
    // Only what is authentic counts: nobody else uses up what a mission may be sent.
    if (rates.take(missionId, minuteOnly(limits.webhookPerMinute), parts.monotonic()) > 0) return 'webhook.rate'
    const delivered = parts.deliver({ missionId, deliveryId, body: text })
    return delivered.isDuplicate ? 'webhook.duplicate' : delivered
  }
  async function respond(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    try {
      const answered = await answer(request, response)
      if (typeof answered === 'string') refuse(response, answered)
      else accept(response, answered)
    } catch (error) {
      // The connection is gone: there is nobody to tell.
      if (request.destroyed && !request.complete) return
      refuse(response, codeOf(error))
      if (codeOf(error) === 'webhook.failed') parts.onFault(error)
    }
  }
  function refuse(response: http.ServerResponse, code: WebhookCode): void {
    count(code)
    send(response, webhookRefusals[code], { ok: false, code })
  }
  return (request: http.IncomingMessage, response: http.ServerResponse) => void respond(request, response)
}

function codeOf(error: unknown): WebhookCode {
  if (!(error instanceof AppError)) return 'webhook.failed'
  if (error.code === 'mission.not_found') return 'webhook.signature'
  if (error.code === 'mission.state') return 'webhook.state'
  return error.code === 'secret.unavailable' ? 'webhook.unavailable' : 'webhook.failed'
}

/** Null for more than may come; what comes after that is not read. */
function bodyOf(request: http.IncomingMessage): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= limits.firingPayloadBytes) return void chunks.push(chunk)
      request.pause()
      resolve(null)
    })
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', reject)
    request.on('close', () => reject(new Error('the connection was closed before the body was there')))
  })
}

function accept(response: http.ServerResponse, { firing }: Delivered): void {
  send(response, 202, { ok: true, firing: firing.id, state: firing.state })
}

function send(response: http.ServerResponse, status: number, facts: object): void {
  if (response.headersSent || response.destroyed) return
  const text = JSON.stringify(facts)
  response.writeHead(status, {
    'content-length': Buffer.byteLength(text),
    ...{ 'content-type': 'application/json', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' },
    ...{ connection: 'close', ...(status === 429 && { 'retry-after': '60' }) },
  })
  response.end(text)
}

/** What is no request, or never became a whole one. */
function refuseRaw(error: Error, socket: Duplex, count: (code: WebhookCode) => void): void {
  const code = rawCodeOf(error)
  count(code)
  const text = JSON.stringify({ ok: false, code })
  const head = `HTTP/1.1 ${webhookRefusals[code]} Refused\r\nConnection: close\r\nContent-Type: application/json`
  if (!socket.writable) return void socket.destroy()
  // Its other end may never close: it is not waited for.
  socket.end(`${head}\r\nContent-Length: ${text.length}\r\n\r\n${text}`, () => socket.destroy())
}

function rawCodeOf(error: Error): WebhookCode {
  const code = 'code' in error ? error.code : undefined
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'webhook.slow'
  return code === 'HPE_HEADER_OVERFLOW' ? 'webhook.header_size' : 'webhook.malformed'
}

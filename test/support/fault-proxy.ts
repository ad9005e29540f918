import net from 'node:net'
import tls from 'node:tls'
import { selfSigned } from './self-signed.ts'

/** What becomes of one request. Bytes are of the answer, head and all. */
export type Fault =
  /** The connection is reset, and for a moment nobody listens there. */
  | { readonly kind: 'refused' }
  | { readonly kind: 'reset' | 'stall' | 'trickle'; readonly afterBytes: number }
  | { readonly kind: 'status'; readonly status: 429 | 500 | 503; readonly retryAfter: string | null }

export interface FaultProxy {
  readonly port: number
  /** An https server with a certificate that nobody vouches for. */
  readonly selfSignedPort: number
  /** What became of each request so far; null: it passed. */
  readonly met: readonly (Fault | null)[]
  /** From here on everything passes. */
  heal(): void
  close(): Promise<void>
}

const closedMs = 40
const trickleMs = 1_000

/**
 * A TCP proxy on a loopback port. One connection carries one request, so that each meets a fate of its own: `next` says which.
 * TLS that comes to the plain port gets an answer that is none.
 */
export async function startFaultProxy(targetPort: number, next: () => Fault | null): Promise<FaultProxy> {
  const met: (Fault | null)[] = []
  const sockets = new Set<net.Socket>()
  let isHealed = false
  let isClosed = false
  let listener: net.Server | undefined
  let port = 0

  const keep = (socket: net.Socket) => {
    sockets.add(socket)
    // A connection that breaks is what this is for.
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
  }
  const listen = async () => {
    const server = net.createServer((client) => {
      keep(client)
      const fault = isHealed ? null : next()
      met.push(fault)
      if (fault?.kind !== 'refused') return void carry(client, { targetPort, fault, keep })
      client.resetAndDestroy()
      server.close()
      setTimeout(() => void (isClosed || listen()), closedMs)
    })
    listener = server
    port = await listening(server, port)
  }
  await listen()
  const secure = tls
    .createServer(selfSigned('127.0.0.1'), (socket) => socket.end())
    .on('tlsClientError', () => undefined)
  secure.on('connection', keep)
  const selfSignedPort = await listening(secure, 0)

  return {
    port,
    selfSignedPort,
    met,
    heal() {
      isHealed = true
    },
    async close() {
      isClosed = true
      for (const socket of sockets) socket.destroy()
      listener?.close()
      secure.close()
    },
  }
}

async function listening(server: net.Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

interface Carrying {
  readonly targetPort: number
  readonly fault: Exclude<Fault, { kind: 'refused' }> | null
  readonly keep: (socket: net.Socket) => void
}

const handshake = 0x16
const headEnd = '\r\n\r\n'

function carry(client: net.Socket, { targetPort, fault, keep }: Carrying): void {
  let head = ''
  const onHead = (bytes: Buffer) => {
    if (head === '' && bytes[0] === handshake) return void client.end('HTTP/1.1 400 Bad Request\r\n\r\n')
    head += bytes.toString('latin1')
    if (!head.includes(headEnd)) return
    client.off('data', onHead)
    if (fault?.kind === 'status') return void client.end(statusAnswer(fault))
    const upstream = net.connect(targetPort, '127.0.0.1').setNoDelay()
    keep(upstream)
    client.on('close', () => upstream.destroy())
    upstream.write(Buffer.from(head.replace(/\r\nconnection: [^\r]*/i, '\r\nconnection: close'), 'latin1'))
    client.pipe(upstream)
    if (fault === null) upstream.pipe(client)
    else upstream.on('data', cutter(client, fault))
  }
  client.setNoDelay().on('data', onHead)
}

function statusAnswer({ status, retryAfter }: Extract<Fault, { kind: 'status' }>): string {
  const body = JSON.stringify({ error: { message: `the proxy says ${status}` } })
  const lines = [
    `HTTP/1.1 ${status} No`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    'connection: close',
  ]
  if (retryAfter !== null) lines.push(`retry-after: ${retryAfter}`)
  return `${lines.join('\r\n')}${headEnd}${body}`
}

/** Lets so many bytes through; then it resets, keeps silent, or goes on with a byte a second. */
function cutter(
  client: net.Socket,
  { kind, afterBytes }: Extract<Fault, { afterBytes: number }>,
): (bytes: Buffer) => void {
  let left = afterBytes
  let rest = Buffer.alloc(0)
  let timer: NodeJS.Timeout | undefined
  client.on('close', () => clearInterval(timer))
  const slowly = () => {
    client.write(rest.subarray(0, 1))
    rest = rest.subarray(1)
  }
  return (bytes) => {
    const through = bytes.subarray(0, left)
    left -= through.length
    if (kind === 'trickle') {
      rest = Buffer.concat([rest, bytes.subarray(through.length)])
      if (rest.length > 0) timer ??= setInterval(slowly, trickleMs)
    }
    client.write(through, () => {
      if (kind === 'reset' && left === 0 && !client.destroyed) client.resetAndDestroy()
    })
  }
}

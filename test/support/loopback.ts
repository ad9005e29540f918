import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'

/** What reached a server. */
export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Loopback {
  /** `http://127.0.0.1:<port>` */
  readonly base: string
  readonly port: number
  readonly received: readonly Received[]
  /** TCP connections, whatever was sent over them. */
  readonly connections: number
}

/** A server on loopback; gone when the test has ended. */
export async function listen(handle: (request: Received, response: ServerResponse) => void): Promise<Loopback> {
  const received: Received[] = []
  let connections = 0
  const listener: RequestListener = (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const whole = { method, url, headers, body: Buffer.concat(parts).toString('utf8') }
      received.push(whole)
      handle(whole, response)
    })
  }
  const server = createServer(listener)
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const address = server.address()
  const port = address !== null && typeof address !== 'string' ? address.port : 0
  return {
    base: `http://127.0.0.1:${port}`,
    port,
    received,
    get connections() {
      return connections
    },
  }
}

export function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

import { once } from 'node:events'
import { createServer, type Server } from 'node:http'

/** A loopback server that serves texts by path, and keeps what it was asked besides. */
export interface LoopbackServer {
  /** `127.0.0.1:port`. */
  readonly host: string
  /** `POST /hook body` of everything that is no page of `pages`. */
  readonly received: string[]
  readonly pages: Map<string, { readonly status: number; readonly type: string; readonly text: string }>
  close(): Promise<void>
}

export async function startLoopback(): Promise<LoopbackServer> {
  const received: string[] = []
  const pages: LoopbackServer['pages'] = new Map()
  const server: Server = createServer(async (request, response) => {
    const path = request.url ?? '/'
    const page = request.method === 'GET' ? pages.get(path) : undefined
    if (page !== undefined) {
      response.writeHead(page.status, { 'content-type': page.type }).end(page.text)
      return
    }
    const parts: Buffer[] = []
    for await (const part of request) parts.push(Buffer.from(part))
    received.push(`${request.method} ${path} ${Buffer.concat(parts).toString()}`)
    response.writeHead(200, { 'content-type': 'text/plain' }).end('done')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    ...{ host: `127.0.0.1:${port}`, received, pages },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

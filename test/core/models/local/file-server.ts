import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'

export interface FileServer {
  readonly origin: string
  /** What was asked for so far, oldest first. */
  readonly requests: readonly { readonly path: string; readonly range: string | undefined }[]
  bytes: Buffer
  etag: string | null
  /** Sends so many bytes of the next answer, and breaks the connection off at `release`; then never again. */
  cutAt: number | null
  /** Waits before the byte with this number until `release` is called. */
  holdAt: number | null
  readonly release: () => void
  knowsRanges: boolean
  /** Without it the server does not say how long a file is. */
  saysLength: boolean
  /** Where a path leads to. */
  readonly redirects: Map<string, string>
}

/** Serves one file on a loopback port, as well or as badly as a test wants. */
export async function startFileServer(bytes: Buffer): Promise<FileServer> {
  const requests: { path: string; range: string | undefined }[] = []
  let holding = Promise.withResolvers<void>()
  const served = {
    ...{ origin: '', requests, bytes, etag: '"first"', cutAt: null, holdAt: null, knowsRanges: true, saysLength: true },
    redirects: new Map<string, string>(),
    release: () => holding.resolve(),
  }
  const state: { -readonly [Key in keyof FileServer]: FileServer[Key] } = served
  const server = createServer((request, response) => {
    void answer(request, response).catch(() => response.destroy())
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { range } = request.headers
    requests.push({ path: request.url ?? '', range })
    const to = state.redirects.get(request.url ?? '')
    if (to !== undefined) return void response.writeHead(302, { location: to }).end()
    const isSame = state.etag === null || request.headers['if-range'] === state.etag
    const from = state.knowsRanges && range !== undefined && isSame ? Number(/(\d+)-/.exec(range)?.[1]) : 0
    const part = state.bytes.subarray(from)
    response.writeHead(from > 0 ? 206 : 200, {
      ...(state.etag !== null && { etag: state.etag }),
      ...(state.saysLength && { 'content-length': part.length }),
      ...(from > 0 && { 'content-range': `bytes ${from}-${state.bytes.length - 1}/${state.bytes.length}` }),
    })
    await send(response, part, from)
  }

  async function released(): Promise<void> {
    await holding.promise
    holding = Promise.withResolvers<void>()
  }

  async function send(response: ServerResponse, part: Buffer, from: number): Promise<void> {
    const { cutAt, holdAt } = state
    if (cutAt !== null) {
      state.cutAt = null
      if (cutAt > 0) response.write(part.subarray(0, cutAt))
      await released()
      response.destroy()
      return
    }
    if (holdAt !== null && holdAt > from) {
      response.write(part.subarray(0, holdAt - from))
      await released()
      response.end(part.subarray(holdAt - from))
      return
    }
    response.end(part)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  state.origin = `http://127.0.0.1:${address !== null && typeof address !== 'string' ? address.port : 0}`
  return state
}

export function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { onTestFinished } from 'vitest'
import type { Json } from '../../../core/domain/json.ts'

/** One request as it arrived. */
export interface ApiRequest {
  /** The public origin that this server stands in for: `https://api.github.com`. */
  readonly origin: string
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
  /** Parsed where it is JSON, else the text; null where there is none. */
  readonly body: Json
}

/** A string is sent as it is, `undefined` is an answer without a body, all else is JSON. */
export interface ApiAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Json
}

export interface RoutedRequest extends ApiRequest {
  /** What stood in the place of `:name` in the route, decoded. */
  readonly params: Readonly<Record<string, string>>
}

/** `GET /repos/:owner/:repo/contents/:path*` and who answers it; `*` takes slashes too. The first that matches answers. */
export type Routes = Readonly<Record<string, (request: RoutedRequest) => ApiAnswer>>

export interface ApiHost {
  readonly routes: Routes
  /** Asked before any route: authentication, headers that every request needs. */
  readonly gate?: (request: ApiRequest) => ApiAnswer | undefined
  readonly missing: (request: ApiRequest) => ApiAnswer
  readonly notJson?: ApiAnswer
}

export interface Api {
  /** Public origin → loopback address. */
  readonly addresses: Readonly<Record<string, string>>
  readonly requests: readonly ApiRequest[]
  /** Answers the nth request from here (0: the next) with this instead: a limit that is reached, a breakdown. */
  readonly answerAt: (nth: number, answer: ApiAnswer) => void
}

/** Every host of one API on loopback ports of its own; closed when the test has ended. */
export async function startApi(hosts: Readonly<Record<string, ApiHost>>): Promise<Api> {
  const requests: ApiRequest[] = []
  const planned = new Map<number, ApiAnswer>()
  const addresses: Record<string, string> = {}
  for (const [origin, host] of Object.entries(hosts)) {
    addresses[origin] = await listen((request) => {
      requests.push(request)
      return planned.get(requests.length - 1) ?? answerOf(host, request)
    }, origin)
  }
  const answerAt = (nth: number, answer: ApiAnswer) => void planned.set(requests.length + nth, answer)
  return { addresses, requests, answerAt }
}

async function listen(answer: (request: ApiRequest) => ApiAnswer, origin: string): Promise<string> {
  const server = createServer(async (incoming, response) => {
    const parts: Buffer[] = []
    for await (const part of incoming) parts.push(part)
    const url = new URL(incoming.url ?? '/', origin)
    const { status, headers, body } = answer({
      ...{ origin, method: incoming.method ?? '', path: url.pathname, query: Object.fromEntries(url.searchParams) },
      ...{ headers: incoming.headers, body: bodyOf(Buffer.concat(parts).toString(), incoming.headers) },
    })
    const isText = typeof body === 'string'
    const type = isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8'
    response.writeHead(status, { ...(body !== undefined && { 'content-type': type }), ...headers })
    response.end(body === undefined || isText ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => closed(server))
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

function bodyOf(text: string, headers: IncomingHttpHeaders): Json {
  if (text === '') return null
  if (!/\bjson\b/.test(headers['content-type'] ?? '')) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function answerOf({ routes, gate, missing, notJson }: ApiHost, request: ApiRequest): ApiAnswer {
  const refusal = gate?.(request)
  if (refusal !== undefined) return refusal
  if (notJson !== undefined && typeof request.body === 'string') return notJson
  for (const [route, handle] of Object.entries(routes)) {
    const params = paramsOf(route, request)
    if (params !== null) return handle({ ...request, params })
  }
  return missing(request)
}

function paramsOf(route: string, { method, path }: ApiRequest): Readonly<Record<string, string>> | null {
  const [routeMethod, template = ''] = route.split(' ')
  if (routeMethod !== method) return null
  const names: string[] = []
  const pattern = template.replace(/[.]/g, '\\.').replace(/:(\w+)(\*?)/g, (_whole, name: string, star: string) => {
    names.push(name)
    return star === '' ? '([^/]+)' : '(.+)'
  })
  const found = new RegExp(`^${pattern}$`).exec(path)
  if (found === null) return null
  return Object.fromEntries(names.map((name, at) => [name, decodeURIComponent(found[at + 1] ?? '')]))
}

/** The rows of a page, and where the next one begins; undefined after the last. */
export function pageOf<Row>(rows: readonly Row[], from: number, size: number) {
  const next = from + size < rows.length ? from + size : undefined
  return { rows: rows.slice(from, from + size), next }
}

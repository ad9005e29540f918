import type { LookupFunction } from 'node:net'
import { Agent, type buildConnector, type FormData, fetch, type Response } from 'undici'
import { AppError } from '../../domain/error.ts'
import { limits } from '../../domain/limits.ts'
import { type Checking, checkTarget, type Refusal, type Resolve, type Target } from './target.ts'

/** One request as it goes out. `timeoutMs` is for all of it, redirects and body included. */
export interface NetworkRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | string | FormData
  readonly maxBytes: number
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Whether a redirect may be followed there, after the checks of this layer; one that may not is the answer. */
  readonly mayFollow: (url: URL) => boolean
}

/** One connection that was made: where to, and by which addresses it could be. */
export interface Hop {
  readonly url: string
  readonly addresses: readonly string[]
  readonly status: number
}

export interface NetworkAnswer {
  readonly ok: true
  readonly status: number
  readonly url: string
  /** Lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** Decoded; at most `maxBytes`. */
  readonly body: Uint8Array
  /** There was more than `maxBytes`. */
  readonly isCut: boolean
  readonly hops: readonly Hop[]
}

/** HTTP to the public internet and to nowhere else. It knows addresses and bytes, and nothing of policy or credentials. */
export interface Network {
  /**
   * Follows the redirects of a GET or HEAD, at most `limits.httpRedirects`, each checked like the first; those of anything else
   * are answers, because an effect that was approved for one address is not sent to another. On a change of origin only headers
   * stay that say nothing of the sender. @throws AppError http.connect | http.lost | http.timeout; what `signal` carries.
   */
  send(request: NetworkRequest): Promise<NetworkAnswer | Refusal>
}

export interface NetworkOptions extends Pick<Checking, 'isOwn'> {
  readonly resolve: Resolve
  /** How a connection is made to what `lookup` answers, for tests that count them. */
  readonly connector?: (lookup: LookupFunction) => buildConnector.connector
}

export function createNetwork(options: NetworkOptions): Network {
  return {
    async send(request) {
      const timeout = AbortSignal.timeout(request.timeoutMs)
      const signal = AbortSignal.any([request.signal, timeout])
      try {
        return await follow(request, { ...options, signal })
      } catch (error) {
        request.signal.throwIfAborted()
        if (!timeout.aborted) throw error
        throw failure('http.timeout', `no whole answer within ${request.timeoutMs} ms`, error)
      }
    },
  }
}

async function follow(
  request: NetworkRequest,
  checking: Checking & Pick<NetworkOptions, 'connector'>,
): Promise<NetworkAnswer | Refusal> {
  const hops: Hop[] = []
  let next = request
  for (;;) {
    const target = await checkTarget(next.url, checking)
    if (!target.ok) return target
    const { answer, redirect } = await ask(next, target, checking)
    hops.push({ url: target.url.href, addresses: target.addresses, status: answer.status })
    if (redirect === null || !request.mayFollow(redirect)) return { ...answer, hops }
    if (hops.length > limits.httpRedirects) {
      return refused('SSRF_REDIRECTS', `More than ${limits.httpRedirects} redirects, the last to ${redirect.host}`)
    }
    if (target.url.protocol === 'https:' && redirect.protocol === 'http:') {
      return refused('SSRF_SCHEME', `${target.url.host} redirects from https to http`)
    }
    next = { ...next, url: redirect.href, headers: headersFor(redirect, target.url, next.headers) }
  }
}

function refused(code: Refusal['code'], reason: string): Refusal {
  return { ok: false, code, reason: `${reason}. What came before was only read.` }
}

/** Say what is wanted, not who wants it. Every other header belongs to the origin that it was meant for. */
const openHeaders: ReadonlySet<string> = new Set(['accept', 'accept-language', 'user-agent'])

function headersFor(to: URL, from: URL, headers: NetworkRequest['headers']): NetworkRequest['headers'] {
  if (to.origin === from.origin) return headers
  return Object.fromEntries(Object.entries(headers).filter(([name]) => openHeaders.has(name.toLowerCase())))
}

interface Asked {
  readonly answer: Omit<NetworkAnswer, 'hops'>
  readonly redirect: URL | null
}

/** One connection, to a checked address and no other; it is closed with its answer, so that no later request can ride on it. */
async function ask(
  request: NetworkRequest,
  target: Target,
  { signal, connector }: Pick<Checking, 'signal'> & Pick<NetworkOptions, 'connector'>,
): Promise<Asked> {
  const lookup = pinnedLookup(target.addresses)
  const agent = new Agent({
    connect: connector?.(lookup) ?? { lookup },
    maxHeaderSize: mostHeaderBytes,
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  try {
    const response = await connected(request, target, { agent, signal })
    const redirect = redirectOf(request.method, response, target.url)
    const isFollowed = redirect !== null && request.mayFollow(redirect)
    const { body, isCut } = await bodyOf(response, isFollowed ? 0 : request.maxBytes)
    const headers = Object.fromEntries(response.headers)
    return { answer: { ok: true, status: response.status, url: target.url.href, headers, body, isCut }, redirect }
  } finally {
    // Whatever is still on its way is dropped; a server that sends without end must not hold the answer up.
    await agent.destroy()
  }
}

const mostHeaderBytes = 65_536

async function connected(
  { method, headers, body }: NetworkRequest,
  { url }: Target,
  { agent, signal }: { readonly agent: Agent; readonly signal: AbortSignal },
): Promise<Response> {
  try {
    return await fetch(url, {
      dispatcher: agent,
      redirect: 'manual',
      ...{ method, headers, signal },
      ...(body !== undefined && { body }),
    })
  } catch (error) {
    signal.throwIfAborted()
    throw failure(isUnconnected(error) ? 'http.connect' : 'http.lost', `${url.host}: ${causeOf(error)}`, error)
  }
}

/** Answers what was checked, whatever the name means by now. */
function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  return (_host, { all: wantsAll }, answer) => {
    const [first] = all
    if (first === undefined) return answer(new Error('no address'), '')
    if (wantsAll) return answer(null, all)
    answer(null, first.address, first.family)
  }
}

function redirectOf(method: string, response: Response, from: URL): URL | null {
  if (method !== 'GET' && method !== 'HEAD') return null
  const location = response.headers.get('location')
  const isRedirect = [301, 302, 303, 307, 308].includes(response.status)
  return isRedirect && location !== null && URL.canParse(location, from) ? new URL(location, from) : null
}

/** Read until the end or the limit, decoded as it comes: a small file that opens to a large one stops there too. */
async function bodyOf(response: Response, maxBytes: number): Promise<Pick<NetworkAnswer, 'body' | 'isCut'>> {
  const parts: Uint8Array[] = []
  let total = 0
  const body = response.body?.getReader()
  while (body !== undefined && maxBytes > 0) {
    const { done, value } = await body.read().catch((error: unknown) => {
      throw failure('http.lost', `the connection was lost: ${causeOf(error)}`, error)
    })
    if (done) return { body: Buffer.concat(parts), isCut: false }
    parts.push(value)
    total += value.byteLength
    if (total > maxBytes) break
  }
  return { body: Buffer.concat(parts).subarray(0, maxBytes), isCut: body !== undefined }
}

const words = {
  'http.connect': 'No connection could be made, so nothing was sent.',
  'http.lost': 'The connection was lost in the middle of the answer. What was asked for may have happened.',
  'http.timeout': 'There was no whole answer in time. What was asked for may have happened.',
} as const

function failure(code: keyof typeof words, message: string, cause: unknown): AppError {
  const userMessage = `${words[code]} Try again later, or look whether the address is right.`
  return new AppError(code, { message, userMessage, cause, retryable: true })
}

/** Nothing was sent yet. Of everything else nobody knows. */
function isUnconnected(error: unknown): boolean {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return unconnected.has(code) || /^(?:CERT_|ERR_TLS_|ERR_SSL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code)
}
const unconnected: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL'],
  'UND_ERR_CONNECT_TIMEOUT',
])

function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? cause.message : String(cause)
}

import type { LookupFunction } from 'node:net'
import { Agent, fetch, type Response } from 'undici'
import { AppError } from '../domain/error.ts'
import { limits } from '../domain/limits.ts'
import { isHtml, refusal } from './classify.ts'
import { startDeadlines } from './deadlines.ts'
import {
  answerTooLarge,
  cancelled,
  type FailureContext,
  keyRefused,
  notSecure,
  timedOut,
  truncated,
  unreachable,
  unreadable,
  webPage,
} from './failure.ts'
import { waitHeaders } from './rate-limit.ts'

export interface OutgoingRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** A request with a body is a POST, one without a GET. */
  readonly body?: string
}

/** How one streamed answer is watched and read. */
interface StreamWatch {
  readonly signal: AbortSignal
  readonly firstTokenMs: number
  readonly idleMs: number
  readonly totalMs: number
  readonly push: (bytes: Uint8Array) => void
  /** After a clean end of the body only. */
  readonly end: () => void
  readonly progress: () => 'waiting' | 'answering' | 'finished' | 'ended'
}

/** HTTP to model servers. It knows bytes, time and failures, and nothing of what the bytes mean. */
export interface Transport {
  /** Resolves when the answer is whole; throws `model.*` or `cancelled`. */
  readonly stream: (request: OutgoingRequest, watch: StreamWatch, context: FailureContext) => Promise<void>
  readonly json: (
    request: OutgoingRequest,
    options: { readonly signal: AbortSignal; readonly timeoutMs: number },
    context: FailureContext,
  ) => Promise<unknown>
  readonly close: () => Promise<void>
}

export interface TransportOptions {
  /** Epoch ms: a `Retry-After` date is counted from it. */
  readonly now: () => number
  readonly lookup?: LookupFunction
}

const errorBodyBytes = 65_536
const jsonBodyBytes = 16 * 1_048_576
const drainMs = 1_000

export function createTransport(options: TransportOptions): Transport {
  const { now, lookup } = options
  // Undici cuts after 300 s by default; the only waits here are our own.
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, ...(lookup && { connect: { lookup } }) })

  const open = async (request: OutgoingRequest, signal: AbortSignal, context: FailureContext): Promise<Response> => {
    const { url, headers, body } = checked(request, context)
    try {
      return await fetch(url, {
        dispatcher: agent,
        signal,
        redirect: 'manual',
        headers: { accept: '*/*', 'accept-encoding': 'identity', ...headers },
        ...(body !== undefined && { method: 'POST', body }),
      })
    } catch (cause) {
      const detail = networkDetail(cause)
      if (isTlsProblem(detail)) throw notSecure(detail, context, cause)
      throw unreachable(detail, context, { cause, retry: true })
    }
  }

  const refuse = async (response: Response, context: FailureContext): Promise<never> => {
    const header = (name: string) => response.headers.get(name)
    const body = new TextDecoder().decode(await bodyStart(response, errorBodyBytes))
    throw refusal(
      {
        status: response.status,
        contentType: header('content-type') ?? '',
        ...waitHeaders(header),
        location: header('location'),
        body,
      },
      now(),
      context,
    )
  }

  return {
    async stream(request, watch, context) {
      const { controller, guard, release } = linked(watch.signal)
      const deadlines = startDeadlines({
        firstTokenMs: watch.firstTokenMs,
        idleMs: watch.idleMs,
        totalMs: watch.totalMs,
        onExpired: (phase, limitMs) => controller.abort(timedOut(phase, limitMs, context)),
      })
      try {
        const response = await open(request, controller.signal, context)
        if (!response.ok) await refuse(response, context)
        if (isHtml(response.headers.get('content-type') ?? '', '')) throw webPage(response.status, '', context)
        await readAnswer(response, { watch, deadlines, context, signal: controller.signal })
      } catch (error) {
        throw guard(error)
      } finally {
        deadlines.clear()
        release()
      }
    },

    async json(request, { signal, timeoutMs }, context) {
      const { controller, guard, release } = linked(signal)
      const timer = setTimeout(() => controller.abort(timedOut('first-token', timeoutMs, context)), timeoutMs)
      try {
        const response = await open(request, controller.signal, context)
        if (!response.ok) await refuse(response, context)
        const text = new TextDecoder().decode(await bodyStart(response, jsonBodyBytes))
        if (isHtml(response.headers.get('content-type') ?? '', text)) throw webPage(response.status, '', context)
        return parsedJson(text, context)
      } catch (error) {
        throw guard(error)
      } finally {
        clearTimeout(timer)
        release()
      }
    },

    close: () => agent.destroy(),
  }
}

/** A controller that follows the caller's signal; `guard` says why everything stopped when it was aborted. */
function linked(signal: AbortSignal) {
  const controller = new AbortController()
  const onAbort = () => controller.abort(cancelled(signal.reason))
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  return {
    controller,
    guard: (error: unknown): unknown => {
      const reason: unknown = controller.signal.reason
      return controller.signal.aborted && reason instanceof AppError ? reason : error
    },
    release: () => signal.removeEventListener('abort', onAbort),
  }
}

interface Reading {
  readonly watch: StreamWatch
  readonly deadlines: ReturnType<typeof startDeadlines>
  readonly context: FailureContext
  readonly signal: AbortSignal
}

type BodyStream = ReadableStreamDefaultReader<Uint8Array>

async function readAnswer(response: Response, { watch, deadlines, context, signal }: Reading): Promise<void> {
  const body: BodyStream | undefined = response.body?.getReader()
  let received = 0
  let progress = watch.progress()
  try {
    while (body !== undefined) {
      const bytes = await nextBytes(body, received, { context, signal })
      if (bytes === null) break
      // Data that was on its way when the answer was given up is dropped.
      if (signal.aborted) throw signal.reason
      deadlines.onBytes()
      received += bytes.byteLength
      if (received > limits.responseBytes) throw answerTooLarge(limits.responseBytes, context)
      watch.push(bytes)
      const before = progress
      progress = watch.progress()
      if (progress === 'ended') return drain(body)
      if (progress !== before) progress === 'finished' ? deadlines.onFinished() : deadlines.onToken()
    }
    watch.end()
  } catch (error) {
    void body?.cancel(error).catch(() => {
      // The stream has failed already; that failure is what is thrown.
    })
    // Finish reason seen: what a lost connection takes now is at most the usage figures.
    const isLoss = error instanceof AppError && (error.code === 'model.truncated' || error.code === 'model.timeout')
    if (progress !== 'finished' || !isLoss) throw error
  }
}

async function nextBytes(
  body: BodyStream,
  received: number,
  { context, signal }: Pick<Reading, 'context' | 'signal'>,
): Promise<Uint8Array | null> {
  try {
    const { done, value } = await body.read()
    return done ? null : value
  } catch (cause) {
    if (signal.aborted) throw signal.reason
    const detail = `the connection was lost: ${networkDetail(cause)}`
    throw truncated(detail, context, { cause, ...(received === 0 && { ownRetry: 'network' as const }) })
  }
}

/** After the end mark: the answer goes on its way at once, and the connection stays usable if the server ends in time. */
function drain(body: BodyStream): void {
  const timer = setTimeout(() => void body.cancel().catch(() => undefined), drainMs)
  timer.unref()
  const rest = async () => {
    while (!(await body.read()).done);
  }
  // A connection that fails after the end mark took nothing from the answer.
  void rest().then(
    () => clearTimeout(timer),
    () => clearTimeout(timer),
  )
}

/** At most `maxBytes` of a body; what a broken connection left of an error's text is still worth reading. */
async function bodyStart(response: Response, maxBytes: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let total = 0
  const body: BodyStream | undefined = response.body?.getReader()
  try {
    while (body !== undefined && total < maxBytes) {
      const { done, value } = await body.read()
      if (done) return Buffer.concat(parts)
      parts.push(value)
      total += value.byteLength
    }
    await body?.cancel()
  } catch (error) {
    if (response.ok) throw error
  }
  return Buffer.concat(parts).subarray(0, maxBytes)
}

function parsedJson(text: string, context: FailureContext): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw unreadable(`not JSON: ${text.slice(0, 80)}`, context)
  }
}

/** Undici's own texts would show a password in the address, or the key itself. */
function checked(request: OutgoingRequest, context: FailureContext): OutgoingRequest {
  const url = new URL(request.url)
  if (url.username !== '' || url.password !== '') {
    throw unreachable('the address contains a user name or password; use the key field', context, { retry: false })
  }
  for (const value of Object.values(request.headers)) {
    if (!/^[\x20-\x7e]*$/.test(value)) throw keyRefused('the key contains characters that no key has', context)
  }
  return request
}

function networkDetail(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause
  return first instanceof Error && first.message !== '' ? first.message : cause.name
}

/** A connection that is lost in the middle of the handshake is a lost connection. */
function isTlsProblem(detail: string): boolean {
  return /certificate|self.signed|SSL routines|wrong version number|unable to verify/i.test(detail)
}

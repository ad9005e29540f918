import type { LookupFunction } from 'node:net'
import { Agent, fetch, type Response } from 'undici'
import { AppError } from '../domain/error.ts'
import { limits } from '../domain/limits.ts'
import { isHtml, refusal } from './classify.ts'
import { type Deadlines, startDeadlines } from './deadlines.ts'
import {
  answerTooLarge,
  cancelled,
  type FailureContext,
  keyRefused,
  notSecure,
  timedOut,
  unreachable,
  unreadable,
  webPage,
} from './failure.ts'
import { type Lent, withLentFetch } from './lent-fetch.ts'
import { waitHeaders } from './rate-limit.ts'
import { type BodyStream, bodyStart, networkDetail, nextBytes } from './response-body.ts'

export interface OutgoingRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** A request with a body is a POST, one without a GET. */
  readonly body?: string
}

/** How long an answer may take, and who may end it sooner. */
export interface AnswerWaits {
  readonly signal: AbortSignal
  readonly firstTokenMs: number
  readonly idleMs: number
  readonly totalMs: number
}

export type StreamProgress = 'waiting' | 'answering' | 'finished' | 'ended'

/** How one streamed answer is watched and read. */
interface StreamWatch extends AnswerWaits {
  readonly push: (bytes: Uint8Array) => void
  /** After a clean end of the body only. */
  readonly end: () => void
  readonly progress: () => StreamProgress
}

/** HTTP to model servers. It knows bytes, time and failures, and nothing of what the bytes mean. */
export interface Transport {
  /** Resolves when the answer is whole; throws `model.*` or `cancelled`. */
  readonly stream: (request: OutgoingRequest, watch: StreamWatch, context: FailureContext) => Promise<void>
  /** The same for a client of its own (the AI SDK): its requests meet the same deadlines, bounds and refusals, and no redirect. */
  readonly lend: (waits: AnswerWaits, context: FailureContext, work: (lent: Lent) => Promise<void>) => Promise<void>
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
    const body = new TextDecoder().decode(await bodyStart(response, errorBodyBytes, context))
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

  const answerTo: Opener = async (request, signal, context) => {
    const response = await open(request, signal, context)
    if (!response.ok) await refuse(response, context)
    if (isHtml(response.headers.get('content-type') ?? '', '')) throw webPage(response.status, '', context)
    return response
  }

  return {
    stream: (request, watch, context) =>
      supervised(watch, context, async ({ signal, deadlines }) => {
        const response = await answerTo(request, signal, context)
        await readAnswer(response, { watch, deadlines, context, signal })
      }),

    lend: (waits, context, work) =>
      supervised(waits, context, (live) => {
        const ask = (request: OutgoingRequest) => answerTo(request, live.signal, context)
        return withLentFetch({ ...live, context, ask }, work)
      }),

    async json(request, { signal, timeoutMs }, context) {
      const { controller, guard, release } = linked(signal)
      const timer = setTimeout(() => controller.abort(timedOut('first-token', timeoutMs, context)), timeoutMs)
      try {
        const response = await open(request, controller.signal, context)
        if (!response.ok) await refuse(response, context)
        const text = new TextDecoder().decode(await bodyStart(response, jsonBodyBytes, context))
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

/** Runs one answer under its deadlines; the only place that starts them. */
async function supervised(
  { signal, firstTokenMs, idleMs, totalMs }: AnswerWaits,
  context: FailureContext,
  work: (live: Live) => Promise<void>,
): Promise<void> {
  const { controller, guard, release } = linked(signal)
  const deadlines = startDeadlines({
    ...{ firstTokenMs, idleMs, totalMs },
    onExpired: (phase, limitMs) => controller.abort(timedOut(phase, limitMs, context)),
  })
  try {
    await work({ signal: controller.signal, deadlines })
  } catch (error) {
    throw guard(error)
  } finally {
    deadlines.clear()
    release()
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

type Opener = (request: OutgoingRequest, signal: AbortSignal, context: FailureContext) => Promise<Response>

interface Live {
  readonly signal: AbortSignal
  readonly deadlines: Deadlines
}

interface Reading extends Live {
  readonly watch: StreamWatch
  readonly context: FailureContext
}

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

/** A connection that is lost in the middle of the handshake is a lost connection. */
function isTlsProblem(detail: string): boolean {
  return /certificate|self.signed|SSL routines|wrong version number|unable to verify/i.test(detail)
}

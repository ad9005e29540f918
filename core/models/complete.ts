import { AppError, type ErrorCode } from '../domain/error.ts'
import { limits } from '../domain/limits.ts'
import type { Completion, CompletionRequest, ModelDelta, ModelRef, Usage } from '../domain/model.ts'
import type { Settings } from '../domain/settings.ts'
import { type Accumulator, createAccumulator } from './accumulator.ts'
import { cancelled, type FailureContext, ownRetryOf, truncated, withPartialAnswer } from './failure.ts'
import { renamedCall, wireRequest } from './history.ts'
import { keyHeadersOf, type ModelProvider, type ModelServer } from './provider.ts'
import type { Transport } from './transport.ts'
import { settledUsage } from './usage.ts'

/** One own retry, told before its wait. `attempt` counts from 1; `code` is the failure that caused it. */
export interface RetryNotice {
  readonly attempt: number
  readonly waitMs: number
  readonly code: ErrorCode
}

export interface CompleteOptions {
  readonly signal: AbortSignal
  readonly onDelta?: (delta: ModelDelta) => void
  /** Awaited before the wait. */
  readonly onRetry?: (notice: RetryNotice) => void | Promise<void>
  /** Awaited after the wait, before the request goes out again: whoever gave a slot back takes one here. */
  readonly onResume?: () => void | Promise<void>
}

export interface Completed {
  readonly completion: Completion & { readonly usage: Usage }
  readonly providerId: string
  readonly model: string
  /** From the last attempt's start; null where no live piece came. */
  readonly firstTokenMs: number | null
  readonly durationMs: number
  /** What the model was asked to run with, where each request asks for a window. */
  readonly windowTokens?: number
}

export interface CompleterParts {
  readonly transport: Transport
  readonly settings: () => Settings
  readonly monotonic: () => number
  readonly random: () => number
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** Models whose server refused ids of calls that are not nine letters and figures, by `shortIdKey`. */
  readonly shortIds: Set<string>
}

export interface ServerTarget {
  readonly provider: ModelProvider
  readonly server: ModelServer
}

/** How long one attempt may take to begin, and between two pieces. */
type Waits = ReturnType<typeof waitsOf>

/** Whoever answers a request: a server over HTTP, or a model in a process of its own. One attempt, all into the accumulator. */
export interface Answerer {
  readonly server: ModelServer
  readonly answer: (
    request: CompletionRequest,
    into: Accumulator,
    watch: Waits & {
      readonly signal: AbortSignal
      readonly context: FailureContext
      /** What the model is to run with, where each request asks for a window. */
      readonly windowTokens: number | undefined
    },
  ) => Promise<void>
}

/** A server that is reached over HTTP, in the way of its kind. */
export function overHttp({ provider, server }: ServerTarget, transport: Transport): Answerer {
  return {
    server,
    answer: (request, into, { context, windowTokens, ...waits }) => {
      const keyHeaders = keyHeadersOf(provider, server)
      return provider.answer({ server, keyHeaders, request, windowTokens, into, waits, transport, context })
    },
  }
}

/** How one request is sent. */
interface Sending extends CompleteOptions {
  readonly parts: CompleterParts
  /** 0 for a probe or a replay. */
  readonly maxRetries: number
  /** What the model is to run with, where each request asks for a window. */
  readonly windowTokens: number | undefined
}

/** One completion, with the retries of RULES 5. */
export async function completeWithRetries(
  target: Answerer,
  request: CompletionRequest,
  options: Sending,
): Promise<Completed> {
  const { parts, signal } = options
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await completeOnce(target, request, options)
    } catch (error) {
      if (!(error instanceof AppError) || attempt > options.maxRetries || ownRetryOf(error) === undefined) throw error
      const waitMs = retryWaitMs(error, attempt, parts.random)
      await options.onRetry?.({ attempt, waitMs, code: error.code })
      await waited(parts.wait(waitMs, signal), signal)
      await options.onResume?.()
    }
  }
}

/** "Tool call id was x but must be a-z, A-Z, 0-9, with a length of 9." */
function takesShortIdsOnly(error: AppError): boolean {
  return /tool.?call.?ids?\b[\s\S]*(?:length of 9|9 char)/i.test(error.message)
}

function shortIdKey({ server }: Pick<Answerer, 'server'>, { model }: CompletionRequest): string {
  return `${server.address} ${model}`
}

/** What the server asked for; else 2 s, then 4 s, a little spread so that several threads do not come back at once. */
function retryWaitMs(error: AppError, attempt: number, random: () => number): number {
  // Not the same request again, so nothing has to pass first.
  if (ownRetryOf(error) === 'call-ids') return 0
  const asked = error.data?.retryAfterMs
  return typeof asked === 'number' ? asked : Math.round(1000 * 2 ** attempt * (1 + random() / 4))
}

async function waited(wait: Promise<void>, signal: AbortSignal): Promise<void> {
  try {
    await wait
  } catch (error) {
    if (!signal.aborted) throw error
  }
  if (signal.aborted) throw cancelled(signal.reason)
}

async function completeOnce(
  target: Answerer,
  request: CompletionRequest,
  { signal, onDelta, parts, windowTokens }: Sending,
): Promise<Completed> {
  const { server } = target
  const startedAt = parts.monotonic()
  let firstTokenMs: number | null = null
  const hasShortIds = parts.shortIds.has(shortIdKey(target, request))
  const wire = wireRequest(request, { hasShortIds })
  const context = failureContext(server, request.model)
  const accumulator = createAccumulator({
    newId: () =>
      `call_${Math.floor(parts.random() * 36 ** 8)
        .toString(36)
        .padStart(8, '0')}`,
    onDelta: (delta) => {
      firstTokenMs ??= parts.monotonic() - startedAt
      onDelta?.(delta.kind === 'call' ? { ...delta, name: wire.names.fromWire(delta.name) } : delta)
    },
  })
  const waits = waitsOf(parts.settings(), { providerId: server.id, model: request.model })
  try {
    await target.answer(wire.request, accumulator, { ...waits, signal, context, windowTokens })
    const completion = accumulator.completion()
    if (completion === null) throw truncated('the stream ended before the answer did', context)
    const toolCalls = completion.toolCalls.map((call) => renamedCall(call, wire.names.fromWire))
    return {
      completion: { ...completion, toolCalls, usage: settledUsage(request, completion) },
      providerId: server.id,
      model: request.model,
      firstTokenMs,
      durationMs: parts.monotonic() - startedAt,
      ...(windowTokens !== undefined && { windowTokens }),
    }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const wantsShortIds = takesShortIdsOnly(error) && !hasShortIds
    if (wantsShortIds) parts.shortIds.add(shortIdKey(target, request))
    const partial = { text: accumulator.partialText(), wasShown: accumulator.hasDelta() }
    throw withPartialAnswer(error, { ...partial, ...(wantsShortIds && { ownRetry: 'call-ids' }) })
  }
}

export function failureContext(server: ModelServer, model: string): FailureContext {
  // A password in the address is refused, and must not be shown in that refusal.
  const address = server.address.replace(/\/\/[^/]*@/, '//')
  return { title: server.title, address, model, key: server.key }
}

/** How long to wait for this model. Defaults: the limits of the same names. */
export function waitsOf(settings: Settings, ref: ModelRef) {
  const own = settings.modelLimits[`${ref.providerId}/${ref.model}`]
  return {
    firstTokenMs: own?.firstTokenMs ?? limits.firstTokenMs,
    idleMs: own?.idleMs ?? limits.idleMs,
    totalMs: own?.totalMs ?? limits.totalMs,
  }
}

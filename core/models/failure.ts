import { AppError, type ErrorCode } from '../domain/error.ts'
import type { Json, JsonObject } from '../domain/json.ts'
import { sanitizeText } from '../domain/text.ts'

/** What a stream can come to, as `model replay` names it: a closed list of its own beside the dotted codes (RULES 31). */
type StreamCode =
  | 'E_AUTH'
  | 'E_CANCELLED'
  | 'E_CONTEXT_LENGTH'
  | 'E_MODEL_NOT_FOUND'
  | 'E_NETWORK'
  | 'E_PROVIDER_4XX'
  | 'E_PROVIDER_5XX'
  | 'E_PROVIDER_STREAM'
  | 'E_RATE_LIMIT'
  | 'E_STREAM_TRUNCATED'
  | 'E_TIMEOUT'

/** What an error text may name. The key is here only so that it can be taken out of what a server echoes. */
export interface FailureContext {
  readonly title: string
  readonly address: string
  readonly model: string
  readonly key: string | undefined
}

/** The only reasons for which a request is sent again without anybody asking (RULES 5). */
export type OwnRetry = 'rate-limit' | 'loading' | 'network'

export interface FailureParts {
  readonly message: string
  readonly userMessage: string
  readonly streamCode: StreamCode
  readonly retryable: boolean
  readonly ownRetry?: OwnRetry
  readonly cause?: unknown
  readonly data?: JsonObject
}

const kept = 'Your messages and all finished steps are kept.'
const maxMessageCharacters = 500

/** Where the error data say that the engine may send the request again by itself, and why. */
export function ownRetryOf(error: AppError): Json | undefined {
  return error.data?.ownRetry
}

/** A server's own words made fit to show: one paragraph, bounded, without control characters and without the key. */
export function serverText(text: string, context: FailureContext): string {
  const { key } = context
  const shown = key === undefined || key === '' ? text : text.replaceAll(key, '***')
  const line = sanitizeText(shown).replace(/\s+/g, ' ').trim()
  return line.length <= maxMessageCharacters ? line : `${line.slice(0, maxMessageCharacters)}…`
}

export function failure(code: ErrorCode, parts: FailureParts): AppError {
  const { message, userMessage, retryable, cause, streamCode, ownRetry, data } = parts
  return new AppError(code, {
    message,
    userMessage,
    retryable,
    cause,
    data: { ...data, streamCode, ...(ownRetry && { ownRetry }) },
  })
}

/** The same error with what had arrived of the answer, so that nothing that a person saw is lost. */
export function withPartialAnswer(
  error: AppError,
  partial: { readonly text: string; readonly wasShown: boolean },
): AppError {
  const { code, message, userMessage, retryable, cause } = error
  const { ownRetry, ...rest } = error.data ?? {}
  // A second answer after the first was begun would show its beginning twice.
  const retry = ownRetry === undefined || partial.wasShown ? {} : { ownRetry }
  const data = { ...rest, ...retry, partialText: partial.text }
  return new AppError(code, { message, userMessage, retryable, cause, data })
}

export function cancelled(cause?: unknown): AppError {
  return failure('cancelled', {
    message: 'the request was cancelled',
    userMessage: `The request was stopped. ${kept} Send a message or resume the thread to go on.`,
    streamCode: 'E_CANCELLED',
    retryable: false,
    cause,
  })
}

export function unreachable(
  detail: string,
  context: FailureContext,
  options: { cause?: unknown; retry: boolean },
): AppError {
  return failure('model.connect', {
    message: serverText(detail, context),
    userMessage: `No model server answers at ${context.address}. ${kept} Check that ${context.title} runs and that this computer is online, or correct its address in Settings → Models, then try again.`,
    streamCode: 'E_NETWORK',
    retryable: true,
    cause: options.cause,
    ...(options.retry && { ownRetry: 'network' as const }),
  })
}

export function keyRefused(detail: string, context: FailureContext, data: JsonObject = {}): AppError {
  const what = context.key === undefined ? 'wants a key, and none is set' : 'did not accept the key'
  return failure('model.auth', {
    message: serverText(detail, context),
    userMessage: `${context.title} ${what}. ${kept} Enter a valid key in Settings → Models, then try again.`,
    streamCode: 'E_AUTH',
    retryable: false,
    data,
  })
}

export function modelMissing(detail: string, context: FailureContext, data: JsonObject = {}): AppError {
  return failure('model.not_found', {
    message: serverText(detail, context),
    userMessage: `${context.title} has no model named “${context.model}”. ${kept} Load that model on the server, or choose another in Settings → Models.`,
    streamCode: 'E_MODEL_NOT_FOUND',
    retryable: false,
    data,
  })
}

/** A web page where a model's answer should be. A gateway's page (5xx) goes away by itself, a wrong address does not. */
export function webPage(status: number, title: string, context: FailureContext): AppError {
  const isGateway = status >= 500
  const named = title === '' ? '' : ` titled “${serverText(title, context)}”`
  const hint = isGateway
    ? 'A gateway between here and the model is in trouble: try again in a minute.'
    : 'The address probably leads to a website or a sign-in page: check it in Settings → Models (most servers want it to end in /v1).'
  return failure('model.html', {
    message: `HTTP ${status}: a web page${named} instead of JSON`,
    userMessage: `${context.address} answered with a web page instead of a model’s answer. ${kept} ${hint}`,
    streamCode: isGateway ? 'E_PROVIDER_5XX' : status >= 400 ? 'E_PROVIDER_4XX' : 'E_PROVIDER_STREAM',
    retryable: isGateway,
    ...(status === 503 && { ownRetry: 'loading' as const }),
    data: { status },
  })
}

export function timedOut(phase: 'first-token' | 'idle', limitMs: number, context: FailureContext): AppError {
  const seconds = Math.round(limitMs / 1000)
  const what = phase === 'first-token' ? `did not begin to answer within ${seconds} s` : `sent nothing for ${seconds} s`
  return failure('model.timeout', {
    message: `${phase} timeout after ${limitMs} ms`,
    userMessage: `${context.title} ${what}. ${kept} Try again, use a smaller model, or allow it more time in Settings → Models.`,
    streamCode: 'E_TIMEOUT',
    retryable: true,
    data: { phase, limitMs },
  })
}

export function truncated(
  detail: string,
  context: FailureContext,
  options: { cause?: unknown; ownRetry?: OwnRetry } = {},
): AppError {
  return failure('model.truncated', {
    message: serverText(detail, context),
    userMessage: `The answer of ${context.title} broke off before its end, so nothing of it was carried out. ${kept} Try again; if it keeps happening, look at the server’s own log.`,
    streamCode: 'E_STREAM_TRUNCATED',
    retryable: true,
    ...options,
  })
}

export function unreadable(detail: string, context: FailureContext): AppError {
  return failure('model.stream', {
    message: serverText(detail, context),
    userMessage: `${context.title} sent something that is not a model’s answer, so nothing of it was carried out. ${kept} Try again, or check in Settings → Models that the kind of server is right.`,
    streamCode: 'E_PROVIDER_STREAM',
    retryable: true,
  })
}

export function answerTooLarge(maxBytes: number, context: FailureContext): AppError {
  return failure('model.stream', {
    message: `the answer is larger than ${maxBytes} bytes`,
    userMessage: `${context.title} sent an answer without end; it was cut off and nothing of it was carried out. ${kept} Try again, or ask for less at once.`,
    streamCode: 'E_PROVIDER_STREAM',
    retryable: true,
    data: { maxBytes },
  })
}

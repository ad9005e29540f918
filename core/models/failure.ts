import { AppError, type ErrorCode } from '../domain/error.ts'
import type { Json, JsonObject } from '../domain/json.ts'
import { sanitizeText } from '../domain/text.ts'
import type { Overflow } from './overflow.ts'
import { cappedWaitMs } from './rate-limit.ts'

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

/** The only reasons for which a request is sent again without anybody asking (RULES 5); `call-ids`: written as the server wants it. */
export type OwnRetry = 'rate-limit' | 'loading' | 'network' | 'call-ids'

export interface FailureParts {
  readonly message: string
  readonly userMessage: string
  readonly streamCode: StreamCode
  readonly retryable: boolean
  readonly ownRetry?: OwnRetry
  readonly cause?: unknown
  readonly data?: JsonObject
}

/** Which of its waits an answer went over. */
export type TimeoutPhase = 'first-token' | 'idle' | 'total'

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
  partial: { readonly text: string; readonly wasShown: boolean; readonly ownRetry?: OwnRetry },
): AppError {
  const { code, message, userMessage, retryable, cause } = error
  const { ownRetry = partial.ownRetry, ...rest } = error.data ?? {}
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

/** Something answers there, and cannot prove who it is, or does not speak TLS at all: asking again changes nothing. */
export function notSecure(detail: string, context: FailureContext, cause: unknown): AppError {
  const [what, mend] = /certificate|self.signed/i.test(detail)
    ? ['cannot prove who it is: its certificate is not trusted here', 'have its certificate put right']
    : [
        'does not speak https there',
        'correct its address in Settings → Models (http:// for most servers on this machine)',
      ]
  return failure('model.connect', {
    message: serverText(detail, context),
    userMessage: `${context.title} at ${context.address} ${what}, so nothing was sent. ${kept} First ${mend}, then try again.`,
    streamCode: 'E_NETWORK',
    retryable: true,
    cause,
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

/** A provider that wants a key is asked nothing without one. */
export function noKey(context: FailureContext): AppError {
  return keyRefused('no key is set, so nothing was sent', context)
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

/** `when`: in how many ms it takes requests again; null where it does not say. */
export function rateLimited(
  detail: string,
  context: FailureContext,
  { when, data = {} }: { readonly when: number | null; readonly data?: JsonObject },
): AppError {
  const again = when === null ? '' : ` and asks for a pause of ${spanText(when)}`
  const advice = when === null ? 'Wait a little and try again' : `Try again in ${spanText(when)}`
  return failure('model.rate_limit', {
    message: serverText(detail, context),
    userMessage: `${context.title} takes no more requests for now${again}. ${kept} ${advice}, or choose another model in Settings → Models.`,
    streamCode: 'E_RATE_LIMIT',
    retryable: true,
    ownRetry: 'rate-limit',
    data: { ...data, ...(when !== null && { retryAfterMs: cappedWaitMs(when) }) },
  })
}

/** No wait helps until somebody pays, so it is not sent again. */
export function quotaUsedUp(detail: string, context: FailureContext, data: JsonObject): AppError {
  return failure('model.rate_limit', {
    message: serverText(detail, context),
    userMessage: `${context.title} takes no more requests: the quota or credit of this key is used up (“${serverText(detail, context)}”). ${kept} Add credit there, or choose another model in Settings → Models, then try again.`,
    streamCode: data.status === 429 ? 'E_RATE_LIMIT' : 'E_PROVIDER_4XX',
    retryable: true,
    data: { ...data, quota: true },
  })
}

export function overflowed(
  detail: string,
  context: FailureContext,
  { limit, got, ...data }: Overflow & JsonObject,
): AppError {
  const count = (tokens: number) => tokens.toLocaleString('en-US')
  const known = limit === undefined ? '' : `: it holds ${count(limit)} tokens`
  const sizes =
    got === undefined ? known : `${known || ':'}${known === '' ? ' ' : ', and '}${count(got)} were asked for`
  return failure('model.overflow', {
    message: serverText(detail, context),
    userMessage: `This conversation no longer fits into the context of “${context.model}”${sizes}. ${kept} Start a new thread, or choose a model with a larger context in Settings → Models.`,
    streamCode: 'E_CONTEXT_LENGTH',
    retryable: false,
    data: { ...data, ...(limit !== undefined && { limit }), ...(got !== undefined && { got }) },
  })
}

/** Where a class of failure comes from says which of the stream codes it has, beside its own. */
export interface Source {
  readonly streamCode: StreamCode
  readonly data: JsonObject
}

/** Its chat template cannot write down the roles or the order of this conversation: the same request fails again. */
export function templateRefused(detail: string, context: FailureContext, source: Source): AppError {
  return failure('model.template', {
    message: serverText(detail, context),
    userMessage: `The chat template of “${context.model}” on ${context.title} cannot take this conversation: “${serverText(detail, context)}”. ${kept} Choose another model in Settings → Models, or give the server another template for this one (llama.cpp: --jinja and --chat-template-file; LM Studio: My Models → Prompt Template), then try again.`,
    retryable: false,
    ...source,
  })
}

export function toolsUnsupported(detail: string, context: FailureContext, source: Source): AppError {
  return failure('model.tools', {
    message: serverText(detail, context),
    userMessage: `“${context.model}” on ${context.title} cannot call actions: “${serverText(detail, context)}”. ${kept} Try again: it is then asked to act by code instead, which not every model can. Or choose one with tools in Settings → Models, or start the server with tool calling switched on.`,
    retryable: true,
    ...source,
  })
}

/** It answers soon: the model is being loaded, or others are served first. `when`: as it says itself, in ms. */
export function notReady(
  detail: string,
  context: FailureContext,
  { isBusy, when, ...source }: Source & { readonly isBusy: boolean; readonly when: number | null },
): AppError {
  const what = isBusy ? 'is busy with other requests' : 'is still loading its model'
  return failure('model.loading', {
    message: serverText(detail, context),
    userMessage: `${context.title} ${what}: “${serverText(detail, context)}”. ${kept} Try again ${when === null ? 'in a minute' : `in ${spanText(when)}`}, or choose another model in Settings → Models.`,
    retryable: true,
    ownRetry: 'loading',
    streamCode: source.streamCode,
    data: { ...source.data, ...(when !== null && { retryAfterMs: cappedWaitMs(when) }) },
  })
}

/** `40 s`, `12 min`, `3 h`: never shorter than it is. */
function spanText(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1_000))
  if (seconds <= 120) return `${seconds} s`
  const minutes = Math.ceil(seconds / 60)
  return minutes <= 120 ? `${minutes} min` : `${Math.ceil(minutes / 60)} h`
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

export function timedOut(phase: TimeoutPhase, limitMs: number, context: FailureContext): AppError {
  return failure('model.timeout', {
    message: `${phase} timeout after ${limitMs} ms`,
    userMessage: `${context.title} ${tooSlow[phase](spanText(limitMs))}. ${kept} Try again, use a smaller model, or allow it more time in Settings → Models.`,
    streamCode: 'E_TIMEOUT',
    retryable: true,
    data: { phase, limitMs },
  })
}

const tooSlow: Readonly<Record<TimeoutPhase, (limit: string) => string>> = {
  'first-token': (limit) => `did not begin to answer within ${limit}`,
  idle: (limit) => `sent nothing for ${limit}`,
  total: (limit) => `did not come to the end of its answer within ${limit}`,
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

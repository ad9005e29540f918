import { z } from 'zod'
import type { AppError } from '../domain/error.ts'
import { isJsonObject, type JsonObject } from '../domain/json.ts'
import { limits } from '../domain/limits.ts'
import { type FailureContext, failure, keyRefused, modelMissing, serverText, webPage } from './failure.ts'

/** An answer that is not 2xx. */
export interface RefusedAnswer {
  readonly status: number
  readonly contentType: string
  readonly retryAfter: string | null
  readonly location: string | null
  readonly body: string
}

/** What a server says of its own failure, in whichever of the usual shapes it says it. */
interface ServerError {
  readonly message: string
  readonly code: string
  readonly limit?: number
  readonly got?: number
}

const kept = 'Your messages and all finished steps are kept.'
const errorFields = z.object({
  message: z.string().optional().catch(undefined),
  type: z.string().optional().catch(undefined),
  code: z.union([z.string(), z.number()]).optional().catch(undefined),
  n_ctx: z.number().int().positive().optional().catch(undefined),
  n_prompt_tokens: z.number().int().positive().optional().catch(undefined),
})

/** Reads `{"error":{…}}`, `{"error":"…"}`, `{"message":…}`, `{"detail":…}` or plain text. */
function serverError(value: unknown): ServerError {
  if (typeof value === 'string') return { message: value, code: '' }
  if (!isJsonObject(value)) return { message: '', code: '' }
  const inner = value.error ?? value.detail ?? value
  if (!isJsonObject(inner)) return { message: typeof inner === 'string' ? inner : JSON.stringify(inner), code: '' }
  const { message, type, code, n_ctx, n_prompt_tokens } = errorFields.parse(inner)
  return {
    message: message ?? JSON.stringify(inner),
    code: `${type ?? ''} ${code ?? ''}`.trim(),
    ...(n_ctx !== undefined && { limit: n_ctx }),
    ...(n_prompt_tokens !== undefined && { got: n_prompt_tokens }),
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    // Not JSON: the text itself is what the server says.
    return body
  }
}

export function isHtml(contentType: string, body: string): boolean {
  return /\bhtml\b/i.test(contentType) || /^\s*<(?:!doctype|html|head|body)\b/i.test(body)
}

function htmlTitle(body: string): string {
  return /<title[^>]*>([^<]{1,200})/i.exec(body)?.[1] ?? ''
}

/** `Retry-After` in seconds or as a date, in ms from `now`, at most `limits.retryAfterMs`; null when absent or unreadable. */
function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null
  const text = header.trim()
  const ms = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now
  if (Number.isNaN(ms)) return null
  return Math.min(Math.max(Math.round(ms), 0), limits.retryAfterMs)
}

/** Google says in the body what others say in a header: `"retryDelay": "34s"`. Seconds. */
function retryDelayIn(body: string): string | null {
  return /"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"/.exec(body)?.[1] ?? null
}

/** Google refuses a key with 400. */
function isKeyRefused(said: ServerError): boolean {
  return /api[ _-]?key (?:is )?(?:not valid|invalid|expired)/i.test(said.message)
}

const overflowText =
  /context_length_exceeded|exceed_context_size|(?:exceed|maximum|larger|longer|too (?:long|large|many)|overflow|greater)[\s\S]*\b(?:context|prompt|input tokens)|\b(?:context|prompt|input)\b[\s\S]*(?:exceed|too (?:long|large)|overflow)/i
const figure = String.raw`(\d[\d\s,.\u00a0\u202f]*)`
const limitText = new RegExp(
  `context (?:length|size|window)\\D{0,16}${figure}|tokens > ${figure}maximum|tokens allowed \\(?${figure}`,
  'i',
)
const requestText = new RegExp(
  `request \\(${figure}tokens|requested ${figure}tokens|resulted in ${figure}tokens|too long: ${figure}tokens|input token count \\(${figure}\\)`,
  'i',
)
const promptText = new RegExp(`prompt contains (?:at least )?${figure}`, 'i')
const reservedText = new RegExp(`requested ${figure}output tokens`, 'i')

function tokens(pattern: RegExp, text: string): number | undefined {
  const digits = pattern
    .exec(text)
    ?.slice(1)
    .find((group) => group !== undefined)
  return digits === undefined ? undefined : Number(digits.replace(/\D/g, ''))
}

/** Limit and size of an overflow where the server names them (llama.cpp by field, vLLM and OpenAI in words). */
function overflowFigures(said: ServerError): JsonObject {
  const limit = said.limit ?? tokens(limitText, said.message)
  const prompt = tokens(promptText, said.message)
  const sum = prompt === undefined ? undefined : prompt + (tokens(reservedText, said.message) ?? 0)
  const got = said.got ?? sum ?? tokens(requestText, said.message)
  return { ...(limit !== undefined && { limit }), ...(got !== undefined && { got }) }
}

function isOverflow(said: ServerError): boolean {
  return overflowText.test(said.code) || overflowText.test(said.message)
}

/** Providers have busy hours and say so by a code (`overloaded_error`, HTTP 529), servers of one's own load a model. */
function isLoading(said: ServerError): boolean {
  if (/\boverloaded/i.test(said.code)) return true
  return /loading (?:the )?model|model is (?:still )?(?:being )?load(?:ing|ed)/i.test(said.message)
}

function isModelMissing(said: ServerError): boolean {
  if (/model_not_found/i.test(said.code)) return true
  return /\bmodels?\b[\s\S]*(?:not found|does not exist|not loaded|unknown)|(?:no|unknown|invalid) models?\b/i.test(
    said.message,
  )
}

function overflow(said: ServerError, context: FailureContext, data: JsonObject): AppError {
  return failure('model.overflow', {
    message: serverText(said.message, context),
    userMessage: `This conversation no longer fits into the context of “${context.model}”. ${kept} Start a new thread, or choose a model with a larger context in Settings → Models.`,
    streamCode: 'E_CONTEXT_LENGTH',
    retryable: false,
    data: { ...data, ...overflowFigures(said) },
  })
}

function rateLimited(said: ServerError, context: FailureContext, data: JsonObject): AppError {
  return failure('model.rate_limit', {
    message: serverText(said.message, context),
    userMessage: `${context.title} takes no more requests for now. ${kept} Wait a little and try again, or choose another model in Settings → Models.`,
    streamCode: 'E_RATE_LIMIT',
    retryable: true,
    ownRetry: 'rate-limit',
    data,
  })
}

/** An `{"error":…}` inside a 200 stream, or the non-standard `error:` field of an event stream. */
export function streamedError(value: unknown, context: FailureContext): AppError {
  const said = serverError(value)
  const message = said.message === '' ? 'the server reported an error without a text' : said.message
  if (isOverflow(said)) return overflow(said, context, {})
  if (/rate_limit|(?:^| )429$/.test(said.code)) return rateLimited({ ...said, message }, context, {})
  return failure('model.provider', {
    message: serverText(message, context),
    userMessage: `${context.title} reported an error while it was answering: “${serverText(message, context)}”. Nothing of that answer was carried out. ${kept} Try again.`,
    streamCode: 'E_PROVIDER_STREAM',
    retryable: true,
    ...(isLoading(said) && { ownRetry: 'loading' as const }),
  })
}

/** The error that an answer which is not 2xx stands for. `now` is needed for a `Retry-After` date. */
export function refusal(answer: RefusedAnswer, now: number, context: FailureContext): AppError {
  const { status, contentType, body } = answer
  const isPage = isHtml(contentType, body)
  const said = isPage ? { message: htmlTitle(body), code: '' } : serverError(parsed(body))
  const named = { ...said, message: said.message.trim() === '' ? `HTTP ${status}` : said.message }
  const waitMs = retryAfterMs(answer.retryAfter ?? retryDelayIn(body), now)
  const data: JsonObject = { status, ...(waitMs !== null && { retryAfterMs: waitMs }) }

  if (status === 401 || (status === 403 && !isPage) || isKeyRefused(said))
    return keyRefused(named.message, context, data)
  if (status === 429) return rateLimited(named, context, data)
  if (isPage) return webPage(status, htmlTitle(body), context)
  if (status >= 300 && status < 400) return redirected(answer, context)
  if (isOverflow(said)) return overflow(named, context, data)
  if (status < 500 && isModelMissing(said)) return modelMissing(named.message, context, data)
  if (status >= 500) return serverFailed(named, context, data)
  return requestRefused(named, context, data)
}

function redirected(answer: RefusedAnswer, context: FailureContext): AppError {
  const to = answer.location === null ? '' : ` to ${serverText(answer.location, context)}`
  return failure('model.refused', {
    message: `HTTP ${answer.status}: redirected${to}`,
    userMessage: `${context.address} sends requests on${to}; keys are never sent along to another address. ${kept} Enter the new address in Settings → Models.`,
    streamCode: 'E_PROVIDER_4XX',
    retryable: false,
    data: { status: answer.status },
  })
}

function serverFailed(said: ServerError, context: FailureContext, data: JsonObject): AppError {
  const isStarting = data.status === 503 || data.status === 529 || isLoading(said)
  const what = isStarting ? 'is busy or still loading its model' : 'had an error of its own'
  return failure('model.provider', {
    message: serverText(said.message, context),
    userMessage: `${context.title} ${what}: “${serverText(said.message, context)}”. ${kept} Try again in a moment.`,
    streamCode: 'E_PROVIDER_5XX',
    retryable: true,
    data,
    ...(isStarting && { ownRetry: 'loading' as const }),
  })
}

function requestRefused(said: ServerError, context: FailureContext, data: JsonObject): AppError {
  return failure('model.refused', {
    message: serverText(said.message, context),
    userMessage: `${context.title} refused the request: “${serverText(said.message, context)}”. ${kept} Choose another model, or check the server in Settings → Models.`,
    streamCode: 'E_PROVIDER_4XX',
    retryable: false,
    data: {
      ...data,
      ...(/support\w* tool|tools? (?:is|are) not supported/i.test(said.message) && { toolsUnsupported: true }),
    },
  })
}

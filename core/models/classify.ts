import { z } from 'zod'
import type { AppError } from '../domain/error.ts'
import { isJsonObject, type JsonObject } from '../domain/json.ts'
import {
  type FailureContext,
  failure,
  keyRefused,
  modelMissing,
  notReady,
  overflowed,
  quotaUsedUp,
  rateLimited,
  type Source,
  serverText,
  templateRefused,
  toolsUnsupported,
  webPage,
} from './failure.ts'
import { overflowOf, type Said } from './overflow.ts'
import { type WaitHeaders, waitMsOf } from './rate-limit.ts'

/** An answer that is not 2xx. */
export interface RefusedAnswer extends WaitHeaders {
  readonly status: number
  readonly contentType: string
  readonly location: string | null
  readonly body: string
}

const kept = 'Your messages and all finished steps are kept.'
const errorFields = z.object({
  message: z.string().optional().catch(undefined),
  type: z.string().optional().catch(undefined),
  code: z.union([z.string(), z.number()]).optional().catch(undefined),
  /** Google's name of the class. */
  status: z.string().optional().catch(undefined),
  /** What a gateway was told by the server behind it. */
  metadata: z.object({ raw: z.string() }).optional().catch(undefined),
  n_ctx: z.number().int().positive().optional().catch(undefined),
  n_prompt_tokens: z.number().int().positive().optional().catch(undefined),
})

/**
 * What a server says of its own failure, in whichever of the usual shapes it says it: `{"error":{…}}`, `{"error":"…"}`,
 * `{"message":…}`, `{"detail":…}`, the first of a list of these, or plain text.
 */
function serverError(value: unknown): Said {
  if (typeof value === 'string') return { message: value, code: '' }
  if (Array.isArray(value)) return serverError(value[0])
  if (!isJsonObject(value)) return { message: '', code: '' }
  const inner = value.error ?? value.detail ?? value
  if (!isJsonObject(inner)) return { message: typeof inner === 'string' ? inner : JSON.stringify(inner), code: '' }
  const { message, type, code, status, metadata, n_ctx, n_prompt_tokens } = errorFields.parse(inner)
  const words = message ?? JSON.stringify(inner)
  return {
    message: metadata === undefined ? words : `${words}: ${metadata.raw}`,
    code: [type, status, code].filter((each) => each !== undefined).join(' '),
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

const loadingText =
  /(?<!\berror |\bfailed |\bwhile )\bloading (?:the )?model|model (?:\S+ )?is (?:still |currently )*(?:loading|being loaded)\b/i
const busyText =
  /\boverloaded|server (?:is )?(?:currently )?busy|\bllm busy|no (?:free )?slots? available|all slots are busy|maximum pending requests|too many concurrent/i
const toolsText =
  /(?:not|n['’]t|no endpoints found that) support (?:for )?(?:native )?(?:tool|function|the provided ['"`]tool)|(?:\btools?|(?:tool|function)[ _]?(?:calling|calls?|use|choice))['"`]? (?:is|are) not (?:supported|enabled|available)|tools param requires|unsupported param\w*:? ['"`]?tools|--enable-auto-tool-choice/i
const templateText =
  /\bjinja|raise_exception|chat[ _]template|template ?error|rendering prompt|roles? must alternate|conversation roles|roles are (?:supported|allowed)|system role (?:is )?not supported|system message must be|unexpected role|expected last role|invalid_request_message_order|same number of function calls and responses|must be a response to a preceding message|must be followed by tool messages/i
const keyText =
  /api[ _]key (?:is )?(?:not valid|invalid|expired|missing)|(?:invalid|incorrect)[ _]api[ _]key|api_key_invalid|authentication_error/i
const missingText =
  /\bmodels?\b[^\n]{0,200}(?:not found|does not exist|not loaded|unknown)|(?:no|unknown|invalid) models?\b|not a valid model|no endpoints found for|^model: /i

const rateCode = /rate_limit|resource_exhausted/i

function saysAny(pattern: RegExp, said: Said): boolean {
  return pattern.test(said.message) || pattern.test(said.code)
}

function isModelMissing(said: Said): boolean {
  return /model_not_found/i.test(said.code) || missingText.test(said.message)
}

interface Classified extends Source {
  readonly context: FailureContext
  /** As the server's headers or words have it, in ms. */
  readonly when: number | null
}

/** What a server's words say whatever the status: each of these has a class of its own. Null: they say nothing of the kind. */
function byItsWords(said: Said, { context, when, ...source }: Classified): AppError | null {
  const { message } = said
  if (saysAny(toolsText, said)) return toolsUnsupported(message, context, source)
  // A template that fails may quote the whole conversation, with any words in it.
  if (saysAny(templateText, said)) return templateRefused(message, context, source)
  const overflow = overflowOf(said)
  if (overflow !== null) return overflowed(message, context, { ...source.data, ...overflow })
  const isBusy = saysAny(busyText, said)
  if (isBusy || saysAny(loadingText, said)) return notReady(message, context, { ...source, isBusy, when })
  return null
}

/** An `{"error":…}` inside a 200 stream, or the non-standard `error:` field of an event stream. */
export function streamedError(value: unknown, context: FailureContext): AppError {
  const given = serverError(value)
  const said = {
    ...given,
    message: given.message === '' ? 'the server reported an error without a text' : given.message,
  }
  // Without a clock: what it says of a time is a span.
  const when = waitMsOf({ retryAfter: null }, said.message, 0)
  if (rateCode.test(said.code) || /(?:^| )429$/.test(said.code)) {
    return isQuota(said)
      ? quotaUsedUp(said.message, context, { status: 429 })
      : rateLimited(said.message, context, { when })
  }
  const source = { streamCode: 'E_PROVIDER_STREAM', data: {} } as const
  const classified = byItsWords(said, { ...source, context, when })
  if (classified !== null) return classified
  if (/(?:^| )401$/.test(said.code) || saysAny(keyText, said)) return keyRefused(said.message, context)
  if (/(?:^| )503$/.test(said.code)) return notReady(said.message, context, { ...source, isBusy: true, when })
  return failure('model.provider', {
    message: serverText(said.message, context),
    userMessage: `${context.title} reported an error while it was answering: “${serverText(said.message, context)}”. Nothing of that answer was carried out. ${kept} Try again.`,
    streamCode: 'E_PROVIDER_STREAM',
    retryable: true,
  })
}

function isQuota(said: Said): boolean {
  return /insufficient_quota|insufficient credits|credit balance is too low|billing_hard_limit/i.test(
    `${said.code} ${said.message}`,
  )
}

/** The error that an answer which is not 2xx stands for. `now` (epoch ms) is needed for a `Retry-After` date. */
export function refusal(answer: RefusedAnswer, now: number, context: FailureContext): AppError {
  const { status, contentType, body } = answer
  const isPage = isHtml(contentType, body)
  const given = isPage ? { message: htmlTitle(body), code: '' } : serverError(parsed(body))
  const said = { ...given, message: given.message.trim() === '' ? `HTTP ${status}` : given.message }
  const when = waitMsOf(answer, isPage ? '' : body, now)
  const data: JsonObject = { status }

  if (status === 401 || (status === 403 && !isPage)) return keyRefused(said.message, context, data)
  if (status === 402 || (status < 500 && isQuota(said))) return quotaUsedUp(said.message, context, data)
  // A page that a gateway shows for 429 says nothing more.
  if (status === 429 || (status < 500 && rateCode.test(said.code)))
    return rateLimited(said.message, context, { when, data })
  if (isPage) return webPage(status, htmlTitle(body), context)
  if (status >= 300 && status < 400) return redirected(answer, context)
  const streamCode = status >= 500 ? 'E_PROVIDER_5XX' : 'E_PROVIDER_4XX'
  const classified = byItsWords(said, { streamCode, data, context, when })
  if (classified !== null) return classified
  if (status < 500 && saysAny(keyText, said)) return keyRefused(said.message, context, data)
  if (status < 500 && isModelMissing(said)) return modelMissing(said.message, context, data)
  // 529: how Anthropic says 503.
  if (status === 503 || status === 529) return notReady(said.message, context, { streamCode, data, isBusy: true, when })
  return status >= 500 ? serverFailed(said, context, data) : requestRefused(said, context, data)
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

function serverFailed(said: Said, context: FailureContext, data: JsonObject): AppError {
  return failure('model.provider', {
    message: serverText(said.message, context),
    userMessage: `${context.title} had an error of its own: “${serverText(said.message, context)}”. ${kept} Try again in a moment; if it keeps happening, look at the server’s own log.`,
    streamCode: 'E_PROVIDER_5XX',
    retryable: true,
    data,
  })
}

function requestRefused(said: Said, context: FailureContext, data: JsonObject): AppError {
  return failure('model.refused', {
    message: serverText(said.message, context),
    userMessage: `${context.title} refused the request: “${serverText(said.message, context)}”. ${kept} Choose another model, or check the server in Settings → Models.`,
    streamCode: 'E_PROVIDER_4XX',
    retryable: false,
    data,
  })
}

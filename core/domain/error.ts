import type { JsonObject } from './json.ts'

/** Every code that an AppError may carry. One list: a code that is not here does not compile. */
export const errorCodes = [
  'action.args',
  'action.binary',
  'action.encoding',
  'action.failed',
  'action.interrupted',
  'action.not_found',
  'action.not_regular',
  'action.conflict',
  'action.outside',
  'action.rate_limited',
  'action.redacted',
  'action.repeated',
  'action.too_large',
  'action.timeout',
  'action.unknown',
  'api.input',
  'api.sender',
  'api.unknown',
  'approval.decided',
  'approval.denied',
  'approval.expired',
  'approval.not_found',
  'approval.stale',
  'budget.stopped',
  'cancelled',
  'code.calls',
  'code.failed',
  'code.state',
  'engine.stopped',
  'engine.value',
  'http.connect',
  'http.credential',
  'http.header',
  'http.leak',
  'http.lost',
  'http.refused',
  'http.scheme',
  'http.timeout',
  'http.too_large',
  'integration.not_found',
  'learn.decided',
  'learn.expired',
  'learn.full',
  'learn.invalid',
  'learn.not_found',
  'learn.stale',
  'local.checksum',
  'local.download',
  'local.file',
  'local.library',
  'local.load',
  'local.not_found',
  'local.space',
  'memory.conflict',
  'memory.not_found',
  'mission.invalid',
  'mission.not_found',
  'mission.payload',
  'mission.state',
  'model.auth',
  'model.connect',
  'model.html',
  'model.loading',
  'model.not_found',
  'model.none',
  'model.overflow',
  'model.provider',
  'model.rate_limit',
  'model.refused',
  'model.stream',
  'model.template',
  'model.timeout',
  'model.tools',
  'model.truncated',
  'orchestrator.diverged',
  'orchestrator.failed',
  'orchestrator.invalid',
  'orchestrator.locked',
  'orchestrator.not_found',
  'policy.denied',
  'project.missing',
  'project.not_found',
  'sandbox.died',
  'sandbox.limit',
  'sandbox.not_suspended',
  'sandbox.raised',
  'sandbox.snapshot',
  'sandbox.syntax',
  'secret.unavailable',
  'candidate.blocked',
  'candidate.decided',
  'candidate.expired',
  'candidate.not_found',
  'candidate.stale',
  'skill.import',
  'skill.invalid',
  'skill.loads',
  'skill.manifest',
  'skill.mend',
  'skill.not_found',
  'skill.parse',
  'skill.resource',
  'store.busy',
  'store.corrupt',
  'store.empty',
  'store.full',
  'store.io',
  'store.newer',
  'store.read_only',
  'thread.depth',
  'thread.ended',
  'thread.not_found',
  'thread.transition',
  'trash.conflict',
  'trash.not_found',
  'usage',
] as const
export type ErrorCode = (typeof errorCodes)[number]

/** What is left of an AppError after it crossed a process boundary or was put on record. */
export interface ErrorBody {
  readonly code: ErrorCode
  /** For the log and for developers. */
  readonly message: string
  /** For the person: what happened, what is safe, what to do next. */
  readonly userMessage: string
  readonly data?: JsonObject
  /** A person or a mission may try again; the engine's own retries are a matter of `models/`. */
  readonly retryable: boolean
}

export interface AppErrorOptions {
  readonly message: string
  readonly userMessage: string
  readonly cause?: unknown
  readonly data?: JsonObject
  readonly retryable?: boolean
}

/** The one error class of the engine. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly userMessage: string
  readonly data: JsonObject | undefined
  readonly retryable: boolean

  constructor(code: ErrorCode, options: AppErrorOptions) {
    super(options.message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.userMessage = options.userMessage
    this.data = options.data
    this.retryable = options.retryable ?? false
  }
}

/** Any thrown value as a body; what is not an AppError gets `fallback` as its code and keeps its text in `message` only. */
export function errorBody(error: unknown, fallback: ErrorCode = 'engine.stopped'): ErrorBody {
  if (error instanceof AppError) {
    const { code, message, userMessage, retryable, data } = error
    return { code, message, userMessage, retryable, ...(data && { data }) }
  }
  return {
    code: fallback,
    message: error instanceof Error ? error.message : String(error),
    userMessage: 'Something inside Threadsmith failed. What was recorded so far is kept; you can try again.',
    retryable: true,
  }
}

/** What is thrown, as an error of this engine. */
export function asAppError(error: unknown, fallback: ErrorCode): AppError {
  if (error instanceof AppError) return error
  const { code, ...rest } = errorBody(error, fallback)
  return new AppError(code, { ...rest, cause: error })
}

export function fromErrorBody(body: ErrorBody): AppError {
  return new AppError(body.code, body)
}

/**
 * No model answered, and nothing else was wrong: what the thread did before stands, and whoever goes on with it need not do it
 * again. `local.*` and `secret.unavailable` come from what stands before a model: its file, its process, its key.
 */
export function isModelFailure(code: ErrorCode): boolean {
  return code.startsWith('model.') || code.startsWith('local.') || isForPerson(code)
}

/** Only a person can mend it, and then the very same request goes through: the thread waits for that, suspended (RULES 26). */
export function isForPerson(code: ErrorCode): boolean {
  return code === 'secret.unavailable'
}

/** True for the rejection of an aborted signal, whoever raised it. */
export function isCancelled(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'cancelled'
  return error instanceof Error && error.name === 'AbortError'
}

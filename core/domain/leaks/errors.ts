import { AppError, type ErrorBody, errorBody, fromErrorBody } from '../error.ts'
import type { Redactor } from './redactor.ts'

/** An error may quote anything: a server that echoes the key it was sent, a file, a header. The same one where it quotes no secret. */
export function cleanError(error: unknown, redactor: Redactor): unknown {
  if (error instanceof AppError) {
    const { value, hits } = redactor.redact(errorBody(error))
    // Without its cause, which may hold what was taken out.
    return hits.length === 0 ? error : fromErrorBody(value)
  }
  if (!(error instanceof Error) || !redactor.mayHold(error.message)) return error
  const message = redactor.text(error.message)
  if (message === error.message) return error
  const cleaned = new Error(message)
  cleaned.name = error.name
  return cleaned
}

export function cleanErrorBody(body: ErrorBody, redactor: Redactor): ErrorBody {
  return redactor.redact(body).value
}

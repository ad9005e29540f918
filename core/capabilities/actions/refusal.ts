import { AppError, type ErrorCode } from '../../domain/error.ts'
import type { JsonObject } from '../../domain/json.ts'

/** An error that the model can mend: `message` says what is wrong and what would be right. */
export function refusal(code: ErrorCode, message: string, data?: JsonObject): AppError {
  return new AppError(code, {
    message,
    userMessage: `${message} Nothing was changed; the agent can try another way.`,
    ...(data && { data }),
  })
}

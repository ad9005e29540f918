import { AppError } from '../../domain/error.ts'
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'

/** Before a call, or a list of calls at once, of one code step. Throws `code.calls`, whose message the code is given. */
export function assertCallsLeft(taken: number, more: number): void {
  if (taken + more <= limits.codeCalls) return
  throw new AppError('code.calls', {
    message: `one block of code may make ${limits.codeCalls} calls, this would be call ${taken + more}: go on in the next block`,
    userMessage: `The code asked for more than ${limits.codeCalls} actions at once and was stopped there. What it did before is on record.`,
    data: { taken, more },
  })
}

/**
 * True for a block that asks on although it is refused: it is to be ended, since a refusal costs the engine time and the
 * program none. `refused` counts its calls that `assertCallsLeft` threw at.
 */
export function isRunaway(refused: number): boolean {
  return refused > limits.codeCalls
}

/** What `__save_state__` was given, as the next block's `state`. Throws `code.state` for what cannot be kept. */
export function savedState(value: Json | undefined): JsonObject {
  if (!isJsonObject(value)) throw badState('`state` must stay a dict')
  const bytes = Buffer.byteLength(JSON.stringify(value))
  if (bytes <= limits.codeStateBytes) return value
  throw badState(`\`state\` has ${bytes} bytes, more than ${limits.codeStateBytes}: keep only what later blocks need`)
}

function badState(message: string): AppError {
  return new AppError('code.state', {
    message,
    userMessage:
      'What the code wanted to remember for later could not be kept, so its memory is as it was before. Its actions are on record.',
  })
}

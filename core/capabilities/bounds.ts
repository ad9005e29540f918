import { AppError } from '../domain/error.ts'
import type { Json } from '../domain/json.ts'
import { resultText } from '../domain/model.ts'

export interface Bound {
  /** Characters. */
  readonly most: number
  /** It may have changed something: to call it again would do so again. */
  readonly hasRun: boolean
}

/** The backstop behind each action's own bounds. @throws AppError action.too_large */
export function boundResult(value: Json, action: string, { most, hasRun }: Bound): Json {
  const characters = resultText(value).length
  if (characters <= most) return value
  throw new AppError('action.too_large', {
    message: `the result of ${action} has ${characters} characters, over ${most}; ${hasRun ? 'it has run, so do not call it again for that' : 'ask for less'}`,
    userMessage: `The result of ${action} was too long to use. ${hasRun ? 'What it does was done; only its answer is missing.' : 'Nothing was changed. Ask for a smaller part.'}`,
    data: { characters, limit: most },
  })
}

import { AppError } from '../domain/error.ts'
import type { Json } from '../domain/json.ts'
import { resultText } from '../domain/model.ts'

/** The backstop behind each action's own bounds. @throws AppError action.too_large */
export function boundResult(value: Json, action: string, most: number): Json {
  const characters = resultText(value).length
  if (characters <= most) return value
  throw new AppError('action.too_large', {
    message: `the result of ${action} has ${characters} characters, over ${most}; ask for less`,
    userMessage: `The result of ${action} was too long to use. Nothing was changed. Ask for a smaller part.`,
    data: { characters, limit: most },
  })
}

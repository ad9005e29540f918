import type { KnownSecret } from '../domain/leaks/known.ts'
import type { Redactor } from '../domain/leaks/redactor.ts'
import type { ModelMessage } from '../domain/model.ts'

/**
 * The last look at what a model is sent: a record of before may hold what is known to be a secret only now. A message never
 * changes, so each is looked at once, and again when another key is known. Answers and results that came since the first
 * request were cleaned when they came.
 */
export function createOutgoing(redactor: Redactor): (messages: readonly ModelMessage[]) => readonly ModelMessage[] {
  let cleaned = new WeakMap<ModelMessage, ModelMessage>()
  let known: readonly KnownSecret[] | undefined

  function clean(message: ModelMessage, isFirst: boolean): ModelMessage {
    const before = cleaned.get(message)
    if (before !== undefined) return before
    const isCleanAlready = !isFirst && (message.role === 'assistant' || message.role === 'tool')
    const value = isCleanAlready ? message : redactor.redact(message).value
    cleaned.set(message, value)
    return value
  }

  return (messages) => {
    const isFirst = redactor.known !== known
    if (isFirst) {
      known = redactor.known
      cleaned = new WeakMap()
    }
    const sent = messages.map((message) => clean(message, isFirst))
    return sent.some((message, at) => message !== messages[at]) ? sent : messages
  }
}

import type { KnownSecret } from '../domain/leaks/known.ts'
import type { Redactor } from '../domain/leaks/redactor.ts'
import type { ModelMessage } from '../domain/model.ts'

/**
 * The last look at what a model is sent: a record of before may hold what is known to be a secret only now. A message never
 * changes, so each is looked at once, and again when another key is known.
 */
export function createOutgoing(redactor: Redactor): (messages: readonly ModelMessage[]) => readonly ModelMessage[] {
  let cleaned = new WeakMap<ModelMessage, ModelMessage>()
  let known: readonly KnownSecret[] = redactor.known

  function clean(message: ModelMessage): ModelMessage {
    const before = cleaned.get(message)
    if (before !== undefined) return before
    const { value } = redactor.redact(message)
    cleaned.set(message, value)
    return value
  }

  return (messages) => {
    if (redactor.known !== known) {
      known = redactor.known
      cleaned = new WeakMap()
    }
    const sent = messages.map(clean)
    return sent.some((message, at) => message !== messages[at]) ? sent : messages
  }
}

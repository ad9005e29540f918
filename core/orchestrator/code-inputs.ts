import type { Json, JsonObject } from '../domain/json.ts'
import { limits } from '../domain/limits.ts'
import type { ModelMessage } from '../domain/model.ts'

export interface CodeInputs {
  readonly messages: readonly ModelMessage[]
  readonly goal: string
  /** What the code before it left. */
  readonly state: Json
  readonly previousResults: JsonObject
  readonly step: number
  readonly timeZone: string
}

/** The names that a code step finds beside its own; what would not fit into the VM is left out, the newest last. */
export function codeInputs(inputs: CodeInputs): JsonObject {
  const messages = inputs.messages.map(({ role, content }) => ({ role, content }))
  return {
    context: withinBytes(messages, limits.vmValueBytes / 4),
    goal: inputs.goal,
    state: inputs.state,
    previous_results: withinRoom(inputs.previousResults, limits.vmValueBytes / 4),
    step_number: inputs.step,
    user_timezone: inputs.timeZone,
  }
}

/** The newest messages that fit. */
function withinBytes(messages: readonly { role: string; content: string }[], bytes: number): readonly JsonObject[] {
  let left = bytes
  const kept: JsonObject[] = []
  for (const message of messages.toReversed()) {
    left -= Buffer.byteLength(message.content)
    if (left < 0) break
    kept.push(message)
  }
  return kept.reverse()
}

/** Results that fit; one that does not says so. */
function withinRoom(results: JsonObject, bytes: number): JsonObject {
  let left = bytes
  return Object.fromEntries(
    Object.entries(results).map(([label, value]) => {
      left -= Buffer.byteLength(JSON.stringify(value))
      return [label, left < 0 ? '[too large to pass on]' : value]
    }),
  )
}

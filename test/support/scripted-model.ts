import { AppError } from '../../core/domain/error.ts'
import type { Completion, CompletionRequest, ToolCall } from '../../core/domain/model.ts'
import type { EmbeddedProvider } from '../../core/models/models.ts'

/** What a scripted answer may leave out: the finish reason follows from the calls. */
type ScriptedCompletion = Partial<Completion>
export type ModelScript =
  | readonly ScriptedCompletion[]
  | ((request: CompletionRequest, n: number) => ScriptedCompletion | Promise<ScriptedCompletion>)

export interface ScriptedModel extends EmbeddedProvider {
  /** Every request so far, oldest first. */
  readonly requests: readonly CompletionRequest[]
}

/** A model that says what the test wrote down; asked more often than that, it fails. `n` counts from 0. */
export function scriptedModel(script: ModelScript): ScriptedModel {
  const requests: CompletionRequest[] = []
  return {
    requests,
    models: () => [{ providerId: 'scripted', model: 'scripted', title: 'Scripted model', contextTokens: null }],
    async complete(request, { signal, onDelta }) {
      const n = requests.length
      // The transcript goes on growing after this call.
      requests.push({ ...request, messages: [...request.messages] })
      const given = typeof script === 'function' ? await untilAborted(script(request, n), signal) : script[n]
      if (given === undefined) throw unexpectedRequest(n)
      const completion = whole(given)
      if (completion.text !== '') onDelta({ kind: 'text', text: completion.text })
      for (const call of completion.toolCalls) onDelta({ kind: 'call', name: call.name })
      return completion
    },
  }
}

/** A call of a scripted answer; ids only have to differ within one answer. */
export function scriptedCall(
  name: string,
  args: Extract<ToolCall, { arguments: unknown }>['arguments'],
  id = name,
): ToolCall {
  return { id, name, arguments: args }
}

function whole(given: ScriptedCompletion): Completion {
  const { text = '', toolCalls = [], usage = { inputTokens: 10, outputTokens: 5 } } = given
  return { finishReason: toolCalls.length > 0 ? 'tool_calls' : 'stop', ...given, text, toolCalls, usage }
}

function unexpectedRequest(n: number): AppError {
  const message = `the scripted model has no answer number ${n + 1}`
  return new AppError('model.provider', { message, userMessage: message })
}

/** An answer that a test never gives must not keep a stopped thread waiting. */
async function untilAborted<Value>(value: Value | Promise<Value>, signal: AbortSignal): Promise<Value> {
  if (!(value instanceof Promise)) return value
  return new Promise<Value>((resolve, reject) => {
    const abort = () => reject(new AppError('cancelled', { message: 'cancelled', userMessage: 'Stopped.' }))
    signal.addEventListener('abort', abort, { once: true })
    value.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

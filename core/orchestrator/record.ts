import type { Recorded } from '../capabilities/capabilities.ts'
import { type ActionResult, canonicalActionName } from '../domain/action.ts'
import { type ErrorBody, errorCodes } from '../domain/error.ts'
import type { ModelCompletedBody, StepStarted, StoredEvent } from '../domain/event.ts'
import { isJsonObject, type Json } from '../domain/json.ts'
import type { ToolCall } from '../domain/model.ts'
import type { Conversation } from './conversation.ts'

/** The last step as it stands on record: what its host calls are answered with when the loop runs again (RULES 8). */
export interface RecordedStep {
  readonly started: StepStarted
  /** The model's answer, where it had come. */
  readonly reply: ModelCompletedBody | undefined
  readonly actions: ReadonlyMap<string, Recorded>
  /** Said while the step ran: the model reads it with the next one. */
  readonly later: readonly string[]
}

/**
 * Replays a thread's own events: fills `conversation` with everything up to the last step, and answers that step.
 * Undefined for a thread that never began one.
 */
export function replayRecord(events: Iterable<StoredEvent>, conversation: Conversation): RecordedStep | undefined {
  let open: OpenStep | undefined
  for (const event of events) {
    switch (event.kind) {
      case 'message.added':
        if (event.data.role !== 'user') break
        if (open === undefined) conversation.addUser(event.body.content)
        else open.later.push(event.body.content)
        break
      case 'step.started':
        if (open !== undefined) closeStep(open, conversation)
        open = { started: event.data, reply: undefined, actions: new Map(), later: [] }
        break
      case 'model.completed':
        if (open !== undefined) open = { ...open, reply: event.body }
        break
      case 'action.started':
        open?.actions.set(event.data.path, { argsHash: event.data.argsHash })
        break
      case 'action.finished':
        open?.actions.set(event.data.path, {
          argsHash: open.actions.get(event.data.path)?.argsHash ?? null,
          result: resultOf(event),
        })
        break
    }
  }
  return open
}

interface OpenStep extends RecordedStep {
  readonly actions: Map<string, Recorded>
  readonly later: string[]
}

/** What is on record of a step that is over, as messages: its answer and one result for each call. */
export function closeStep(step: RecordedStep, conversation: Conversation): void {
  if (step.reply !== undefined) conversation.addAssistant(step.reply.text, step.reply.toolCalls)
  for (const [at, call] of (step.reply?.toolCalls ?? []).filter((each) => !isFinal(each)).entries()) {
    const recorded = step.actions.get(String(at + 1))
    if (recorded?.result !== undefined) conversation.addResult(recorded.result)
    else conversation.addResult(unanswered(call.id, call.name))
  }
  for (const text of step.later) conversation.addUser(text)
}

/** FINAL is an answer in the form of a call: it never runs and has no result. */
export function isFinal(call: ToolCall): boolean {
  return canonicalActionName(call.name).toUpperCase() === 'FINAL'
}

function resultOf(event: StoredEvent & { kind: 'action.finished' }): ActionResult {
  const { callId, name, ok, durationMs } = event.data
  const { result } = event.body
  if (ok) return { callId, name, ok, value: result, durationMs }
  return { callId, name, ok, error: errorOf(result), durationMs }
}

function errorOf(result: Json): ErrorBody {
  const error = isJsonObject(result) ? result.error : undefined
  const facts = isJsonObject(error) ? error : {}
  const code = errorCodes.find((each) => each === facts.code) ?? 'action.failed'
  const { message, userMessage, retryable } = facts
  return { code, message: String(message ?? ''), userMessage: String(userMessage ?? ''), retryable: retryable === true }
}

function unanswered(callId: string, name: string): ActionResult {
  const error = {
    code: 'action.interrupted',
    message: 'the thread went on without a result of this call',
    userMessage: 'The thread went on without a result of this call.',
    retryable: false,
  } as const
  return { callId, name, ok: false, error, durationMs: 0 }
}

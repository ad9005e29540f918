import { z } from 'zod'
import type { Capabilities } from '../capabilities/capabilities.ts'
import type { Lease } from '../domain/action.ts'
import { AppError, errorBody, isCancelled } from '../domain/error.ts'
import { type ModelCompletedBody, previewOf } from '../domain/event.ts'
import { canonicalJson, type Json, type JsonObject } from '../domain/json.ts'
import { limits } from '../domain/limits.ts'
import { modelRefText, parseModelRef, type ToolCall, type ToolDefinition } from '../domain/model.ts'
import { boundText, sanitizeObject, sanitizeText } from '../domain/text.ts'
import type { ThreadHeader } from '../domain/thread.ts'
import type { Events, Journal } from '../events/events.ts'
import type { Completed, Models } from '../models/models.ts'
import type { Conversation } from './conversation.ts'
import { closeStep, isFinal, type RecordedStep } from './record.ts'

/** One run of the loop over one thread: what the host calls work on. */
export interface LoopContext {
  readonly thread: ThreadHeader
  readonly folder: string
  readonly leases: readonly Lease[]
  readonly tools: readonly ToolDefinition[]
  readonly conversation: Conversation
  readonly journal: Journal
  readonly signal: AbortSignal
  /** What a person said since the last step; each text is already on record. */
  takeInjected(): readonly string[]
  /** How many such texts wait now. */
  injectedCount(): number
  /** Called before a back-off: a long one gives the thread's slot back. */
  onBackoff(waitMs: number): void
  /** Called after it: takes a slot again where it was given back. */
  afterBackoff(): Promise<void>
  readonly recorded: RecordedStep | undefined
}

export interface HostParts {
  readonly models: Models
  readonly capabilities: Capabilities
  readonly events: Events
  readonly now: () => number
}

const checkpointSchema = z.strictObject({
  step: z.number().int(),
  nudges: z.number().int(),
  action_errors: z.number().int(),
})
const completeArguments = z.tuple([checkpointSchema, z.array(z.string())])
const executeArguments = z.tuple([z.array(z.string())])
export type Checkpoint = z.infer<typeof checkpointSchema>
export const firstCheckpoint: Checkpoint = { step: 0, nudges: 0, action_errors: 0 }
/** @throws when a stored checkpoint is none of ours. */
export const parseCheckpoint = (value: Json): Checkpoint => checkpointSchema.parse(value)

/** The host functions of `default.py` (docs/host-functions.md). Each answers plain JSON that goes back into the VM. */
export function createHost(context: LoopContext, parts: HostParts) {
  const { conversation, journal, thread } = context
  let recorded = context.recorded
  let lastModel = recorded && modelRefText(recorded.started)
  let step = 0
  const asked = thread.model === null ? thread.tier : parseModelRef(thread.model)
  const modelNow = () => (typeof asked === 'string' ? parts.models.resolve(asked) : asked)
  let lastReply: ModelCompletedBody = { text: '', toolCalls: [] }

  /** True when the recorded step is the one that is asked for; otherwise its answers are not used. */
  function isOnRecord(asked: Checkpoint): boolean {
    if (recorded === undefined) return false
    const expected = canonicalJson(recorded.started.checkpoint)
    const got = canonicalJson(asked)
    if (expected === got) return true
    journal.stage({ kind: 'orchestrator.diverged', data: { step: asked.step, expected, got } })
    // What was said while the step ran waits with the injected texts already.
    closeStep({ ...recorded, later: [] }, conversation)
    recorded = undefined
    return false
  }

  function stageStart(checkpoint: Checkpoint): void {
    const { providerId, model } = modelNow()
    const text = modelRefText({ providerId, model })
    if (lastModel !== undefined && lastModel !== text)
      journal.stage({
        kind: 'status',
        data: { text: `The settings changed: ${text} answers from here, not ${lastModel}` },
      })
    lastModel = text
    const { messages, promptTokens } = conversation
    const facts = { providerId, model, tier: thread.tier, messages: messages.length, promptTokens }
    journal.stage({ kind: 'step.started', data: { step, ...facts, checkpoint } })
  }

  async function complete(): Promise<Completed> {
    return parts.models.complete(
      { ref: asked, messages: conversation.messages, tools: context.tools },
      {
        signal: context.signal,
        onDelta: (delta) => {
          const text = delta.kind === 'call' ? delta.name : delta.text
          parts.events.emitDelta({ threadId: thread.id, step, kind: delta.kind, text: sanitizeText(text) })
        },
        onRetry: ({ attempt, waitMs, code }) => {
          journal.stage({ kind: 'model.retried', data: { step, attempt, waitMs, code } })
          journal.commit()
          context.onBackoff(waitMs)
        },
        onResume: () => context.afterBackoff(),
      },
    )
  }

  function stageAnswer(answer: Completed): void {
    const { completion, providerId, model } = answer
    const durationMs = roundMs(answer.durationMs)
    const firstTokenMs = answer.firstTokenMs === null ? null : roundMs(answer.firstTokenMs)
    const { usage, finishReason } = completion
    const toolCalls = completion.toolCalls.slice(0, limits.callsPerAnswer).map(sanitizeCall)
    const text = withDropNote(sanitizeText(completion.text), completion.toolCalls.length)
    const reasoning = completion.reasoning && sanitizeText(completion.reasoning)
    lastReply = { text, toolCalls, ...(reasoning && { reasoning }) }
    const [inputTokens, outputTokens] = [usage?.inputTokens ?? 0, usage?.outputTokens ?? 0]
    const facts = { step, providerId, model, durationMs, firstTokenMs, inputTokens, outputTokens, finishReason }
    const more = { cachedInputTokens: usage?.cachedInputTokens ?? 0, estimated: usage?.estimated ?? false, usd: null }
    const data = { ...facts, ...more, calls: toolCalls.length, preview: previewOf(text) }
    journal.stage({ kind: 'model.completed', data, body: lastReply })
  }

  function stageFailure(error: unknown, startedAt: number): JsonObject {
    const { code, message, userMessage, retryable, data } = errorBody(error, 'model.provider')
    const { providerId, model } = modelNow()
    const partialText = sanitizeText(String(data?.partialText ?? ''))
    const durationMs = parts.now() - startedAt
    journal.stage({
      kind: 'model.failed',
      data: { step, providerId, model, durationMs, code, userMessage, retryable },
      body: { message, partialText },
    })
    return { type: 'error', reason: userMessage, code }
  }

  function replyToVm(): JsonObject {
    conversation.addAssistant(lastReply.text, lastReply.toolCalls)
    const { text, toolCalls } = lastReply
    if (toolCalls.length === 0)
      return { type: 'text', text: text.slice(0, longestTextForVm), said: context.injectedCount() }
    const final = toolCalls.find(isFinal)
    const calls = toolCalls.filter((call) => !isFinal(call)).map((call) => call.id)
    return { type: 'actions', calls, final: final === undefined ? null : finalAnswer(final, text) }
  }

  /** Begins step `checkpoint.step`: what it needs to be run again is on disk before the model is asked. */
  async function llmComplete(checkpoint: Checkpoint, notes: readonly string[]): Promise<JsonObject> {
    step = checkpoint.step
    const onRecord = isOnRecord(checkpoint)
    if (onRecord && recorded?.reply !== undefined) {
      lastReply = recorded.reply
      return replyToVm()
    }
    if (onRecord) {
      recorded = undefined
      journal.stage({ kind: 'step.restarted', data: { step } })
    } else {
      for (const note of notes) stageNote(note)
      for (const text of context.takeInjected()) conversation.addUser(text)
      stageStart(checkpoint)
    }
    journal.commit()
    const startedAt = parts.now()
    try {
      stageAnswer(await complete())
    } catch (error) {
      if (isCancelled(error) || context.signal.aborted) throw error
      return stageFailure(error, startedAt)
    }
    return replyToVm()
  }

  function stageNote(content: string): void {
    conversation.addUser(content)
    journal.stage({
      kind: 'message.added',
      data: { role: 'user', origin: 'nudge', preview: previewOf(content) },
      body: { content },
    })
  }

  /** Answers how many of the calls succeeded; their results go to the transcript, in the order of the calls. */
  async function executeActions(ids: readonly string[]): Promise<number> {
    const calls = ids.map((id) => callNamed(lastReply.toolCalls, id))
    const recordedActions = recorded?.actions
    recorded = undefined
    const results = await parts.capabilities.execute(calls, {
      threadId: thread.id,
      projectId: thread.projectId,
      folder: context.folder,
      step,
      leases: context.leases,
      journal,
      signal: context.signal,
      ...(recordedActions && { recorded: recordedActions }),
    })
    for (const result of results) conversation.addResult(result)
    return results.filter((result) => result.ok).length
  }

  return {
    /** @throws AppError engine.value for a call that the host does not know or arguments that do not fit. */
    async call(name: string, args: readonly Json[]): Promise<Json> {
      switch (name) {
        case 'llm_complete':
          return llmComplete(...fit(completeArguments.safeParse(args), name))
        case 'execute_actions':
          return executeActions(...fit(executeArguments.safeParse(args), name))
        default:
          throw new AppError('engine.value', {
            message: `no host function ${name}`,
            userMessage:
              'The step loop asked for something that the engine does not have. The thread was stopped; its record is safe.',
          })
      }
    },
    /** The last answer of the model, for a loop that ends with it. */
    lastText: () => lastReply.text,
  }
}

/** What a model writes is stored, shown and run as one and the same. */
function sanitizeCall(call: ToolCall): ToolCall {
  const id = boundText(call.id, longestId)
  const name = boundText(call.name, limits.actionNameCharacters)
  if ('arguments' in call) return { id, name, arguments: sanitizeObject(call.arguments) }
  return { id, name, invalid: call.invalid, argumentsRaw: boundText(call.argumentsRaw, limits.actionArgumentBytes) }
}
const longestId = 120

function withDropNote(text: string, calls: number): string {
  if (calls <= limits.callsPerAnswer) return text
  return `${text}\n[Only the first ${limits.callsPerAnswer} of ${calls} calls were taken.]`
}

/** A hundredth of a millisecond is finer than anything that is drawn. */
const roundMs = (ms: number) => Math.round(ms * 100) / 100

/** The VM looks at the text only for FINAL and for intent: its beginning says both. */
const longestTextForVm = 200_000

/** FINAL as a call: its argument under any of the names that models use, else the text beside it. */
function finalAnswer(call: ToolCall, text: string): string {
  const given = 'arguments' in call ? call.arguments : {}
  for (const key of ['answer', 'result', 'value', 'content', 'text']) {
    const value = given[key]
    if (typeof value === 'string') return value
    if (value !== undefined) return JSON.stringify(value)
  }
  return text
}

function callNamed(calls: readonly ToolCall[], id: string): ToolCall {
  const call = calls.find((each) => each.id === id)
  if (call !== undefined) return call
  throw new AppError('engine.value', {
    message: `the loop named a call that the model did not make: ${id}`,
    userMessage: 'The step loop named a call that does not exist. The thread was stopped; its record is safe.',
  })
}

function fit<Value>(parsed: z.ZodSafeParseResult<Value>, name: string): Value {
  if (parsed.success) return parsed.data
  throw new AppError('engine.value', {
    message: `${name}: ${z.prettifyError(parsed.error)}`,
    userMessage: 'The step loop passed something unexpected. The thread was stopped; its record is safe.',
  })
}

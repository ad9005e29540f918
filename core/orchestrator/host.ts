import { z } from 'zod'
import { codeOf } from '../domain/code.ts'
import { AppError, isCancelled, isForPerson } from '../domain/error.ts'
import { faultPoint } from '../domain/fault-point.ts'
import { canonicalJson, type Json, type JsonObject } from '../domain/json.ts'
import { limits } from '../domain/limits.ts'
import type { ModelRef, ToolDefinition } from '../domain/model.ts'
import { finalAnswer } from './answer.ts'
import { type Asked, createAsker, type Held } from './ask.ts'
import { stageChecks } from './checks.ts'
import { codeInputs } from './code-inputs.ts'
import { runCode } from './code-step.ts'
import { type HostParts, type LoopContext, Waits } from './loop-context.ts'
import { type Checkpoint, checkpointSchema } from './loop-inputs.ts'
import { closeStep, isFinal } from './record.ts'
import type { Reply } from './recorded-step.ts'
import type { Repeat } from './repeats.ts'
import { createSizing } from './sizing.ts'
import { createStepLog } from './step-log.ts'
import { createTelling } from './telling.ts'
import { createWindowWatch, type Sent } from './window-watch.ts'

const completeArguments = z.tuple([checkpointSchema])
const executeArguments = z.tuple([z.array(z.string())])
const compactArguments = z.tuple([checkpointSchema, z.enum(['threshold', 'overflow'])])
const noArguments = z.tuple([])
/** The VM looks at the text only for FINAL and for intent: its beginning says both. */
const longestTextForVm = 200_000
const longestAskedForVm = 4_000
/** One value, so that it is the same list for every request. */
const noTools: readonly ToolDefinition[] = []

/** The host functions of the step loop (docs/host-functions.md). Each answers plain JSON that goes back into the VM. */
export function createHost(context: LoopContext, parts: HostParts) {
  const { conversation, journal, thread, repeats, meter } = context
  const { models } = parts
  const asker = createAsker({
    ...{ models, meter, thread, journal, signal: context.signal, hooks: parts.hooks },
    redactor: parts.redactor,
    emitDelta: (delta) => parts.events.emitDelta(delta),
    onBackoff: (waitMs) => context.onBackoff(waitMs),
    afterBackoff: () => context.afterBackoff(),
    onAsking: (isAsking) => context.onAsking(isAsking),
  })
  /** A server refuses a request that offers actions to a model that knows none; without code there is no other way to act. */
  const toolsFor = (ref: ModelRef) =>
    !isLast && (models.callsActions(ref) || !context.runsCode) ? context.tools : noTools
  /** The model is asked for its answer alone. */
  let isLast = false
  const { counts, warned } = context.replayed
  const watch = createWindowWatch({ models, conversation, journal, counts, warned })
  const sizing = createSizing({ context, models, asker, watch, toolsFor })
  const telling = createTelling(context, models)
  const log = createStepLog(context, asker)
  let recorded = context.replayed.step
  let codeState = context.replayed.codeState
  let previousResults: JsonObject = context.replayed.previousResults
  let step = 0
  let lastReply: Reply = { text: '', toolCalls: [], isCode: false, isCut: false }

  /** True when the recorded step is the one that is asked for; otherwise its answers are not used. */
  function isOnRecord(asked: Checkpoint): boolean {
    if (recorded === undefined) return false
    const { checkpoint } = recorded.started
    const expected = canonicalJson(checkpointSchema.safeParse(checkpoint).data ?? checkpoint)
    const got = canonicalJson(asked)
    if (expected === got) return true
    journal.stage({ kind: 'orchestrator.diverged', data: { step: asked.step, expected, got } })
    // What was said while the step ran waits with the injected texts already.
    closeStep({ ...recorded, later: [] }, conversation, repeats)
    recorded = undefined
    return false
  }

  function replyToVm(): JsonObject {
    conversation.addAssistant(lastReply.text, lastReply.toolCalls)
    const { text, toolCalls, isCut } = lastReply
    // What is asked for its answer alone has nothing to run.
    const isCode = lastReply.isCode && !isLast
    if (isCode) return { type: 'code', cut: isCut }
    if (toolCalls.length === 0 || isLast) {
      const asked = conversation.lastAsked.slice(0, longestAskedForVm)
      return { type: 'text', text: text.slice(0, longestTextForVm), said: context.injectedCount(), cut: isCut, asked }
    }
    const final = toolCalls.find(isFinal)
    const calls = toolCalls.filter((call) => !isFinal(call)).map((call) => call.id)
    return { type: 'actions', calls, cut: isCut, final: final === undefined ? null : finalAnswer(final, text) }
  }

  /** Begins step `checkpoint.step`: what it needs to be run again is on disk before the model is asked. */
  async function llmComplete(checkpoint: Checkpoint): Promise<JsonObject> {
    step = checkpoint.step
    isLast = checkpoint.last
    const onRecord = isOnRecord(checkpoint)
    if (onRecord && recorded?.reply !== undefined) {
      lastReply = recorded.reply
      // Calls and code are still to be answered from the record; of a text nothing is left.
      if (lastReply.toolCalls.length === 0 && !lastReply.isCode) recorded = undefined
      return replyToVm()
    }
    const ref = asker.modelNow()
    const windowTokens = await sizing.windowOf(ref)
    const outgoing = () => ({ step, ref, messages: conversation.messages, tools: toolsFor(ref) })
    if (onRecord) {
      recorded = undefined
      telling.again(ref)
      log.restarted(step, ref)
    } else if (sizing.isFull(outgoing(), windowTokens)) return { type: 'full' }
    else {
      const told = telling.before(checkpoint, ref)
      if (told !== undefined) await told
    }
    const sent = { ...outgoing(), messageTokens: conversation.promptTokens }
    const asked = { ...sent, isLive: true, promptTokens: sizing.promptTokens(ref, sent.tools) }
    const held = asker.reserve(asked)
    stageChecks(journal, { step, path: '0' }, held.checks)
    if (!held.ok) {
      journal.commit()
      return { type: 'budget', reason: held.reason }
    }
    if (!onRecord) log.started(checkpoint, ref, windowTokens)
    sizing.beforeAsking(sent, windowTokens)
    journal.commit()
    faultPoint('step.begun')
    return ask({ asked, held, sent, windowTokens })
  }

  async function ask({ asked, held, sent, windowTokens }: StepCall): Promise<JsonObject> {
    const startedAt = parts.now()
    try {
      const answered = await asker.ask(asked, held)
      lastReply = log.answered(step, answered)
      sizing.afterAnswer(sent, answered, windowTokens)
      faultPoint('model.recorded')
    } catch (error) {
      if (isCancelled(error) || context.signal.aborted) {
        log.stopped(error, { asked, durationMs: parts.now() - startedAt })
        throw error
      }
      const failure = log.failed(context.runsCode ? error : withoutCode(error), {
        asked,
        durationMs: parts.now() - startedAt,
      })
      if (isForPerson(failure.code)) throw error
      sizing.afterFailure(failure, asked)
      return { type: 'error', reason: failure.userMessage, code: failure.code }
    }
    return replyToVm()
  }

  const scope = () => ({
    ...{ threadId: thread.id, rootId: thread.rootId, projectId: thread.projectId, folder: context.folder },
    ...{ step, journal, signal: context.signal, origin: context.taint },
  })

  /** Answers how many of the calls succeeded; their results go to the transcript, in the order of the calls. */
  async function executeActions(ids: readonly string[]): Promise<JsonObject | Waits> {
    const calls = ids.map((id) => callNamed(lastReply.toolCalls, id))
    const recordedActions = recorded?.actions
    recorded = undefined
    const executed = await parts.capabilities.execute(calls, {
      ...scope(),
      pathAt: (at) => String(at + 1),
      ...(recordedActions && { recorded: recordedActions }),
    })
    if (executed.kind === 'waits') return new Waits(executed.reason)
    const { results } = executed
    for (const result of results) conversation.addResult(result)
    const isChanged = results.some((result) => result.ok && parts.capabilities.changes(result.name))
    const repeat = noticed(repeats.note(calls, results, isChanged))
    return { ok: results.filter((result) => result.ok).length, repeat }
  }

  async function executeCode(): Promise<JsonObject | Waits> {
    const onRecord = recorded
    recorded = undefined
    const { children } = context
    const source = codeText(lastReply.text)
    const { messages } = conversation
    const inputs = codeInputs({
      ...{ messages, goal: thread.goal, state: codeState, previousResults, step, timeZone: context.timeZone },
    })
    const end = await runCode(
      { source, scope: scope(), tools: context.tools, inputs, snippets: context.snippets(), recorded: onRecord },
      { ...parts, asker, children },
    )
    if (end.kind === 'waits') return new Waits(end.reason)
    if (end.state !== undefined) codeState = end.state
    previousResults = end.results
    conversation.addOutput(end.output, end.sources)
    if (end.skills !== '') conversation.addSkills(end.skills)
    const repeat = noticed(repeats.noteCode(source, end.output, end.isChanged))
    return { ok: end.ok, final: end.final, repeat }
  }

  function noticed(repeat: Repeat | null): JsonObject | null {
    if (repeat === null || repeat.count < limits.repeatsNudge) return null
    const { name, count } = repeat
    if (count === limits.repeatsNudge || count >= limits.repeatsStop) {
      const verdict = count >= limits.repeatsStop ? 'stopped' : 'told'
      journal.stage({ kind: 'repeat.noticed', data: { step, name, count, verdict } })
    }
    return { name, count }
  }

  return {
    /** @throws AppError engine.value for a call that the host does not know or arguments that do not fit. */
    async call(name: string, args: readonly Json[]): Promise<Json | Waits> {
      switch (name) {
        case 'llm_complete':
          return llmComplete(...fit(completeArguments.safeParse(args), name))
        case 'execute_actions':
          return executeActions(...fit(executeArguments.safeParse(args), name))
        case 'execute_code':
          fit(noArguments.safeParse(args), name)
          return executeCode()
        case 'compact':
          return sizing.compact(...fit(compactArguments.safeParse(args), name))
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

/** A step's model call, reserved and on record. */
interface StepCall {
  readonly asked: Asked
  readonly held: Held & { readonly ok: true }
  readonly sent: Sent
  readonly windowTokens: number | null
}

/** A model that calls no actions cannot be asked by code either where a person has switched that off. */
function withoutCode(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'model.tools') return error
  const { message, data, retryable } = error
  return new AppError('model.tools', {
    ...{ message, retryable, cause: error, ...(data && { data }) },
    userMessage:
      'This model cannot call actions, and running code is switched off, so it has no way to act. Your messages and all finished steps are kept. Choose a model with tools in Settings → Models, start its server with tool calling switched on, or let code run in Settings → Agent, then try again.',
  })
}

function callNamed(calls: Reply['toolCalls'], id: string): Reply['toolCalls'][number] {
  const call = calls.find((each) => each.id === id)
  if (call !== undefined) return call
  throw new AppError('engine.value', {
    message: `the loop named a call that the model did not make: ${id}`,
    userMessage: 'The step loop named a call that does not exist. The thread was stopped; its record is safe.',
  })
}

function codeText(text: string): string {
  const found = codeOf(text)
  if (found !== null) return found.code
  throw new AppError('engine.value', {
    message: 'the loop wants to run code where the answer holds none',
    userMessage: 'The step loop wants to run code that is not there. The thread was stopped; its record is safe.',
  })
}

function fit<Value>(parsed: z.ZodSafeParseResult<Value>, name: string): Value {
  if (parsed.success) return parsed.data
  throw new AppError('engine.value', {
    message: `${name}: ${z.prettifyError(parsed.error)}`,
    userMessage: 'The step loop passed something unexpected. The thread was stopped; its record is safe.',
  })
}

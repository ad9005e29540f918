import { z } from 'zod'
import type { Capabilities } from '../capabilities/capabilities.ts'
import { codeOf } from '../domain/code.ts'
import { AppError, errorBody, isCancelled } from '../domain/error.ts'
import { type DocsRetrieved, previewOf } from '../domain/event.ts'
import { faultPoint } from '../domain/fault-point.ts'
import type { EngineHooks } from '../domain/hooks.ts'
import { canonicalJson, type Json, type JsonObject } from '../domain/json.ts'
import { limits } from '../domain/limits.ts'
import { type ModelRef, modelRefText, type ToolDefinition } from '../domain/model.ts'
import { sanitizeText } from '../domain/text.ts'
import type { ThreadHeader } from '../domain/thread.ts'
import type { Events, Journal } from '../events/events.ts'
import type { Models } from '../models/models.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { answerOf, finalAnswer, roundMs } from './answer.ts'
import { type Answered, type Asked, createAsker } from './ask.ts'
import { stageChecks } from './checks.ts'
import type { Children } from './children.ts'
import { codeInputs } from './code-inputs.ts'
import type { CodeVmRows } from './code-parts.ts'
import { runCode } from './code-step.ts'
import { compact } from './compaction.ts'
import type { Conversation } from './conversation.ts'
import { type Checkpoint, checkpointSchema, recordedCheckpoint } from './loop-inputs.ts'
import type { Meter } from './meter.ts'
import { closeStep, isFinal, type Replayed, type Reply } from './record.ts'
import type { Repeat, Repeats } from './repeats.ts'
import { createWindowWatch } from './window-watch.ts'

/** Docs of the project that bear on what was asked, as the model reads them. */
export interface Knowledge {
  readonly docs: DocsRetrieved['docs']
  readonly text: string
}

/** One run of the loop over one thread: what the host calls work on. */
export interface LoopContext {
  readonly thread: ThreadHeader
  readonly folder: string
  readonly tools: readonly ToolDefinition[]
  readonly conversation: Conversation
  readonly repeats: Repeats
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
  onAsking(isAsking: boolean): void
  readonly replayed: Replayed
  readonly meter: Meter
  readonly children: Children
  /** Fenced Python of an answer is run. */
  readonly runsCode: boolean
  /** What stands in the project, for step 0. */
  surroundings(): Promise<string>
  /** The actions as functions of code: for a model that calls none. */
  functions(): string
  /** Null where nothing bears on it. */
  knowledge(asked: string): Promise<Knowledge | null>
  /** Values that code finds beside its own. */
  readonly timeZone: string
}

export interface HostParts {
  readonly models: Models
  readonly capabilities: Capabilities
  readonly events: Events
  readonly sandbox: Sandbox
  readonly codeVms: CodeVmRows
  readonly hooks: readonly EngineHooks[]
  readonly now: () => number
}

/** A host call that lets the thread rest instead of answering. */
export class Waits {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

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
  const asker = createAsker({
    ...{ models: parts.models, meter, thread, journal, signal: context.signal, hooks: parts.hooks },
    emitDelta: (delta) => parts.events.emitDelta(delta),
    onBackoff: (waitMs) => context.onBackoff(waitMs),
    afterBackoff: () => context.afterBackoff(),
    onAsking: (isAsking) => context.onAsking(isAsking),
  })
  let recorded = context.replayed.step
  let lastModel = recorded && modelRefText(recorded.started)
  let codeState = context.replayed.codeState
  let previousResults: JsonObject = context.replayed.previousResults
  let step = 0
  let compactedAt = -1
  /** Learnt from a server that refused a prompt: its window, in tokens as we count them. */
  let learntWindow = Number.POSITIVE_INFINITY
  let overflow: OverflowSizes = {}
  let contextAt = -1
  let lastReply: Reply = { text: '', toolCalls: [], isCode: false, isCut: false }
  const { counts, warned } = context.replayed
  const watch = createWindowWatch({ models: parts.models, conversation, journal, counts, warned })
  /** A server refuses a request that offers actions to a model that knows none. */
  const toolsFor = (ref: ModelRef) => (parts.models.callsActions(ref) ? context.tools : noTools)

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

  function stageStart(checkpoint: Checkpoint, ref: ModelRef, windowTokens: number | null): void {
    const text = modelRefText(ref)
    if (lastModel !== undefined && lastModel !== text)
      journal.stage({
        kind: 'status',
        data: { text: `The settings changed: ${text} answers from here, not ${lastModel}` },
      })
    lastModel = text
    const facts = { ...ref, tier: thread.tier, messages: conversation.messages.length }
    const window = windowTokens === null ? {} : { windowTokens }
    const more = { promptTokens: conversation.promptTokens, checkpoint: recordedCheckpoint(checkpoint) }
    journal.stage({ kind: 'step.started', data: { step, ...facts, ...more, ...window } })
  }

  function stageAnswer(answer: Answered): void {
    const { completion, providerId, model, usd } = answer
    lastReply = answerOf(completion, { runsCode: context.runsCode && providerId !== 'planner' })
    const { usage, finishReason } = completion
    const { inputTokens, outputTokens, cachedInputTokens = 0, estimated = false } = usage
    const durationMs = roundMs(answer.durationMs)
    const firstTokenMs = answer.firstTokenMs === null ? null : roundMs(answer.firstTokenMs)
    const facts = { step, providerId, model, durationMs, firstTokenMs, inputTokens, outputTokens, finishReason }
    const more = { cachedInputTokens, estimated, usd, calls: lastReply.toolCalls.length }
    const code = lastReply.isCode ? { codeBlocks: 1 } : {}
    const { isCode: _, isCut: __, ...body } = lastReply
    journal.stage({
      kind: 'model.completed',
      data: { ...facts, ...more, ...code, preview: previewOf(lastReply.text) },
      body,
    })
  }

  function stageFailure(error: unknown, { asked, startedAt }: { asked: Asked; startedAt: number }): JsonObject {
    const { code, message, userMessage, retryable, data } = errorBody(error, 'model.provider')
    overflow = { limit: tokensIn(data?.limit), got: tokensIn(data?.got) }
    const partialText = sanitizeText(String(data?.partialText ?? ''))
    const durationMs = parts.now() - startedAt
    const spent = partialText === '' ? {} : asker.spentOn(asked, error)
    journal.stage({
      kind: 'model.failed',
      data: { step, ...asked.ref, durationMs, code, userMessage, retryable, ...spent },
      body: { message, partialText },
    })
    return { type: 'error', reason: userMessage, code }
  }

  function replyToVm(): JsonObject {
    conversation.addAssistant(lastReply.text, lastReply.toolCalls)
    const { text, toolCalls, isCode, isCut } = lastReply
    if (isCode) return { type: 'code' }
    if (toolCalls.length === 0) {
      const asked = conversation.lastAsked.slice(0, longestAskedForVm)
      return { type: 'text', text: text.slice(0, longestTextForVm), said: context.injectedCount(), cut: isCut, asked }
    }
    const final = toolCalls.find(isFinal)
    const calls = toolCalls.filter((call) => !isFinal(call)).map((call) => call.id)
    return { type: 'actions', calls, final: final === undefined ? null : finalAnswer(final, text) }
  }

  /**
   * What the model is told before this step: what a person said, notes of the loop, what the project and its memory hold.
   * Nothing is staged before the last await, and the order is that of the record: a run from the record reads the same.
   */
  async function addContext(checkpoint: Checkpoint): Promise<void> {
    const isFirst = contextAt !== checkpoint.step
    const begins = isFirst && checkpoint.step === 0
    contextAt = checkpoint.step
    const isSaid = addInjected()
    const surroundings = begins ? await surroundingsFor(asker.modelNow()) : ''
    const known = begins || isSaid ? await context.knowledge(conversation.lastAsked) : null
    addInjected()
    if (isFirst) for (const note of checkpoint.notes) stageNote(note, 'nudge')
    stageNote(surroundings, 'surroundings')
    if (known === null) return
    journal.stage({ kind: 'docs.retrieved', data: { step: checkpoint.step, docs: known.docs } })
    stageNote(known.text, 'knowledge')
  }

  async function surroundingsFor(ref: ModelRef): Promise<string> {
    const found = await context.surroundings()
    const isTold = context.runsCode && context.tools.length > 0 && !parts.models.callsActions(ref)
    return isTold ? `${found}\n\n${context.functions()}` : found
  }

  /** What a person said meanwhile is on record already. */
  function addInjected(): boolean {
    const said = context.takeInjected()
    for (const text of said) conversation.addUser(text)
    return said.length > 0
  }

  function stageNote(content: string, origin: 'nudge' | 'surroundings' | 'knowledge'): void {
    if (content === '') return
    if (origin === 'nudge') conversation.addNote(content)
    else conversation.addContext(content)
    const role = origin === 'nudge' ? 'user' : 'system'
    journal.stage({ kind: 'message.added', data: { role, origin, preview: previewOf(content) }, body: { content } })
  }

  /** Begins step `checkpoint.step`: what it needs to be run again is on disk before the model is asked. */
  async function llmComplete(checkpoint: Checkpoint): Promise<JsonObject> {
    step = checkpoint.step
    const onRecord = isOnRecord(checkpoint)
    if (onRecord && recorded?.reply !== undefined) {
      lastReply = recorded.reply
      // Calls and code are still to be answered from the record; of a text nothing is left.
      if (lastReply.toolCalls.length === 0 && !lastReply.isCode) recorded = undefined
      return replyToVm()
    }
    const ref = asker.modelNow()
    const found = asker.windowOf(ref)
    const windowTokens = found instanceof Promise ? await found : found
    const outgoing = () => ({ step, ref, messages: conversation.messages, tools: toolsFor(ref) })
    if (onRecord) {
      recorded = undefined
      journal.stage({ kind: 'step.restarted', data: { step } })
      // Once a step: after that the request goes out, and the server says what it thinks of it.
    } else if (
      compactedAt !== step &&
      watch.isFull(outgoing(), Math.min(windowTokens ?? limits.defaultWindowTokens, learntWindow))
    )
      return { type: 'full' }
    else if (checkpoint.step === 0 || checkpoint.notes.length > 0 || context.injectedCount() > 0) {
      await addContext(checkpoint)
    }
    const sent = { ...outgoing(), messageTokens: conversation.promptTokens }
    const asked = { ...sent, isLive: true, promptTokens: watch.promptTokens(ref, sent.tools) }
    const held = asker.reserve(asked)
    stageChecks(journal, { step, path: '0' }, held.checks)
    if (!held.ok) {
      journal.commit()
      return { type: 'budget', reason: held.reason }
    }
    if (!onRecord) stageStart(checkpoint, ref, windowTokens)
    watch.beforeAsking(sent, windowTokens)
    journal.commit()
    faultPoint('step.begun')
    const startedAt = parts.now()
    try {
      const answered = await asker.ask(asked, held)
      stageAnswer(answered)
      watch.afterAnswer(sent, answered, windowTokens)
      faultPoint('model.recorded')
    } catch (error) {
      if (isCancelled(error) || context.signal.aborted) throw error
      return stageFailure(error, { asked, startedAt })
    }
    return replyToVm()
  }

  async function compactNow(checkpoint: Checkpoint, trigger: 'threshold' | 'overflow'): Promise<JsonObject | null> {
    compactedAt = checkpoint.step
    const ref = asker.modelNow()
    const tools = toolsFor(ref)
    let windowTokens = Math.min((await asker.windowOf(ref)) ?? limits.defaultWindowTokens, learntWindow)
    if (trigger === 'overflow') {
      const refused = watch.promptTokens(ref, tools)
      learntWindow = Math.min(windowTokens, windowWithin(refused, overflow) ?? refused)
      // Of a window that nobody names only this is known: the prompt does not fit. The question for the summary has to.
      windowTokens = Math.min(windowTokens, windowWithin(refused, overflow) ?? Math.ceil(refused / 2))
    }
    const facts = { step: checkpoint.step, checkpoint, trigger, windowTokens, ratio: watch.ratio(ref, tools) }
    const problem = await compact(facts, { asker, journal, conversation })
    if (problem === null) watch.restart()
    return problem
  }

  const scope = () => ({
    ...{ threadId: thread.id, rootId: thread.rootId, projectId: thread.projectId, folder: context.folder },
    ...{ step, journal, signal: context.signal },
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
      { source, scope: scope(), tools: context.tools, inputs, recorded: onRecord },
      { ...parts, asker, children },
    )
    if (end.kind === 'waits') return new Waits(end.reason)
    if (end.state !== undefined) codeState = end.state
    previousResults = end.results
    conversation.addNote(end.output)
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
          return compactNow(...fit(compactArguments.safeParse(args), name))
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

/** What a server said of a prompt that it refused, in its own tokens. */
interface OverflowSizes {
  readonly limit?: number | undefined
  readonly got?: number | undefined
}

/** Its window in tokens as we count them: our count of the prompt is an estimate, and can be far off for other scripts. */
function windowWithin(refused: number, { limit, got }: OverflowSizes): number | undefined {
  if (limit === undefined) return undefined
  return Math.max(1, Math.floor(got === undefined ? Math.min(limit, refused) : (limit * refused) / got))
}

function tokensIn(value: Json | undefined): number | undefined {
  return typeof value === 'number' && value > 0 ? value : undefined
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

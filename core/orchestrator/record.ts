import type { Recorded } from '../capabilities/capabilities.ts'
import { type ActionResult, canonicalActionName } from '../domain/action.ts'
import { codeOf } from '../domain/code.ts'
import { type ErrorBody, errorCodes } from '../domain/error.ts'
import type {
  ContextWarned,
  MessageOrigin,
  ModelCompleted,
  ModelFailed,
  StepRestarted,
  StepStarted,
  StoredEvent,
} from '../domain/event.ts'
import { isJsonObject, type Json, type JsonObject } from '../domain/json.ts'
import { modelRefText, type ToolCall } from '../domain/model.ts'
import type { Conversation } from './conversation.ts'
import { noCounts, type PromptCounts, withCount, withoutPrefix } from './prompt-gauge.ts'
import { resultsOf } from './recorded-calls.ts'
import type { LaterMessage, RecordedChild, RecordedCode, RecordedQuery, RecordedStep, Reply } from './recorded-step.ts'
import { createRepeats, type Repeats } from './repeats.ts'

/** Where a thread goes on. `checkpoint` is undefined for one that never began a step. */
export interface Replayed {
  readonly checkpoint: Json | undefined
  readonly step: RecordedStep | undefined
  /** `state` of its code, as the last step that ended left it. */
  readonly codeState: Json
  /** What its last code step called, for the next one. */
  readonly previousResults: JsonObject
  /** The version of the loop that it began with. */
  readonly version: number | undefined
  /** The model has called something. */
  readonly acted: boolean
  /** `<providerId>/<model>` that was asked last; undefined where none was. */
  readonly lastModel: string | undefined
  /** What servers counted of its prompts. */
  readonly counts: PromptCounts
  readonly warned: readonly ContextWarned[]
}

/** What a thread begins with that goes on with another one's record. */
export type Before = Pick<Replayed, 'codeState' | 'previousResults' | 'acted'>
export const nothingBefore: Before = { codeState: {}, previousResults: {}, acted: false }

/** The whole record of a thread that is over, for the one that goes on with it: the last step too is closed. */
export function replayEnded(events: Iterable<StoredEvent>, conversation: Conversation, before: Before): Before {
  const repeats = createRepeats()
  const { step, ...rest } = replayRecord(events, conversation, repeats, before)
  if (step !== undefined) closeStep(step, conversation, repeats)
  return { ...rest, acted: rest.acted || hasCalled(step) }
}

function hasCalled(step: Pick<RecordedStep, 'reply'> | undefined): boolean {
  return step?.reply !== undefined && (step.reply.toolCalls.length > 0 || step.reply.isCode)
}

/** Every step of a thread that is over. */
export function recordedSteps(events: Iterable<StoredEvent>): readonly RecordedStep[] {
  const steps: OpenStep[] = []
  for (const event of events) {
    if (event.kind === 'step.started') steps.push(openStep(event.data))
    const open = steps.at(-1)
    if (open !== undefined) noteInStep(open, event)
  }
  return steps
}

/** Replays a thread's own events: fills `conversation` and `repeats` with everything up to the last step, and answers that. */
export function replayRecord(
  events: Iterable<StoredEvent>,
  conversation: Conversation,
  repeats: Repeats,
  before: Before = nothingBefore,
): Replayed {
  let open: OpenStep | undefined
  let checkpoint: Json | undefined
  let { codeState, previousResults, acted } = before
  let version: number | undefined
  let lastModel: string | undefined
  let counts = noCounts
  /** Before the last answer. */
  let countsBefore = noCounts
  const warned: ContextWarned[] = []
  const close = () => {
    if (open !== undefined) closeStep(open, conversation, repeats)
    if (open?.code?.finished !== undefined) previousResults = resultsOf(open)
    acted ||= hasCalled(open)
    open = undefined
  }
  for (const event of events) {
    switch (event.kind) {
      case 'orchestrator.chosen':
        version = event.data.version
        break
      case 'message.added': {
        const { role, origin } = event.data
        if (role === 'assistant' || origin === 'orientation') break
        const later = { as: laterAs(origin), content: event.body.content }
        if (open === undefined) addLater(later, conversation)
        else open.later.push(later)
        break
      }
      case 'context.compacted': {
        // What was said while the step ran was not in the transcript yet that was summed up.
        const later = open?.later.splice(0) ?? []
        close()
        conversation.compact(event.body.summary, event.data.kept, event.data.sources ?? [])
        for (const message of later) addLater(message, conversation)
        checkpoint = event.data.checkpoint
        counts = withoutPrefix(counts)
        break
      }
      case 'context.warned':
        warned.push(event.data)
        // What was read of that prompt was not the whole.
        if (event.data.phase === 'after') counts = countsBefore
        break
      case 'model.completed':
        countsBefore = counts
        if (open !== undefined) {
          counts = countedIn(open, event.data, { counts, warned })
          noteInStep(open, event)
        }
        break
      case 'step.restarted':
        // Told to whoever is asked again, before its answer; what a person said meanwhile comes with the next step.
        if (open === undefined) break
        tellNow(open, conversation)
        open.promptTokens = event.data.promptTokens ?? open.promptTokens
        lastModel = restartedWith(event.data) ?? lastModel
        break
      case 'step.started':
        close()
        lastModel = modelRefText(event.data)
        open = openStep(event.data)
        checkpoint = event.data.checkpoint
        break
      case 'code.finished':
        if (event.body.state !== undefined) codeState = event.body.state
        if (open !== undefined) noteInStep(open, event)
        break
      default:
        if (open !== undefined) noteInStep(open, event)
    }
  }
  return { checkpoint, step: open, codeState, previousResults, version, acted, lastModel, counts, warned }
}

function tellNow(open: OpenStep, conversation: Conversation): void {
  const context = open.later.filter(({ as }) => as === 'context')
  open.later.splice(0, open.later.length, ...open.later.filter(({ as }) => as !== 'context'))
  for (const message of context) addLater(message, conversation)
}

function restartedWith({ providerId, model }: StepRestarted): string | undefined {
  return providerId === undefined || model === undefined ? undefined : modelRefText({ providerId, model })
}

/** As `afterAnswer` of the window's watch keeps it: of the model that answered, which after a restart may be another one. */
function countedIn(
  { promptTokens }: OpenStep,
  { providerId, model: name, inputTokens, estimated }: ModelCompleted,
  { counts, warned }: Pick<Replayed, 'counts' | 'warned'>,
): PromptCounts {
  const model = modelRefText({ providerId, model: name })
  if (estimated || warned.some((each) => each.phase === 'after' && modelRefText(each) === model)) return counts
  return withCount(counts, { model, messageTokens: promptTokens, countedTokens: inputTokens })
}

type OpenStep = Omit<RecordedStep, 'actions' | 'queries' | 'children' | 'later' | 'reply' | 'code' | 'failure'> & {
  readonly actions: Map<string, Recorded>
  readonly queries: Map<string, RecordedQuery>
  readonly children: Map<string, RecordedChild>
  readonly later: LaterMessage[]
  reply: Reply | undefined
  code: RecordedCode | undefined
  failure: ModelFailed | undefined
  /** Of its request, by our own estimate. */
  promptTokens: number
}

function openStep(started: StepStarted): OpenStep {
  const empty = { actions: new Map(), queries: new Map(), children: new Map(), later: [] }
  return {
    started,
    promptTokens: started.promptTokens,
    reply: undefined,
    code: undefined,
    failure: undefined,
    ...empty,
  }
}

function noteInStep(open: OpenStep, event: StoredEvent): void {
  switch (event.kind) {
    case 'model.completed': {
      const { codeBlocks = 0, finishReason } = event.data
      open.reply = { ...event.body, isCode: codeBlocks > 0, isCut: finishReason === 'length' }
      break
    }
    case 'model.failed':
      open.failure = event.data
      break
    case 'approval.requested':
      open.actions.set(event.data.path, { argsHash: event.data.argsHash, began: false })
      break
    case 'action.started': {
      const guard = event.body?.guard
      const began = { argsHash: event.data.argsHash, began: true }
      open.actions.set(event.data.path, guard === undefined ? began : { ...began, guard })
      break
    }
    case 'action.finished': {
      const before = open.actions.get(event.data.path) ?? { argsHash: null, began: true }
      open.actions.set(event.data.path, { ...before, result: resultOf(event) })
      break
    }
    case 'code.started':
      open.code = {}
      break
    case 'code.finished':
      open.code = { finished: { data: event.data, body: event.body } }
      break
    case 'query.started':
      open.queries.set(event.data.path, { purpose: event.data.purpose })
      break
    case 'query.finished': {
      const { purpose = 'llm_query' } = open.queries.get(event.data.path) ?? {}
      open.queries.set(event.data.path, { purpose, finished: { data: event.data, text: event.body.text } })
      break
    }
    case 'child.spawned':
      open.children.set(event.data.path, { childId: event.data.childId })
      break
    case 'child.finished': {
      const { childId, path } = event.data
      open.children.set(path, { childId, finished: { data: event.data, text: event.body.text } })
      break
    }
  }
}

/** What is on record of a step that is over, as messages: its answer, one result for each call, what its code printed. */
export function closeStep(step: RecordedStep, conversation: Conversation, repeats: Repeats): void {
  const { reply } = step
  if (reply !== undefined) {
    conversation.addAssistant(reply.text, reply.toolCalls)
    const calls = reply.toolCalls.filter((each) => !isFinal(each))
    const results = calls.map((call, at) => step.actions.get(String(at + 1))?.result ?? unanswered(call.id, call.name))
    for (const result of results) conversation.addResult(result)
    if (calls.length > 0) repeats.note(calls, results, hasChanged(step))
  }
  if (reply?.isCode) {
    const { body, data } = step.code?.finished ?? {}
    const output = body?.output
    conversation.addOutput(output ?? unfinishedCode, data?.sources ?? [])
    const source = codeOf(reply.text)?.code
    if (output !== undefined && source !== undefined) repeats.noteCode(source, output, hasChanged(step))
  }
  for (const message of step.later) addLater(message, conversation)
}

function addLater({ as, content }: LaterMessage, conversation: Conversation): void {
  if (as === 'note') conversation.addNote(content)
  else if (as === 'context') conversation.addContext(content)
  else if (as === 'skills') conversation.addSkills(content)
  else conversation.addUser(content)
}

function laterAs(origin: MessageOrigin | undefined): LaterMessage['as'] {
  if (origin === undefined) return 'said'
  if (origin === 'skills' || origin === 'catalogue') return 'skills'
  return origin === 'surroundings' || origin === 'knowledge' ? 'context' : 'note'
}

/** Something that does not only read has succeeded: only such calls have a hash of their arguments. */
function hasChanged({ actions }: RecordedStep): boolean {
  return [...actions.values()].some(({ argsHash, result }) => argsHash !== null && result?.ok === true)
}

const unfinishedCode = '[the code did not come to its end: the thread went on without it]'

/** FINAL is an answer in the form of a call: it never runs and has no result. */
export function isFinal(call: ToolCall): boolean {
  return canonicalActionName(call.name).toUpperCase() === 'FINAL'
}

function resultOf(event: StoredEvent & { kind: 'action.finished' }): ActionResult {
  const { callId, name, ok, durationMs, source } = event.data
  const { result } = event.body
  const head = { callId, name, durationMs, ...(source && { source }) }
  return ok ? { ...head, ok, value: result } : { ...head, ok, error: errorOf(result) }
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

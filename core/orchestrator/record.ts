import type { Recorded } from '../capabilities/capabilities.ts'
import { type ActionResult, canonicalActionName } from '../domain/action.ts'
import { comparePaths } from '../domain/calls.ts'
import { codeOf } from '../domain/code.ts'
import { type ErrorBody, errorCodes } from '../domain/error.ts'
import type {
  ChildFinished,
  CodeFinished,
  CodeFinishedBody,
  ContextWarned,
  MessageOrigin,
  ModelCompleted,
  ModelCompletedBody,
  ModelFailed,
  QueryFinished,
  QueryStarted,
  StepRestarted,
  StepStarted,
  StoredEvent,
} from '../domain/event.ts'
import { isJsonObject, type Json, type JsonObject } from '../domain/json.ts'
import { modelRefText, type ToolCall } from '../domain/model.ts'
import type { Conversation } from './conversation.ts'
import { noCounts, type PromptCounts, withCount, withoutPrefix } from './prompt-gauge.ts'
import { createRepeats, type Repeats } from './repeats.ts'

/** The model's answer; `isCode`: it asked for its fenced code to be run. */
export interface Reply extends ModelCompletedBody {
  readonly isCode: boolean
  readonly isCut: boolean
}

/** What stands beside a step's own calls: by path. */
export interface RecordedCode {
  readonly finished?: { readonly data: CodeFinished; readonly body: CodeFinishedBody }
}
export interface RecordedQuery {
  readonly purpose: QueryStarted['purpose']
  readonly finished?: { readonly data: QueryFinished; readonly text: string }
}
export interface RecordedChild {
  readonly childId: string
  readonly finished?: { readonly data: ChildFinished; readonly text: string }
}

/** A message that came while a step ran: the model reads it with the next one. */
export interface LaterMessage {
  readonly as: 'said' | 'note' | 'context'
  readonly content: string
}

/** The last step as it stands on record: what its host calls are answered with when the loop runs again (RULES 8). */
export interface RecordedStep {
  readonly started: StepStarted
  /** The model's answer, where it had come. */
  readonly reply: Reply | undefined
  readonly actions: ReadonlyMap<string, Recorded>
  readonly code: RecordedCode | undefined
  readonly queries: ReadonlyMap<string, RecordedQuery>
  readonly children: ReadonlyMap<string, RecordedChild>
  readonly later: readonly LaterMessage[]
  /** Why the model gave no answer, where it did not. */
  readonly failure: ModelFailed | undefined
}

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
        conversation.compact(event.body.summary, event.data.kept)
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
    const output = step.code?.finished?.body.output
    conversation.addNote(output ?? unfinishedCode)
    const source = codeOf(reply.text)?.code
    if (output !== undefined && source !== undefined) repeats.noteCode(source, output, hasChanged(step))
  }
  for (const message of step.later) addLater(message, conversation)
}

/** What the code of a step called and got, by the labels that the next code knows: `1.3` is `c3`. */
export function resultsOf(step: RecordedCalls): JsonObject {
  return Object.fromEntries(endedCalls(step).flatMap(({ path, ok, result }) => (ok ? [[labelOf(path), result]] : [])))
}

type RecordedCalls = Pick<RecordedStep, 'actions' | 'queries' | 'children'>

/** A call of code that came to its end, as its record has it. */
export interface EndedCall {
  readonly path: string
  readonly name: string
  readonly ok: boolean
  readonly result: Json
}

/** Every call of code on record: actions, queries and children, in the order in which the code made them. */
export function endedCalls({ actions, queries, children }: RecordedCalls): readonly EndedCall[] {
  const ended: EndedCall[] = []
  for (const [path, { result }] of actions) {
    if (result === undefined) continue
    ended.push({ path, name: result.name, ok: result.ok, result: result.ok ? result.value : result.error.message })
  }
  const batches = new Map<string, string[]>()
  for (const [path, { purpose, finished }] of queries) {
    if (finished === undefined || purpose === 'compaction') continue
    const { ok } = finished.data
    if (purpose === 'llm_query') ended.push({ path, name: purpose, ok, result: finished.text })
    else {
      const [batch, at] = [path.slice(0, path.lastIndexOf('.')), Number(path.slice(path.lastIndexOf('.') + 1))]
      const texts = batches.get(batch) ?? []
      texts[at - 1] = ok ? finished.text : `Error: ${finished.text}`
      batches.set(batch, texts)
    }
  }
  for (const [path, texts] of batches) {
    // A query that the budget stopped was never begun.
    const result = Array.from(texts, (text: string | undefined) => text ?? 'Error: it was not asked')
    ended.push({ path, name: 'llm_query_batched', ok: true, result })
  }
  for (const [path, { finished }] of children) {
    if (finished === undefined) continue
    const { ok } = finished.data
    ended.push({ path, name: 'rlm_query', ok, result: ok ? finished.text : childFailed(finished.text) })
  }
  return ended.sort((a, b) => comparePaths(a.path, b.path))
}

export const childFailed = (text: string) => `rlm_query child failed: ${text}`

export function labelOf(path: string): string {
  return `c${path.split('.').slice(1).join('_')}`
}

function addLater({ as, content }: LaterMessage, conversation: Conversation): void {
  if (as === 'note') conversation.addNote(content)
  else if (as === 'context') conversation.addContext(content)
  else conversation.addUser(content)
}

function laterAs(origin: MessageOrigin | undefined): LaterMessage['as'] {
  if (origin === undefined) return 'said'
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

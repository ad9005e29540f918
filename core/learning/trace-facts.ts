import { callKey } from '../domain/calls.ts'
import type { ErrorCode } from '../domain/error.ts'
import type {
  ActionFinished,
  ActionStarted,
  CodeFinished,
  ModelFailed,
  StateChanged,
  StoredEvent,
} from '../domain/event.ts'

/** What of a record says how well the thread went; the last move is where it stands. */
export interface TraceFacts {
  lastMove: StateChanged | null
  lastStep: number
  modelSteps: number
  isAnswered: boolean
  hasActions: boolean
  readonly stepsWithCalls: Set<number>
  readonly stepsWithCode: Set<number>
  readonly modelFailures: ModelFailed[]
  readonly started: Map<string, ActionStarted>
  readonly finished: Map<string, Finished>
  readonly code: (CodeFinished & { readonly output: string })[]
  readonly withoutId: string[]
  readonly repeats: { readonly step: number; readonly name: string; readonly count: number }[]
  readonly orchestrator: { readonly id: string; readonly isFailure: boolean; readonly reason: string }[]
}
export interface Finished extends ActionFinished {
  /** What the model was told, for one that failed. */
  readonly message: string
}

/** One walk over the events of one thread, oldest first. */
export function factsOf(events: Iterable<StoredEvent>): TraceFacts {
  const facts: TraceFacts = {
    lastMove: null,
    lastStep: 0,
    modelSteps: 0,
    isAnswered: false,
    hasActions: false,
    stepsWithCalls: new Set(),
    stepsWithCode: new Set(),
    modelFailures: [],
    started: new Map(),
    finished: new Map(),
    code: [],
    withoutId: [],
    repeats: [],
    orchestrator: [],
  }
  for (const event of events) addFact(facts, event)
  return facts
}

function addFact(facts: TraceFacts, event: StoredEvent): void {
  switch (event.kind) {
    case 'thread.state':
      facts.lastMove = event.data
      return
    case 'lease.granted':
      facts.hasActions ||= event.data.actions.length > 0
      return
    case 'message.added':
      facts.isAnswered ||= event.data.role === 'assistant' && event.body.content.trim() !== ''
      return
    case 'step.started':
      facts.lastStep = event.data.step
      return
    case 'model.completed': {
      const { step, calls, codeBlocks = 0 } = event.data
      facts.modelSteps += 1
      if (calls > 0) facts.stepsWithCalls.add(step)
      if (codeBlocks > 0) facts.stepsWithCode.add(step)
      if (event.body.toolCalls.some((call) => call.id === '')) facts.withoutId.push(String(step))
      return
    }
    case 'model.failed':
      // Stopped in mid-answer by a person: no failure of the model.
      if (event.data.code !== 'cancelled') facts.modelFailures.push(event.data)
      return
    case 'action.started':
      facts.started.set(callKey(event.data), event.data)
      if (event.data.callId === '') facts.withoutId.push(callKey(event.data))
      return
    case 'action.finished':
      facts.finished.set(callKey(event.data), { ...event.data, message: messageOf(event.body.result) })
      return
    default:
      addRarer(facts, event)
  }
}

function addRarer(facts: TraceFacts, event: StoredEvent): void {
  switch (event.kind) {
    case 'code.finished':
      facts.stepsWithCode.add(event.data.step)
      facts.code.push({ ...event.data, output: event.body.output })
      return
    case 'repeat.noticed':
      facts.repeats.push(event.data)
      return
    case 'orchestrator.failed':
      facts.orchestrator.push({ id: String(facts.lastStep), isFailure: true, reason: event.data.reason })
      return
    case 'orchestrator.diverged': {
      const reason = 'after a restart the step loop asked for something else than before'
      facts.orchestrator.push({ id: String(event.data.step), isFailure: false, reason })
    }
  }
}

function messageOf(result: unknown): string {
  const error = typeof result === 'object' && result !== null && 'error' in result ? result.error : null
  if (typeof error !== 'object' || error === null || !('message' in error)) return ''
  return String(error.message)
}

/** A person's decision, or the engine's own stop: nothing that learning could mend. */
export function isNoFault(code: ErrorCode | undefined): boolean {
  return code !== undefined && decisions.has(code)
}
const decisions: ReadonlySet<ErrorCode> = new Set([
  'action.interrupted',
  'approval.denied',
  'approval.expired',
  'budget.stopped',
  'cancelled',
  'engine.stopped',
])

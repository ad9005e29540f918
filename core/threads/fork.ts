import { AppError } from '../domain/error.ts'
import type { EventKind, StepStarted, StoredEvent } from '../domain/event.ts'
import { limits } from '../domain/limits.ts'
import { sanitizeText } from '../domain/text.ts'
import { isTerminal, type ThreadHeader } from '../domain/thread.ts'
import type { Store } from '../store/store.ts'
import { requireProject, requireThread } from './lifecycle.ts'
import { eventsOf } from './record.ts'
import { actionsLeasedTo, runMarkOf } from './run-mark.ts'
import { begin, grantLeases, messageEvent, newThread, type SpawnParts } from './spawn.ts'

export interface ForkInput {
  /** A thread's id or its number. */
  readonly id: string
  /** Counts from 0. */
  readonly step: number
  /** What a person says after that step. */
  readonly text?: string | undefined
}

/**
 * A new thread of a new chat, Running, whose log begins with a copy of another one's up to and including `step`: the loop
 * replays it as after a crash, so nothing of it runs again. Leases are new and there are no grants, so what comes after asks
 * anew. What is copied counts neither against its budget nor against `maxSteps`.
 * @throws AppError thread.not_found; project.not_found; api.input where there is no such step or a message is needed;
 * thread.transition for a step that is not over.
 */
export function forkThread(parts: SpawnParts, input: ForkInput): ThreadHeader {
  const { store, events } = parts
  const source = requireThread(store, input.id)
  const { step } = input
  requireProject(store, source.projectId)
  const record = recordUpTo(store, source.id, step)
  const last = lastStepOf(record.events, source, step)
  const text = input.text === undefined ? '' : parts.redactor.text(sanitizeText(input.text).trim())
  const isEnd =
    record.isLast && isTerminal(source.state) && (source.outcome === 'answered' || source.outcome === 'failed')
  if (text === '' && (isEnd || input.text !== undefined)) throw needsMessage(source, step)

  const thread = forkOf(parts, source, step)
  const { id, number, conversationId, projectId, title, tier, goal } = thread
  const forkedFrom = { threadId: source.id, step }
  const mark = runMarkOf(store, source.id)
  // Of no call: nobody waits for it.
  const run = mark && { skill: mark.skill, version: mark.version }
  const created = {
    kind: 'thread.created',
    data: { number, projectId, conversationId, title, tier, forkedFrom, ...(run && { run }) },
    body: { goal },
    threadId: id,
    at: thread.createdAt,
  } as const
  const copies = record.events.map((event) => ({ ...event, threadId: id }))
  events.commitStaged([created, ...copies], (stored, append) => {
    store.threads.insert(thread)
    store.calls.index(id, store.calls.tail(id).values(), stored.at(-1)?.seq ?? 0)
    store.threads.setTotals(id)
    grantLeases(parts, id, append, run && actionsLeasedTo(store, source.id))
    if (text !== '') append(id, messageEvent('user', text))
    if (isEnd && !last.isText) append(id, { kind: 'step.started', data: nextStep(last.started) })
    begin(parts, thread, append)
  })
  return requireThread(store, id)
}

/**
 * What was said in the chat of a thread before an event, newest first. The chat of a fork begins in the chat that it was
 * forked from.
 */
export function saidBefore(
  store: Store,
  { conversationId, parentId }: Pick<ThreadHeader, 'conversationId' | 'parentId'>,
  { before, max }: { readonly before: number; readonly max: number },
): readonly StoredEvent[] {
  // A child knows its question and nothing of the chat.
  if (parentId !== null) return []
  const said = store.events.messagesBefore(conversationId, before, max)
  // A chat has the id of its first thread.
  const [first] = store.events.ofThread(conversationId, 0, 1)
  const origin = first?.kind === 'thread.created' ? first.data.forkedFrom : undefined
  const source = origin && store.threads.get(origin.threadId)
  if (source === undefined || said.length >= max) return said
  const [beginning] = store.events.ofThread(source.id, 0, 1)
  return [...said, ...saidBefore(store, source, { before: beginning?.seq ?? 0, max: max - said.length })]
}

function forkOf(parts: SpawnParts, source: ThreadHeader, step: number): ThreadHeader {
  const { projectId, goal, tier, model, budget } = source
  const maxSteps = Math.min(limits.maxStepsCeiling, step + 1 + (source.maxSteps ?? limits.maxSteps))
  const wishes = { projectId, goal, tier, model, maxSteps, budget, approvesAll: false, isNewMessage: false }
  return newThread(parts, wishes)
}

/** What a loop is told from; moves, leases, slots, budgets and grants are each thread's own. */
const copied: ReadonlySet<EventKind> = new Set<EventKind>([
  ...(['message.added', 'docs.retrieved', 'skill.selected', 'context.compacted', 'repeat.noticed'] as const),
  ...(['step.started', 'step.restarted', 'model.retried', 'model.completed', 'model.failed'] as const),
  ...(['action.started', 'action.finished', 'approval.requested', 'approval.decided'] as const),
  ...(['code.started', 'code.finished', 'query.started', 'query.finished', 'child.spawned', 'child.finished'] as const),
  ...(['skill.loaded', 'canvas.emitted'] as const),
  ...(['orchestrator.chosen', 'orchestrator.diverged'] as const),
])

interface CopiedRecord {
  readonly events: readonly StoredEvent[]
  /** The thread took no further step. */
  readonly isLast: boolean
}

function recordUpTo(store: Store, threadId: string, step: number): CopiedRecord {
  const events: StoredEvent[] = []
  let hasBegun = false
  for (const event of eventsOf(store, threadId)) {
    if ('step' in event.data && event.data.step > step) return { events, isLast: false }
    // Notes after the step's beginning are made for the next one, which makes its own; the answer ended the other thread.
    const isNote = hasBegun && event.kind === 'message.added' && event.data.origin !== undefined
    if (!copied.has(event.kind) || isNote) continue
    if (event.kind === 'step.started' && event.data.step === step) hasBegun = true
    events.push(event)
  }
  return { events, isLast: true }
}

interface LastStep {
  readonly started: StepStarted
  /** Its answer asked for nothing. */
  readonly isText: boolean
}

/** The step from which the fork goes on. A step that is under way is the other thread's: its requests, code and children. */
function lastStepOf(events: readonly StoredEvent[], source: ThreadHeader, step: number): LastStep {
  let started: StepStarted | undefined
  let isText: boolean | undefined
  const open = new Map<string, string>()
  for (const event of events) {
    if (!('step' in event.data) || event.data.step !== step) continue
    switch (event.kind) {
      case 'step.started':
        started = event.data
        break
      case 'model.completed':
        isText = event.data.calls === 0 && (event.data.codeBlocks ?? 0) === 0
        break
      case 'approval.requested':
        open.set(event.data.path, `${event.data.name} waits for a decision or was never run`)
        break
      case 'action.started':
        open.set(event.data.path, `${event.data.name} has not ended`)
        break
      case 'code.started':
      case 'query.started':
      case 'child.spawned':
        open.set(event.data.path, `its ${event.kind.split('.')[0]} has not ended`)
        break
      case 'action.finished':
      case 'code.finished':
      case 'query.finished':
      case 'child.finished':
        open.delete(event.data.path)
        break
    }
  }
  if (started === undefined) throw noStep(source, step)
  const [why] = open.values()
  if (isText === undefined || why !== undefined) throw notOver(source, step, why ?? 'the model has not answered')
  return { started, isText }
}

/**
 * An answer that ended its thread would end the fork too, so the next step is begun here: as after a message, and as after a
 * crash, the loop asks the model for it.
 */
function nextStep(before: StepStarted): StepStarted {
  const step = before.step + 1
  const counters = { nudges: 0, obligations: 0, acted: false, action_errors: 0, code_errors: 0 }
  return { ...before, step, checkpoint: { step, ...counters, notes: [] } }
}

function noStep({ number, steps }: ThreadHeader, step: number): AppError {
  return new AppError('api.input', {
    message: `thread #${number} has no step ${step}`,
    userMessage: `Thread #${number} has ${steps} steps, counted from 0, so there is no step ${step} to go on from. Nothing was made.`,
    data: { step, steps },
  })
}

function notOver({ number }: ThreadHeader, step: number, why: string): AppError {
  const advice = step === 0 ? 'wait until it is over' : `fork from step ${step - 1}, or wait until it is over`
  return new AppError('thread.transition', {
    message: `step ${step} of thread #${number} is not over: ${why}`,
    userMessage: `Step ${step} of thread #${number} is not over, so nothing can go on from it: ${advice}. Nothing was made.`,
    data: { step },
  })
}

function needsMessage({ number }: ThreadHeader, step: number): AppError {
  return new AppError('api.input', {
    message: `a fork from step ${step} of thread #${number} needs a text`,
    userMessage: `Step ${step} ended thread #${number}: say what should happen next (on the command line: --edit TEXT). Nothing was made.`,
    data: { step },
  })
}

import { AppError, type ErrorCode, errorBody, isCancelled } from '../domain/error.ts'
import type { StateChanged, StoredEvent } from '../domain/event.ts'
import { limits } from '../domain/limits.ts'
import type { ModelMessage } from '../domain/model.ts'
import type { Outcome, ThreadHeader, ThreadState } from '../domain/thread.ts'
import { type Append, createJournal, type Journal } from '../events/events.ts'
import { createConversation, type LoopContext, type Orchestrator, replayRecord } from '../orchestrator/orchestrator.ts'
import type { Store } from '../store/store.ts'
import { applyMove, moveEvent } from './lifecycle.ts'
import type { Slots } from './slots.ts'
import { appendThread, messageEvent, type SpawnParts } from './spawn.ts'

export interface RunParts extends SpawnParts {
  readonly orchestrator: Orchestrator
  readonly slots: Slots
  /** An end that could not be recorded (a full disk): the thread is taken up again at the next start. Null when one could. */
  readonly onFault: (error: unknown) => void
}

/** A thread under way in this process. `ending` says what its abort means. */
export interface ActiveRun {
  readonly thread: ThreadHeader
  readonly controller: AbortController
  readonly injected: string[]
  ending: { readonly as: 'stopped' | 'suspended'; readonly reason: string } | undefined
  holdsSlot: boolean
  /** Its end is on record: what is said now begins another thread. */
  isOver: boolean
}

const pageRows = 500
/** Earlier turns of the chat that a new thread is told, newest last. */
const earlierMessages = 40

/**
 * Runs one thread until it rests: whatever goes wrong is its end, which is recorded once. Answers the thread that goes on with
 * what was said too late for this one; it is made in the transaction that ends this one, so that no crash comes in between.
 * @throws AppError store.* when it cannot be; the thread is then taken up from its record.
 */
export async function runThread(run: ActiveRun, parts: RunParts): Promise<ThreadHeader | undefined> {
  const { thread } = run
  const journal = createJournal({ threadId: thread.id, events: parts.events, store: parts.store, now: parts.now })
  try {
    return recordEnd({ run, parts, journal }, await work({ run, parts, journal }))
  } finally {
    releaseSlot(run, parts.slots)
  }
}

interface Working {
  readonly run: ActiveRun
  readonly parts: RunParts
  readonly journal: Journal
}

interface Ending {
  readonly state: ThreadState
  readonly outcome: Outcome | null
  readonly reason: string | null
  readonly code: ErrorCode | null
  readonly answer?: string
}

async function work(working: Working): Promise<Ending> {
  const { run, parts } = working
  try {
    await takeSlot(working)
    const { outcome, text, reason, code } = await parts.orchestrator.run(contextOf(working))
    const state = outcome === 'failed' ? 'Failed' : 'Completed'
    return { state, outcome, reason, code, ...(outcome === 'answered' && { answer: text }) }
  } catch (error) {
    return endingOf(run, error)
  }
}

function endingOf({ ending }: ActiveRun, error: unknown): Ending {
  if (ending?.as === 'suspended') return { state: 'Suspended', outcome: null, reason: ending.reason, code: null }
  if (ending?.as === 'stopped' || isCancelled(error)) {
    return { state: 'Completed', outcome: 'stopped', reason: ending?.reason ?? 'stopped', code: 'cancelled' }
  }
  const { code, userMessage } = errorBody(error, 'orchestrator.failed')
  return { state: 'Failed', outcome: 'failed', reason: userMessage, code }
}

/** The last facts, the moves and the totals in one transaction. Completed goes on to Done at once. */
function recordEnd(working: Working, { state, outcome, reason, code, answer }: Ending): ThreadHeader | undefined {
  const { run, parts, journal } = working
  const { id } = run.thread
  const why = { ...(outcome && { outcome }), ...(reason !== null && { reason }), ...(code && { code }) }
  const moves: StateChanged[] = [moveEvent('Running', state, why).data]
  if (state === 'Completed') moves.push(moveEvent('Completed', 'Done', why).data)
  if (answer !== undefined) journal.stage(messageEvent('assistant', answer, 'final'))
  for (const data of moves) journal.stage({ kind: 'thread.state', data })
  let next: ThreadHeader | undefined
  journal.commitRest((append) => {
    const at = parts.now()
    for (const move of moves) applyMove(parts.store, { threadId: id, move, at })
    next = run.ending === undefined ? goOn(working, append) : undefined
  })
  run.isOver = true
  return next
}

/** The next thread of the chat, where messages came after the last step had begun. They are on record already. */
function goOn({ run, parts }: Working, append: Append): ThreadHeader | undefined {
  const { projectId, conversationId, tier, model, maxSteps } = run.thread
  const project = parts.store.projects.get(projectId)
  if (run.injected.length === 0 || project === undefined) return undefined
  const goal = run.injected.join('\n\n')
  const input = { projectId, conversationId, goal, tier, model, maxSteps, isNewMessage: false }
  return appendThread(parts, input, project, append).thread
}

function contextOf(working: Working): LoopContext {
  const { run, parts, journal } = working
  const { thread } = run
  const { store } = parts
  const project = store.projects.get(thread.projectId)
  if (project === undefined)
    throw new AppError('project.not_found', {
      message: thread.projectId,
      userMessage: 'The project of this thread is not in the store. Its record is safe.',
    })
  const leases = store.leases.ofThread(thread.id)
  const conversation = createConversation(beginningOf(store, thread))
  const recorded = replayRecord(eventsOf(store, thread.id), conversation)
  run.injected.unshift(...(recorded?.later ?? []))
  return {
    thread,
    folder: project.folder,
    leases,
    tools: parts.capabilities.definitions(leases.flatMap((lease) => lease.actions)),
    conversation,
    journal,
    signal: run.controller.signal,
    takeInjected: () => run.injected.splice(0),
    injectedCount: () => run.injected.length,
    onBackoff: (waitMs) => {
      if (waitMs > limits.slotReleaseBackoffMs) releaseSlot(run, parts.slots)
    },
    afterBackoff: () => takeSlot(working),
    recorded,
  }
}

/** The system message as it was recorded when the thread began, then what was said in the chat before it. */
function beginningOf(store: Store, thread: ThreadHeader): ModelMessage[] {
  const first = store.events.ofThread(thread.id, 0, 3)
  const system = first.find((event) => event.kind === 'message.added' && event.data.role === 'system')
  const messages: ModelMessage[] = []
  if (system?.kind === 'message.added') messages.push({ role: 'system', content: system.body.content })
  const before = first[0]?.seq ?? 0
  for (const event of store.events.messagesBefore(thread.conversationId, before, earlierMessages).toReversed()) {
    if (event.kind !== 'message.added') continue
    const { role, origin } = event.data
    if (role === 'user' && origin === undefined) messages.push({ role, content: event.body.content })
    if (role === 'assistant') messages.push({ role, content: event.body.content })
  }
  // A goal that was said before this thread began, and perhaps before the last answer: it is what is asked now.
  const asksAnew = first.some((event) => event.kind === 'message.added' && event.data.role === 'user')
  if (!asksAnew && messages.at(-1)?.role !== 'user') messages.push({ role: 'user', content: thread.goal })
  return messages
}

function* eventsOf(store: Store, threadId: string): Generator<StoredEvent> {
  let after = 0
  for (;;) {
    const page = store.events.ofThread(threadId, after, pageRows)
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < pageRows) return
    after = last.seq
  }
}

/** Waiting for a slot is on record: a thread that waits says behind how many. */
async function takeSlot({ run, parts, journal }: Working): Promise<void> {
  if (run.holdsSlot) return
  const { slots, now } = parts
  const mustWait = slots.used >= slots.total
  const from = now()
  if (mustWait) {
    journal.stage({ kind: 'slot.queued', data: { ahead: slots.queued } })
    journal.commit()
  }
  await slots.acquire(run.controller.signal)
  run.holdsSlot = true
  if (mustWait) {
    journal.stage({ kind: 'slot.acquired', data: { waitedMs: now() - from } })
    journal.commit()
  }
}

function releaseSlot(run: ActiveRun, slots: Slots): void {
  if (!run.holdsSlot) return
  run.holdsSlot = false
  slots.release()
}

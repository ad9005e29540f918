import { type ErrorCode, errorBody, isCancelled, isForPerson } from '../domain/error.ts'
import type { EventData, StateChanged } from '../domain/event.ts'
import { faultPoint } from '../domain/fault-point.ts'
import type { Source } from '../domain/source.ts'
import type { Outcome, ThreadHeader, ThreadState } from '../domain/thread.ts'
import { type Append, createJournal } from '../events/events.ts'
import { activeMsOf } from './clock.ts'
import { contextOf } from './context.ts'
import { releaseSlot, takeSlot } from './hold-slot.ts'
import { applyMove, moveEvent } from './lifecycle.ts'
import { cancelRequests } from './moves.ts'
import { ranEvents, runMarkOf } from './run-mark.ts'
import { appendThread, messageEvent } from './spawn.ts'
import type { ActiveRun, RunParts, Working } from './working.ts'

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

interface Ending {
  readonly state: ThreadState
  readonly outcome: Outcome | null
  readonly reason: string | null
  readonly code: ErrorCode | null
  readonly answer?: { readonly text: string; readonly sources: readonly Source[] }
}

async function work(working: Working): Promise<Ending> {
  const { run, parts } = working
  const timer = startClock(working)
  try {
    await takeSlot(working)
    const context = contextOf(working)
    const result = await parts.orchestrator.run(context)
    if (result.kind === 'waits') return { state: 'Waiting', outcome: null, reason: result.reason, code: null }
    const { outcome, text, isAnswer, reason, code } = result
    const state = outcome === 'failed' ? 'Failed' : 'Completed'
    return {
      state,
      outcome,
      reason,
      code,
      ...(isAnswer && { answer: { text, sources: context.taint.sources } }),
    }
  } catch (error) {
    return endingOf(run, error)
  } finally {
    clearTimeout(timer)
  }
}

/** A limit on running time: waiting for a person does not count. */
function startClock({ run, parts }: Working): NodeJS.Timeout | undefined {
  const { id, budget } = run.thread
  if (budget.ms === null) return undefined
  const reason = `the time budget of ${Math.round(budget.ms / 1_000)} s is used up`
  const leftMs = budget.ms - activeMsOf(parts.store, id, parts.now())
  const end = () => void parts.runs.interrupt(id, { as: 'budget', reason })
  return setTimeout(end, Math.max(0, leftMs))
}

function endingOf({ ending }: ActiveRun, error: unknown): Ending {
  if (ending?.as === 'suspended') return { state: 'Suspended', outcome: null, reason: ending.reason, code: null }
  if (ending?.as === 'denied' || ending?.as === 'budget') {
    return { state: 'Completed', outcome: ending.as, reason: ending.reason, code: null }
  }
  if (ending?.as === 'stopped' || isCancelled(error)) {
    return { state: 'Completed', outcome: 'stopped', reason: ending?.reason ?? 'stopped', code: 'cancelled' }
  }
  const { code, userMessage } = errorBody(error, 'orchestrator.failed')
  if (isForPerson(code)) return { state: 'Suspended', outcome: null, reason: userMessage, code }
  return { state: 'Failed', outcome: 'failed', reason: userMessage, code }
}

/** The last facts, the moves and the totals in one transaction. Completed goes on to Done at once. */
function recordEnd(working: Working, { state, outcome, reason, code, answer }: Ending): ThreadHeader | undefined {
  const { run, parts, journal } = working
  const { id } = run.thread
  const why = { ...(outcome && { outcome }), ...(reason !== null && { reason }), ...(code && { code }) }
  const moves: StateChanged[] = [moveEvent('Running', state, why).data]
  if (state === 'Completed') moves.push(moveEvent('Completed', 'Done', why).data)
  const hasEnded = state === 'Completed' || state === 'Failed'
  const ran = hasEnded ? ranBy(working, { outcome: outcome ?? 'failed', answer: answer?.text ?? '' }) : []
  if (answer !== undefined)
    journal.stage(messageEvent('assistant', answer.text, { origin: 'final', sources: answer.sources }))
  for (const event of ran) journal.stage(event)
  for (const data of moves) journal.stage({ kind: 'thread.state', data })
  let next: ThreadHeader | undefined
  faultPoint('thread.ending')
  journal.commitRest((append) => {
    const at = parts.now()
    if (hasEnded) cancelRequests(parts, id, append)
    for (const move of moves) applyMove(parts.store, { threadId: id, move, at })
    next = hasEnded && run.ending === undefined ? goOn(working, append) : undefined
  })
  run.isOver = true
  return next
}

/** Of a skill's run. What is staged counts, and is read from disk: it is committed first. */
function ranBy(
  { run, parts, journal }: Working,
  end: { readonly outcome: Outcome; readonly answer: string },
): readonly EventData[] {
  if (runMarkOf(parts.store, run.thread.id) === undefined) return []
  journal.commit()
  return ranEvents(parts.store, run.thread, { ...end, now: parts.now() })
}

/** The next thread of the chat, where messages came after the last step had begun. They are on record already. */
function goOn({ run, parts }: Working, append: Append): ThreadHeader | undefined {
  const { projectId, conversationId, tier, model, maxSteps, parentId } = run.thread
  const project = parts.store.projects.get(projectId)
  if (run.injected.length === 0 || project === undefined || parentId !== null) return undefined
  const goal = run.injected.join('\n\n')
  const wishes = { projectId, conversationId, goal, tier, model, maxSteps, budget: null, approvesAll: false }
  return appendThread(parts, { ...wishes, isNewMessage: false }, project, append).thread
}

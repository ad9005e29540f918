import type { EventData, StateChanged } from '../domain/event.ts'
import { isTerminal, type Outcome, type ThreadHeader, type ThreadState } from '../domain/thread.ts'
import type { Append, Events } from '../events/events.ts'
import type { Store } from '../store/store.ts'
import { applyMove, moveEvent, requireThread } from './lifecycle.ts'
import { ranEvents } from './run-mark.ts'

export interface MoveParts {
  readonly store: Store
  readonly events: Events
  readonly now: () => number
}

export interface PlannedMove {
  readonly to: ThreadState
  readonly outcome?: Outcome
  readonly reason?: string
}

/** A move of a thread that does not run in this process; several are one transaction, so that no kill comes between. */
export interface PlannedMoves {
  readonly thread: ThreadHeader
  /** What happened first. */
  readonly after?: readonly EventData[]
  readonly moves: readonly PlannedMove[]
}

/** Answers the thread as it then stands, and the seq of the first event. @throws AppError thread.transition */
export function moveThread(parts: MoveParts, planned: PlannedMoves) {
  const seq = parts.events.commit((append) => appendMoves(parts, planned, append))
  return { thread: requireThread(parts.store, planned.thread.id), seq }
}

/** The same inside a transaction that is open. Answers the seq of the first event. */
export function appendMoves({ store, now }: MoveParts, planned: PlannedMoves, append: Append): number {
  const { thread, after = [], moves } = planned
  const { id } = thread
  let from = thread.state
  const changes: StateChanged[] = moves.map(({ to, ...why }) => {
    const change = moveEvent(from, to, why).data
    from = to
    return change
  })
  const seqs = after.map((event) => append(id, event).seq)
  if (isTerminal(from)) {
    seqs.push(...cancelRequests({ store, now }, id, append))
    const outcome = moves.at(-1)?.outcome ?? 'failed'
    for (const event of ranEvents(store, thread, { outcome, answer: '', now: now() })) seqs.push(append(id, event).seq)
  }
  for (const move of changes) {
    seqs.push(append(id, { kind: 'thread.state', data: move }).seq)
    if (move.to !== 'Running') store.calls.index(id, store.calls.tail(id).values(), seqs.at(-1) ?? 0)
    applyMove(store, { threadId: id, move, at: now() })
  }
  return seqs[0] ?? 0
}

/** What an ended thread still asked for is asked no more. Answers the seqs of the events. */
export function cancelRequests({ store, now }: Pick<MoveParts, 'store' | 'now'>, threadId: string, append: Append) {
  return store.approvals
    .ofThread(threadId)
    .filter((approval) => approval.state === 'pending')
    .map(({ id, step, path, callId, action: name, hash: argsHash }) => {
      const facts = { approvalId: id, step, path, callId, name, argsHash, reason: 'the thread has ended' }
      const { seq } = append(threadId, {
        kind: 'approval.decided',
        data: { ...facts, state: 'cancelled', scope: 'once' },
      })
      store.approvals.decide({ id, state: 'cancelled', scope: 'once', reason: facts.reason, at: now(), seq })
      return seq
    })
}

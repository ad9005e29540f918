import type { EventData, StateChanged } from '../domain/event.ts'
import type { Outcome, ThreadHeader, ThreadState } from '../domain/thread.ts'
import type { Events } from '../events/events.ts'
import type { Store } from '../store/store.ts'
import { applyMove, moveEvent, requireThread } from './lifecycle.ts'

export interface MoveParts {
  readonly store: Store
  readonly events: Events
  readonly now: () => number
}

/** A move of a thread that does not run in this process; several are one transaction, so that no kill comes between. */
export interface PlannedMoves {
  readonly thread: ThreadHeader
  /** What happened first. */
  readonly after?: readonly EventData[]
  readonly moves: readonly { readonly to: ThreadState; readonly outcome?: Outcome; readonly reason?: string }[]
}

/** Answers the thread as it then stands, and the seq of the first event. @throws AppError thread.transition */
export function moveThread(parts: MoveParts, { thread, after = [], moves }: PlannedMoves) {
  const { store, events, now } = parts
  const { id } = thread
  let from = thread.state
  const changes: StateChanged[] = moves.map(({ to, ...why }) => {
    const change = moveEvent(from, to, why).data
    from = to
    return change
  })
  const seq = events.commit((append) => {
    const seqs = after.map((event) => append(id, event).seq)
    for (const move of changes) {
      seqs.push(append(id, { kind: 'thread.state', data: move }).seq)
      if (move.to !== 'Running') store.calls.index(id, store.calls.tail(id).values(), seqs.at(-1) ?? 0)
      applyMove(store, { threadId: id, move, at: now() })
    }
    return seqs[0] ?? 0
  })
  return { thread: requireThread(store, id), seq }
}

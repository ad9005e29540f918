import { AppError } from '../domain/error.ts'
import type { EventData, StateChanged } from '../domain/event.ts'
import { type FaultPoint, faultPoint } from '../domain/fault-point.ts'
import { canMove, isTerminal, type ThreadHeader, type ThreadState } from '../domain/thread.ts'
import type { ProjectRow, Store } from '../store/store.ts'

/** The event of a move; its row change is `applyMove`, in the same transaction. @throws AppError thread.transition */
export function moveEvent(
  from: ThreadState,
  to: ThreadState,
  why: Omit<StateChanged, 'from' | 'to'> = {},
): EventData & { kind: 'thread.state' } {
  if (!canMove(from, to)) {
    throw new AppError('thread.transition', {
      message: `a thread cannot go from ${from} to ${to}`,
      userMessage: `This thread is ${from.toLowerCase()}, so that cannot be done. Nothing was changed.`,
      data: { from, to },
    })
  }
  return { kind: 'thread.state', data: { from, to, ...why } }
}

export interface Move {
  readonly threadId: string
  readonly move: StateChanged
  /** Epoch ms. */
  readonly at: number
}

/** Must run in the transaction that appends the event, with the thread's calls indexed where it comes to rest. */
export function applyMove(store: Store, { threadId, move, at }: Move): void {
  const { to, outcome, reason } = move
  const hasEnded = isTerminal(to) || to === 'Completed'
  const endedAt = hasEnded ? at : null
  store.threads.move(threadId, { state: to, outcome: outcome ?? null, reason: reason ?? null, at, endedAt })
  if (to !== 'Running') store.threads.setTotals(threadId)
  const point = movePoints[to]
  if (point !== undefined) faultPoint(point)
  if (!hasEnded) return
  store.leases.revokeAll(threadId, at, true)
  store.codeVms.dropAll(threadId)
}

/** Half of a move: its row is written, and what goes with an end is not. */
const movePoints: Partial<Readonly<Record<ThreadState, FaultPoint>>> = {
  Running: 'thread.running',
  Waiting: 'thread.waiting',
  Suspended: 'thread.suspended',
  Completed: 'thread.completed',
  Done: 'thread.done',
}

/** @throws AppError project.not_found */
export function requireProject(store: Store, id: string): ProjectRow {
  const project = store.projects.get(id)
  if (project !== undefined) return project
  throw new AppError('project.not_found', {
    message: `no project ${id}`,
    userMessage: 'This chat has no project folder. Choose a folder first; nothing was sent.',
  })
}

/** @throws AppError thread.not_found */
export function requireThread(store: Store, idOrNumber: string): ThreadHeader {
  const thread = store.threads.find(idOrNumber)
  if (thread !== undefined) return thread
  throw new AppError('thread.not_found', {
    message: `no thread ${idOrNumber}`,
    userMessage: `There is no thread ${idOrNumber} in this store. Look at the list of threads for its number.`,
  })
}

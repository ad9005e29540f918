import type { Wake } from '../capabilities/capabilities.ts'
import type { Approval } from '../domain/approval.ts'
import { isTerminal, type ThreadHeader } from '../domain/thread.ts'
import type { Store } from '../store/store.ts'
import { appendMoves, type MoveParts, moveThread } from './moves.ts'
import type { ActiveRuns } from './working.ts'

export interface WakeParts extends MoveParts {
  readonly runs: ActiveRuns
}

/** What a decision does to the thread that asked (RULES 10). */
export function createWake({ runs, ...parts }: WakeParts): Wake {
  return {
    decided(append, approval, how) {
      const thread = parts.store.threads.get(approval.threadId)
      if (thread === undefined || isTerminal(thread.state) || how === 'only decide') return undefined
      const isAtRest = thread.state === 'Waiting' || thread.state === 'Suspended'
      if (how === 'expired') {
        // An expired request never wakes its thread: somebody has to come and look.
        const reason = `${approval.action} was not decided in time`
        const moves = [{ to: 'Running' }, { to: 'Suspended', reason }] as const
        if (thread.state === 'Waiting') appendMoves(parts, { thread, moves }, append)
        return undefined
      }
      if (how === 'stop') return stop(thread, approval, isAtRest)
      if (!isAtRest) return undefined
      const reason = `${approval.action} was decided`
      appendMoves(parts, { thread, moves: [{ to: 'Running', reason }] }, append)
      return () => runs.start({ ...thread, state: 'Running' })

      function stop(stopped: ThreadHeader, denied: Approval, rests: boolean): (() => void) | undefined {
        const why = { outcome: 'denied', reason: `you denied ${denied.action} and stopped` } as const
        if (!rests) return () => void runs.interrupt(stopped.id, { as: 'denied', reason: why.reason })
        const moves = [{ to: 'Running' }, { to: 'Completed', ...why }, { to: 'Done', ...why }] as const
        appendMoves(parts, { thread: stopped, moves }, append)
        return () => runs.ended(stopped)
      }
    },
  }
}

/** True for a thread that waits although what it waited for has come: a request decided, a child ended. */
export function canGoOn(store: Store, thread: ThreadHeader): boolean {
  if (thread.state !== 'Waiting') return false
  const rows = [...store.calls.tail(thread.id).values()]
  return rows.some((row) => {
    // 'cancelled' is one that was open when the thread was suspended: it is taken up with its parent.
    if (row.kind === 'child' && (row.state === 'started' || row.state === 'cancelled') && row.childId !== null) {
      const child = store.threads.get(row.childId)
      return child === undefined || isTerminal(child.state)
    }
    if (row.state !== 'waiting') return false
    const approval = store.approvals.ofCall(thread.id, row.step, row.path)
    return approval !== undefined && approval.state !== 'pending' && approval.state !== 'expired'
  })
}

/** Takes up a thread that waits for nothing any more. Answers whether it did. */
export function wakeIfReady(parts: WakeParts, threadId: string): boolean {
  const thread = parts.store.threads.get(threadId)
  if (thread === undefined || parts.runs.has(threadId) || !canGoOn(parts.store, thread)) return false
  const moves = [{ to: 'Running', reason: 'what it waited for has come' }] as const
  parts.runs.start(moveThread(parts, { thread, moves }).thread)
  return true
}

import type { Wake } from '../capabilities/capabilities.ts'
import type { Approval } from '../domain/approval.ts'
import { isTerminal, type ThreadHeader } from '../domain/thread.ts'
import type { Append } from '../events/events.ts'
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
        if (thread.state === 'Waiting') suspendWaiting(parts, thread, notInTime(approval), append)
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

const notInTime = ({ action }: Approval) => `${action} was not decided in time`

function suspendWaiting(parts: MoveParts, thread: ThreadHeader, reason: string, append: Append): void {
  appendMoves(parts, { thread, moves: [{ to: 'Running' }, { to: 'Suspended', reason }] }, append)
  suspendParents(parts, thread, `its child #${thread.number}: ${reason}`, append)
}

/** What a thread waits for came to nothing while something else of it still ran: a request expired, its own or a child's. */
export function suspendIfStuck(parts: MoveParts, thread: ThreadHeader): boolean {
  if (thread.state !== 'Waiting') return false
  const reason = whyStuck(parts.store, thread)
  if (reason === undefined) return false
  parts.events.commit((append) => suspendWaiting(parts, thread, reason, append))
  return true
}

function whyStuck(store: Store, thread: ThreadHeader): string | undefined {
  const child = store.threads.childrenOf(thread.id).find(({ state }) => state === 'Suspended')
  if (child !== undefined) return `its child #${child.number}: ${child.reason ?? 'it is suspended'}`
  const asked = [...store.calls.tail(thread.id).values()].filter(({ state }) => state === 'waiting')
  const requests = asked.map(({ step, path }) => store.approvals.ofCall(thread.id, step, path))
  const expired = requests.find((request) => request?.state === 'expired')
  return expired && notInTime(expired)
}

/**
 * Whoever waits for a suspended child is suspended with it, and so on up to the thread that a person began: that one is resumed,
 * and must not seem to wait for something else.
 */
export function suspendParents(
  parts: MoveParts,
  child: Pick<ThreadHeader, 'parentId'>,
  reason: string,
  append: Append,
): void {
  const parentOf = ({ parentId }: Pick<ThreadHeader, 'parentId'>) =>
    parentId === null ? undefined : parts.store.threads.get(parentId)
  for (let parent = parentOf(child); parent?.state === 'Waiting'; parent = parentOf(parent)) {
    appendMoves(parts, { thread: parent, moves: [{ to: 'Running' }, { to: 'Suspended', reason }] }, append)
  }
}

/** True for a thread that waits although what it waited for has come: a request decided, a child ended. */
export function canGoOn(store: Store, thread: ThreadHeader): boolean {
  if (thread.state !== 'Waiting') return false
  const rows = [...store.calls.tail(thread.id).values()]
  return rows.some((row) => {
    // A quit or a crash has marked its row as cancelled, and it went on since: what counts is whether its end is on record.
    if (row.kind === 'child' && row.endSeq === null && row.childId !== null) {
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

import { isTerminal } from '../domain/thread.ts'
import type { Store } from '../store/store.ts'

/** A thread that came to its end, by the event that says so. */
export interface EndedThread {
  readonly threadId: string
  readonly seq: number
}

export interface EndedThreads {
  /** In the order in which they ended. */
  readonly threads: readonly EndedThread[]
  /** Everything up to here was looked through. */
  readonly seq: number
  /** Others may stand behind them. */
  readonly isMore: boolean
}

/** Events of the log that one statement looks at. */
const window = 2_000

/**
 * Threads of a project that ended since a mission last looked, oldest first. Reading moves nothing: the cursor goes on in the
 * transaction of what was found, so that a crash loses no thread and doubles none.
 */
export function endedSince(
  store: Pick<Store, 'learning' | 'events' | 'threads'>,
  { mission, projectId, max }: { readonly mission: string; readonly projectId: string; readonly max: number },
): EndedThreads {
  const threads: EndedThread[] = []
  const last = store.events.lastSeq()
  let seq = store.learning.cursor(mission, projectId)
  while (seq < last) {
    for (const event of store.events.movesAfter(seq, window)) {
      if (event.kind !== 'thread.state' || !isTerminal(event.data.to)) continue
      if (store.threads.get(event.threadId)?.projectId !== projectId) continue
      threads.push({ threadId: event.threadId, seq: event.seq })
      if (threads.length === max) return { threads, seq: event.seq, isMore: event.seq < last }
    }
    seq = Math.min(last, seq + window)
  }
  return { threads, seq: Math.max(seq, last), isMore: false }
}

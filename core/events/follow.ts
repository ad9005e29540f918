import type { EventBatch } from '../domain/contract.ts'
import type { Store } from '../store/store.ts'
import { toLive } from './live.ts'

/** The log of a store that another process writes to. */
export interface FollowedLog {
  /** Everything after `fromSeq`, then what the owner adds, within half a second, in order and without gaps. */
  subscribe(fromSeq: number, listener: (batch: EventBatch) => void): () => void
  /** The newest event that the owner has committed. */
  readonly lastSeq: number
  close(): void
}

export interface FollowOptions {
  readonly store: Store
  /** What kept it from reading on, or a listener that threw; null once it reads again. It goes on trying. */
  readonly onFault: (error: unknown) => void
}

interface Follower {
  seq: number
  readonly listener: (batch: EventBatch) => void
}

const pollMs = 500
const pageRows = 500

/**
 * Reads on where the owner's process cannot tell us: SQLite shows its commits to every reader, but rings no bell. Costs
 * nothing without subscribers, and does not keep the process alive.
 */
export function followStore({ store, onFault }: FollowOptions): FollowedLog {
  const followers = new Set<Follower>()
  let timer: NodeJS.Timeout | undefined
  let soon: NodeJS.Immediate | undefined
  let isAtFault = false

  /** One page for each; the event loop comes in between. Answers whether there is more to read. */
  function readOn(): boolean {
    const newest = store.events.lastSeq()
    for (const follower of followers) {
      if (follower.seq >= newest) continue
      const events = store.events.since(follower.seq, pageRows)
      follower.seq = events.at(-1)?.seq ?? newest
      follower.listener({ events: events.map(toLive), deltas: [] })
    }
    return [...followers].some(({ seq }) => seq < newest)
  }

  function poll(): void {
    unschedule()
    let hasMore = false
    try {
      hasMore = readOn()
      if (isAtFault) onFault(null)
      isAtFault = false
    } catch (error) {
      isAtFault = true
      onFault(error)
    }
    if (followers.size === 0) return
    if (hasMore) soon = setImmediate(poll)
    else timer = setTimeout(poll, pollMs).unref()
  }
  function unschedule(): void {
    clearTimeout(timer)
    clearImmediate(soon)
  }

  return {
    subscribe(fromSeq, listener) {
      const follower = { seq: fromSeq, listener }
      followers.add(follower)
      poll()
      return () => {
        followers.delete(follower)
        if (followers.size === 0) unschedule()
      }
    },
    get lastSeq() {
      return store.events.lastSeq()
    },
    close() {
      followers.clear()
      unschedule()
    },
  }
}

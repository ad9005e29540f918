import { type CallTable, callKey, foldCall } from '../domain/calls.ts'
import type { EventData, StoredEvent } from '../domain/event.ts'
import { faultPoint } from '../domain/fault-point.ts'
import type { Store } from '../store/store.ts'

export type StagedEvent = EventData & { readonly threadId: string; readonly at: number }

/** Appends inside a transaction that is open; the fact and the row that it changes share it. */
export type Append = (threadId: string, event: EventData) => StoredEvent

/** Where a journal's transaction goes: the log, which gives the numbers and publishes. */
export interface StagedLog {
  commitStaged(
    staged: readonly StagedEvent[],
    alongside?: (stored: readonly StoredEvent[], append: Append) => void,
  ): readonly StoredEvent[]
}

/**
 * Facts of one thread that wait for their transaction. Between two commits nothing of it is on disk: whoever is about to
 * cause an effect, or to wait for the network, commits first.
 */
export interface Journal {
  stage(event: EventData): void
  /** Everything staged in one transaction. Costs nothing when there is nothing. */
  commit(): void
  /** Everything staged and the rows that `alongside` writes, in one transaction, even where nothing is staged. */
  commitWith(alongside: (append: Append, stored: readonly StoredEvent[]) => void): void
  /** The thread comes to rest: everything staged, its index of calls and `alongside`, in one transaction. */
  commitRest(alongside: (append: Append) => void): void
  /** Commits at the end of this turn of the event loop, unless somebody did before: the timeline shows what still runs. */
  commitSoon(): void
}

export interface JournalOptions {
  readonly threadId: string
  readonly events: StagedLog
  readonly store: Store
  readonly now: () => number
}

/** The index of calls is written for so many at once: a page of it is then touched once, not once for each call. */
const callsPerIndexing = 256

export function createJournal({ threadId, events, store, now }: JournalOptions): Journal {
  let staged: StagedEvent[] = []
  let isSoon = false
  let calls: CallTable = store.calls.tail(threadId)

  function write(alongside?: (stored: readonly StoredEvent[], append: Append) => void): readonly StoredEvent[] {
    const batch = staged
    staged = []
    try {
      return events.commitStaged(batch, alongside)
    } catch (error) {
      staged = [...batch, ...staged]
      throw error
    }
  }

  /** Steps that are over, once there are enough of them. The step under way stays to be folded further. */
  function indexOverSteps(current: number): void {
    const over = [...calls.values()].filter((row) => row.step < current)
    // A compaction of the current step stands before the step's own beginning.
    const starts = [...calls.values()].flatMap((row) => (row.step === current ? [row.startSeq] : []))
    store.transaction(() => store.calls.index(threadId, over, Math.min(...starts) - 1))
    faultPoint('calls.advanced')
    for (const row of over) calls.delete(callKey(row))
  }

  function commit(): void {
    if (staged.length === 0) return
    faultPoint('journal.commit.before')
    fold(write())
    faultPoint('journal.commit.after')
  }

  /** Only after the commit: a transaction that fails must not leave rows of events that never were. */
  function fold(stored: readonly StoredEvent[]): void {
    for (const event of stored) foldCall(calls, event)
    const begun = stored.findLast((event) => event.kind === 'step.started')
    if (calls.size > callsPerIndexing && begun?.kind === 'step.started') indexOverSteps(begun.data.step)
  }

  return {
    stage(event) {
      staged.push({ ...event, threadId, at: now() })
    },
    commit,
    commitWith(alongside) {
      faultPoint('journal.commitWith.before')
      fold(write((stored, append) => alongside(append, stored)))
      faultPoint('journal.commitWith.after')
    },
    commitRest(alongside) {
      faultPoint('journal.commitRest.before')
      const table = new Map(calls)
      write((stored, append) => {
        for (const event of stored) foldCall(table, event)
        const last = stored.at(-1)
        if (last !== undefined) store.calls.index(threadId, table.values(), last.seq)
        alongside(append)
      })
      calls = table
      faultPoint('journal.commitRest.after')
    },
    commitSoon() {
      // Left to run when somebody commits before: by then there may be more, and one is enough for many commits in one turn.
      if (isSoon) return
      isSoon = true
      setImmediate(() => {
        isSoon = false
        try {
          faultPoint('journal.commitSoon.before')
          commit()
          faultPoint('journal.commitSoon.after')
        } catch {
          // Still staged: the commit that somebody waits for tries again, and its error reaches them.
        }
      })
    },
  }
}

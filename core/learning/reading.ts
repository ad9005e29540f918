import type { Store } from '../store/store.ts'

/** Whose cursor is read, by which call. */
export interface LogReader {
  readonly mission: string
  readonly projectId: string
  readonly threadId: string
  /** The same for every run of the same call. */
  readonly callKey: string
}

/** What a call is to read: after `after`, up to `until` where it ran before, else as far as it likes. */
export interface LogRange {
  readonly after: number
  readonly until: number | null
}

export interface LearningReadings {
  /** Where a call begins. */
  begin(reader: LogReader): LogRange
  /** It has read up to `until`: on disk before it makes anything of it. */
  keep(reader: LogReader, until: number): void
}

/**
 * A mission's own place in the event log. What was read counts once the thread that read it is answered: one that came to nothing, or
 * died, loses none, for the next one reads the same again; a call that runs again reads just what it read before.
 */
export function createLearningReadings(store: Store): LearningReadings {
  const isAnswered = (threadId: string | null) =>
    threadId !== null && store.threads.get(threadId)?.outcome === 'answered'
  /** Everything up to here is done with. */
  function settled({ mission, projectId }: LogReader): number {
    const cursor = store.readings.get(mission, projectId)
    return isAnswered(cursor?.threadId ?? null) ? (cursor?.until ?? 0) : (cursor?.seq ?? 0)
  }
  return {
    begin(reader) {
      const cursor = store.readings.get(reader.mission, reader.projectId)
      if (cursor?.callKey === reader.callKey) return { after: cursor.seq, until: cursor.until }
      // The same thread asks for more.
      if (cursor?.threadId === reader.threadId && cursor.until !== null) return { after: cursor.until, until: null }
      return { after: settled(reader), until: null }
    },
    keep({ mission, projectId, threadId, callKey }, until) {
      const cursor = store.readings.get(mission, projectId)
      if (cursor?.callKey === callKey) return
      const isSame = cursor?.threadId === threadId
      const seq = isSame ? cursor.seq : settled({ mission, projectId, threadId, callKey })
      store.transaction(() => store.readings.set({ mission, projectId, seq, callKey, threadId, until }))
    },
  }
}

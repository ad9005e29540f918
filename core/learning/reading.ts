import type { EventHeader } from '../domain/event.ts'
import { limits } from '../domain/limits.ts'
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
 * A mission's own place in the event log. What was read counts once the firing that read it has done its work: one that came to
 * nothing, gave no account or died, loses none, for the next one reads the same again; a call that runs again reads just what it read
 * before.
 */
export function createLearningReadings(store: Store): LearningReadings {
  const isDone = (threadId: string | null) => {
    const thread = threadId === null ? undefined : store.threads.get(threadId)
    const firing = thread === undefined ? undefined : store.missions.firingOfThread(thread.rootId)
    return firing?.state === 'ran' || firing?.state === 'late'
  }
  /** Everything up to here is done with. */
  function settled({ mission, projectId }: LogReader): number {
    const cursor = store.readings.get(mission, projectId)
    return isDone(cursor?.threadId ?? null) ? (cursor?.until ?? 0) : (cursor?.seq ?? 0)
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

/** How far a walk came, and whether the log goes on behind it. */
export interface LogWalk {
  readonly until: number
  readonly isMore: boolean
}

const pageRows = 500
/** Of a long log one call reads so many pages; the next one goes on. */
const mostPages = 40

/**
 * Moves of threads and what was found wrong with them, in the order of the log. `take` answers whether it took what it was shown: after
 * `limits.learningThreads` of them the walk ends. What was walked before is walked to just the same end.
 */
export function walkLog(store: Store, { after, until }: LogRange, take: (event: EventHeader) => boolean): LogWalk {
  let at = after
  let taken = 0
  for (let pages = 0; until !== null || pages < mostPages; pages += 1) {
    const page = store.events.turnsBetween(at, Number.MAX_SAFE_INTEGER, pageRows)
    for (const event of page) {
      if (until !== null && event.seq > until) return { until, isMore: true }
      if (until === null && taken >= limits.learningThreads) return { until: at, isMore: true }
      at = event.seq
      if (take(event)) taken += 1
    }
    if (page.length < pageRows) return { until: at, isMore: false }
  }
  return { until: at, isMore: true }
}

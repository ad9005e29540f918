import type { LearntItem } from '../domain/learnt.ts'
import { limits } from '../domain/limits.ts'
import type { ThreadHeader } from '../domain/thread.ts'
import type { Store } from '../store/store.ts'
import type { LearntBook } from './book.ts'
import { type LearningReadings, type LogRange, type LogReader, walkLog } from './reading.ts'
import { hasReadForeign, headersOf, missionOf } from './sound-threads.ts'
import { statementsIn } from './statements.ts'

/** Something that a person said. */
export interface Said {
  readonly thread: ThreadHeader
  readonly seq: number
  readonly text: string
}

export interface Digest {
  readonly threads: readonly ThreadHeader[]
  readonly said: readonly Said[]
  readonly proposed: readonly LearntItem[]
  /** Of the chats that were read. */
  readonly isUntrusted: boolean
  readonly isMore: boolean
}

export interface DigestParts {
  readonly store: Store
  readonly readings: LearningReadings
  readonly book: Pick<LearntBook, 'propose'>
}

const conversationInsights = 'conversation-insights'

/** What people said in answered threads since the cursor; what they said outright and for good is proposed by rules alone. */
export function digestFor(parts: DigestParts, call: Omit<LogReader, 'mission'>): Digest {
  const { store, readings, book } = parts
  const reader = { ...call, mission: conversationInsights }
  const { threads, until, isMore } = readAnswered(store, call.projectId, readings.begin(reader))
  readings.keep(reader, until)
  const foreign = new Set(threads.flatMap((thread) => (hasReadForeign(store, thread) ? [thread.id] : [])))
  const said = threads.flatMap((thread) => saidIn(store, thread)).slice(0, limits.digestMessages)
  const proposed = said.flatMap(({ thread, seq, text }) =>
    statementsIn(text).map((statement) =>
      book.propose({
        ...{ projectId: call.projectId, kind: 'insight', topic: statement.topic, text: statement.text },
        ...{ threadId: call.threadId, isUntrusted: foreign.has(thread.id) },
        reason: `You said so in thread #${thread.number}.`,
        sources: [{ threadId: thread.id, threadNumber: thread.number, seq, quote: statement.text }],
      }),
    ),
  )
  return { threads, said, proposed, isUntrusted: foreign.size > 0, isMore }
}

/** Threads of people that were answered in a stretch of the log, in the order in which they ended. */
function readAnswered(store: Store, projectId: string, range: LogRange) {
  const threads: ThreadHeader[] = []
  const walk = walkLog(store, range, (event) => {
    if (event.kind !== 'thread.state' || event.data.to !== 'Done' || event.data.outcome !== 'answered') return false
    const thread = store.threads.get(event.threadId)
    const isPersons = thread !== undefined && thread.parentId === null && missionOf(store, thread) === undefined
    if (!isPersons || thread.projectId !== projectId) return false
    threads.push(thread)
    return true
  })
  return { threads, ...walk }
}

/** What a person wrote, not what the engine or a parent put in their place. */
function saidIn(store: Store, thread: ThreadHeader): readonly Said[] {
  return [...headersOf(store, thread.id)].flatMap((event) => {
    if (event.kind !== 'message.added') return []
    const { role, origin, sources = [] } = event.data
    if (role !== 'user' || origin !== undefined || sources.length > 0) return []
    const whole = store.events.get(event.seq)
    if (whole.kind !== 'message.added') return []
    return [{ thread, seq: event.seq, text: whole.body.content }]
  })
}

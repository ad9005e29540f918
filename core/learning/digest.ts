import { AppError } from '../domain/error.ts'
import type { LearntItem } from '../domain/learnt.ts'
import { limits } from '../domain/limits.ts'
import type { ThreadHeader } from '../domain/thread.ts'
import type { Store } from '../store/store.ts'
import type { LearntBook, LearntProposal } from './book.ts'
import { type LearningReadings, type LogRange, type LogReader, walkLog } from './reading.ts'
import { orRefusal } from './refusals.ts'
import { isPersons, type Said, saidIn } from './said.ts'
import { hasReadForeign } from './sound-threads.ts'
import { type Statement, statementsIn } from './statements.ts'

export interface Digest {
  readonly threads: readonly ThreadHeader[]
  readonly said: readonly Said[]
  readonly proposed: readonly LearntItem[]
  /** Why others were not taken, one each. */
  readonly refused: readonly string[]
  /** Of messages that hold more than `limits.messageInsights`. */
  readonly leftOut: number
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
  const wishes = said.flatMap((each) => {
    const statements = statementsIn(each.text)
    return statements.map((statement, at) => ({ ...each, statement, isFirst: at < limits.messageInsights }))
  })
  const tried = wishes
    .filter(({ isFirst }) => isFirst)
    .map((wish) => orRefusal(() => book.propose(proposalOf(call, wish, foreign.has(wish.thread.id)))))
  return {
    ...{ threads, said, isUntrusted: foreign.size > 0, isMore },
    proposed: tried.flatMap((each) => (each instanceof AppError ? [] : [each])),
    refused: tried.flatMap((each) => (each instanceof AppError ? [each.message] : [])),
    leftOut: wishes.length - tried.length,
  }
}

function proposalOf(
  { projectId, threadId }: Pick<LogReader, 'projectId' | 'threadId'>,
  { thread, seq, statement: { topic, text } }: Said & { readonly statement: Statement },
  isUntrusted: boolean,
): LearntProposal {
  return {
    ...{ projectId, threadId, kind: 'insight', topic, text, isUntrusted, isSaidOutright: true },
    reason: `You said so in thread #${thread.number}.`,
    sources: [{ threadId: thread.id, threadNumber: thread.number, seq, quote: text }],
  }
}

/** Threads of people that were answered in a stretch of the log, in the order in which they ended. */
function readAnswered(store: Store, projectId: string, range: LogRange) {
  const threads: ThreadHeader[] = []
  const walk = walkLog(store, range, (event) => {
    if (event.kind !== 'thread.state' || event.data.to !== 'Done' || event.data.outcome !== 'answered') return false
    const thread = store.threads.get(event.threadId)
    if (thread?.projectId !== projectId || !isPersons(store, thread)) return false
    if (store.events.isCorrected(thread.id)) return false
    threads.push(thread)
    return true
  })
  return { threads, ...walk }
}

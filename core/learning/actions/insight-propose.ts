import { z } from 'zod'
import { type Action, defineAction } from '../../capabilities/capabilities.ts'
import { insightTopics, type LearntItem } from '../../domain/learnt.ts'
import { limits } from '../../domain/limits.ts'
import type { ThreadHeader } from '../../domain/thread.ts'
import type { Store } from '../../store/store.ts'
import { notTaken } from '../refusals.ts'
import { hasReadForeign, missionOf } from '../sound-threads.ts'
import { type ProposalParts, proposing, sourceOf, summaryOf, threadOf, told } from './proposing.ts'

/** One fact that a person said, with the messages that show it. */
export function createInsightProposeAction({ store, book }: Pick<ProposalParts, 'store' | 'book'>): Action {
  return defineAction({
    ...proposing,
    name: 'insight_propose',
    description:
      'Proposes one fact that the user said, for later threads: a preference, correction, knowledge or workflow, with the messages that show it. Nothing personal, nothing about a single task.',
    parameters: z.strictObject({
      topic: z.enum(insightTopics),
      text: z.string().trim().min(1).max(limits.insightCharacters),
      sources: z
        .array(z.strictObject({ thread: z.number().int().positive(), seq: z.number().int().positive() }))
        .min(1)
        .max(limits.learntSources)
        .describe('Thread number and seq of each message, as thread_digest gives them.'),
      replaces: z.string().max(64).optional().describe('Id of an older insight that this one stands for.'),
    }),
    summarize: ({ text }) => summaryOf(text),
    run({ topic, text, sources: shown, replaces }, { projectId, threadId, sources }) {
      const said = shown.map(({ thread, seq }) => messageOf(store, threadOf(store, projectId, thread), seq))
      assertRoom(store, { projectId, threadId, text })
      const item = book.propose({
        ...{ projectId, kind: 'insight', topic, text, threadId, sources: said.map(({ source }) => source) },
        ...{ reason: 'You said so.', replaces: replaceable(store, projectId, replaces) },
        isUntrusted: sources.length > 0 || said.some(({ thread }) => hasReadForeign(store, thread)),
      })
      return told(item)
    },
  })
}

/** What a person wrote there, word for word. */
function messageOf(store: Store, thread: ThreadHeader, seq: number) {
  const [event] = store.events.ofThread(thread.id, seq - 1, 1)
  const isSaid = event?.kind === 'message.added' && event.data.role === 'user' && event.data.origin === undefined
  // What a mission is told is no person's word.
  const isPersons = isSaid && missionOf(store, thread) === undefined
  if (!isPersons || event.seq !== seq || (event.data.sources ?? []).length > 0)
    throw notTaken(`Thread #${thread.number} has no message of the user at ${seq}.`)
  return { thread, source: { ...sourceOf(thread, event.body.content), seq } }
}

/** So many of one thread are proposals; more are noise. */
function assertRoom(store: Store, of: Pick<LearntItem, 'projectId' | 'threadId' | 'text'>): void {
  const own = store.learnt
    .page(Number.MAX_SAFE_INTEGER, limits.pageRows)
    .filter(({ kind, threadId, text }) => kind === 'insight' && threadId === of.threadId && text !== of.text)
  if (own.length >= limits.insightsPerRun)
    throw notTaken(`One thread proposes at most ${limits.insightsPerRun} insights: the ones that matter most.`)
}

function replaceable(store: Store, projectId: string, id: string | undefined): string | null {
  if (id === undefined) return null
  const item = store.learnt.get(id)
  if (item?.projectId === projectId && item.kind === 'insight') return id
  throw notTaken(`There is no insight ${id} to be replaced.`)
}

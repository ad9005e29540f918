import { z } from 'zod'
import { type Action, defineAction } from '../../capabilities/capabilities.ts'
import { insightTopics } from '../../domain/learnt.ts'
import { limits } from '../../domain/limits.ts'
import type { ThreadHeader } from '../../domain/thread.ts'
import type { Store } from '../../store/store.ts'
import { notTaken } from '../refusals.ts'
import { type Said, saidAt } from '../said.ts'
import { hasReadForeign } from '../sound-threads.ts'
import { isSaidOutright } from '../statements.ts'
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
      const said = shown.map(({ thread, seq }) => requireSaid(store, threadOf(store, projectId, thread), seq))
      const outright = said.find((each) => isSaidOutright(each.text, text))
      const item = book.propose({
        ...{ projectId, kind: 'insight', topic, text, threadId },
        ...{ reason: reasonOf(said, outright), isSaidOutright: outright !== undefined },
        sources: said.map(({ thread, seq, text: quote }) => ({ ...sourceOf(thread, quote), seq })),
        replaces: replaceable(store, projectId, replaces),
        isUntrusted: sources.length > 0 || said.some(({ thread }) => hasReadForeign(store, thread)),
      })
      return told(item)
    },
  })
}

function requireSaid(store: Store, thread: ThreadHeader, seq: number): Said {
  const said = saidAt(store, thread, seq)
  if (said === undefined) throw notTaken(`Thread #${thread.number} has no message of the user at ${seq}.`)
  return said
}

/** Whose words these are. */
function reasonOf(said: readonly Said[], outright: Said | undefined): string {
  if (outright !== undefined) return `You said so in thread #${outright.thread.number}.`
  const numbers = [...new Set(said.map(({ thread }) => `#${thread.number}`))].join(', ')
  return `The agent's words for what you said in thread ${numbers}.`
}

function replaceable(store: Store, projectId: string, id: string | undefined): string | null {
  if (id === undefined) return null
  const item = store.learnt.get(id)
  if (item?.projectId === projectId && item.kind === 'insight') return id
  throw notTaken(`There is no insight ${id} to be replaced.`)
}

import { z } from 'zod'
import { type Action, defineAction } from '../../capabilities/capabilities.ts'
import { limits } from '../../domain/limits.ts'
import { hasIssue } from '../effect.ts'
import { notTaken } from '../refusals.ts'
import { hasReadForeign } from '../sound-threads.ts'
import {
  type ProposalParts,
  proposing,
  reasonText,
  sourceOf,
  summaryOf,
  threadNumbers,
  threadsOf,
  told,
} from './proposing.ts'

/** One rule against one kind of issue: inert, or in force as the settings allow it. */
export function createOverlayProposeAction({ store, book }: Pick<ProposalParts, 'store' | 'book'>): Action {
  return defineAction({
    ...proposing,
    name: 'overlay_propose',
    description:
      'Proposes one rule for the system message, against one kind of issue that trace_findings left open. Short, specific, about how to work; nothing about single files.',
    parameters: z.strictObject({
      rule: z.string().trim().min(1).max(limits.overlayRuleCharacters),
      issue: z.string().min(1).max(200).describe('As trace_findings names it.'),
      threads: threadNumbers.describe('Numbers of the threads that show it.'),
      reason: reasonText,
    }),
    summarize: ({ rule }) => summaryOf(rule),
    run({ rule, issue, threads, reason }, { projectId, threadId, sources }) {
      const seen = threadsOf(store, projectId, threads)
      if (!seen.some(({ id }) => hasIssue(store, id, issue)))
        throw notTaken('None of these threads shows that issue: name it as trace_findings does.')
      const isUntrusted = sources.length > 0 || seen.some((thread) => hasReadForeign(store, thread))
      const item = book.propose({
        ...{ projectId, kind: 'overlay', topic: issue, text: rule, reason, threadId, isUntrusted },
        sources: seen.map((thread) => sourceOf(thread, reason)),
      })
      return told(item)
    },
  })
}

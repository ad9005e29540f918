import { z } from 'zod'
import { type Action, defineAction } from '../../capabilities/capabilities.ts'
import { limits } from '../../domain/limits.ts'
import { noting, type ProposalParts, summaryOf } from './proposing.ts'

/** What work showed, or what was missing for it, kept for later threads. Source: RULES 25. */
export function createLessonWriteAction({ memory }: Pick<ProposalParts, 'memory'>): Action {
  return defineAction({
    ...noting,
    name: 'lesson_write',
    description:
      'Keeps a Lesson (what the work showed) or a Spec (a capability that is missing) for later threads of this project.',
    parameters: z.strictObject({
      type: z.enum(['Lesson', 'Spec']),
      title: z.string().trim().min(1).max(limits.memoryTitleCharacters),
      content: z.string().trim().min(1).max(limits.memoryDocCharacters),
    }),
    summarize: ({ title }) => summaryOf(title),
    run({ type, title, content }, { projectId, threadId, callKey, sources }) {
      const doc = memory.writeDoc({
        ...{ projectId, type, title, content, tags: ['learnt'], provenance: 'mission' },
        ...{ untrusted: sources.length > 0, sourceThreadId: threadId, callKey },
      })
      return { doc: doc.id, type, title: doc.title, version: doc.version }
    },
  })
}

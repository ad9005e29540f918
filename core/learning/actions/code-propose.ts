import { z } from 'zod'
import { type Action, defineAction } from '../../capabilities/capabilities.ts'
import { limits } from '../../domain/limits.ts'
import { noting, type ProposalParts, summaryOf } from './proposing.ts'

/** A change of the program, described for people: nothing applies it. */
export function createCodeProposeAction({ memory }: Pick<ProposalParts, 'memory'>): Action {
  return defineAction({
    ...noting,
    name: 'code_propose',
    description:
      'Writes down a change of the program itself for its authors: what is wrong, where, and what would be right. It is text for people and is never applied.',
    parameters: z.strictObject({
      title: z.string().trim().min(1).max(80),
      text: z.string().trim().min(1).max(limits.memoryDocCharacters),
    }),
    summarize: ({ title }) => summaryOf(title),
    run({ title, text }, { projectId, threadId, callKey, sources }) {
      const doc = memory.writeDoc({
        ...{ projectId, type: 'Note', title: `Code proposal: ${title}`, content: text, tags: ['code-proposal'] },
        ...{ provenance: 'mission', untrusted: sources.length > 0, sourceThreadId: threadId, callKey },
      })
      return { doc: doc.id, title: doc.title, note: 'It is kept for people to read; nothing applies it.' }
    },
  })
}

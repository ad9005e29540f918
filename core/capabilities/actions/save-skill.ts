import { z } from 'zod'
import { limits } from '../../domain/limits.ts'
import type { Source } from '../../domain/source.ts'
import { type Action, defineAction } from '../action.ts'
import { listOf, summaryText } from './parameters.ts'

/** A skill that a thread wrote. The same `callKey` twice is one candidate. */
export interface SkillProposal {
  readonly threadId: string
  readonly projectId: string
  readonly callKey: string
  readonly name: string
  readonly description: string
  readonly body: string
  readonly tags: readonly string[]
  readonly keywords: readonly string[]
  /** What the thread had read that was not from a person: the text may be made of it. */
  readonly sources: readonly Source[]
}

/** Given at wiring. @throws AppError skill.invalid for a text that is no skill. */
export type ProposeSkill = (proposal: SkillProposal) => {
  readonly candidateId: string
  readonly name: string
  readonly kind: 'new' | 'update'
}

/**
 * Writes an inert candidate beside what is live, never over it. There is such an action only where somebody decides on
 * candidates. Source: seed R, Phase 2; RULES 18.
 */
export function createSaveSkillAction(propose: ProposeSkill): Action {
  return defineAction({
    name: 'save_skill',
    aliases: ['saveSkill'],
    description:
      'Proposes a skill, or a better one, from work that went well. Nothing uses it until the user approves it.',
    // Few words: it is told in every prompt. What is no skill is refused with the reason.
    parameters: z.strictObject({
      name: z.string().describe('weekly-report'),
      description: z.string().max(limits.skillDescriptionCharacters).describe('One line: what, and when it is of use.'),
      body: z.string().describe('Markdown: the steps.'),
      tags: listOf(z.string(), limits.skillKeywords).default([]),
      keywords: listOf(z.string(), limits.skillKeywords).default([]).describe('Words of a goal that call for it.'),
    }),
    effects: ['Compute'],
    // Keyed by the call: the same call run again finds its own candidate.
    isIdempotent: true,
    summarize: ({ name }) => summaryText(name),
    run(given, { threadId, projectId, callKey, sources }) {
      const { candidateId, name, kind } = propose({ ...given, threadId, projectId, callKey, sources })
      return { candidate: candidateId, name, kind, status: 'candidate', note: 'The user decides whether it is used.' }
    },
  })
}

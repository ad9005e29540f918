import { z } from 'zod'
import type { CandidateState } from '../../domain/candidate.ts'
import type { JsonObject } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import type { Source } from '../../domain/source.ts'
import { type Action, defineAction } from '../action.ts'
import { listOf, summaryText } from './parameters.ts'
import { refusal } from './refusal.ts'

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
  /** Of the candidate that there is of just this text already. Default: pending. */
  readonly state?: CandidateState
}

/** Whoever hosts the engine decides, at once: then nothing of it comes to the app's own queue. */
export interface HostedReview {
  /** An error is a result. @throws the signal's reason */
  save(
    draft: {
      readonly name: string
      readonly description: string
      readonly body: string
      readonly tags: readonly string[]
      readonly metadata: JsonObject
    },
    signal: AbortSignal,
  ): Promise<
    | { readonly status: 'promoted'; readonly version: number; readonly reason: string }
    | { readonly status: 'denied'; readonly reason: string }
    | { readonly error: string }
  >
  /** How long it may take to decide. */
  readonly reviewMs: number
}

/**
 * Writes an inert candidate beside what is live, never over it. There is such an action only where somebody decides on
 * candidates. Source: seed R, Phase 2; RULES 18.
 */
export function createSaveSkillAction(propose: ProposeSkill, hosted?: HostedReview): Action {
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
    // Keyed by the call: the same call run again finds its own candidate. A host's store knows no calls.
    isIdempotent: hosted === undefined,
    ...(hosted && { timeoutMs: () => hosted.reviewMs + limits.actionMs }),
    summarize: ({ name }) => summaryText(name),
    run(given, { threadId, projectId, callKey, sources, signal }) {
      if (hosted !== undefined) return decidedBy(hosted, { ...given, sources }, signal)
      const {
        candidateId,
        name,
        kind,
        state = 'pending',
      } = propose({ ...given, threadId, projectId, callKey, sources })
      return { candidate: candidateId, name, kind, ...told[state] }
    },
  })
}

/** What it is to the model, and what comes of it. */
const told = {
  pending: { status: 'candidate', note: 'The user decides whether it is used.' },
  approved: { status: 'approved', note: 'The user approved just this text before.' },
  rejected: { status: 'rejected', note: 'The user said no to just this text before: it is not asked about again.' },
  quarantined: { status: 'quarantined', note: 'The user put just this text out of use: it is not asked about again.' },
  expired: { status: 'expired', note: 'Nobody decided on just this text in time: nothing uses it.' },
} as const satisfies Record<CandidateState, JsonObject>

async function decidedBy(
  { save }: HostedReview,
  { keywords, sources, ...draft }: Omit<SkillProposal, 'threadId' | 'projectId' | 'callKey'>,
  signal: AbortSignal,
): Promise<JsonObject> {
  // Whoever decides should know what the text may be made of.
  const metadata = {
    ...(keywords.length > 0 && { keywords: [...keywords] }),
    ...(sources.length > 0 && { sources: sources.map(({ kind, name }) => `${kind}: ${name}`) }),
  }
  const saved = await save({ ...draft, metadata }, signal)
  if ('error' in saved) throw refusal('skill.invalid', saved.error)
  const { name } = draft
  if (saved.status === 'promoted') return { name, ...saved, note: 'It was approved, and can be loaded by its name.' }
  return { name, ...saved, note: 'It was not approved: it stays a candidate that nothing uses.' }
}

import { z } from 'zod'
import { type Action, defineAction } from '../../capabilities/capabilities.ts'
import { limits } from '../../domain/limits.ts'
import { type SkillReview, type SkillSystem, skillTextOf } from '../../skills/skills.ts'
import type { Store } from '../../store/store.ts'
import { unfitness } from '../extraction/fitness.ts'
import { minedRecord } from '../extraction/mined-record.ts'
import { callsOf } from '../miner/canonical.ts'
import { episodeOfRecord } from '../miner/episode-of-record.ts'
import { kindsOf } from '../miner/signature.ts'
import { notTaken } from '../refusals.ts'
import { hasReadForeign } from '../sound-threads.ts'
import { summaryOf, threadOf } from './proposing.ts'

interface SkillProposeParts {
  readonly store: Store
  readonly review: Pick<SkillReview, 'propose'>
  readonly reword: SkillSystem['reword']
  /** Names of skills that a project sees. */
  readonly skillNames: (projectId: string) => readonly string[]
}

const leastSteps = 5
const leastKinds = 3

const parameters = z.strictObject({
  candidate: z.string().max(64).optional().describe('What skill_mine proposed: it gets these words, its code stays.'),
  thread: z.number().int().positive().optional().describe('Or the number of a thread that the skill is written of.'),
  name: z
    .string()
    .max(64)
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
    .describe('weekly-report'),
  description: z.string().trim().min(1).max(limits.skillDescriptionCharacters).describe('One line: what, and when.'),
  body: z.string().trim().min(1).describe('Markdown: the steps, and what to look out for.'),
  keywords: z.array(z.string()).max(limits.skillKeywords).default([]).describe('Of a thread: words of a goal.'),
})
type Parameters = z.output<typeof parameters>

/**
 * A model's words for what the miner found, or a skill that it writes itself of one thread, without any code. The first changes no
 * byte of what was tried; the second needs enough work to be worth it. Source: issue 7, skill-extraction.
 */
export function createSkillProposeAction({ store, review, reword, skillNames }: SkillProposeParts): Action {
  const worded = ({ candidate: id = '', ...words }: Parameters, { projectId, threadId, isForeign }: Place) => {
    const known = store.candidates.get(id)
    const isMined = known?.projectId === projectId && store.learning.programs(projectId, mostPrograms).some(isOf(id))
    if (!isMined) throw notTaken(`There is no candidate ${id} that was mined in this project.`)
    if (isForeign && known.trust === 'trusted')
      throw notTaken('This thread has read text from elsewhere, and the candidate rests on none.')
    const { name } = reword({ id, threadId, ...words })
    return {
      candidate: id,
      name,
      note: 'It waits for the user in these words. What it runs and is chosen by is as it was tried.',
    }
  }

  const written = async (asked: Parameters, { projectId, threadId, callKey, isForeign, signal }: Place) => {
    const thread = threadOf(store, projectId, asked.thread ?? 0)
    const record = await minedRecord(store, thread.id, signal)
    const unfit = record === null ? { detail: 'it holds too much' } : unfitness(thread, record)
    const episode = record === null ? null : episodeOfRecord(record)
    if (unfit !== null || episode === null)
      throw notTaken(`Nothing is learnt from thread #${thread.number}: ${unfit?.detail ?? 'it has not ended'}.`)
    const calls = callsOf(episode)
    const [steps, kinds] = [new Set(calls.map(({ stepId }) => stepId)).size, kindsOf(calls)]
    if (steps < leastSteps || kinds < leastKinds)
      throw notTaken(
        `SKIP: thread #${thread.number} took ${steps} steps with ${kinds} kinds of calls; a skill needs ${leastSteps} and ${leastKinds}.`,
      )
    const { name, description, keywords } = asked
    if (skillNames(projectId).includes(name)) throw notTaken(`There is a skill ${name} already.`)
    const { id, state } = review.propose({
      ...{ kind: 'new', name, projectId, content: skillTextOf({ ...asked, tags: [] }), source: 'extracted' },
      ...{ trust: isForeign || hasReadForeign(store, thread) ? 'installed' : 'trusted', threadId, callKey },
      ...{ proposedBy: 'skill-extraction', reason: `Written of thread #${thread.number}: ${description}` },
      evidence: keywords.map((text) => {
        const isSaid = thread.goal.toLowerCase().includes(text.toLowerCase())
        const [created] = record ?? []
        const place = { threadId: thread.id, threadNumber: thread.number, step: 0, quote: summaryOf(thread.goal) }
        const steps = isSaid && created !== undefined ? [{ ...place, seq: created.seq }] : []
        return { part: 'keyword', text, line: null, steps } as const
      }),
    })
    return { candidate: id, name, state, note: 'The user decides. It holds no code: what it says was not tried.' }
  }

  return defineAction({
    name: 'skill_propose',
    description:
      'Gives a skill that skill_mine proposed a better name, description and text, or proposes one in your own words of a thread with five steps and three kinds of calls. It never changes code, and the user decides.',
    parameters,
    effects: ['ReadLocal', 'Compute'],
    // Keyed by the call and by what it says: run again it finds its own.
    isIdempotent: true,
    source: () => null,
    resource: () => 'skill_mine',
    summarize: ({ name }) => summaryOf(name),
    async run(asked, { projectId, threadId, callKey, sources, signal }) {
      if ((asked.candidate === undefined) === (asked.thread === undefined))
        throw notTaken('Say either a candidate of skill_mine or the number of a thread.')
      const place = { projectId, threadId, callKey, signal, isForeign: sources.length > 0 }
      return asked.candidate === undefined ? written(asked, place) : worded(asked, place)
    },
  })
}

interface Place {
  readonly projectId: string
  readonly threadId: string
  readonly callKey: string
  readonly signal: AbortSignal
  /** The thread that proposes has read text from elsewhere. */
  readonly isForeign: boolean
}

const mostPrograms = 500

function isOf(id: string) {
  return ({ candidateId }: { readonly candidateId: string }) => candidateId === id
}

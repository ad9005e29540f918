import { z } from 'zod'
import { type Action, defineAction } from '../../capabilities/capabilities.ts'
import type { SkillMined } from '../../domain/event.ts'
import { limits } from '../../domain/limits.ts'
import type { SkillExtraction } from '../extraction/extraction.ts'

/** A thread takes the miner two seconds of its own at most, and the sandbox some. */
const msPerThread = 15_000

/**
 * What the mission skill-extraction works with: it looks at what ended since the last time and proposes what it finds. It reads,
 * and nothing that it proposes is live. The cursor makes a second run of the same call go on where the first one ended.
 */
export function createSkillMineAction(extraction: SkillExtraction): Action {
  return defineAction({
    name: 'skill_mine',
    description:
      'Looks through the threads that ended since it last looked for work that was done alike, and proposes skills for it. Says what it found, and for each thread without a skill why.',
    parameters: z.strictObject({}),
    effects: ['ReadLocal', 'Compute'],
    isIdempotent: true,
    source: () => null,
    timeoutMs: () => limits.minedThreads * msPerThread,
    resource: () => 'skill_mine',
    summarize: () => 'finished threads',
    async run(_asked, { projectId, threadId, signal }) {
      const { findings, isMore } = await extraction.run({ projectId, threadId, signal })
      const proposed = findings.filter(({ verdict }) => verdict === 'proposed')
      return {
        done: doneText(findings, isMore),
        evidence: proposed.map(({ detail, candidateId }) => `candidate ${candidateId ?? ''}: ${detail}`),
        proposed: proposed.map(({ candidateId, reason, detail }) => ({ candidate: candidateId, reason, detail })),
        skipped: findings
          .filter(({ verdict }) => verdict !== 'proposed')
          .map(({ subjectNumber, verdict, reason, detail }) => ({ thread: subjectNumber, verdict, reason, detail })),
        more: isMore,
      }
    },
  })
}

function doneText(findings: readonly SkillMined[], isMore: boolean): string {
  if (findings.length === 0) return 'No thread has ended since the last time. SKIP: nothing to look at.'
  const proposed = findings.filter(({ verdict }) => verdict === 'proposed')
  const skipped = findings.filter(({ verdict }) => verdict !== 'proposed')
  const reasons = [
    ...new Set(skipped.map(({ verdict, reason }) => (verdict === 'unfit' ? `unfit: ${reason}` : reason))),
  ]
  const counted = reasons.map((reason) => {
    const count = skipped.filter(
      (each) => (each.verdict === 'unfit' ? `unfit: ${each.reason}` : each.reason) === reason,
    )
    return `${reason} ${count.length}`
  })
  const looked = `Looked at ${findings.length} ${findings.length === 1 ? 'thread' : 'threads'}`
  const found = proposed.map(({ reason, detail }) => `${reason} ${detail}`).join('; ')
  const parts = [
    proposed.length === 0 ? `${looked}, proposed nothing` : `${looked}, proposed ${proposed.length} (${found})`,
    ...(counted.length > 0 ? [`SKIP: ${counted.join(', ')}`] : []),
    ...(isMore ? ['others wait for the next time'] : []),
  ]
  return `${parts.join('. ')}.`.slice(0, limits.outcomeCharacters)
}

import { z } from 'zod'
import { type Action, defineAction } from '../capabilities/capabilities.ts'
import type { DryRun } from './dry-run.ts'
import type { LoopReviews } from './loop-review.ts'
import type { LoopVersions } from './versions.ts'

/**
 * The agent's own proposal for its loop. It is offered only while the person allows that, is first run over threads on record, asks
 * each time whatever else was allowed, and makes an inert candidate: what activates it is a decision of its own. Source:
 * engine-behaviour 3.5; issue 7, 6.
 */
export function createProposeAction(
  versions: () => LoopVersions,
  reviews: () => Pick<LoopReviews, 'tryOut'>,
  isAllowed: () => boolean,
): Action {
  return defineAction({
    name: 'orchestrator_propose',
    description:
      'Proposes a new version of your own step loop (Python). It changes nothing until the user activates it.',
    parameters: z.strictObject({ code: z.string().min(1).max(200_000), reason: z.string().trim().min(1).max(1_000) }),
    effects: ['Compute'],
    isIdempotent: false,
    summarize: ({ reason }) => reason.slice(0, 60),
    review: () =>
      isAllowed()
        ? { verdict: 'ask', reason: 'proposes a change of its own step loop', scopeKey: null, isEachTime: true }
        : { verdict: 'deny', reason: 'changing its own step loop is switched off in the settings' },
    // What fails on the record is told to whoever wrote it: a person is asked only about what runs.
    async preflight({ code }) {
      const before = versions().get(versions().current).code
      const note = triedWords(await reviews().tryOut(code))
      const change = { kind: 'file', path: 'default.py', before, after: code, note } as const
      return { change, guard: null, undo: 'Nothing runs it until you activate it; you can roll back at any time.' }
    },
    async run({ code, reason }, { threadId }) {
      const runs = await reviews().tryOut(code)
      const { version } = versions().propose({ code, reason, source: threadId })
      return { version, state: 'candidate', tried: triedWords(runs), note: 'The user decides whether it is activated.' }
    },
  })
}

/** What came of it, for whoever decides. */
function triedWords(runs: readonly DryRun[]): string {
  if (runs.length === 0)
    return 'No thread is on record yet that it could be tried on; it is tried before it is activated.'
  const others = runs.filter(({ verdict }) => verdict === 'other')
  const told = others.slice(0, mostTold).map(({ thread, detail }) => `#${thread} ${detail}`)
  const more = others.length > mostTold ? [`${others.length - mostTold} more go another way`] : []
  const same = runs.length - others.length
  const tried = runs.length === 1 ? 'the record of one thread' : `the record of the last ${runs.length} threads`
  return [`Tried on ${tried}, without any effect: it goes the same way in ${same}`, ...told, ...more]
    .join('; ')
    .concat('.')
}
const mostTold = 5

import { z } from 'zod'
import { type Action, defineAction } from '../capabilities/capabilities.ts'
import type { LoopVersions } from './versions.ts'

/**
 * The agent's own proposal for its loop. It is offered only while the person allows that, asks each time whatever else was
 * allowed, and makes an inert candidate: what activates it is a decision of its own. Source: engine-behaviour 3.5.
 */
export function createProposeAction(versions: () => LoopVersions, isAllowed: () => boolean): Action {
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
    async preflight({ code }) {
      const before = versions().get(versions().current).code
      const change = { kind: 'file', path: 'default.py', before, after: code } as const
      return { change, guard: null, undo: 'Nothing runs it until you activate it; you can roll back at any time.' }
    },
    run: ({ code, reason }, { threadId }) => {
      const { version } = versions().propose({ code, reason, source: threadId })
      return { version, state: 'candidate', note: 'The user decides whether it is activated.' }
    },
  })
}

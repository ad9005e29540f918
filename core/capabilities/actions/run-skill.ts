import { z } from 'zod'
import { isJsonObject, type JsonObject } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import type { Source } from '../../domain/source.ts'
import { type Action, CallWaits, defineAction } from '../action.ts'
import type { Ended, OwnSource } from '../result-source.ts'
import { summaryText } from './parameters.ts'

/** A call of `run_skill`. Run again with the same `callKey` it goes on with the thread that it began. */
export interface SkillRunCall {
  readonly threadId: string
  readonly callKey: string
  readonly name: string
  readonly objective: string
  readonly signal: AbortSignal
}

/** `result`: what the model reads. `sources`: what it may rest on. */
export type SkillRunEnd =
  | { readonly kind: 'ended'; readonly result: JsonObject; readonly sources: readonly Source[] }
  | { readonly kind: 'waits'; readonly reason: string }

/** An upward call, given at wiring (RULES 32). @throws AppError skill.not_found, thread.depth, cancelled */
export type RunSkillCall = (call: SkillRunCall) => Promise<SkillRunEnd>

/** Gives work to a thread of its own that follows one skill and nothing else. Source: seed L; RULES 19. */
export function createRunSkillAction(run: RunSkillCall): Action {
  return defineAction({
    name: 'run_skill',
    aliases: ['runSkill'],
    description:
      'Gives an objective to another agent that follows one skill, with that skill’s tools. Returns its answer and how it ended.',
    parameters: z.strictObject({
      name: z.string(),
      objective: z.string().trim().min(1).max(limits.goalCharacters).describe('All that it has to know.'),
    }),
    // What its thread does goes through the door by itself, on leases that are never wider.
    effects: ['Compute'],
    isIdempotent: true,
    // It runs in the slot of the thread that asks: one after the other.
    resource: () => 'run_skill',
    timeoutMs: () => longestTimerMs,
    source: sourceOfRun,
    summarize: ({ name, objective }) => summaryText(`${name}: ${objective}`),
    async run(asked, { threadId, callKey, signal }) {
      const end = await run({ ...asked, threadId, callKey, signal })
      if (end.kind === 'waits') return new CallWaits(end.reason)
      const { sources } = end
      if (sources.length === 0) return end.result
      return { ...end.result, untrusted: sources.every(({ isOfProject }) => isOfProject) ? 'project' : true }
    },
  })
}

/** The thread's own budget bounds it: this is only as long as a timer can be. */
const longestTimerMs = 2_147_483_647

function sourceOfRun({ name }: { readonly name: string }, ended: Ended): OwnSource {
  const read = ended.ok && isJsonObject(ended.value) ? ended.value.untrusted : undefined
  if (read === undefined) return null
  return { kind: 'child', name: `the skill ${name}`, isOfProject: read === 'project' }
}

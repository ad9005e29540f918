import { z } from 'zod'
import type { Json, JsonObject } from '../domain/json.ts'
import { limits } from '../domain/limits.ts'
import type { ThreadHeader } from '../domain/thread.ts'

export const checkpointSchema = z.object({
  step: z.number().int(),
  nudges: z.number().int().default(0),
  obligations: z.number().int().default(0),
  acted: z.boolean().default(false),
  action_errors: z.number().int().default(0),
  code_errors: z.number().int().default(0),
  notes: z.array(z.string()).default([]),
  /** The model is asked for its answer, and offered nothing. */
  last: z.boolean().default(false),
})
export type Checkpoint = z.infer<typeof checkpointSchema>

/** As it is recorded with each step: what is as it was at the start of a thread is left out, and `checkpointSchema` fills it in. */
export function recordedCheckpoint(checkpoint: Checkpoint): JsonObject {
  const said = Object.entries(checkpoint).filter(([, value]) => (Array.isArray(value) ? value.length > 0 : value))
  return { ...Object.fromEntries(said), step: checkpoint.step }
}

export interface LoopStart {
  /** Of the record; undefined for a thread that never began a step. */
  readonly checkpoint: Json | undefined
  /** Of one that goes on with another's record: something was called there already. */
  readonly acted?: boolean
  readonly thread: ThreadHeader
  readonly hasActions: boolean
  /** A skill's run: an answer that was cut ends it, and at the limit of steps it is asked once more. */
  readonly isRun: boolean
}

/** What the script is given. @throws when a stored checkpoint is none of ours. */
export function inputsOf({ checkpoint, acted = false, thread, hasActions, isRun }: LoopStart): JsonObject {
  const isChild = thread.depth > 0
  return {
    state: checkpointSchema.parse(checkpoint ?? { step: 0, acted }),
    config: {
      max_steps: thread.maxSteps ?? limits.maxSteps,
      max_nudges: isChild || isRun ? 0 : limits.maxNudges,
      max_obligations: isChild || isRun ? 0 : limits.maxObligationNudges,
      max_action_errors: limits.maxConsecutiveActionErrors,
      nudge_action_errors: limits.maxConsecutiveActionErrorsNudge,
      max_code_errors: limits.maxConsecutiveCodeErrors,
      nudge_repeats: limits.repeatsNudge,
      max_repeats: limits.repeatsStop,
      has_actions: hasActions,
      is_run: isRun,
    },
  }
}

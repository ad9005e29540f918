import { z } from 'zod'
import { AppError, type ErrorCode, errorCodes, fromErrorBody } from '../domain/error.ts'
import type { JsonObject } from '../domain/json.ts'
import { limits } from '../domain/limits.ts'
import { outcomes } from '../domain/thread.ts'
import type { Program, Sandbox } from '../sandbox/sandbox.ts'
import { createHost, firstCheckpoint, type HostParts, type LoopContext, parseCheckpoint } from './host.ts'

export { createConversation } from './conversation.ts'
export type { LoopContext } from './host.ts'
export { createPrompts, type Prompts } from './prompt.ts'
export { replayRecord } from './record.ts'

/** What the loop decided. `text` is the answer of an `answered` thread, else what the model had said last. */
export interface LoopResult {
  readonly outcome: z.infer<typeof resultSchema>['outcome']
  readonly text: string
  readonly reason: string | null
  readonly code: ErrorCode | null
}

export interface Orchestrator {
  /**
   * Runs the step loop of one thread to its end, from its record where there is one.
   * @throws AppError cancelled on `context.signal`; orchestrator.failed when the script itself is at fault.
   */
  run(context: LoopContext): Promise<LoopResult>
}

export interface OrchestratorOptions extends HostParts {
  readonly sandbox: Sandbox
  /** The bundled version 0. */
  readonly program: Program
}

const resultSchema = z.object({
  outcome: z.enum(outcomes),
  response: z.string().optional(),
  reason: z.string().optional(),
  code: z.enum(errorCodes).optional(),
})

export function createOrchestrator(options: OrchestratorOptions): Orchestrator {
  return {
    async run(context) {
      const host = createHost(context, options)
      const vm = options.sandbox.startInline(options.program, inputsOf(context))
      try {
        let state = vm.state
        while (state.kind === 'call') state = vm.resumeNow(await host.call(state.name, state.args))
        if (state.kind === 'failed') throw scriptFailed(fromErrorBody(state.error), state.traceback)
        const result = resultSchema.parse(state.value)
        const { outcome, response, reason, code } = result
        return { outcome, text: response ?? host.lastText(), reason: reason ?? null, code: code ?? null }
      } finally {
        vm.close()
      }
    },
  }
}

function inputsOf(context: LoopContext): JsonObject {
  const { recorded } = context
  return {
    state: recorded === undefined ? firstCheckpoint : parseCheckpoint(recorded.started.checkpoint),
    config: {
      max_steps: context.thread.maxSteps ?? limits.maxSteps,
      max_nudges: limits.maxNudges,
      max_action_errors: limits.maxConsecutiveActionErrors,
      nudge_action_errors: limits.maxConsecutiveActionErrorsNudge,
      has_actions: context.tools.length > 0,
    },
  }
}

function scriptFailed(cause: AppError, traceback: string): AppError {
  return new AppError('orchestrator.failed', {
    message: traceback === '' ? cause.message : traceback,
    userMessage: 'The step loop itself failed. Everything up to the last step is recorded; try again.',
    cause,
    retryable: true,
  })
}

import { z } from 'zod'
import { AppError, type ErrorCode, errorCodes, fromErrorBody } from '../domain/error.ts'
import { faultPoint } from '../domain/fault-point.ts'
import { withoutControlTokens } from '../domain/fence.ts'
import type { Json, JsonObject } from '../domain/json.ts'
import { limits } from '../domain/limits.ts'
import { outcomes, type ThreadHeader } from '../domain/thread.ts'
import type { Journal } from '../events/events.ts'
import type { InlineVm, Program, Vm, VmState } from '../sandbox/sandbox.ts'
import { createAsker } from './ask.ts'
import { createHost } from './host.ts'
import { type HostParts, type LoopContext, Waits } from './loop-context.ts'
import { inputsOf } from './loop-inputs.ts'
import type { Meter } from './meter.ts'
import { runQuery } from './query.ts'
import type { RecordedQuery } from './recorded-step.ts'
import { createSnippetShelf } from './snippet-shelf.ts'
import type { LoopVersions } from './versions.ts'

export type { ChildRest, Children } from './children.ts'
export { type Conversation, createConversation } from './conversation.ts'
export type { Knowledge, LoopContext } from './loop-context.ts'
export { createLoopReviews, type LoopReview, type LoopReviews } from './loop-review.ts'
export type { Meter, Need, Reservation } from './meter.ts'
export { createPrompts, type PromptFacts, type Prompts } from './prompt.ts'
export { createProposeAction } from './propose-action.ts'
export { nothingBefore, replayEnded, replayRecord } from './record.ts'
export type { RecordedQuery } from './recorded-step.ts'
export { createRepeats } from './repeats.ts'
export { createSnippetCheck } from './snippet-check.ts'
export { createSurroundings } from './surroundings.ts'
export { createTaint, type Taint } from './taint.ts'
export { createLoopVersions, type LoopVersion, type LoopVersions } from './versions.ts'

/**
 * What the loop decided. `text` is the answer where there is one (`isAnswer`): of an `answered` thread, or of a skill's run that
 * had no steps left; else what the model had said last.
 */
export type LoopResult =
  | {
      readonly kind: 'ended'
      readonly outcome: z.infer<typeof resultSchema>['outcome']
      readonly text: string
      readonly isAnswer: boolean
      readonly reason: string | null
      readonly code: ErrorCode | null
    }
  /** It waits for a person, or for a child that does: the thread can rest, and goes on at that very call. */
  | { readonly kind: 'waits'; readonly reason: string }

export interface Orchestrator {
  /**
   * Runs the step loop of one thread to its end, from its record where there is one.
   * @throws AppError cancelled on `context.signal`; secret.unavailable, on record; orchestrator.failed when the script itself is at fault.
   */
  run(context: LoopContext): Promise<LoopResult>
  /**
   * Asks the fast tier, whatever the thread's own; null where no model stands behind it.
   * @throws AppError model.*, budget.stopped; cancelled
   */
  aside(asked: Aside): Promise<string | null>
}

/** A question of the engine itself, on record in the thread that it is for. */
export interface Aside {
  readonly thread: ThreadHeader
  readonly journal: Journal
  readonly meter: Meter
  readonly signal: AbortSignal
  readonly step: number
  readonly path: string
  readonly prompt: string
  readonly maxOutputTokens: number
  /** Where the thread was cut off in it before: it has one beginning, and what it ended with is not asked for again. */
  readonly recorded?: RecordedQuery | undefined
}

export interface OrchestratorOptions extends Omit<HostParts, 'snippetShelf'> {
  readonly versions: LoopVersions
}

const resultSchema = z.object({
  outcome: z.enum(outcomes),
  response: z.string().optional(),
  reason: z.string().optional(),
  code: z.enum(errorCodes).optional(),
})

export function createOrchestrator(options: OrchestratorOptions): Orchestrator {
  const { versions } = options
  const snippetShelf = createSnippetShelf(options.sandbox)

  /** The bundled version runs in this process, every other in a child that may die at any moment (RULES 6). */
  async function begin(program: Program, isBundled: boolean, inputs: JsonObject): Promise<LoopVm> {
    if (isBundled) return inlineVm(options.sandbox.startInline(program, inputs))
    const vmLimits = { durationMs: limits.loopMs, memoryBytes: limits.loopMemoryBytes }
    return childVm(await options.sandbox.start(program, inputs, vmLimits))
  }

  return {
    async run(context) {
      const { journal } = context
      const chosen = versions.choose(begunWith(context))
      if (begunWith(context) !== chosen.version && chosen.version !== 0) {
        journal.stage({ kind: 'orchestrator.chosen', data: { version: chosen.version, sha256: chosen.sha256 } })
      }
      const host = createHost(context, { ...options, snippetShelf })
      const vm = await begin(chosen.program, chosen.version === 0, startOf(context))
      try {
        faultPoint('loop.began')
        let state = vm.state
        while (state.kind === 'call') {
          const answer = await host.call(state.name, state.args)
          if (answer instanceof Waits) return { kind: 'waits', reason: answer.reason }
          const next = vm.resume(answer)
          state = next instanceof Promise ? await next : next
        }
        if (state.kind === 'failed') throw scriptFailed(fromErrorBody(state.error), state.traceback)
        const { outcome, response, reason, code } = decisionOf(state.value)
        faultPoint('loop.ended')
        return {
          ...{ kind: 'ended', outcome, text: response ?? host.lastText() },
          isAnswer: outcome === 'answered' || response !== undefined,
          ...{ reason: reason ?? null, code: code ?? null },
        }
      } catch (error) {
        if (isScriptsFault(error)) versions.failed(chosen.version, error.message, journal)
        throw error
      } finally {
        vm.close()
      }
    },

    async aside({ thread, journal, meter, signal, ...asked }) {
      const { models, hooks, redactor } = options
      if (models.resolve('minuet').providerId === 'planner') return null
      const asker = createAsker({
        ...{ models, meter, journal, signal, hooks, redactor },
        thread: { ...thread, tier: 'minuet', model: null },
        emitDelta: () => undefined,
        onBackoff: () => undefined,
        afterBackoff: async () => undefined,
        onAsking: () => undefined,
      })
      const messages = [{ role: 'user', content: withoutControlTokens(asked.prompt) }] as const
      return runQuery({ ...asked, purpose: 'conversation', messages }, { asker, journal })
    },
  }
}

/** Only what the script itself did wrong: a provider, an action or a person never counts against it. */
function isScriptsFault(error: unknown): error is AppError {
  return error instanceof AppError && (error.code === 'orchestrator.failed' || error.code === 'engine.value')
}

interface LoopVm {
  readonly state: VmState
  resume(value: Json): VmState | Promise<VmState>
  close(): void
}

function inlineVm(vm: InlineVm): LoopVm {
  return { state: vm.state, resume: (value) => vm.resumeNow(value), close: () => vm.close() }
}

function childVm(vm: Vm): LoopVm {
  return { state: vm.state, resume: (value) => vm.resume(value), close: () => vm.close() }
}

function startOf({ replayed, thread, tools, isRun }: LoopContext): JsonObject {
  const { checkpoint, acted } = replayed
  return inputsOf({ checkpoint, acted, thread, hasActions: tools.length > 0, isRun })
}

/** The bundled one is not on record by its number: a thread that has begun a step without another began with it. */
function begunWith({ replayed: { version, checkpoint } }: LoopContext): number | undefined {
  return version ?? (checkpoint === undefined ? undefined : 0)
}

function decisionOf(value: Json): z.infer<typeof resultSchema> {
  const parsed = resultSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const cause = new AppError('engine.value', {
    message: `the loop ended with what is no decision: ${z.prettifyError(parsed.error)}`,
    userMessage: 'The step loop ended with something unexpected.',
  })
  throw scriptFailed(cause, '')
}

function scriptFailed(cause: AppError, traceback: string): AppError {
  return new AppError('orchestrator.failed', {
    message: traceback === '' ? cause.message : traceback,
    userMessage: 'The step loop itself failed. Everything up to the last step is recorded; try again.',
    cause,
    retryable: true,
  })
}

import { AppError } from '../domain/error.ts'
import type { LiveDelta } from '../domain/event.ts'
import { faultPoint } from '../domain/fault-point.ts'
import type { EngineHooks } from '../domain/hooks.ts'
import { cleanError } from '../domain/leaks/errors.ts'
import type { Redactor } from '../domain/leaks/redactor.ts'
import { limits } from '../domain/limits.ts'
import { type ModelMessage, type ModelRef, modelRefText, parseModelRef, type ToolDefinition } from '../domain/model.ts'
import { estimateTokens } from '../domain/text.ts'
import type { ThreadHeader, Tier } from '../domain/thread.ts'
import type { Journal } from '../events/events.ts'
import type { Completed, Models } from '../models/models.ts'
import { createLiveAnswer } from './live-answer.ts'
import type { Meter, Reservation } from './meter.ts'
import { createOutgoing } from './outgoing.ts'

/** How one thread asks its model: the step's own call and the queries beside it go the same way, through one meter. */
export interface Asker {
  /** What the thread's tier means at this moment (RULES 39). */
  readonly modelNow: () => ModelRef
  readonly windowOf: (ref: ModelRef) => number | null | Promise<number | null>
  /** Reserves before the intent is recorded. */
  reserve(request: Asked): Held
  /** Without secrets, as are its errors. @throws AppError model.*, cancelled. Settles the reservation either way. */
  ask(request: Asked, held: Held & { ok: true }): Promise<Answered>
  /** What a call cost that threw `error`. */
  spentOn(request: Asked, error: unknown): Spent
}

/** `usd`: null where the model has no price. */
export interface Spent {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly usd: number | null
}

/** With the longest answer that was reserved; undefined where nothing bounds it. */
export type Held = Reservation & { readonly maxOutputTokens: number | undefined }

export interface Asked {
  readonly ref: ModelRef
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ToolDefinition[]
  readonly promptTokens: number
  readonly step: number
  /** Live text goes to the window for the step's own answer only. */
  readonly isLive: boolean
  readonly maxOutputTokens?: number
}

export interface Answered extends Completed {
  readonly usd: number | null
}

export interface AskerParts {
  readonly models: Models
  readonly meter: Meter
  readonly thread: ThreadHeader
  readonly journal: Journal
  readonly signal: AbortSignal
  readonly hooks: readonly EngineHooks[]
  readonly redactor: Redactor
  readonly emitDelta: (delta: LiveDelta) => void
  readonly onBackoff: (waitMs: number) => void
  readonly afterBackoff: () => Promise<void>
  /** Called before a model is asked and after it answered: such a call does not outlive the computer's sleep. */
  readonly onAsking: (isAsking: boolean) => void
}

export function createAsker(parts: AskerParts): Asker {
  const { models, meter, thread, journal, signal, redactor } = parts
  const outgoing = createOutgoing(redactor)
  const asked: ModelRef | Tier = thread.model === null ? thread.tier : parseModelRef(thread.model)
  const modelNow = () => (typeof asked === 'string' ? models.resolve(asked) : asked)

  /** A limit on tokens bounds the answer too: what is asked for cannot be more than what is left. */
  function mostOutput({ promptTokens, maxOutputTokens }: Asked): number | undefined {
    const left = meter.tokensLeft
    if (left === null) return maxOutputTokens
    return Math.max(1, Math.min(maxOutputTokens ?? limits.outputTokens, left - promptTokens))
  }

  /** A call that broke off in mid-answer was paid for up to there; one that never reached its model was not. */
  function spentOn({ ref, promptTokens }: Asked, error: unknown): Spent {
    const partial = error instanceof AppError ? error.data?.partialText : undefined
    if (typeof partial !== 'string' || partial === '') return { inputTokens: 0, outputTokens: 0, usd: null }
    const usage = { inputTokens: promptTokens, outputTokens: estimateTokens(partial) }
    return { ...usage, usd: models.usdOf(ref, usage) }
  }

  return {
    modelNow,
    spentOn,
    windowOf: (ref) => models.windowOf(ref, signal),

    reserve(request) {
      const maxOutputTokens = mostOutput(request)
      const outputTokens = maxOutputTokens ?? limits.outputTokens
      const usage = { inputTokens: request.promptTokens, outputTokens }
      const need = { model: modelRefText(request.ref), tokens: request.promptTokens + outputTokens }
      return { ...meter.reserve({ ...need, usd: models.usdOf(request.ref, usage) }), maxOutputTokens }
    },

    async ask(request, held) {
      const { ref, messages, tools, step, isLive, promptTokens } = request
      const most = held.maxOutputTokens
      for (const hook of parts.hooks) {
        hook.beforeModel?.({ threadId: thread.id, step, promptTokens })
      }
      parts.onAsking(true)
      const live = createLiveAnswer({ threadId: thread.id, step, redactor, emit: parts.emitDelta })
      try {
        faultPoint('model.asking')
        const completed = await models.complete(
          {
            ref,
            messages: outgoing(messages),
            tools,
            promptTokens,
            ...(most !== undefined && { maxOutputTokens: most }),
          },
          {
            signal,
            onDelta: (delta) => {
              if (isLive) live.push(delta)
            },
            onRetry: ({ attempt, waitMs, code }) => {
              journal.stage({ kind: 'model.retried', data: { step, attempt, waitMs, code } })
              journal.commit()
              parts.onBackoff(waitMs)
            },
            onResume: () => parts.afterBackoff(),
          },
        )
        faultPoint('model.answered')
        const { usage } = completed.completion
        const usd = models.usdOf({ providerId: completed.providerId, model: completed.model }, usage)
        held.settle({ tokens: usage.inputTokens + usage.outputTokens, usd: usd ?? 0 })
        for (const hook of parts.hooks) {
          hook.afterModel?.({ threadId: thread.id, step, outputTokens: usage.outputTokens })
        }
        // Before it is hashed, stored or run: record, hash and run are of one text.
        return { ...completed, completion: redactor.redact(completed.completion).value, usd }
      } catch (error) {
        const { inputTokens, outputTokens, usd } = spentOn(request, error)
        held.settle({ tokens: inputTokens + outputTokens, usd: usd ?? 0 })
        throw cleanError(error, redactor)
      } finally {
        live.end()
        parts.onAsking(false)
      }
    },
  }
}

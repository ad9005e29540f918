import { type ErrorBody, isCancelled } from '../domain/error.ts'
import type { Json, JsonObject } from '../domain/json.ts'
import { limits } from '../domain/limits.ts'
import { type ModelRef, modelRefText, type ToolDefinition } from '../domain/model.ts'
import type { Models } from '../models/models.ts'
import type { Answered, Asked, Asker } from './ask.ts'
import { compact } from './compaction.ts'
import type { LoopContext } from './loop-context.ts'
import type { Checkpoint } from './loop-inputs.ts'
import type { Outgoing, Sent, WindowWatch } from './window-watch.ts'

/** Keeps what is sent within the model's window: asks for it, watches what is counted, and shortens the transcript. */
export interface Sizing {
  /** Null where nobody says, or nobody can be asked. @throws AppError cancelled */
  windowOf(ref: ModelRef): Promise<number | null>
  /** The transcript is to be shortened before the step's request; once a step: after that it goes out, and the server says what it thinks of it. */
  isFull(outgoing: Outgoing, windowTokens: number | null): boolean
  promptTokens(ref: ModelRef, tools: readonly ToolDefinition[]): number
  beforeAsking(sent: Sent, windowTokens: number | null): void
  afterAnswer(sent: Sent, answered: Answered, windowTokens: number | null): void
  afterFailure(failure: ErrorBody, asked: Pick<Asked, 'ref' | 'promptTokens'>): void
  /** Answers what went wrong, or null. @throws AppError cancelled, secret.unavailable */
  compact(checkpoint: Checkpoint, trigger: 'threshold' | 'overflow'): Promise<JsonObject | null>
}

interface SizingParts {
  readonly context: LoopContext
  readonly models: Models
  readonly asker: Asker
  readonly watch: WindowWatch
  readonly toolsFor: (ref: ModelRef) => readonly ToolDefinition[]
}

export function createSizing({ context, models, asker, watch, toolsFor }: SizingParts): Sizing {
  const { conversation, journal } = context
  let compactedAt = -1
  /** The last refusal, and what the question for a summary may hold then. */
  let refusal = { model: '', windowTokens: Number.POSITIVE_INFINITY }

  async function windowOf(ref: ModelRef): Promise<number | null> {
    try {
      return await asker.windowOf(ref)
    } catch (error) {
      if (isCancelled(error)) throw error
      // What keeps it from being asked (no key, no such provider) keeps the request from being sent: that failure is recorded.
      return null
    }
  }

  return {
    windowOf,
    isFull: (outgoing, windowTokens) =>
      compactedAt !== outgoing.step && watch.isFull(outgoing, windowTokens ?? limits.defaultWindowTokens),
    promptTokens: watch.promptTokens,
    beforeAsking: watch.beforeAsking,
    afterAnswer: watch.afterAnswer,
    afterFailure({ code, data }, { ref, promptTokens }) {
      if (code !== 'model.overflow') return
      const named = windowWithin(promptTokens, { limit: tokensIn(data?.limit), got: tokensIn(data?.got) })
      models.noteOverflow(ref, named ?? promptTokens)
      // Of a window that nobody names only this is known: the prompt does not fit. The question for the summary has to.
      refusal = { model: modelRefText(ref), windowTokens: named ?? Math.ceil(promptTokens / 2) }
    },

    async compact(checkpoint, trigger) {
      compactedAt = checkpoint.step
      const ref = asker.modelNow()
      const tools = toolsFor(ref)
      const stated = (await windowOf(ref)) ?? limits.defaultWindowTokens
      const isRefused = trigger === 'overflow' && refusal.model === modelRefText(ref)
      const windowTokens = isRefused ? Math.min(stated, refusal.windowTokens) : stated
      const facts = { step: checkpoint.step, checkpoint, trigger, windowTokens, ratio: watch.ratio(ref, tools) }
      const { sources } = context.taint
      const problem = await compact({ ...facts, sources }, { asker, journal, conversation })
      if (problem === null) watch.restart()
      return problem
    },
  }
}

/** What a server said of a prompt that it refused, in its own tokens. */
interface OverflowSizes {
  readonly limit?: number | undefined
  readonly got?: number | undefined
}

/** Its window in tokens as we count them: our count of the prompt is an estimate, and can be far off for other scripts. */
function windowWithin(refused: number, { limit, got }: OverflowSizes): number | undefined {
  if (limit === undefined) return undefined
  return Math.max(1, Math.floor(got === undefined ? Math.min(limit, refused) : (limit * refused) / got))
}

function tokensIn(value: Json | undefined): number | undefined {
  return typeof value === 'number' && value > 0 ? value : undefined
}

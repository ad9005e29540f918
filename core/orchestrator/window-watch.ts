import type { ContextWarned } from '../domain/event.ts'
import { limits } from '../domain/limits.ts'
import { type ModelMessage, type ModelRef, modelRefText, type ToolDefinition } from '../domain/model.ts'
import { fitsWindow } from '../domain/window.ts'
import type { Journal } from '../events/events.ts'
import type { Completed, Models } from '../models/models.ts'
import type { Conversation } from './conversation.ts'
import {
  isFrontDropped,
  type PromptCounts,
  type Reading,
  tokenRatio,
  withCount,
  withoutPrefix,
} from './prompt-gauge.ts'

/** A request that is about to go out. */
export interface Outgoing {
  readonly step: number
  readonly ref: ModelRef
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ToolDefinition[]
}

/** Watches how much of a model's window the transcript takes, before each request and by what the server counted of it. */
export interface WindowWatch {
  /** What the next request to this model holds: our estimate, brought to the model's own measure where it is known. */
  promptTokens(ref: ModelRef, tools: readonly ToolDefinition[]): number
  /** How many tokens of the model one of our estimate is. */
  ratio(ref: ModelRef, tools: readonly ToolDefinition[]): number
  /** The transcript is to be shortened before the next request, and can be. */
  isFull(outgoing: Outgoing, windowTokens: number | null): boolean
  /** Says so, once for each model, when the request does not fit. */
  beforeAsking(outgoing: Outgoing, windowTokens: number | null): void
  /** Keeps what was counted; says so, once for each model, when the server read less than was sent. */
  afterAnswer(sent: Sent, completed: Completed, windowTokens: number | null): void
  /** The transcript was shortened. */
  restart(): void
}

/** A request that went out, with what our own estimate of its messages was. */
export interface Sent extends Outgoing {
  readonly messageTokens: number
}

interface WatchParts {
  readonly models: Models
  readonly conversation: Conversation
  readonly journal: Journal
  /** Of the record. */
  readonly counts: PromptCounts
  readonly warned: readonly ContextWarned[]
}

const charactersPerToken = 4

export function createWindowWatch({ models, conversation, journal, ...onRecord }: WatchParts): WindowWatch {
  let { counts } = onRecord
  const said = new Set(onRecord.warned.map(warningKey))
  const ratio = (ref: ModelRef, tools: readonly ToolDefinition[]) =>
    tokenRatio(counts, modelRefText(ref), toolTokens(tools))
  const promptTokens = (ref: ModelRef, tools: readonly ToolDefinition[]) =>
    Math.ceil((conversation.promptTokens + toolTokens(tools)) * ratio(ref, tools))

  /** A server that refuses what is too long says so itself. */
  function warn(warning: ContextWarned): void {
    const key = warningKey(warning)
    if (said.has(key) || !models.mayDropFront(warning)) return
    said.add(key)
    journal.stage({ kind: 'context.warned', data: warning })
  }

  function readingOf(
    { ref, messages, tools, messageTokens }: Sent,
    reportedTokens: number,
  ): Omit<Reading, 'askedTokens'> {
    const inTools = toolTokens(tools)
    const scale = ratio(ref, tools)
    const tokens = (estimated: number) => Math.ceil(estimated * scale)
    const model = modelRefText(ref)
    const [first, last] = [counts.first, counts.last].map((count) => (count?.model === model ? count : undefined))
    // At first, what other threads may have had before: the system message and the actions.
    const known = last?.messageTokens ?? Math.ceil((messages[0]?.content.length ?? 0) / charactersPerToken)
    return {
      ...{ sentTokens: tokens(messageTokens + inTools), newTokens: tokens(messageTokens - known) },
      ...{ sentBytes: bytesOf(messages, tools), reportedTokens },
      before: first ? { sentTokens: tokens(first.messageTokens + inTools), reportedTokens: first.countedTokens } : null,
    }
  }

  return {
    promptTokens,
    ratio,
    restart: () => {
      counts = withoutPrefix(counts)
    },

    isFull({ ref, tools }, windowTokens) {
      const window = windowTokens ?? limits.defaultWindowTokens
      if (promptTokens(ref, tools) < window * limits.compactionShare) return false
      // A window that the system message and the actions fill by themselves is not helped by a summary.
      const tail = Math.floor(window * limits.compactionTailShare)
      return conversation.promptTokens * ratio(ref, tools) - tail >= limits.summaryTokens / 2
    },

    beforeAsking({ step, ref, tools }, windowTokens) {
      const tokens = promptTokens(ref, tools)
      if (fitsWindow(tokens, windowTokens)) return
      warn({ step, phase: 'before', ...ref, promptTokens: tokens, windowTokens })
    },

    afterAnswer(sent, completed, stated) {
      const { inputTokens, estimated = false } = completed.completion.usage
      if (estimated) return
      const { step, ref, messageTokens } = sent
      // What it read was not the whole: no measure for what comes.
      if (said.has(warningKey({ phase: 'after', ...ref }))) return
      const { windowTokens: askedTokens = null } = completed
      const reading = { ...readingOf(sent, inputTokens), askedTokens }
      if (models.mayDropFront(ref) && isFrontDropped(reading)) {
        const { sentTokens, reportedTokens } = reading
        const windowTokens = askedTokens ?? stated
        return warn({ step, phase: 'after', ...ref, promptTokens: sentTokens, windowTokens, reportedTokens })
      }
      counts = withCount(counts, { model: modelRefText(ref), messageTokens, countedTokens: inputTokens })
    },
  }
}

function toolTokens(tools: readonly ToolDefinition[]): number {
  const known = sizes.get(tools) ?? Math.ceil(JSON.stringify(tools).length / charactersPerToken)
  sizes.set(tools, known)
  return known
}
/** A thread offers the same actions with every request. */
const sizes = new WeakMap<readonly ToolDefinition[], number>()

function bytesOf(messages: readonly ModelMessage[], tools: readonly ToolDefinition[]): number {
  return Buffer.byteLength(JSON.stringify(messages)) + Buffer.byteLength(JSON.stringify(tools))
}

function warningKey({ phase, providerId, model }: Pick<ContextWarned, 'phase' | 'providerId' | 'model'>): string {
  return `${phase} ${modelRefText({ providerId, model })}`
}

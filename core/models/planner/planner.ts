import { AppError } from '../../domain/error.ts'
import type { Completion, CompletionRequest, ModelDelta, ModelInfo, ToolCall } from '../../domain/model.ts'
import { answerPlan } from './answer-plan.ts'
import { currentTurn } from './conversation.ts'
import type { PlanContext } from './intent.ts'
import { advance, type Call, type Plan } from './plan.ts'
import { codeForSkill } from './work/functions.ts'
import { isBrief, missionPlan } from './work/mission.ts'

export { plannerRefusalMark } from './refusal.ts'

/** What the planner knows of its surroundings; today's date it asks the `time` action for, so that it is on record. */
export interface PlannerOptions {
  /** IANA name: whose "today" is meant. */
  readonly timeZone: string
}

/** How a caller stops a completion and hears its pieces. */
export interface CompletionListener {
  readonly signal: AbortSignal
  readonly onDelta: (delta: ModelDelta) => void
}

/** The built-in planner as a provider: no server, no account, no cost. */
export interface Planner {
  complete(request: CompletionRequest, listener: CompletionListener): Promise<Completion>
  models(): readonly ModelInfo[]
}

/**
 * A model that needs none: a grammar of requests about the project folder. What it does next follows from the conversation
 * alone, so the same messages give the same completion, and a thread goes on after a crash. It asks for actions until it
 * has the figures, then answers from them; what it does not understand it refuses, and ends that text with
 * `plannerRefusalMark`. Throws `cancelled` when the signal is aborted.
 */
export function createPlanner({ timeZone }: PlannerOptions): Planner {
  return {
    models: () => [{ providerId: 'planner', model: 'planner', contextTokens: null, title: 'Built-in planner' }],
    complete: async ({ messages, tools }, { signal, onDelta }) => {
      throwIfCancelled(signal)
      const turn = currentTurn(messages)
      const code = isBrief(turn.said) ? null : codeForSkill(messages, turn.said)
      if (code !== null) return { text: code, isCode: true, toolCalls: [], finishReason: 'stop', usage: noTokens }
      const plan = isBrief(turn.said) ? briefPlan(turn.said, tools, { timeZone }) : answerPlan(turn, { timeZone })
      const next = advance(plan, turn.record)
      if ('calls' in next) return asking(next.calls, turn.callsSoFar, onDelta)
      for (const text of pieces(next.result)) {
        throwIfCancelled(signal)
        onDelta({ kind: 'text', text })
      }
      return { text: next.result, toolCalls: [], finishReason: 'stop', usage: noTokens }
    },
  }
}

/** A failed action ends it without an account: the firing has failed, and says why. */
function* briefPlan(brief: string, tools: CompletionRequest['tools'], context: PlanContext): Plan<string> {
  try {
    return yield* missionPlan(brief, tools, context)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return `This could not be done. The action failed: ${error.message}`
  }
}

const noTokens = { inputTokens: 0, outputTokens: 0 }

function asking(calls: readonly Call[], callsSoFar: number, onDelta: CompletionListener['onDelta']): Completion {
  const toolCalls = calls.map((call, at): ToolCall => ({ id: `planner-${callsSoFar + at + 1}`, ...call }))
  for (const { name } of toolCalls) onDelta({ kind: 'call', name })
  return { text: '', toolCalls, finishReason: 'tool_calls', usage: noTokens }
}

/** The answer line by line, the line ends with the line before them. */
function pieces(text: string): readonly string[] {
  return text.match(/[^\n]*\n+|[^\n]+$/g) ?? []
}

function throwIfCancelled(signal: AbortSignal): void {
  if (!signal.aborted) return
  throw new AppError('cancelled', {
    message: 'the completion was cancelled',
    userMessage: 'Stopped. What was done so far is kept.',
  })
}

/** States and the only legal moves between them. Source: seed E, Thread State Machine; engine-behaviour 1.1. */
export const threadStates = ['Created', 'Running', 'Waiting', 'Suspended', 'Completed', 'Done', 'Failed'] as const
export type ThreadState = (typeof threadStates)[number]

const moves: Readonly<Record<ThreadState, readonly ThreadState[]>> = {
  Created: ['Running', 'Failed'],
  Running: ['Waiting', 'Suspended', 'Completed', 'Failed'],
  Waiting: ['Running', 'Failed'],
  Suspended: ['Running', 'Failed'],
  Completed: ['Done'],
  Done: [],
  Failed: [],
}

export function canMove(from: ThreadState, to: ThreadState): boolean {
  return moves[from].includes(to)
}

/** No further state can follow. */
export function isTerminal(state: ThreadState): boolean {
  return moves[state].length === 0
}

/** How a thread ended, apart from its state (RULES 1). Only `answered` counts for learning and confidence. */
export const outcomes = ['answered', 'stopped', 'budget', 'maxSteps', 'failed', 'denied', 'interrupted'] as const
export type Outcome = (typeof outcomes)[number]

/** Tier labels, resolved to a model at each request (RULES 33, 39). */
export const tiers = ['minuet', 'allegro', 'forte'] as const
export type Tier = (typeof tiers)[number]
export const tierTitles: Readonly<Record<Tier, string>> = { minuet: 'Fast', allegro: 'Default', forte: 'Deep' }

/** A thread without its steps, messages or bodies: what a list shows. Times are epoch ms. */
export interface ThreadHeader {
  readonly id: string
  /** Shown as `#12`; counts up in one store. */
  readonly number: number
  readonly projectId: string
  /** Threads of one chat share it: a message to an ended thread starts the next one. */
  readonly conversationId: string
  readonly title: string
  /** Whole where one thread was asked for; a row of a list has its first `limits.listGoalCharacters` characters. */
  readonly goal: string
  readonly state: ThreadState
  readonly outcome: Outcome | null
  /** Why it is in this state, in a sentence; null where there is nothing to say. */
  readonly reason: string | null
  readonly tier: Tier
  /** `<providerId>/<model>` where one model was asked for instead of the tier's. */
  readonly model: string | null
  /** At most this many steps; null means the engine's own limit. */
  readonly maxSteps: number | null
  readonly steps: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly endedAt: number | null
}

/** One row per model call and per action call: the compact index that the timeline draws. Times are epoch ms. */
export interface CallRow {
  readonly step: number
  /** '0' for the step's model call, '1', '2', … for its actions in the order asked. */
  readonly path: string
  readonly kind: 'model' | 'action'
  readonly name: string
  readonly state: CallState
  readonly startedAt: number
  readonly firstTokenAt: number | null
  readonly endedAt: number | null
  readonly inputTokens: number
  readonly outputTokens: number
  /** Events that hold the request and the outcome; their bodies are fetched by `event.body`. */
  readonly startSeq: number
  readonly endSeq: number | null
  readonly summary: string
}
export const callStates = ['started', 'done', 'failed', 'refused', 'interrupted', 'cancelled'] as const
export type CallState = (typeof callStates)[number]

/** Title from a goal: its first non-blank line, at most 60 characters. Source: engine-behaviour 1.1. */
export function titleOf(goal: string): string {
  const line =
    goal
      .split('\n')
      .find((l) => l.trim() !== '')
      ?.trim() ?? ''
  const characters = [...line]
  return characters.length <= 60 ? line : `${characters.slice(0, 59).join('')}…`
}

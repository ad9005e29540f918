import type { Budget } from './budget.ts'

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
  /** The thread whose code asked for this one, and the thread that a person began. */
  readonly parentId: string | null
  readonly rootId: string
  /** 0 for what a person began. */
  readonly depth: number
  /** Of which mission it is a firing; its title is that mission's name. Null for any other thread. */
  readonly missionId: string | null
  /** Of this thread and all its children together; `steps` is `maxSteps`. */
  readonly budget: Pick<Budget, 'tokens' | 'usd' | 'ms'>
  readonly steps: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** What its own model calls cost; those without a price count nothing. */
  readonly usd: number
  readonly createdAt: number
  readonly updatedAt: number
  readonly endedAt: number | null
}

/** One row per model call, action, code step, query and child: the compact index that the timeline draws. Times are epoch ms. */
export interface CallRow {
  readonly step: number
  /**
   * '0' for the step's model call, '0.1' for a compaction before it, '1', '2', … for its actions in the order asked. A code
   * step is '1'; what it calls is '1.1', '1.2', ….
   */
  readonly path: string
  readonly kind: CallKind
  readonly name: string
  readonly state: CallState
  readonly startedAt: number
  readonly firstTokenAt: number | null
  readonly endedAt: number | null
  readonly inputTokens: number
  readonly outputTokens: number
  /** Null where the model has no price. */
  readonly usd: number | null
  /** Of a `child`: its thread. */
  readonly childId: string | null
  /** Events that hold the request and the outcome; their bodies are fetched by `event.body`. */
  readonly startSeq: number
  readonly endSeq: number | null
  readonly summary: string
}
export const callKinds = ['model', 'action', 'code', 'query', 'child'] as const
export type CallKind = (typeof callKinds)[number]
/** `waiting`: for a person's approval; nothing of it has run. */
export const callStates = ['waiting', 'started', 'done', 'failed', 'refused', 'interrupted', 'cancelled'] as const
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

import type { Firing, Mission, MissionDefinition } from '../domain/mission.ts'
import type { Source } from '../domain/source.ts'
import type { Outcome } from '../domain/thread.ts'
import type { Append, Events } from '../events/events.ts'
import type { KnowledgeDoc } from '../memory/memory.ts'
import type { Store } from '../store/store.ts'

/** What a firing asks of threads. */
export interface FiringOrder {
  readonly mission: Mission
  readonly definition: MissionDefinition
  readonly firing: Firing
  /** The goal of its thread: the meta-prompt. */
  readonly brief: string
  /** What of the brief was not from a person: the thread has read it. */
  readonly sources: readonly Source[]
}

export type FiringThread =
  | { readonly kind: 'running' }
  /** At rest until a person goes on with it. */
  | { readonly kind: 'suspended' }
  | {
      readonly kind: 'ended'
      readonly outcome: Outcome
      readonly reason: string | null
      readonly steps: number
      /** Its last message; null for none. */
      readonly answer: string | null
      /** What it may rest on that was not from a person. */
      readonly sources: readonly Source[]
    }
  /** There is no such thread. */
  | { readonly kind: 'lost' }

/** Threads as missions see them; passed by whoever wires the engine (RULES 32). */
export interface FiringThreads {
  /** Makes the thread inside the transaction that is open, with the row that says which firing it is. Answers its id. */
  insert(append: Append, order: FiringOrder): string
  /** Lets it run, once that is committed. */
  start(threadId: string): void
  /** Its end comes back as that of any thread. */
  stop(threadId: string, reason: string): void
  stateOf(threadId: string): FiringThread
}

/** What a person should hear of. */
export interface MissionNotice {
  readonly text: string
  readonly missionId: string
  readonly threadId: string | null
}

export interface MissionParts {
  readonly store: Store
  readonly events: Events
  readonly now: () => number
  /** Ms that never go back. */
  readonly monotonic: () => number
  readonly nextId: (prefix: string) => string
  /** Firings that may run at the same time. */
  readonly atOnce: () => number
  /**
   * What may begin now. `all`: whatever is queued. `ticks`: that only at a tick, and what this process was asked for. `asked`: only
   * what a person asked this process for.
   */
  readonly beginning: () => 'all' | 'ticks' | 'asked'
  readonly threads: FiringThreads
  /** At most `max`, the best first. */
  readonly knowledge: (of: {
    readonly projectId: string
    readonly question: string
    readonly max: number
  }) => Promise<readonly KnowledgeDoc[]>
  /** Why it cannot work now, in a sentence: a skill that is gone, say. Null where nothing is missing. */
  readonly blocker: (definition: MissionDefinition, projectId: string) => string | null
  /** The budget that is used up, in a sentence: tomorrow is another day. Null where there is some left. */
  readonly spent: (projectId: string) => string | null
  /** What was approved for it stands no more: within the transaction of what it was approved for. */
  readonly revokeGrants: (append: Append, missionId: string) => void
  readonly notify: (notice: MissionNotice) => void
  readonly onFault: (error: unknown) => void
}

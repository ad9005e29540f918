import type { Capabilities } from '../capabilities/capabilities.ts'
import type { ThreadHeader } from '../domain/thread.ts'
import type { Journal } from '../events/events.ts'
import type { Knowledge, Orchestrator } from '../orchestrator/orchestrator.ts'
import type { ThreadSkills } from '../skills/skills.ts'
import type { Meters } from './meter.ts'
import type { Slots } from './slots.ts'
import type { SpawnParts } from './spawn.ts'

/** What was just asked, in a project. */
export interface KnowledgeQuestion {
  readonly projectId: string
  readonly text: string
  readonly signal: AbortSignal
}

export interface RunParts extends SpawnParts {
  readonly capabilities: Capabilities
  readonly orchestrator: Orchestrator
  readonly meters: Meters
  readonly slots: Slots
  readonly runs: ActiveRuns
  readonly timeZone: string
  readonly skills: ThreadSkills
  /** What the project knows of a matter; null where nothing bears on it. */
  readonly knowledge: (question: KnowledgeQuestion) => Promise<Knowledge | null>
  /** A thread that ended, with its children; called once that is on record. */
  readonly onEnded: (thread: ThreadHeader) => void
  /** An end that could not be recorded (a full disk): the thread is taken up again at the next start. Null when one could. */
  readonly onFault: (error: unknown) => void
}

/** A thread under way in this process. `ending` says what its abort means. */
export interface ActiveRun {
  readonly thread: ThreadHeader
  readonly controller: AbortController
  readonly injected: string[]
  /** The parent whose slot it runs in. */
  readonly inSlotOf: string | undefined
  ending: { readonly as: 'stopped' | 'suspended' | 'denied' | 'budget'; readonly reason: string } | undefined
  holdsSlot: boolean
  /** While it queues for one. */
  takingSlot: Promise<void> | undefined
  /** Model calls under way. */
  asking: number
  /** Its end is on record: what is said now begins another thread. */
  isOver: boolean
}

/** One run, and what it works with. */
export interface Working {
  readonly run: ActiveRun
  readonly parts: RunParts
  readonly journal: Journal
}

/** The threads that run in this process. */
export interface ActiveRuns {
  /** Undefined for a thread that does not run here, or is about to end. */
  get(threadId: string): ActiveRun | undefined
  has(threadId: string): boolean
  ids(): readonly string[]
  /** `inSlotOf`: a child that its parent's code waits for runs in its parent's slot. */
  start(thread: ThreadHeader, inSlotOf?: string): void
  /** Aborts it and its children at once, and waits until the end of each is on record. The first ending counts. */
  interrupt(threadId: string, ending: NonNullable<ActiveRun['ending']>): Promise<void>
  /** Settles when it rests; at once for a thread that does not run here. */
  rest(threadId: string): Promise<void>
  /** Those that wait for a model now, children among them. */
  asking(): readonly string[]
  /** A thread that ended without running: whoever waits for it goes on. */
  ended(thread: ThreadHeader): void
}

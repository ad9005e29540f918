import type { Capabilities } from '../capabilities/capabilities.ts'
import type { Source } from '../domain/source.ts'
import type { ThreadHeader } from '../domain/thread.ts'
import type { Journal } from '../events/events.ts'
import type { ChildRest, Knowledge, Orchestrator } from '../orchestrator/orchestrator.ts'
import type { HostedSkills, ThreadSkills } from '../skills/skills.ts'
import type { Meters } from './meter.ts'
import type { SlotHolder, Slots } from './slots.ts'
import type { SpawnParts } from './spawn.ts'
import type { RunWish } from './spawn-run.ts'

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
  /** Undefined: nobody brought any. */
  readonly hostedSkills: HostedSkills | undefined
  /** What the project knows of a matter; null where nothing bears on it. */
  readonly knowledge: (question: KnowledgeQuestion) => Promise<Knowledge | null>
  /** A thread that ended, with its children; called once that is on record. */
  readonly onEnded: (thread: ThreadHeader) => void
  /** An end that could not be recorded (a full disk): the thread is taken up again at the next start. Null when one could. */
  readonly onFault: (error: unknown) => void
}

/** What the thread that calls brings to a skill's run. */
export interface RunSurroundings {
  /** The conversation so far, summed up where it is long. */
  readonly conversation: string
  /** What it has read by now that was not from a person. */
  readonly sources: readonly Source[]
}

/** A call of this thread that wants a skill's run. `wish` is asked only where there is no thread for it yet. */
export interface RunCall {
  readonly threadId: string
  /** `<thread>/<step>/<path>`: the same for every run of the same call. */
  readonly callKey: string
  readonly wish: (around: RunSurroundings) => Promise<RunWish>
}

/** How the run came to rest, and its thread. */
export type RunRest = ChildRest & { readonly childId: string }

/** The skills' runs that calls of one thread wait for: in its slot, one after another; what stops it stops them. */
export interface RunCalls {
  /** Goes on with the thread that the call began, if it had. @throws AppError thread.depth, cancelled; those of `wish` */
  run(call: RunCall): Promise<RunRest>
}

/** A thread under way in this process. `ending` says what its abort means. */
export interface ActiveRun {
  readonly thread: ThreadHeader
  readonly controller: AbortController
  readonly injected: string[]
  /** The parent whose slot it runs in. */
  readonly inSlotOf: string | undefined
  ending: { readonly as: 'stopped' | 'suspended' | 'denied' | 'budget'; readonly reason: string } | undefined
  readonly slotHolder: SlotHolder
  holdsSlot: boolean
  /** While it queues for one. */
  takingSlot: Promise<void> | undefined
  /** Model calls under way. */
  asking: number
  /** Skills' runs that its calls wait for; undefined before its loop has begun. */
  runCalls: RunCalls | undefined
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

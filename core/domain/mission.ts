import { z } from 'zod'
import { missionEvents } from './mission-event.ts'
import { type Source, sourceKinds } from './source.ts'
import { outcomes, tiers } from './thread.ts'

/** Which of these events count. What is left out is as `usualFilter` has it. */
export const eventFilterSchema = z.strictObject({
  /** Threads of its own project, or of all. */
  projects: z.enum(['own', 'all']).exactOptional(),
  /** Threads that a person began, those that missions began, or both. */
  threads: z.enum(['people', 'missions', 'all']).exactOptional(),
  outcomes: z.array(z.enum(outcomes)).readonly().exactOptional(),
  /** RE2 that the thread's goal holds. */
  goal: z.string().exactOptional(),
  /** Only each so many-th that fits. */
  each: z.number().int().exactOptional(),
  /** Patterns of files in the project's folder. */
  paths: z.array(z.string()).readonly().exactOptional(),
  /** So long it was quiet. */
  idleMs: z.number().int().exactOptional(),
})
export type EventFilter = z.infer<typeof eventFilterSchema>

/** When a mission fires. Source: seed E, Missions. Times of day are those of the mission's zone. */
export const cadenceSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('cron'), expression: z.string() }),
  z.strictObject({ kind: z.literal('every'), everyMs: z.number().int().positive() }),
  /** `day` as `2026-12-01`, `time` as `09:00`. */
  z.strictObject({ kind: z.literal('once'), day: z.string(), time: z.string() }),
  z.strictObject({ kind: z.literal('event'), on: z.enum(missionEvents), only: eventFilterSchema.exactOptional() }),
  z.strictObject({ kind: z.literal('webhook') }),
  z.strictObject({ kind: z.literal('manual') }),
])
export type Cadence = z.infer<typeof cadenceSchema>

/** What becomes of instants at which nobody was there. */
export const missedPolicies = ['skip', 'once', 'all'] as const
export type MissedPolicy = (typeof missedPolicies)[number]
/** What becomes of an instant at which the firing before has not ended. */
export const overlapPolicies = ['skip', 'queue', 'cancel'] as const
export type OverlapPolicy = (typeof overlapPolicies)[number]

/** One version of a mission, as its file says it or a person wrote it. Durations are in ms. */
export const missionDefinitionSchema = z.strictObject({
  name: z.string(),
  description: z.string(),
  goal: z.string(),
  /** By what it is known that the goal is reached; null where it never is. */
  success: z.string().nullable(),
  /** What the first firing looks at; later ones say it themselves. */
  focus: z.string().nullable(),
  cadence: cadenceSchema,
  zone: z.string(),
  missed: z.enum(missedPolicies),
  /** Of `all`: so many of the newest. */
  catchUp: z.number().int(),
  /** Null: half the time to the next instant, at most 12 hours; 12 hours where all are caught up (RULES 23). */
  maxLatenessMs: z.number().int().nullable(),
  overlap: z.enum(overlapPolicies),
  dailyCap: z.number().int(),
  cooldownMs: z.number().int(),
  /** The same trigger within this time is one; 0 for never. */
  dedupeMs: z.number().int(),
  pauseAfter: z.number().int(),
  budget: z.strictObject({
    tokens: z.number().nullable(),
    usd: z.number().nullable(),
    steps: z.number().nullable(),
    ms: z.number().nullable(),
  }),
  tier: z.enum(tiers),
  /** It is blocked where one of them is missing. */
  skills: z.array(z.string()).readonly(),
  /** All that its threads may use; null for what any thread may. */
  actions: z.array(z.string()).readonly().nullable(),
})
export type MissionDefinition = z.infer<typeof missionDefinitionSchema>

/** `proposed`: by an agent; nothing sets it off until a person starts it. */
export const missionStatuses = ['proposed', 'active', 'paused', 'completed', 'removed'] as const
export type MissionStatus = (typeof missionStatuses)[number]

/** A mission as it stands. Times are epoch ms. */
export interface Mission {
  readonly id: string
  readonly projectId: string
  readonly name: string
  readonly status: MissionStatus
  /** Why it has this status; null where there is nothing to say. */
  readonly statusReason: string | null
  /** Of its definition. */
  readonly version: number
  readonly source: MissionSource
  /** From where its intervals are counted: when this version was saved. */
  readonly anchorAt: number
  /** Every instant up to here is in the ledger. */
  readonly claimedUntil: number
  /** Null where no instant follows, or none counts while it is paused. */
  readonly nextFireAt: number | null
  readonly focus: string | null
  /** In a row, up to the newest firing. */
  readonly failures: number
  readonly lastFiredAt: number | null
  readonly createdAt: number
  readonly updatedAt: number
}
/** Who made it. */
export type MissionSource = 'file' | 'person' | 'agent'

/**
 * What became of one due instant (RULES 23). `queued`: claimed, and waits for its turn. `running`: its thread works. The others
 * are ends. `ran`: on time; `late`: begun later than a minute after; `coalesced`: another instant stands for it; `skipped`: a
 * rule of the mission said so; `missed`: nobody was there in time; `blocked`: something that it needs is not there; `cancelled`: a
 * person or a later firing ended it; `unknown`: whether it was finished cannot be known.
 */
export const firingStates = [
  'queued',
  'running',
  'ran',
  'late',
  'coalesced',
  'skipped',
  'missed',
  'blocked',
  'cancelled',
  'failed',
  'unknown',
] as const
export type FiringState = (typeof firingStates)[number]

export function isLive(state: FiringState): boolean {
  return state === 'queued' || state === 'running'
}

/** `rehearsal`: by hand, with a person there to answer, and all actions that any thread may use. */
export const firingTriggers = ['schedule', 'manual', 'rehearsal', 'event', 'webhook'] as const
export type FiringTrigger = (typeof firingTriggers)[number]

/** A person asked for it: it fires also while the mission is paused. */
export function isByHand({ trigger }: { readonly trigger: FiringTrigger }): boolean {
  return trigger === 'manual' || trigger === 'rehearsal'
}

/** One row of the ledger: (mission, instant) is there at most once. Times are epoch ms. */
export interface Firing {
  readonly id: string
  readonly missionId: string
  readonly instant: number
  /** The last instant that the row stands for, where it stands for a whole stretch of them; null for one. */
  readonly until: number | null
  readonly version: number
  readonly trigger: FiringTrigger
  readonly state: FiringState
  readonly reason: string | null
  readonly claimedAt: number
  readonly startedAt: number | null
  /** The day of `startedAt` in the mission's zone. */
  readonly startedOn: string | null
  readonly endedAt: number | null
  readonly threadId: string | null
  /** Threads that caused it, one by the other; 0 for none. */
  readonly causeDepth: number
  readonly dedupeKey: string | null
  /** Failures before it, one after the other, of the same firing: 0 for what is no retry. */
  readonly attempt: number
}

/** What a firing came to, by its own account. */
export const missionOutcomeSchema = z.strictObject({
  done: z.string().trim().min(1),
  nextFocus: z.string().trim().nullable(),
  goalReached: z.boolean(),
  evidence: z.array(z.string().trim().min(1)).readonly(),
})
export type MissionOutcome = z.infer<typeof missionOutcomeSchema>

export const storedSourcesSchema = z
  .array(
    z.strictObject({
      kind: z.enum(sourceKinds),
      name: z.string(),
      isOfProject: z.boolean().exactOptional(),
    }),
  )
  .readonly()

/** As it stands in the ledger: with what its thread had read that was not from a person. */
export const toldOutcomeSchema = missionOutcomeSchema.extend({ sources: storedSourcesSchema })
export interface ToldOutcome extends MissionOutcome {
  readonly sources: readonly Source[]
}

/** What is shown of a mission. */
export interface MissionSummary extends Mission {
  readonly description: string
  /** In words. */
  readonly cadence: string
  readonly cadenceKind: Cadence['kind']
  readonly zone: string
  /** An instant is due and nobody claims it. */
  readonly isOverdue: boolean
  /** Firings in a row that did what they were to do, up to the newest that ended; of the newest 50. */
  readonly streak: number
}

/** Which thread proposed a mission, and what it had read by then that was not from a person. */
export interface MissionProposal {
  readonly threadId: string
  readonly sources: readonly Source[]
}

/** A mission, whole. */
export interface MissionDetail extends MissionSummary {
  /** Null where no agent proposed it. */
  readonly proposal: MissionProposal | null
  /** Null where this version of Threadsmith cannot read it. */
  readonly definition: MissionDefinition | null
  /** The same as a file; null where it cannot be read. */
  readonly text: string | null
  /** Newest first. */
  readonly versions: readonly { readonly version: number; readonly at: number; readonly source: MissionSource }[]
  /** What its newest firings said of themselves, the newest first. */
  readonly approaches: readonly {
    readonly firingId: string
    readonly instant: number
    readonly state: FiringState
    readonly outcome: ToldOutcome
  }[]
}

/**
 * An action that a rehearsal used, or was denied. `calls`: those that began. `asksAgain`: approvals that reached no further than that
 * rehearsal, so that a firing nobody looks at waits at them.
 */
export interface RehearsedAction {
  readonly action: string
  readonly calls: number
  readonly asksAgain: number
  readonly denied: number
}

/** The newest rehearsal of a mission; `used` by name. */
export interface Rehearsal {
  readonly firing: Firing
  readonly used: readonly RehearsedAction[]
}

/** What a mission did and is to do in the days around today. Epoch ms. */
export interface MissionDays {
  readonly missionId: string
  readonly zone: string
  /** At which its days begin by the clocks of its zone, and at which the last one ends. */
  readonly midnights: readonly number[]
  /** The newest first, at most `limits.missionDayRows`. */
  readonly firings: readonly Pick<Firing, 'id' | 'instant' | 'until' | 'state' | 'reason' | 'threadId'>[]
  /** Every row from here on is among them; of earlier ones nothing is said. */
  readonly firingsFrom: number
  /** Instants to come, ascending, at most `limits.missionDayRows`. */
  readonly planned: readonly number[]
  /** Every instant to come before it is among them; of later ones nothing is said. */
  readonly plannedUntil: number
}

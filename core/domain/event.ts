import type { EffectType } from './action.ts'
import type { ApprovalDecided, ApprovalRequested, ApprovalRequestedBody, GrantScope } from './approval.ts'
import type { BudgetCheck } from './budget.ts'
import type { Canvas } from './canvas.ts'
import type { ErrorCode } from './error.ts'
import type { TraceIssue } from './issue.ts'
import type { Json } from './json.ts'
import type { Redaction } from './leaks/mark.ts'
import type { LearntState, ProposalKind } from './learnt.ts'
import type { DocType } from './memory.ts'
import type { FiringState, MissionStatus } from './mission.ts'
import type { SkillSelected, SkillSelectedBody } from './skill.ts'
import type {
  SkillDecided,
  SkillLoaded,
  SkillMined,
  SkillProposed,
  SkillRan,
  SkillRunMark,
  SkillUsed,
  SkillVersioned,
} from './skill-event.ts'
import type { Source } from './source.ts'
import type {
  ActionFinished,
  ActionStarted,
  ActionStartedBody,
  ChildFinished,
  ChildSpawned,
  CodeFinished,
  CodeFinishedBody,
  CodeStarted,
  CodeText,
  EffectUndone,
  ModelCompleted,
  ModelCompletedBody,
  ModelFailed,
  ModelRetried,
  QueryFinished,
  QueryStarted,
  RepeatNoticed,
  StepRestarted,
  StepStarted,
} from './step-event.ts'
import type { Outcome, ThreadState, Tier } from './thread.ts'

export type * from './skill-event.ts'
export type * from './step-event.ts'

/**
 * Everything that happened, in one union. `data` holds the small facts that lists, timelines and folds need; `body` holds
 * what can be large and is fetched by its seq. An event never changes once appended. Times and durations are in ms.
 */
export type EventData =
  | { readonly kind: 'thread.created'; readonly data: ThreadCreated; readonly body: { readonly goal: string } }
  | { readonly kind: 'thread.state'; readonly data: StateChanged; readonly body?: undefined }
  | {
      readonly kind: 'thread.recovered'
      readonly data: { readonly step: number; readonly lostCalls: readonly string[] }
      readonly body?: undefined
    }
  | { readonly kind: 'message.added'; readonly data: MessageAdded; readonly body: { readonly content: string } }
  /** After its end a person said that what it answered, or did, was wrong: nothing is learnt from it. */
  | { readonly kind: 'thread.corrected'; readonly data: { readonly wrong: string }; readonly body?: undefined }
  | { readonly kind: 'lease.granted'; readonly data: LeaseGranted; readonly body?: undefined }
  | { readonly kind: 'lease.revoked'; readonly data: LeaseEnded; readonly body?: undefined }
  | { readonly kind: 'grant.given'; readonly data: GrantGiven; readonly body?: undefined }
  | { readonly kind: 'grant.revoked'; readonly data: { readonly grantId: string }; readonly body?: undefined }
  | { readonly kind: 'budget.checked'; readonly data: BudgetChecked; readonly body?: undefined }
  | { readonly kind: 'docs.retrieved'; readonly data: DocsRetrieved; readonly body?: undefined }
  | { readonly kind: 'skill.selected'; readonly data: SkillSelected; readonly body: SkillSelectedBody }
  /** The model asked for a skill's text: the thread works with it from then on. */
  | { readonly kind: 'skill.loaded'; readonly data: SkillLoaded; readonly body?: undefined }
  /** A skill's run ended: its row in the feed of activity. */
  | { readonly kind: 'skill.ran'; readonly data: SkillRan; readonly body?: undefined }
  | { readonly kind: 'canvas.emitted'; readonly data: CanvasEmitted; readonly body: { readonly canvas: Canvas } }
  | { readonly kind: 'skill.proposed'; readonly data: SkillProposed; readonly body?: undefined }
  /** On the record of a learning thread: what it found in one thread, or why nothing is learnt from it. */
  | { readonly kind: 'skill.mined'; readonly data: SkillMined; readonly body?: undefined }
  | { readonly kind: 'skill.decided'; readonly data: SkillDecided; readonly body?: undefined }
  | { readonly kind: 'skill.versioned'; readonly data: SkillVersioned; readonly body?: undefined }
  | { readonly kind: 'skill.used'; readonly data: SkillUsed; readonly body?: undefined }
  | { readonly kind: 'context.compacted'; readonly data: ContextCompacted; readonly body: { readonly summary: string } }
  | { readonly kind: 'context.warned'; readonly data: ContextWarned; readonly body?: undefined }
  | { readonly kind: 'slot.queued'; readonly data: { readonly ahead: number }; readonly body?: undefined }
  | { readonly kind: 'slot.acquired'; readonly data: { readonly waitedMs: number }; readonly body?: undefined }
  | { readonly kind: 'step.started'; readonly data: StepStarted; readonly body?: undefined }
  | { readonly kind: 'step.restarted'; readonly data: StepRestarted; readonly body?: undefined }
  | { readonly kind: 'model.retried'; readonly data: ModelRetried; readonly body?: undefined }
  | { readonly kind: 'model.completed'; readonly data: ModelCompleted; readonly body: ModelCompletedBody }
  | {
      readonly kind: 'model.failed'
      readonly data: ModelFailed
      readonly body: { readonly message: string; readonly partialText: string }
    }
  | { readonly kind: 'action.started'; readonly data: ActionStarted; readonly body?: ActionStartedBody }
  | { readonly kind: 'action.finished'; readonly data: ActionFinished; readonly body: { readonly result: Json } }
  | { readonly kind: 'approval.requested'; readonly data: ApprovalRequested; readonly body: ApprovalRequestedBody }
  | { readonly kind: 'approval.decided'; readonly data: ApprovalDecided; readonly body?: ApprovalRequestedBody }
  | { readonly kind: 'effect.undone'; readonly data: EffectUndone; readonly body?: undefined }
  | { readonly kind: 'code.started'; readonly data: CodeStarted; readonly body?: CodeText }
  | { readonly kind: 'code.finished'; readonly data: CodeFinished; readonly body: CodeFinishedBody }
  | { readonly kind: 'query.started'; readonly data: QueryStarted; readonly body: { readonly prompt: string } }
  | { readonly kind: 'query.finished'; readonly data: QueryFinished; readonly body: { readonly text: string } }
  | { readonly kind: 'child.spawned'; readonly data: ChildSpawned; readonly body?: undefined }
  | { readonly kind: 'child.finished'; readonly data: ChildFinished; readonly body: { readonly text: string } }
  | { readonly kind: 'repeat.noticed'; readonly data: RepeatNoticed; readonly body?: undefined }
  | {
      readonly kind: 'trace.analysed'
      readonly data: { readonly issues: readonly TraceIssue[] }
      readonly body?: undefined
    }
  | { readonly kind: 'learnt.changed'; readonly data: LearntChanged; readonly body?: undefined }
  | { readonly kind: 'orchestrator.chosen'; readonly data: OrchestratorChosen; readonly body?: undefined }
  | { readonly kind: 'orchestrator.failed'; readonly data: OrchestratorFailed; readonly body?: undefined }
  | { readonly kind: 'orchestrator.rolledBack'; readonly data: OrchestratorRolledBack; readonly body?: undefined }
  | {
      readonly kind: 'orchestrator.diverged'
      readonly data: { readonly step: number; readonly expected: string; readonly got: string }
      readonly body?: undefined
    }
  | { readonly kind: 'mission.changed'; readonly data: MissionChanged; readonly body?: undefined }
  | { readonly kind: 'firing.claimed'; readonly data: FiringClaimed; readonly body?: undefined }
  | { readonly kind: 'firing.changed'; readonly data: FiringChanged; readonly body?: undefined }
  | { readonly kind: 'secret.redacted'; readonly data: SecretRedacted; readonly body?: undefined }
  | { readonly kind: 'status'; readonly data: { readonly text: string }; readonly body?: undefined }
  /** Never written: stands in lists in the place of an event whose row cannot be read any more. */
  | { readonly kind: 'unreadable'; readonly data: { readonly problem: string }; readonly body?: undefined }

export type EventKind = EventData['kind']

/** An event as it stands in the store. `seq` is one ascending number for the whole store. */
export type StoredEvent = EventData & { readonly seq: number; readonly threadId: string; readonly at: number }

type WithoutBody<Event> = Event extends unknown ? Pick<Event, Extract<keyof Event, 'kind' | 'data'>> : never
/** Kind and facts of an event, without its body. */
export type EventFact = WithoutBody<EventData>

/** What a page of events carries: no bodies, but how large each is. */
export type EventHeader = EventFact & {
  readonly seq: number
  readonly threadId: string
  readonly at: number
  readonly bodyBytes: number
}

/** By what skills join a thread. */
export type SkillJoined = Extract<EventFact, { readonly kind: 'skill.selected' | 'skill.loaded' }>

export interface ThreadCreated {
  readonly number: number
  readonly projectId: string
  readonly conversationId: string
  readonly title: string
  readonly tier: Tier
  /** The thread whose code asked for this one; absent for what a person began. */
  readonly parentId?: string
  readonly depth?: number
  /** Its log begins with a copy of that thread's, up to and including that step. */
  readonly forkedFrom?: { readonly threadId: string; readonly step: number }
  /** It is a skill's run: the system message is that skill's text, and its leases are all that it may ever use. */
  readonly run?: SkillRunMark
  /** A model's failure ended that thread of the same chat: this one goes on with its record, so that nothing is done twice. */
  readonly retryOf?: string
  /** A mission fired: its goal is the brief, which no person wrote as a whole. */
  readonly mission?: MissionMark
}

export interface MissionMark {
  readonly missionId: string
  readonly name: string
  /** Of its definition. */
  readonly version: number
  readonly firingId: string
  /** Threads of missions that led to it, one by the other; 0 for none. */
  readonly causeDepth: number
}

export interface StateChanged {
  readonly from: ThreadState
  readonly to: ThreadState
  readonly outcome?: Outcome
  readonly reason?: string
  readonly code?: ErrorCode
}

export interface MessageAdded {
  readonly role: 'system' | 'user' | 'assistant'
  /** Why the engine itself added it: absent for what a person or a model said. */
  readonly origin?: MessageOrigin
  readonly preview: string
  /** What it may rest on that was not from a person: of an answer, and of a child's question, all that its thread had read. */
  readonly sources?: readonly Source[]
}

/**
 * `orientation`: the system message; `catalogue`: which skills a host brought; `skills`: the text of skills; `surroundings`: the project as it was found at step 0; `knowledge`:
 * docs; `output`: what a code step printed and gave; `nudge`: a note of the step loop; `final`: the answer.
 */
export type MessageOrigin =
  | 'nudge'
  | 'orientation'
  | 'catalogue'
  | 'skills'
  | 'surroundings'
  | 'knowledge'
  | 'output'
  | 'final'

export interface LeaseGranted {
  readonly leaseId: string
  readonly capability: string
  readonly actions: readonly string[]
  readonly effects: readonly EffectType[]
  readonly expiresAt: number | null
  readonly usesLeft: number | null
  /** The parent's lease that this one was cut from. */
  readonly parentLeaseId?: string
  /** Of the one call that an approval allows. */
  readonly argsHash?: string
}

export interface LeaseEnded {
  readonly leaseId: string
  readonly capability: string
  readonly reason: 'revoked' | 'expired' | 'ended'
}

/** A standing answer to what would be asked: shown in Approvals, and revocable there. */
export interface GrantGiven {
  readonly grantId: string
  readonly scope: GrantScope
  readonly action: string
  /** What of the action it covers: `npm test` of the shell, say; the action's own name where it covers all of it. */
  readonly scopeKey: string
}

/** What was counted before a model was asked: only scopes that have a limit stand here. */
export interface BudgetChecked {
  readonly step: number
  readonly path: string
  readonly checks: readonly BudgetCheck[]
}

export interface DocsRetrieved {
  readonly step: number
  readonly docs: readonly {
    readonly id: string
    readonly version: number
    readonly type: DocType
    readonly title: string
    readonly score: number
    readonly untrusted?: true
  }[]
}

/** A card of the agent. Another one with the same id takes its place on screen; the record keeps both. */
export interface CanvasEmitted {
  readonly step: number
  readonly path: string
  readonly id: string
  readonly kind: Canvas['kind']
  readonly title: string
}

/** The transcript that is sent was shortened; the record was not. Tokens are estimates. */
export interface ContextCompacted {
  readonly step: number
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly windowTokens: number
  /** Messages from the end that stayed word for word, the last thing that a person said among them. */
  readonly kept: number
  /** Where the loop goes on. */
  readonly checkpoint: Json
  readonly trigger: 'threshold' | 'overflow'
  /** What the summary may rest on that was not from a person. */
  readonly sources?: readonly Source[]
}

/**
 * `before`: the prompt is larger than the window, and shortening it did not help. `after`: the server counted far less than
 * was sent, so it left out the front. `promptTokens` is what was sent, estimated.
 */
export interface ContextWarned {
  readonly step: number
  readonly phase: 'before' | 'after'
  readonly providerId: string
  readonly model: string
  readonly promptTokens: number
  /** Null where nobody says. */
  readonly windowTokens: number | null
  /** What the server says it read; absent before. */
  readonly reportedTokens?: number
}

/** Of a mission's own stream: its definition, or what it stands at. */
export interface MissionChanged {
  readonly missionId: string
  readonly name: string
  readonly status: MissionStatus
  readonly reason: string | null
  readonly version: number
  readonly nextFireAt: number | null
}

/** Due instants went into the ledger, the first and the last of them here. One event for all of them: they may be many. */
export interface FiringClaimed {
  readonly missionId: string
  readonly name: string
  readonly counts: Readonly<Partial<Record<FiringState, number>>>
  readonly from: number
  readonly until: number
  readonly nextFireAt: number | null
}

export interface FiringChanged {
  readonly missionId: string
  readonly firingId: string
  readonly name: string
  readonly instant: number
  readonly state: FiringState
  readonly reason: string | null
  readonly threadId: string | null
}

/** Of an item's own stream: something was proposed, decided, or taken back. `by`: who did it. */
export interface LearntChanged {
  readonly itemId: string
  readonly kind: ProposalKind
  readonly projectId: string
  readonly state: LearntState
  readonly by: 'agent' | 'rule' | 'person' | 'measure' | 'time'
  readonly sha256: string
  readonly reason: string
  readonly preview: string
}

export interface OrchestratorChosen {
  readonly version: number
  readonly sha256: string
}
export interface OrchestratorFailed {
  readonly version: number
  /** Failures of this version so far, this one among them. */
  readonly failures: number
  readonly reason: string
}
export interface OrchestratorRolledBack {
  readonly from: number
  readonly to: number
  readonly reason: string
}

/** The event before it holds marks in the place of secrets. */
export interface SecretRedacted {
  readonly seq: number
  readonly of: EventKind
  /** That event's own, where it belongs to a step. */
  readonly place?: { readonly step: number; readonly path?: string }
  /** The first of them; paths are of that event's body. */
  readonly redactions: readonly Redaction[]
  readonly total: number
}

/** Live only: never stored, may be dropped. `step` says which answer the text belongs to. */
export interface LiveDelta {
  readonly threadId: string
  readonly step: number
  readonly kind: 'text' | 'reasoning' | 'call'
  readonly text: string
}

/** First 80 characters, for lists. Source: engine-behaviour 1.1. */
export function previewOf(text: string): string {
  const flat = text.replace(/\s+/g, ' ').trim()
  return flat.length <= 80 ? flat : `${flat.slice(0, 80)}…`
}

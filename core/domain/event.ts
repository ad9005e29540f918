import type { ErrorCode } from './error.ts'
import type { Json } from './json.ts'
import type { FinishReason, ToolCall } from './model.ts'
import type { Outcome, ThreadState, Tier } from './thread.ts'

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
  | { readonly kind: 'lease.granted'; readonly data: LeaseGranted; readonly body?: undefined }
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
  | { readonly kind: 'action.started'; readonly data: ActionStarted; readonly body?: ActionArguments }
  | { readonly kind: 'action.finished'; readonly data: ActionFinished; readonly body: { readonly result: Json } }
  | {
      readonly kind: 'orchestrator.diverged'
      readonly data: { readonly step: number; readonly expected: string; readonly got: string }
      readonly body?: undefined
    }
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

export interface ThreadCreated {
  readonly number: number
  readonly projectId: string
  readonly conversationId: string
  readonly title: string
  readonly tier: Tier
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
  readonly origin?: 'nudge' | 'orientation' | 'final'
  readonly preview: string
}

export interface LeaseGranted {
  readonly leaseId: string
  readonly actions: readonly string[]
  readonly expiresAt: number | null
  readonly usesLeft: number | null
}

/** The step's model call is about to be made: its intent, and the checkpoint from which the step can be run again. */
export interface StepStarted {
  readonly step: number
  readonly providerId: string
  readonly model: string
  readonly tier: Tier
  readonly messages: number
  readonly promptTokens: number
  readonly checkpoint: Json
}

/** After a crash the step's model call is made again: it begins now. */
export interface StepRestarted {
  readonly step: number
}

export interface ModelRetried {
  readonly step: number
  readonly attempt: number
  readonly waitMs: number
  readonly code: ErrorCode
}

export interface ModelCompleted {
  readonly step: number
  readonly providerId: string
  readonly model: string
  readonly durationMs: number
  readonly firstTokenMs: number | null
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cachedInputTokens: number
  readonly estimated: boolean
  readonly finishReason: FinishReason
  readonly calls: number
  readonly preview: string
}
export interface ModelCompletedBody {
  readonly text: string
  readonly reasoning?: string
  readonly toolCalls: readonly ToolCall[]
}

export interface ModelFailed {
  readonly step: number
  readonly providerId: string
  readonly model: string
  readonly durationMs: number
  readonly code: ErrorCode
  readonly userMessage: string
  readonly retryable: boolean
}

export interface ActionStarted {
  readonly step: number
  readonly path: string
  readonly callId: string
  readonly name: string
  /** SHA-256 of the exact arguments; null for an action that only reads. */
  readonly argsHash: string | null
  readonly leaseId: string | null
  readonly usesLeft: number | null
  readonly summary: string
}

/**
 * Stored only where what runs is not what the model asked for; otherwise `event.body` takes them from the model's answer,
 * so that each body is on disk once.
 */
export interface ActionArguments {
  readonly arguments: Json
}

export interface ActionFinished {
  readonly step: number
  readonly path: string
  readonly callId: string
  readonly name: string
  readonly ok: boolean
  readonly code?: ErrorCode
  readonly durationMs: number
  readonly summary: string
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

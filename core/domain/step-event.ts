import type { Change } from './approval.ts'
import type { CodeCategory } from './code.ts'
import type { ErrorCode } from './error.ts'
import type { Json } from './json.ts'
import type { FinishReason, ToolCall } from './model.ts'
import type { PolicyDecision } from './policy.ts'
import type { Source } from './source.ts'
import type { Outcome, Tier } from './thread.ts'

// Facts and bodies of what happens within a step; the union of all events is in event.ts. Times and durations are in ms.

/** The step's model call is about to be made: its intent, and the checkpoint from which the step can be run again. */
export interface StepStarted {
  readonly step: number
  readonly providerId: string
  readonly model: string
  readonly tier: Tier
  readonly messages: number
  readonly promptTokens: number
  readonly checkpoint: Json
  /** The model's window where it is known; compaction and the context bar rest on it. */
  readonly windowTokens?: number
}

/** After a crash the step's model call is made again: it begins now, perhaps with another model. Stores of before say `step` alone. */
export interface StepRestarted {
  readonly step: number
  readonly providerId?: string
  readonly model?: string
  readonly promptTokens?: number
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
  /** Fenced blocks that are code to run; absent for none. */
  readonly codeBlocks?: number
  /** Null where the model has no price. */
  readonly usd: number | null
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
  /** Estimated, of an answer that broke off; absent where nothing had come. */
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly usd?: number | null
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
  readonly policy: PolicyDecision
  readonly summary: string
}

/**
 * `arguments` are stored only where they stand nowhere else: in code, or edited by a person; otherwise `event.body` takes
 * them from the model's answer, so that each body is on disk once. `change`: what a call that asked nobody was about to do.
 */
export interface ActionStartedBody {
  readonly arguments?: Json
  readonly change?: Change
  readonly guard?: Json
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
  /** Whose text the result holds; absent where nobody's. */
  readonly source?: Source
}

/** A write was taken back by a person: what was there before is there again. */
export interface EffectUndone {
  readonly step: number
  readonly path: string
  readonly trashId: string
  readonly file: string
}

/** The code of an answer begins to run. `path` is '1': the code of a step is one block. */
export interface CodeStarted {
  readonly step: number
  readonly path: string
  readonly sha256: string
  readonly lines: number
}
export interface CodeText {
  readonly code: string
}

export interface CodeFinished {
  readonly step: number
  readonly path: string
  readonly ok: boolean
  readonly category?: CodeCategory
  /** VM time only: a wait for a model, a child or a person does not count. */
  readonly durationMs: number
  readonly calls: number
  readonly outputCharacters: number
  readonly isFinal: boolean
  readonly summary: string
  /** What the thread had read by then that was not from a person: its output may hold any of it. */
  readonly sources?: readonly Source[]
  /** Functions of skills that it called by name; absent for none. `raised`: the code ended by an error inside of it. */
  readonly snippets?: readonly {
    readonly skill: string
    readonly version: number
    readonly name: string
    readonly raised: boolean
  }[]
}
export interface CodeFinishedBody {
  readonly output: string
  readonly returned?: Json
  readonly final?: string
  readonly traceback?: string
  /** `state` as the code left it; absent when it did not change. */
  readonly state?: Json
}

/** A model call beside the step's own: `llm_query` of a code step, or the summary of a compaction. */
export interface QueryStarted {
  readonly step: number
  readonly path: string
  readonly purpose: 'llm_query' | 'llm_query_batched' | 'compaction' | 'conversation'
  readonly providerId: string
  readonly model: string
  readonly promptTokens: number
}
export interface QueryFinished {
  readonly step: number
  readonly path: string
  readonly ok: boolean
  readonly code?: ErrorCode
  readonly durationMs: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly usd: number | null
  readonly summary: string
}

export interface ChildSpawned {
  readonly step: number
  readonly path: string
  readonly childId: string
  readonly number: number
  readonly summary: string
}
export interface ChildFinished {
  readonly step: number
  readonly path: string
  readonly childId: string
  readonly outcome: Outcome | null
  readonly ok: boolean
  readonly summary: string
  /** What its answer may rest on. */
  readonly sources?: readonly Source[]
}

export interface RepeatNoticed {
  readonly step: number
  readonly name: string
  readonly count: number
  readonly verdict: 'told' | 'stopped'
}

import type { ApprovalState } from '../../core/domain/approval.ts'
import type { ErrorCode } from '../../core/domain/error.ts'
import type { CallState } from '../../core/domain/thread.ts'
import { plainLine } from '../format/plain.ts'

export const spanKinds = ['thread', 'step', 'model', 'action', 'code', 'query', 'child'] as const
export type SpanKind = (typeof spanKinds)[number]

/**
 * One line of the timeline. Never changed in place: a new fact replaces the span, so a row redraws exactly when its span
 * is another object. Times are epoch ms; `endedAt` null means that no end is on record.
 */
export interface Span {
  /** Its place in `Timeline.spans`; 0 is the thread itself. */
  readonly id: number
  readonly kind: SpanKind
  readonly parent: number
  /** −1 for the thread. */
  readonly step: number
  /** The call's path within its step; empty for thread and step. */
  readonly path: string
  readonly name: string
  /** The thread that the call belongs to: the one on the screen, or a child of it. */
  readonly threadId: string
  /** Of a `child`: its thread. */
  readonly childId: string | null
  /** What it was asked, in a line. */
  readonly summary: string
  /** What came of it, in a line; empty when that is not known apart from `summary`. */
  readonly outcome: string
  readonly state: CallState
  readonly startedAt: number
  readonly firstTokenAt: number | null
  readonly endedAt: number | null
  readonly inputTokens: number
  readonly outputTokens: number
  /** Null where the model has no price; 0 where it costs nothing. */
  readonly usd: number | null
  readonly startSeq: number
  readonly endSeq: number | null
  readonly code: ErrorCode | null
  /** Of its calls that failed or were refused; for a call 0 or 1. */
  readonly errors: number
  readonly backOffs: readonly BackOff[]
  /** Of a call that a person was asked about. */
  readonly asked: Asked | null
  /** When a person took back what it had changed. */
  readonly undoneAt: number | null
}

/** From when to when a call waited for an answer; `until` null while it does. */
export interface Asked {
  readonly approvalId: string
  readonly at: number
  readonly until: number | null
  readonly state: ApprovalState
  /** Events that hold what was asked for and what was decided. */
  readonly requestSeq: number
  readonly decidedSeq: number | null
}

/** The engine's own wait before it asked a model again. */
export interface BackOff {
  readonly attempt: number
  readonly at: number
  readonly waitMs: number
  readonly code: ErrorCode
}

/** A time in which the thread did nothing: it waited for a slot, for somebody, or was suspended. */
export interface Pause {
  readonly why: 'slot' | 'waiting' | 'suspended'
  readonly startedAt: number
  readonly endedAt: number | null
}

export function isFailure(state: CallState): boolean {
  return state === 'failed' || state === 'refused'
}

/** What came of a call, where that says more than what it was asked. */
export function outcomeOf(span: Span): string {
  if (span.outcome === span.summary) return ''
  // A model's words; what an action or code gave is shown as it is.
  return span.kind === 'query' || span.kind === 'child' ? plainLine(span.outcome) : span.outcome
}

export function tokensOf(span: Span): number {
  return span.inputTokens + span.outputTokens
}

/** Null while no end is on record. */
export function durationMs(span: Span): number | null {
  return span.endedAt === null ? null : Math.max(0, span.endedAt - span.startedAt)
}

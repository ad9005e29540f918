import type { ActionResult } from '../domain/action.ts'
import type { Change } from '../domain/approval.ts'
import type { ActionStartedBody } from '../domain/event.ts'
import type { Json, JsonObject } from '../domain/json.ts'
import type { Journal } from '../events/events.ts'
import type { Prepared } from './prepare.ts'

interface Place {
  readonly step: number
  readonly journal: Journal
}

/** What the intent says beside the call. */
export interface IntentDetails {
  /** Of calls whose arguments stand nowhere else. */
  readonly arguments?: Json
  readonly change?: Change
  readonly guard?: Json
}

/** The intent: on disk before any effect. */
export function stageStarted({ step, journal }: Place, prepared: Prepared, details: IntentDetails): void {
  const { call, path, argsHash, summary, lease, action, policy } = prepared
  const named = { step, path, callId: call.id, name: action?.name ?? call.name }
  const data = { ...named, argsHash, leaseId: lease?.id ?? null, usesLeft: lease?.usesLeft ?? null, policy, summary }
  const hasBody = details.arguments !== undefined || details.change !== undefined || details.guard !== undefined
  const body: ActionStartedBody = details
  journal.stage({ kind: 'action.started', data, ...(hasBody && { body }) })
}

export function stageFinished({ step, journal }: Place, { path, summary }: Prepared, result: ActionResult): void {
  const { callId, name, ok, durationMs } = result
  const { source } = result
  const facts = { step, path, callId, name, ok, durationMs, summary, ...(source && { source }) }
  const data = result.ok ? facts : { ...facts, code: result.error.code }
  const outcome: Json = result.ok ? result.value : errorFacts(result)
  journal.stage({ kind: 'action.finished', data, body: { result: outcome } })
}

function errorFacts(result: ActionResult & { ok: false }): JsonObject {
  const { code, message, userMessage, retryable, data } = result.error
  return { error: { code, message, userMessage, retryable, ...(data && { data }) } }
}

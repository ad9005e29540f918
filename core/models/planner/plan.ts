import { AppError, type ErrorCode, errorCodes } from '../../domain/error.ts'
import { unfenced } from '../../domain/fence.ts'
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '../../domain/json.ts'

/** One action that a plan wants: the loop runs it, its result comes back as an `Outcome`. */
export interface Call {
  readonly name: string
  readonly arguments: JsonObject
}

/** What the record says about a call. */
export type Outcome =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly code: string; readonly message: string }

/**
 * A plan yields batches of calls and gets their outcomes in the same order. It is run again from its start at every
 * request and fed from the record, so it may hold no state of its own and read nothing but its arguments and outcomes.
 */
export type Plan<Result> = Generator<readonly Call[], Result, readonly Outcome[]>

/**
 * `declined`: the words were understood but nothing in the folder fits them, so the next reading is tried. `weak`: a true
 * answer, such as no matches, that gives way to a better one.
 */
export interface Answer {
  readonly kind: 'answered' | 'weak' | 'declined'
  readonly text: string
  /** The one file that the answer is about, for "it" in a later part of the request. */
  readonly subject?: string
}

export const answered = (text: string, subject?: string): Answer => ({
  kind: 'answered',
  text,
  ...(subject !== undefined && { subject }),
})
export const weakly = (text: string): Answer => ({ kind: 'weak', text })
export const declined = (text: string): Answer => ({ kind: 'declined', text })

/** Outcomes on record by what was asked; two equal calls are one. */
export type CallRecord = ReadonlyMap<string, Outcome>

export function callKey(call: Call): string {
  return `${call.name} ${canonicalJson(call.arguments)}`
}

/** Runs a plan as far as the record goes: the calls that it needs next, or what it returns. */
export function advance<Result>(
  plan: Plan<Result>,
  record: CallRecord,
): { readonly calls: readonly Call[] } | { readonly result: Result } {
  let state = plan.next()
  while (!state.done) {
    const keyed = state.value.map((call) => ({ call, outcome: record.get(callKey(call)) }))
    const missing = new Map(keyed.filter((k) => k.outcome === undefined).map((k) => [callKey(k.call), k.call]))
    if (missing.size > 0) return { calls: [...missing.values()] }
    state = plan.next(keyed.flatMap((k) => (k.outcome ? [k.outcome] : [])))
  }
  return { result: state.value }
}

/** The outcome that a tool message carries. What is not JSON, or holds an `error`, is a failure. */
export function outcomeOf(message: string): Outcome {
  const content = unfenced(message)
  const failed = /^\[ACTION FAILED\]\s*(?:[\w-]+:\s*)?/.exec(content)
  if (failed) return failure(content.slice(failed[0].length))
  let value: Json
  try {
    value = JSON.parse(content)
  } catch {
    return {
      ok: false,
      code: 'action.failed',
      message: `the result on record cannot be read: ${content.slice(0, 200)}`,
    }
  }
  return errorIn(value) ?? { ok: true, value }
}

function failure(text: string): Outcome {
  try {
    return errorIn(JSON.parse(text)) ?? { ok: false, code: 'action.failed', message: text }
  } catch {
    const coded = /^([a-z_]+\.[a-z_]+):\s*(.*)$/s.exec(text)
    return { ok: false, code: coded?.[1] ?? 'action.failed', message: coded?.[2] ?? text }
  }
}

function errorIn(value: Json): Outcome | undefined {
  if (!isJsonObject(value)) return undefined
  const error = value.error
  if (!isJsonObject(error) || typeof error.message !== 'string') return undefined
  return { ok: false, code: typeof error.code === 'string' ? error.code : 'action.failed', message: error.message }
}

/** A failed outcome as the engine's error, for plans that cannot go on without the result. */
export function outcomeError(name: string, outcome: { readonly code: string; readonly message: string }): AppError {
  const code: ErrorCode = errorCodes.find((known) => known === outcome.code) ?? 'action.failed'
  return new AppError(code, { message: `${name}: ${outcome.message}`, userMessage: outcome.message })
}

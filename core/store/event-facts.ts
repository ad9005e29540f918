import type { ActionFinished, ActionStarted, EventData, ModelCompleted, StepStarted } from '../domain/event.ts'
import type { PolicyDecision } from '../domain/policy.ts'

/**
 * How an event's facts stand in the column `data`. The four events of every step stand by position, because their names would
 * be a tenth of a store with 2 kB results; all others as they are. `factsFrom` gives back exactly what `storedFacts` was given.
 */
export function storedFacts(event: EventData): string {
  switch (event.kind) {
    case 'step.started':
      return byPosition(event.data, stepStarted)
    case 'model.completed':
      return byPosition(event.data, modelCompleted)
    case 'action.started':
      return byPosition({ ...event.data, policy: shortPolicy(event.data.policy) }, actionStarted)
    case 'action.finished':
      return byPosition(event.data, actionFinished)
    default:
      return JSON.stringify(event.data)
  }
}

/** Facts as they were parsed: by name where they were stored by position. Stores of before hold names only. */
export function factsFrom(kind: string, stored: unknown): unknown {
  if (!Array.isArray(stored)) return stored
  const names = Object.hasOwn(positions, kind) ? positions[kind] : undefined
  if (names === undefined) return null
  const facts = byName(stored, names)
  return Array.isArray(facts.policy) ? { ...facts, policy: { ...plainlyAllowed, effects: facts.policy } } : facts
}

// A position never changes its meaning: what is new comes last, and is missing or null in rows of before.
const stepStarted = [
  'step',
  'providerId',
  'model',
  'tier',
  'messages',
  'promptTokens',
  'checkpoint',
  'windowTokens',
] as const satisfies readonly (keyof StepStarted)[]
const modelCompleted = [
  'step',
  'providerId',
  'model',
  'durationMs',
  'firstTokenMs',
  'inputTokens',
  'outputTokens',
  'cachedInputTokens',
  'estimated',
  'finishReason',
  'calls',
  'usd',
  'preview',
  'codeBlocks',
] as const satisfies readonly (keyof ModelCompleted)[]
const actionStarted = [
  'step',
  'path',
  'callId',
  'name',
  'argsHash',
  'leaseId',
  'usesLeft',
  'policy',
  'summary',
] as const satisfies readonly (keyof ActionStarted)[]
const actionFinished = [
  'step',
  'path',
  'callId',
  'name',
  'ok',
  'durationMs',
  'summary',
  'code',
  'source',
] as const satisfies readonly (keyof ActionFinished)[]

const positions: Readonly<Record<string, readonly string[]>> = {
  'step.started': stepStarted,
  'model.completed': modelCompleted,
  'action.started': actionStarted,
  'action.finished': actionFinished,
}

/** Absent rather than null when they say nothing; every other null is a fact. */
const optional: ReadonlySet<string> = new Set(['windowTokens', 'codeBlocks', 'code', 'source'])

/** Every fact must have its position: one that is forgotten here does not compile. */
function byPosition<Facts, Name extends keyof Facts>(
  facts: Exclude<keyof Facts, Name> extends never ? Facts : never,
  names: readonly Name[],
): string {
  return JSON.stringify(names.map((name) => facts[name]))
}

function byName(values: readonly unknown[], names: readonly string[]): Record<string, unknown> {
  const facts: Record<string, unknown> = {}
  for (const [at, name] of names.entries()) {
    const value = values[at] ?? null
    if (value !== null || !optional.has(name)) facts[name] = value
  }
  return facts
}

const plainlyAllowed = { verdict: 'allow', check: null, reason: null } as const

/** Nearly every call is allowed without any check that has something to say: then the effects say it all. */
function shortPolicy(policy: PolicyDecision): PolicyDecision | PolicyDecision['effects'] {
  const { verdict, check, reason, effects, by } = policy
  return verdict === 'allow' && check === null && reason === null && by === undefined ? effects : policy
}

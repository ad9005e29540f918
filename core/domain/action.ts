import type { ErrorBody } from './error.ts'
import type { Json } from './json.ts'
import type { Source } from './source.ts'

/** What an action may touch. Source: seed E, Effect Types. */
export const effectTypes = [
  'ReadLocal',
  'ReadExternal',
  'WriteLocal',
  'WriteExternal',
  'CredentialedNetwork',
  'Compute',
  'Financial',
] as const
export type EffectType = (typeof effectTypes)[number]

/** Exactly one for each call, in the order of the calls. A refusal is an early result, not a throw. */
export type ActionResult = ResultHead &
  ({ readonly ok: true; readonly value: Json } | { readonly ok: false; readonly error: ErrorBody })
interface ResultHead {
  readonly callId: string
  readonly name: string
  readonly durationMs: number
  /** Whose text it holds; absent where it holds only what the engine itself says or computed. */
  readonly source?: Source
}

/** Underscore and hyphen are one name (RULES 3); the alias list is part of the registry. */
export function canonicalActionName(name: string): string {
  // Asked for every action of every lease at each call: nearly none has a hyphen.
  return name.includes('-') ? name.replaceAll('-', '_') : name
}

/** A thread's grant on actions: scoped, expiring, use-limited, revocable. Source: seed E, Leases. */
export interface Lease {
  readonly id: string
  readonly threadId: string
  readonly capability: string
  readonly actions: readonly string[]
  /** What its actions may touch. An action with another effect is denied. */
  readonly effects: readonly EffectType[]
  /** Set for the one call that a person approved: the SHA-256 of its exact arguments. */
  readonly argsHash: string | null
  /** A child's lease ends with its parent's, and its uses are the parent's. */
  readonly parentLeaseId: string | null
  readonly grantedAt: number
  readonly expiresAt: number | null
  readonly usesLeft: number | null
  readonly revokedAt: number | null
}

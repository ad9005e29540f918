import type { ActionResult } from '../domain/action.ts'
import type { Json } from '../domain/json.ts'
import type { Journal } from '../events/events.ts'
import type { Origin } from './origin.ts'

/** Where a batch of calls runs: the thread's folder and journal. */
export interface Scope {
  readonly threadId: string
  readonly rootId: string
  readonly projectId: string
  readonly folder: string
  readonly step: number
  readonly journal: Journal
  readonly signal: AbortSignal
  /** What its arguments can come from, as it is at each call. */
  readonly origin: Origin
  /** Of the call at this place of the batch: '1', '2', … for a model's own calls, '1.3' inside its code. */
  readonly pathAt: (at: number) => string
  /** What is on record of this very batch after a rest or a crash, by path. */
  readonly recorded?: ReadonlyMap<string, Recorded> | undefined
  /** Calls of code: their arguments stand nowhere else, and the suspended code is stored in the transaction of the intents. */
  readonly ofCode?: { readonly store: () => void }
}

/** A call found in the record. It was asked about, or began; without a result it never ended. */
export interface Recorded {
  readonly argsHash: string | null
  readonly began: boolean
  readonly guard?: Json
  readonly result?: ActionResult
}

/** One result for each call, in their order; or some of them wait for a person, and the thread can rest. */
export type Executed =
  | { readonly kind: 'done'; readonly results: readonly ActionResult[] }
  | { readonly kind: 'waits'; readonly reason: string }

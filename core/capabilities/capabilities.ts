import type { ActionResult } from '../domain/action.ts'
import type { ApprovalRequestedBody } from '../domain/approval.ts'
import type { Json } from '../domain/json.ts'
import { limits } from '../domain/limits.ts'
import type { ToolCall, ToolDefinition } from '../domain/model.ts'
import type { Journal } from '../events/events.ts'
import { argumentsOf, changeOf, executeBatch } from './batch.ts'
import { onlyReads, type PrepareParts, prepareCall } from './prepare.ts'
import type { RateMeter } from './rate.ts'
import { staleApproval } from './refusals.ts'
import type { Requests } from './requests.ts'
import type { RunParts } from './run-call.ts'

export { type Action, defineAction } from './action.ts'
export { actions } from './actions/index.ts'
export { type Approvals, createApprovals, type Decision, type Wake } from './approvals.ts'
export { hashOf } from './calls.ts'
export { type Capability, capabilitiesOf, selfModification } from './groups.ts'
export { leasesForChild } from './lease.ts'
export { createLeaseBook, type LeaseBook } from './lease-book.ts'
export { isWithin } from './paths.ts'
export { createRateMeter } from './rate.ts'
export { createRegistry } from './registry.ts'
export { createRequests } from './requests.ts'
export { createTrash, type Trash } from './trash.ts'

/** Where a batch of calls runs: the thread's folder and journal. */
export interface Scope {
  readonly threadId: string
  readonly rootId: string
  readonly projectId: string
  readonly folder: string
  readonly step: number
  readonly journal: Journal
  readonly signal: AbortSignal
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

export interface Capabilities {
  readonly actionNames: readonly string[]
  definitions(names: readonly string[]): readonly ToolDefinition[]
  /** True for an action that does more than read and compute. */
  changes(name: string): boolean
  /**
   * The one door for effects: parse → lease → policy → approval → run → sanitise → record. What may run runs at once, calls
   * on one resource in order; each undecided one asks a person. What the model can mend is a result with `ok: false`. A batch
   * that only reads is recorded with its results in one transaction; any other has its intents on disk before it runs.
   * @throws AppError cancelled when `scope.signal` aborts; what had run is on record.
   */
  execute(calls: readonly ToolCall[], scope: Scope): Promise<Executed>
  /** What an edited call would do now. @throws AppError action.args, and what its preflight finds. */
  preview(
    call: ToolCall,
    scope: Pick<Scope, 'threadId' | 'rootId' | 'projectId' | 'folder'>,
  ): Promise<ApprovalRequestedBody>
}

export interface CapabilitiesOptions extends PrepareParts, RunParts {
  readonly requests: Requests
  readonly rates: RateMeter
  /** One use of a counted lease and its ancestors; within a transaction. */
  readonly consume: (leaseId: string, now: number) => void
}

export function createCapabilities(options: CapabilitiesOptions): Capabilities {
  const { registry } = options
  return {
    actionNames: registry.names,
    definitions: registry.definitions,
    changes: (name) => !onlyReads(registry.get(name)),
    execute: (calls, scope) => executeBatch(calls, scope, options),

    async preview(call, scope) {
      const around = { ...scope, signal: AbortSignal.timeout(limits.actionMs) }
      const { runnable, refusal } = await prepareCall(options, { call, path: '0' }, around)
      if (runnable === undefined) throw refusal ?? staleApproval()
      const found = await runnable.preflight?.({ ...around, dataDir: options.dataDir })
      return { arguments: argumentsOf(call), change: changeOf(found), guard: found?.guard ?? null }
    },
  }
}

import type { CallPreview } from '../domain/approval.ts'
import { limits } from '../domain/limits.ts'
import type { ToolCall, ToolDefinition } from '../domain/model.ts'
import { argumentsOf, changeOf, executeBatch } from './batch.ts'
import type { CapabilitiesOptions } from './door.ts'
import { untouched } from './origin.ts'
import { onlyReads, prepareCall } from './prepare.ts'
import { staleApproval } from './refusals.ts'
import type { Executed, Scope } from './scope.ts'

export { type Action, defineAction } from './action.ts'
export { compileGlob } from './actions/files/glob.ts'
export { createHttpAction } from './actions/http.ts'
export { actions } from './actions/index.ts'
export { createLoadSkillAction } from './actions/load-skill.ts'
export { createRunSkillAction, type RunSkillCall } from './actions/run-skill.ts'
export { createSaveSkillAction, type SkillProposal } from './actions/save-skill.ts'
export { createSkillReadAction } from './actions/skill-read.ts'
export { createSkillSearchAction } from './actions/skill-search.ts'
export { type Approvals, createApprovals, type Wake } from './approvals.ts'
export { type Capability, capabilitiesOf, learningActions, selfModification, skillActions } from './groups.ts'
export type { HttpAccess, SkillAccess } from './http/access.ts'
export { type CredentialLocation, type HttpCredential, withCredential } from './http/credential.ts'
export { leasesForChild } from './lease.ts'
export { createLeaseBook } from './lease-book.ts'
export { createNetwork, type Network } from './network/network.ts'
export { checkTarget, type Resolve, systemResolve } from './network/target.ts'
export type { Origin } from './origin.ts'
export { isWithin } from './paths.ts'
export { createRateMeter } from './rate.ts'
export { createRegistry } from './registry.ts'
export { createRequests } from './requests.ts'
export { createSaid } from './said.ts'
export type { Executed, Recorded, Scope } from './scope.ts'
export { createTrash, type Trash } from './trash.ts'

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
  preview(call: ToolCall, scope: Pick<Scope, 'threadId' | 'rootId' | 'projectId' | 'folder'>): Promise<CallPreview>
}

export function createCapabilities(options: CapabilitiesOptions): Capabilities {
  const { registry } = options
  return {
    actionNames: registry.names,
    definitions: registry.definitions,
    changes: (name) => !onlyReads(registry.get(name)),
    execute: (calls, scope) => executeBatch(calls, scope, options),

    async preview(call, scope) {
      const around = { ...scope, origin: untouched, signal: AbortSignal.timeout(limits.actionMs) }
      const { runnable, refusal, policy } = await prepareCall(options, { call, path: '0' }, around)
      if (runnable === undefined) throw refusal ?? staleApproval()
      const found = await runnable.preflight?.({ ...around, dataDir: options.dataDir })
      const body = { arguments: argumentsOf(call), change: changeOf(found), guard: found?.guard ?? null }
      return { body, effects: policy.effects }
    },
  }
}

import { z } from 'zod'
import type { Approval, Change } from '../domain/approval.ts'
import { AppError } from '../domain/error.ts'
import type { EventData, StoredEvent } from '../domain/event.ts'
import type { Json, JsonObject } from '../domain/json.ts'
import { limits } from '../domain/limits.ts'
import type { Store } from '../store/store.ts'
import type { Prepared } from './prepare.ts'

/** A call that a person has to decide on. */
export interface Asking {
  readonly prepared: Prepared
  readonly arguments: JsonObject
  readonly change: Change | null
  readonly guard: Json
  readonly undo: string
  readonly threadId: string
  readonly projectId: string
  readonly step: number
}

/** The very bytes that were approved, and what must still hold. */
export interface Approved {
  readonly arguments: JsonObject
  readonly guard: Json
  readonly isEdited: boolean
}

/** The door's side of approvals: what it asks, and what came of it. */
export interface Requests {
  ofCall(threadId: string, step: number, path: string): Approval | undefined
  eventOf(asking: Asking): EventData & { kind: 'approval.requested' }
  /** The rows of the requests among these events; in their transaction. */
  insert(asked: readonly Asking[], stored: readonly StoredEvent[]): void
  approved(approval: Approval): Approved
}

export interface RequestsParts {
  readonly store: Store
  readonly now: () => number
  readonly nextId: (prefix: string) => string
}

const argumentsSchema = z.record(z.string(), z.json())

export function createRequests({ store, now, nextId }: RequestsParts): Requests {
  return {
    ofCall: (threadId, step, path) => store.approvals.ofCall(threadId, step, path),

    eventOf({ prepared, arguments: args, change, guard, undo, step }) {
      const { call, path, policy, summary, runnable, argsHash } = prepared
      return {
        kind: 'approval.requested',
        data: {
          ...{ approvalId: nextId('app'), step, path, callId: call.id, name: prepared.action?.name ?? call.name },
          ...{ argsHash: argsHash ?? '', summary, policy, scopeKey: runnable?.scopeKey ?? null, undo },
          expiresAt: now() + limits.approvalMs,
        },
        body: { arguments: args, change, guard },
      }
    },

    insert(asked, stored) {
      for (const event of stored) {
        if (event.kind !== 'approval.requested') continue
        const asking = asked.find(({ prepared }) => prepared.path === event.data.path)
        if (asking === undefined) continue
        const { approvalId: id, step, path, callId, name: action, argsHash: hash, summary, policy } = event.data
        const { threadId, projectId } = asking
        const { scopeKey, undo, expiresAt } = event.data
        store.approvals.insert({
          ...{ id, threadId, projectId, step, path, callId, action, hash, summary, effects: policy.effects },
          ...{ reason: policy.reason ?? '', scopeKey, undo, requestedAt: event.at, expiresAt, requestSeq: event.seq },
        })
      }
    },

    approved(approval) {
      const asked = store.events.get(approval.requestSeq)
      const decided = approval.decidedSeq === null ? undefined : store.events.get(approval.decidedSeq)
      const edit = decided?.kind === 'approval.decided' ? decided.body : undefined
      const body = edit ?? (asked.kind === 'approval.requested' ? asked.body : undefined)
      const args = argumentsSchema.safeParse(body?.arguments)
      if (body === undefined || !args.success) throw unreadable(approval)
      return { arguments: args.data, guard: body.guard, isEdited: edit !== undefined }
    },
  }
}

function unreadable(approval: Approval): AppError {
  return new AppError('store.corrupt', {
    message: `what request ${approval.id} asked for cannot be read`,
    userMessage: 'What was approved cannot be read any more, so it was not run. Let the agent ask again.',
    data: { seq: approval.requestSeq },
  })
}

import type { EffectType, Lease } from '../domain/action.ts'
import type { Approval, CallPreview, Grant, GrantScope } from '../domain/approval.ts'
import type { Page } from '../domain/contract.ts'
import { AppError } from '../domain/error.ts'
import { faultPoint } from '../domain/fault-point.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Redactor } from '../domain/leaks/redactor.ts'
import { limits } from '../domain/limits.ts'
import type { Append, Events } from '../events/events.ts'
import type { Store } from '../store/store.ts'
import { hashOf } from './calls.ts'
import type { LeaseBook } from './lease-book.ts'

export interface Decision {
  readonly id: string
  readonly decision: 'approve' | 'deny'
  readonly scope: GrantScope
  readonly reason: string | null
  /** With a denial: the thread ends as `denied`, and nothing that waits in it runs any more. */
  readonly stop: boolean
  /** Arguments to run in place of those that were asked for. */
  readonly edited: JsonObject | undefined
  /** False: only decided; the thread is taken up at the next start. */
  readonly run: boolean
}

/** What a person is asked, what they answered, and what stands from earlier answers. No answer is no (RULES 10). */
export interface Approvals {
  /** Pending: oldest first, all. Decided: newest first, `before` is the time of the last one seen. */
  list(filter: {
    readonly state: 'pending' | 'decided'
    readonly before?: number | undefined
    readonly limit: number
  }): Page<Approval>
  /** @throws AppError approval.not_found */
  get(id: string): Approval
  readonly pendingCount: number
  /**
   * The first decision counts. @throws AppError approval.not_found | decided | expired; action.args where an edit does not
   * fit; api.input for a scope that this call cannot have.
   */
  decide(decision: Decision): Promise<Approval>
  /** Requests whose time is over are denied; their threads are suspended, never woken. */
  expireDue(): void
  grants(): readonly Grant[]
  /** @throws AppError approval.not_found */
  /** What was approved for a mission, in the transaction that takes its reason away. */
  revokeOfMission(append: Append, missionId: string): void
  revokeGrant(id: string): Grant
  /** `*`: every ordinary action of one thread (`run --approve all`). Within an open transaction. */
  grantAll(append: Append, thread: { readonly id: string; readonly projectId: string }): void
  leasesOf(threadId: string): readonly Lease[]
  /** With all that were cut from it; answers those of its thread. @throws AppError approval.not_found */
  revokeLease(id: string): readonly Lease[]
}

/** What a decision does to its thread; given at wiring, because threads stand above (RULES 32). */
export interface Wake {
  /** Within the decision's transaction; what it answers is called once that is committed. */
  decided(
    append: Append,
    approval: Approval,
    how: 'go on' | 'only decide' | 'stop' | 'expired',
  ): (() => void) | undefined
}

export interface ApprovalsParts {
  readonly store: Store
  readonly events: Events
  readonly book: LeaseBook
  readonly now: () => number
  readonly nextId: (prefix: string) => string
  readonly wake: Wake
  /** What would run in place of what was asked for: parsed, previewed, with the guard of this moment. @throws AppError */
  readonly edit: (approval: Approval, edited: JsonObject) => Promise<CallPreview>
  readonly redactor: Redactor
}

export function createApprovals(parts: ApprovalsParts): Approvals {
  const { store, events, book, now, nextId } = parts

  function get(id: string): Approval {
    const approval = store.approvals.get(id)
    if (approval === undefined) throw notFound(id)
    return approval
  }

  function record(append: Append, settled: Settled): void {
    const { approval, state, scope, reason, edit } = settled
    const { id, step, path, callId, action: name } = approval
    const facts = { approvalId: id, step, path, callId, name, state, scope, reason, argsHash: approval.hash }
    const event = append(approval.threadId, {
      kind: 'approval.decided',
      data: { ...facts, ...(edit && { editedHash: edit.hash }) },
      ...(edit && { body: edit.body }),
    })
    store.approvals.decide({ id, state, scope, reason, at: now(), seq: event.seq })
    faultPoint('approval.decided')
  }

  /** One use for exactly the bytes that were approved. */
  function lend(append: Append, approval: Approval, exact: Exact): void {
    const { argsHash } = exact
    const { id: leaseId, expiresAt, ...lease } = newLease(approval, exact)
    store.leases.insert({ id: leaseId, expiresAt, ...lease })
    const { capability, actions, effects, usesLeft } = lease
    append(approval.threadId, {
      kind: 'lease.granted',
      data: { leaseId, capability, actions, effects, expiresAt, usesLeft, argsHash },
    })
    faultPoint('approval.lent')
  }

  function newLease({ threadId, action }: Approval, { effects, argsHash }: Exact): Lease {
    return {
      ...{ id: nextId('lea'), threadId, capability: 'approval', actions: [action], effects, argsHash },
      ...{ parentLeaseId: null, grantedAt: now(), expiresAt: now() + limits.approvalMs, usesLeft: 1, revokedAt: null },
    }
  }

  function grant(append: Append, approval: Approval, scope: Grant['scope']): void {
    const thread = store.threads.get(approval.threadId)
    const scopeKey = approval.scopeKey ?? ''
    const given: Grant = {
      ...{ id: nextId('gra'), scope, action: approval.action, scopeKey, approvalId: approval.id },
      threadId: scope === 'thread' ? (thread?.rootId ?? approval.threadId) : null,
      projectId: scope === 'project' ? approval.projectId : null,
      missionId: scope === 'mission' ? missionOf(approval) : null,
      ...{ grantedAt: now(), revokedAt: null },
    }
    store.grants.insert(given)
    const data = { grantId: given.id, scope, action: given.action, scopeKey }
    append(approval.threadId, { kind: 'grant.given', data })
    faultPoint('approval.granted')
  }

  /** The thread that asked for what it covers. */
  function originOf({ approvalId }: Grant): string | undefined {
    return approvalId === null ? undefined : store.approvals.get(approvalId)?.threadId
  }

  function missionOf({ threadId }: Approval): string | null {
    return book.missionOf(store.threads.get(threadId)?.rootId ?? threadId)
  }

  function settle(settled: Settled, how: Parameters<Wake['decided']>[2]): Approval {
    const { approval, state, scope, edit } = settled
    const exact = { argsHash: edit?.hash ?? approval.hash, effects: edit?.effects ?? approval.effects }
    const start = events.commit((append) => {
      record(append, settled)
      if (state === 'approved') lend(append, approval, exact)
      if (state === 'approved' && scope !== 'once') grant(append, approval, scope)
      return parts.wake.decided(append, approval, how)
    })
    book.changed()
    faultPoint('approval.settled')
    start?.()
    faultPoint('approval.woken')
    return get(approval.id)
  }

  function assertOpen(approval: Approval): void {
    if (approval.state !== 'pending') throw alreadyDecided(approval)
    if (approval.expiresAt > now()) return
    expire(approval)
    throw tooLate(approval)
  }

  function expire(approval: Approval): void {
    const reason = 'nobody answered in time'
    settle({ approval, state: 'expired', scope: 'once', reason, edit: undefined }, 'expired')
  }

  return {
    list({ state, before, limit }) {
      if (state === 'pending') return { rows: store.approvals.pending(limit), next: null }
      const rows = store.approvals.decided(before ?? Number.MAX_SAFE_INTEGER, limit)
      return { rows, next: rows.length < limit ? null : (rows.at(-1)?.decidedSeq ?? null) }
    },
    get,
    get pendingCount() {
      return store.approvals.countPending()
    },

    async decide({ id, decision, scope, reason, stop, edited: given, run }) {
      // A key in it becomes its mark, which the door refuses: nothing is decided then.
      const edited = given && parts.redactor.redact(given).value
      const approval = get(id)
      assertOpen(approval)
      if (decision === 'deny') {
        const facts = { approval, state: 'denied', scope: 'once', reason, edit: undefined } as const
        return settle(facts, stop ? 'stop' : run ? 'go on' : 'only decide')
      }
      if (scope !== 'once') assertScope(approval, edited !== undefined)
      if (scope === 'mission' && missionOf(approval) === null) throw ofNoMission(approval)
      const edit = edited && { ...(await parts.edit(approval, edited)), hash: hashOf(edited) }
      // The preview of an edit took its time: somebody else may have decided since.
      assertOpen(get(id))
      return settle({ approval, state: 'approved', scope, reason, edit }, run ? 'go on' : 'only decide')
    },

    expireDue() {
      for (const approval of store.approvals.due(now())) expire(approval)
    },

    grants: () => book.grants(),
    revokeGrant(id) {
      const known = store.grants.get(id)
      if (known === undefined) throw notFound(id)
      events.commit((append) => {
        store.grants.revoke(id, now())
        const threadId = originOf(known) ?? known.threadId
        if (threadId !== null) append(threadId, { kind: 'grant.revoked', data: { grantId: id } })
      })
      book.changed()
      return { ...known, revokedAt: known.revokedAt ?? now() }
    },

    revokeOfMission(append, missionId) {
      for (const grant of book.grants()) {
        if (grant.missionId !== missionId) continue
        store.grants.revoke(grant.id, now())
        append(originOf(grant) ?? missionId, { kind: 'grant.revoked', data: { grantId: grant.id } })
      }
      book.changed()
    },

    grantAll(append, { id: threadId }) {
      const given = { id: nextId('gra'), scope: 'thread', action: '*', scopeKey: '*', threadId } as const
      store.grants.insert({
        ...given,
        projectId: null,
        missionId: null,
        approvalId: null,
        grantedAt: now(),
        revokedAt: null,
      })
      const data = { grantId: given.id, scope: given.scope, action: given.action, scopeKey: given.scopeKey }
      append(threadId, { kind: 'grant.given', data })
      book.changed()
    },

    leasesOf: (threadId) => store.leases.ofThread(threadId),
    revokeLease(id) {
      const lease = store.leases.get(id)
      if (lease === undefined) throw notFound(id)
      events.commit((append) => {
        store.leases.revoke(id, now())
        const { capability, threadId } = lease
        append(threadId, { kind: 'lease.revoked', data: { leaseId: id, capability, reason: 'revoked' } })
      })
      book.changed()
      return store.leases.ofThread(lease.threadId)
    },
  }
}

interface Settled {
  readonly approval: Approval
  readonly state: 'approved' | 'denied' | 'expired'
  readonly scope: GrantScope
  readonly reason: string | null
  /** What runs in the place of what was asked for. */
  readonly edit: (CallPreview & { readonly hash: string }) | undefined
}

/** What an approval lends a use of. */
interface Exact {
  readonly argsHash: string
  readonly effects: readonly EffectType[]
}

function assertScope(approval: Approval, isEdited: boolean): void {
  const isOnceOnly = approval.scopeKey === null || approval.effects.includes('Financial')
  if (!isOnceOnly && !isEdited) return
  throw new AppError('api.input', {
    message: `${approval.action} can only be approved once`,
    userMessage: isEdited
      ? 'What you edited can only be approved for this one call. Nothing was decided; approve it once.'
      : 'This kind of call is asked each time, so it can only be approved once. Nothing was decided.',
  })
}

function ofNoMission({ action }: Approval): AppError {
  return new AppError('api.input', {
    message: `${action} was asked by no firing of a mission`,
    userMessage:
      'No mission asked for this, so it cannot be approved for one. Nothing was decided; choose another reach.',
  })
}

function notFound(id: string): AppError {
  return new AppError('approval.not_found', {
    message: `no request, grant or lease ${id}`,
    userMessage: `There is no request “${id}” in this store. Look at the list of approvals for those that wait.`,
  })
}

function alreadyDecided(approval: Approval): AppError {
  return new AppError('approval.decided', {
    message: `request ${approval.id} was ${approval.state} before`,
    userMessage: `This request was ${approval.state} already. The first decision counts; nothing was changed.`,
    data: { state: approval.state },
  })
}

function tooLate(approval: Approval): AppError {
  return new AppError('approval.expired', {
    message: `request ${approval.id} expired`,
    userMessage: 'This request has expired, which means no. Nothing ran. Resume the thread to let the agent ask again.',
    data: { expiredAt: approval.expiresAt },
  })
}

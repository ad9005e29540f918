import type { EffectType } from './action.ts'
import type { Json } from './json.ts'
import type { PolicyDecision } from './policy.ts'

/**
 * How far an approval reaches. `once` is this very call; the others stand until they are revoked. `mission`: every firing of the
 * mission that asked, and nothing else. Source: RULES 10, asks A07, A20.
 */
export const grantScopes = ['once', 'thread', 'mission', 'project', 'always'] as const
export type GrantScope = (typeof grantScopes)[number]

export const approvalStates = ['pending', 'approved', 'denied', 'expired', 'cancelled'] as const
export type ApprovalState = (typeof approvalStates)[number]

/** What an action would do, computed before anybody is asked: what the person decides on. Texts are whole, up to a limit. */
export type Change =
  | {
      readonly kind: 'file'
      readonly path: string
      /** Null where there is no file now; `after` null: it will be gone. */
      readonly before: string | null
      readonly after: string | null
      readonly note?: string
    }
  | { readonly kind: 'move'; readonly from: string; readonly to: string; readonly replaces: boolean }
  | {
      readonly kind: 'command'
      readonly command: string
      /** The words of one plain command; null where it runs by `bash -c`. */
      readonly argv: readonly string[] | null
      readonly folder: string
      readonly jail: 'bubblewrap' | 'none'
      readonly concerns: readonly string[]
    }
  | {
      readonly kind: 'request'
      readonly method: string
      readonly url: string
      readonly host: string
      /** Where it really goes, when the person set an address of their own for the host. */
      readonly address: string | null
      readonly credential: { readonly name: string; readonly provider: string; readonly skill: string } | null
      readonly headers: readonly (readonly [name: string, value: string])[]
      /** `bytes` of the whole; `text` may be cut. */
      readonly body: { readonly type: string; readonly text: string; readonly bytes: number } | null
      readonly files: readonly {
        readonly field: string
        readonly path: string
        readonly bytes: number
        readonly sha256: string
      }[]
      readonly saveTo: string | null
    }
  | { readonly kind: 'text'; readonly text: string }

/** An action waits for a person. Bound to the SHA-256 of its exact arguments: changed ones ask again. */
export interface ApprovalRequested {
  readonly approvalId: string
  readonly step: number
  readonly path: string
  readonly callId: string
  readonly name: string
  readonly argsHash: string
  readonly summary: string
  readonly policy: PolicyDecision
  /** What a wider scope would cover; null: this can only be approved once. */
  readonly scopeKey: string | null
  readonly undo: string
  readonly expiresAt: number
}
export interface ApprovalRequestedBody {
  readonly arguments: Json
  readonly change: Change | null
  /** What must still hold when it runs: the hash of the file that would be overwritten, say. */
  readonly guard: Json
}

/** What a call with other arguments would do. */
export interface CallPreview {
  readonly body: ApprovalRequestedBody
  readonly effects: readonly EffectType[]
}

export interface ApprovalDecided {
  readonly approvalId: string
  readonly step: number
  readonly path: string
  readonly callId: string
  readonly name: string
  readonly state: Exclude<ApprovalState, 'pending'>
  readonly scope: GrantScope
  readonly reason: string | null
  /** Of what was asked for. */
  readonly argsHash: string
  /** Of what will run, where the person edited it: the body of this event holds those arguments. */
  readonly editedHash?: string
}

/** One request as lists show it. Times are epoch ms. */
export interface Approval {
  readonly id: string
  readonly kind: 'action'
  readonly threadId: string
  readonly threadNumber: number
  readonly threadTitle: string
  readonly projectId: string
  readonly step: number
  readonly path: string
  readonly callId: string
  readonly action: string
  readonly hash: string
  readonly summary: string
  readonly effects: readonly EffectType[]
  readonly reason: string
  readonly scopeKey: string | null
  readonly undo: string
  readonly state: ApprovalState
  readonly scope: GrantScope | null
  readonly decisionReason: string | null
  readonly requestedAt: number
  readonly expiresAt: number
  readonly decidedAt: number | null
  /** The event that holds arguments and change: `event.body`. */
  readonly requestSeq: number
  /** The decision; it holds what a person edited, where they did. */
  readonly decidedSeq: number | null
}

/** A standing approval. */
export interface Grant {
  readonly id: string
  readonly scope: Exclude<GrantScope, 'once'>
  /** `*` covers every ordinary action of the thread (`run --approve all`). */
  readonly action: string
  readonly scopeKey: string
  readonly threadId: string | null
  readonly projectId: string | null
  readonly missionId: string | null
  readonly approvalId: string | null
  readonly grantedAt: number
  readonly revokedAt: number | null
}

/** What was overwritten, moved or deleted, kept so that it can be put back. */
export interface TrashItem {
  readonly id: string
  readonly threadId: string
  readonly projectId: string
  readonly step: number
  readonly path: string
  readonly kind: 'overwritten' | 'created' | 'moved' | 'deleted'
  /** Relative to the project's folder. */
  readonly file: string
  /** Of a move: where it went. */
  readonly movedTo: string | null
  readonly bytes: number
  readonly at: number
  readonly restoredAt: number | null
}

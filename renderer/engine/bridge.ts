import type { ApiInput, ApiName, ApiOutput } from '../../core/api.ts'
import type { EventBatch, LiveEvent } from '../../core/domain/contract.ts'
import type { ErrorBody } from '../../core/domain/error.ts'
import type { EventData } from '../../core/domain/event.ts'
import type { ShellCallName, ShellCalls, ShellPush } from '../../core/domain/shell.ts'

/** Every call that the window may make: the engine's own and the shell's. */
export type CallName = ApiName | ShellCallName
export type CallInput<Name extends CallName> = Name extends ApiName
  ? ApiInput<Name>
  : Name extends ShellCallName
    ? ShellCalls[Name]['input']
    : never
export type CallOutput<Name extends CallName> = Name extends ApiName
  ? ApiOutput<Name>
  : Name extends ShellCallName
    ? ShellCalls[Name]['output']
    : never

/** What came back from the other process: an error crosses it as its body, never as a class. */
export type CallReply<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: ErrorBody }

/** A pushed event with its kind and data tied together; the body is there when it is at most 4 kB. */
export type PushedEvent = Tied<EventData> & Pick<LiveEvent, 'seq' | 'threadId' | 'at'>
type Tied<Data extends EventData> = Data extends EventData
  ? { readonly kind: Data['kind']; readonly data: Data['data']; readonly body?: Data['body'] | undefined }
  : never

export type WindowPush = ShellPush<Pick<EventBatch, 'deltas'> & { readonly events: readonly PushedEvent[] }>

/**
 * The only thing that the preload puts into the page: one way to ask, one way to be told. The answers are typed by the
 * same contract (`core/api.ts`, `core/domain/shell.ts`) that the other side answers by.
 */
export interface Bridge {
  call<Name extends CallName>(name: Name, input: CallInput<Name>): Promise<CallReply<CallOutput<Name>>>
  /** Returns what ends the subscription. */
  subscribe(listener: (push: WindowPush) => void): () => void
}

declare global {
  interface Window {
    readonly threadsmith: Bridge
  }
}

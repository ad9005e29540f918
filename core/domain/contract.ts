import type { ErrorBody } from './error.ts'
import type { EventHeader, LiveDelta, StoredEvent } from './event.ts'
import type { ModelInfo, ProviderSettings } from './model.ts'
import type { Tier } from './thread.ts'

/** What the engine is and does now. */
export interface EngineInfo {
  readonly version: string
  readonly dataDir: string
  readonly readOnly: boolean
  readonly slots: { readonly used: number; readonly total: number; readonly queued: number }
  /** The newest event: a window folds from here on. */
  readonly lastSeq: number
  /** Requests that wait for a person. */
  readonly approvals: number
  /** Proposals of what to learn that wait for a person: they hold nothing up. */
  readonly learntPending: number
  /** Of all models since local midnight; USD of those that have a price. */
  readonly usedToday: { readonly tokens: number; readonly usd: number }
  /** Why missions do not fire by themselves though this engine stays open; null where they do, or never do here. */
  readonly missionsHeld: string | null
  /** What the engine could not record, until it can again: a full disk, say. */
  readonly fault: ErrorBody | null
}

/** A page of a list. `next` is the key to pass for the following page; null at the end. */
export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly next: number | null
}

/** A turn of the conversation as a person reads it: no calls, no engine notes. */
export interface ChatMessage {
  readonly seq: number
  readonly threadId: string
  readonly role: 'user' | 'assistant'
  readonly content: string
  readonly at: number
}

/** A provider with what it offers now; `error` says why its models could not be listed. */
export interface ProviderStatus extends ProviderSettings {
  readonly models: readonly ModelInfo[]
  readonly hasKey: boolean
  /** Why its models could not be listed, or why its key was let go. */
  readonly error?: ErrorBody
}

/** Where the keys of providers are kept. `isProtected` false: whoever can read the files can read the keys. */
export interface Keychain {
  readonly backend: string
  readonly isProtected: boolean
}

/** What is being written, and to whom: in a thread, or as a new chat of a tier or a model. */
export interface RoomQuestion {
  readonly threadId?: string | undefined
  readonly tier?: Tier | undefined
  /** `<providerId>/<model>`, in place of what the tier means. */
  readonly model?: string | undefined
  readonly draftCharacters: number
}

/** What the next request would hold, estimated. `fits`: with what was said before summed up, there is room for an answer. */
export interface Room {
  readonly promptTokens: number
  /** Null where nobody says, and for the planner. */
  readonly windowTokens: number | null
  readonly fits: boolean
}

/** One check of `doctor`: `mend` says what to do when it is not ok. */
export interface DoctorCheck {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
  readonly mend: string | null
}

/** An event as it is pushed to a window: bodies up to 4 kB ride along, larger ones are fetched by `event.body`. */
export type LiveEvent = EventHeader & { readonly body?: StoredEvent['body'] }

/** Everything that happened since the last batch, in order; deltas are already joined per step. */
export interface EventBatch {
  readonly events: readonly LiveEvent[]
  readonly deltas: readonly LiveDelta[]
}

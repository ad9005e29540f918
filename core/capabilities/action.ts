import type { z } from 'zod'
import type { EffectType } from '../domain/action.ts'
import type { Change, TrashItem } from '../domain/approval.ts'
import type { Canvas } from '../domain/canvas.ts'
import type { CanvasEmitted, SkillLoaded } from '../domain/event.ts'
import type { Json } from '../domain/json.ts'
import type { MemoryDoc, MemoryFound } from '../domain/memory.ts'
import type { Source } from '../domain/source.ts'
import type { Ended, OwnSource } from './result-source.ts'

/** What a running action may reach. Everything else (network, environment, other folders) it does not get. */
export interface ActionContext {
  readonly projectId: string
  /** The project's folder, absolute and free of links; paths in arguments are relative to it. */
  readonly folder: string
  /** The app's own folder, absolute and free of links: closed to actions wherever it lies. */
  readonly dataDir: string
  readonly threadId: string
  /** The same for every run of the same call: an effect keyed by it happens once. */
  readonly callKey: string
  /** Epoch ms. */
  readonly now: number
  /** IANA name. */
  readonly timeZone: string
  readonly signal: AbortSignal
  /** As many characters of JSON may its result have. */
  readonly resultCharacters: number
  /** Of the person's own environment, what a command may need: PATH, LANG, LC_*. Absent: the system's own programs only. */
  readonly environment?: Environment
  readonly memory: ActionMemory
  /** What `preflight` found; absent for an action without one. */
  readonly guard?: Json
  /** Where overwritten, moved and deleted files are kept. */
  readonly trash: ActionTrash
  /** What the thread has read by now that was not from a person: whatever the call makes may be made of it. */
  readonly sources: readonly Source[]
  /** Puts a fact on the thread's record, in the transaction of the call's result, and only with one that is ok. */
  note(fact: ActionFact): void
  /** Tells the user something, outside the chat too. */
  notify(text: string): void
}

/** What a call says of itself beside its result; the door adds where it stands. */
export type ActionFact =
  | { readonly kind: 'skill.loaded'; readonly data: Omit<SkillLoaded, keyof CallPlace> }
  | {
      readonly kind: 'canvas.emitted'
      readonly data: Omit<CanvasEmitted, keyof CallPlace>
      readonly body: { readonly canvas: Canvas }
    }
interface CallPlace {
  readonly step: number
  readonly path: string
}

/**
 * In the place of a result: what the call waits for may take days, so its thread rests, and the call runs again once that has
 * come. Only for an action that is idempotent.
 */
export class CallWaits {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Keeps what a write takes away. Each call names what it keeps by its own `callKey`: run again, it is kept once. */
export interface ActionTrash {
  /** A file that does not exist yet, to hold what is about to be overwritten or deleted: its folder exists. Absolute. */
  place(callKey: string): string
  /** Puts the fact on record once the effect has happened. `kept`: the file at `place`; null where nothing was there before. */
  record(item: {
    readonly callKey: string
    readonly kind: TrashItem['kind']
    readonly file: string
    readonly movedTo: string | null
    readonly kept: string | null
    readonly bytes: number
    /** SHA-256 of what the action left there; of a deletion, of what it took. Undone only as long as it is still that. */
    readonly sha256: string
  }): void
}

/**
 * What policy must know of these very arguments. `ask`: a person decides, with this reason; `scopeKey` is what a wider
 * approval would cover (`npm test`), null where each call is asked anew. `deny`: never runs.
 */
export type Review = (
  | { readonly verdict: 'allow' }
  | {
      readonly verdict: 'ask'
      readonly reason: string
      readonly scopeKey: string | null
      /** No standing approval of any kind answers it, not even `--approve all`. */
      readonly isEachTime?: boolean
    }
  | { readonly verdict: 'deny'; readonly reason: string }
) & {
  /** Of these very arguments, where they are fewer than the action's own. */
  readonly effects?: readonly EffectType[]
  /** Of these very arguments, where it differs from the action's own. */
  readonly isIdempotent?: boolean
  /** Words in them that the settings or a trusted skill explain: a host that the person allowed. */
  readonly known?: readonly string[]
  /** Verbs by which a person asks for just this, where they are fewer than the action's own. */
  readonly askedFor?: readonly string[]
}

/** What an action would do, found before anybody is asked. `guard` must still hold when it runs, else `approval.stale`. */
export interface Preflight {
  readonly change: Change
  readonly guard: Json
  /** What can be done about it afterwards, in a sentence for the person. */
  readonly undo: string
}

/** What a preflight may reach: files to read. */
export type PreflightContext = Pick<ActionContext, 'projectId' | 'folder' | 'dataDir' | 'threadId' | 'signal'>

/** The part of the memory that actions see, already bound to the project. */
export interface ActionMemory {
  /** A note of the same title becomes its next version; the same `callKey` twice is one write. */
  write(note: { title: string; content: string; tags: readonly string[]; callKey: string }): MemoryDoc
  /** By id or title, the newest version where none is named; undefined where there is none. */
  read(idOrTitle: string, version?: number): MemoryDoc | undefined
  search(query: string, limit: number): Promise<MemoryFound>
}

/**
 * One action. `run` returns what the model reads; it throws AppError for what the model can mend (the door turns it into a
 * result with `ok: false`). `effects` and `isIdempotent` are promises: recovery runs an idempotent action again.
 */
export interface Action<Parameters extends z.ZodType = z.ZodType> {
  readonly name: string
  /** Names that a model may call it by too; it is told of none of them. */
  readonly aliases?: readonly string[]
  /** One or two sentences for the model: what it does, what it returns. */
  readonly description: string
  readonly parameters: Parameters
  readonly effects: readonly EffectType[]
  readonly isIdempotent: boolean
  /** What it changes stays inside the project's folder, and the trash can take it back. */
  readonly isUndoable?: true
  /** Verbs by which a person asks for it, in English: naming its arguments alone does not. Default: the words of its name. */
  readonly askedFor?: readonly string[]
  /** Parameters that are programs: each sign of them counts, not only their words. */
  readonly programs?: readonly string[]
  /** Whose text a result holds, null for nobody's. Without it, what the effects say. */
  source?(parameters: z.output<Parameters>, ended: Ended): OwnSource
  /** Calls in a minute and in an hour, over all threads (RULES 3). */
  readonly rate?: { readonly perMinute: number; readonly perHour: number }
  /** How long one call may take, in ms. Without one: `limits.actionMs`. */
  timeoutMs?(parameters: z.output<Parameters>): number
  /** Without one the action asks nobody. Reads, never changes. Throws AppError for what the model can mend. */
  review?(parameters: z.output<Parameters>, context: PreflightContext): Review | Promise<Review>
  /** Runs before a person is asked, and before every run: reads, never changes. Throws AppError for what the model can mend. */
  preflight?(parameters: z.output<Parameters>, context: PreflightContext): Promise<Preflight>
  /** The skill from elsewhere that this call brings into its thread: what runs beside it is held to its ceiling already. */
  brings?(parameters: z.output<Parameters>, threadId: string): string | undefined
  /** Calls of one batch with the same resource run in order. */
  resource?(parameters: z.output<Parameters>): string | null
  /** At most 60 characters that say what this call is about: `docs/**.md`, not the whole of its arguments. */
  summarize(parameters: z.output<Parameters>): string
  run(parameters: z.output<Parameters>, context: ActionContext): Json | Promise<Json | CallWaits>
}

export function defineAction<Parameters extends z.ZodType>(action: Action<Parameters>): Action<Parameters> {
  return action
}

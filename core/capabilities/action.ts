import type { z } from 'zod'
import type { EffectType } from '../domain/action.ts'
import type { Json } from '../domain/json.ts'
import type { MemoryDoc, MemoryHit } from '../domain/memory.ts'

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
  readonly memory: ActionMemory
}

/** The part of the memory that actions see, already bound to the project. */
export interface ActionMemory {
  /** A note of the same title becomes its next version; the same `callKey` twice is one write. */
  write(note: { title: string; content: string; tags: readonly string[]; callKey: string }): MemoryDoc
  /** By id or title, newest version; undefined where there is none. */
  read(idOrTitle: string): MemoryDoc | undefined
  search(query: string, limit: number): readonly MemoryHit[]
}

/**
 * One action. `run` returns what the model reads; it throws AppError for what the model can mend (the door turns it into a
 * result with `ok: false`). `effects` and `isIdempotent` are promises: recovery runs an idempotent action again.
 */
export interface Action<Parameters extends z.ZodType = z.ZodType> {
  readonly name: string
  /** One or two sentences for the model: what it does, what it returns. */
  readonly description: string
  readonly parameters: Parameters
  readonly effects: readonly EffectType[]
  readonly isIdempotent: boolean
  /** At most 60 characters that say what this call is about: `docs/**.md`, not the whole of its arguments. */
  summarize(parameters: z.output<Parameters>): string
  run(parameters: z.output<Parameters>, context: ActionContext): Json | Promise<Json>
}

export function defineAction<Parameters extends z.ZodType>(action: Action<Parameters>): Action<Parameters> {
  return action
}

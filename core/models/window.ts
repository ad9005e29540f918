import { answerTokens } from '../domain/window.ts'
import type { ModelWindow } from './provider.ts'

/** The most that one request may hold, its answer included; null where nobody says. `set`: what a person gave the model. */
export function mostTokens({ tokens, ceiling }: ModelWindow, set: number | undefined): number | null {
  const most = set ?? tokens
  return most === null ? null : Math.min(most, ceiling ?? most)
}

interface Sizing {
  readonly window: ModelWindow
  readonly set: number | undefined
  /** What the model was last asked to run with. */
  readonly before: number | undefined
  readonly promptTokens: number
  readonly maxOutputTokens: number | undefined
}

/**
 * The window to ask for with a request: powers of two from `floor` on, never less than before, because each change makes the
 * server load the model anew. A person's own figure is taken as it is. Undefined for a server that is not told.
 */
function askedWindow({ window, set, before = 0, promptTokens, maxOutputTokens }: Sizing): number | undefined {
  const { floor } = window
  const most = mostTokens(window, set)
  if (floor === undefined || most === null || set !== undefined) return floor === undefined ? undefined : (most ?? set)
  const needed = promptTokens + (maxOutputTokens ?? answerTokens)
  let tokens = Math.max(floor, before)
  while (tokens < needed && tokens < most) tokens *= 2
  return Math.min(tokens, most)
}

/** What is known of the models' windows, by model and address: asked once, and again after something went wrong. */
export interface WindowBook {
  /** Undefined before the server was asked, or where it could not be. */
  known(key: string): ModelWindow | undefined
  /** Asks where nothing is known. Answers what is assumed where the server cannot be asked: then it is asked again next time. */
  learn(key: string, ask: () => Promise<ModelWindow>, assumed: ModelWindow): Promise<ModelWindow>
  /** The server may run with another window now: it is asked again. What it refused stands until it says something else. */
  forget(key: string): void
  /** The server refused a prompt: more tokens than this, as they are counted here, the model does not take. */
  refused(key: string, tokens: number): void
  /** A window as it was stated, or what a refusal left of it. A statement that has changed since is believed again. */
  within(key: string, stated: number | null): number | null
  /** Nothing is known of the model any more. */
  renew(key: string): void
  /** What a request asks for, kept for the next one. */
  size(key: string, sizing: Omit<Sizing, 'before'>): number | undefined
  /** A prompt that filled its window was longer than it was thought to be: the next one asks for more. */
  note(key: string, windowTokens: number | undefined, inputTokens: number): void
}

export function createWindowBook(): WindowBook {
  const windows = new Map<string, ModelWindow>()
  const asked = new Map<string, number>()
  const statements = new Map<string, number | null>()
  const refusals = new Map<string, { readonly tokens: number; readonly stated: number | null }>()
  return {
    known: (key) => windows.get(key),
    async learn(key, ask, assumed) {
      const before = windows.get(key)
      if (before !== undefined) return before
      const found = await ask().catch(() => undefined)
      if (found === undefined) return assumed
      if (!found.isPassing) windows.set(key, found)
      return found
    },
    forget: (key) => void windows.delete(key),
    refused(key, tokens) {
      const least = Math.min(tokens, refusals.get(key)?.tokens ?? tokens)
      refusals.set(key, { tokens: least, stated: statements.get(key) ?? null })
    },
    within(key, stated) {
      statements.set(key, stated)
      const refusal = refusals.get(key)
      if (refusal?.stated === stated) return Math.min(refusal.tokens, stated ?? refusal.tokens)
      refusals.delete(key)
      return stated
    },
    renew(key) {
      windows.delete(key)
      refusals.delete(key)
    },
    size(key, sizing) {
      const tokens = askedWindow({ ...sizing, before: asked.get(key) })
      // A person's own figure, once taken back, leaves no trace.
      if (tokens !== undefined && sizing.set === undefined) asked.set(key, tokens)
      return tokens
    },
    note(key, windowTokens, inputTokens) {
      if (windowTokens === undefined || asked.get(key) !== windowTokens) return
      if (inputTokens >= windowTokens * filledShare) asked.set(key, windowTokens * 2)
    },
  }
}

/** A server that drops whole messages, or leaves room for the answer, fills it to about here. */
const filledShare = 0.85

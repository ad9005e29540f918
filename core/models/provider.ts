import type { CompletionRequest, ModelInfo } from '../domain/model.ts'
import type { Accumulator } from './accumulator.ts'
import type { FailureContext } from './failure.ts'
import type { BodyReader } from './sse.ts'
import type { OutgoingRequest } from './transport.ts'

/** A configured server, ready to be asked. `address` has no trailing slash. */
export interface ModelServer {
  readonly id: string
  readonly title: string
  readonly address: string
  readonly key: string | undefined
}

/** A short question to a server's own routes; throws `model.*`. */
export type AskJson = (path: { readonly url: string; readonly body?: string }) => Promise<unknown>

/** What a server says of one model's window, in tokens. */
export interface ModelWindow {
  /** The most that a request may hold, its answer included, where a person sets no other; null: it does not say. */
  readonly tokens: number | null
  /** More than this it does not give, whatever is asked for. */
  readonly ceiling?: number
  /** Only where each request asks for a window: the least to ask for. */
  readonly floor?: number
  /** It will be another once the model is loaded: to be asked for again. */
  readonly isPassing?: boolean
}

/** How one kind of server is spoken to. One file each in `providers/`, one line in its index. */
export interface ModelProvider {
  /** The address as it is used, from what a person typed. */
  readonly address: (typed: string) => string
  /** `windowTokens`: what the model is to run with, where each request asks for a window. */
  readonly chat: (server: ModelServer, request: CompletionRequest, windowTokens: number | undefined) => OutgoingRequest
  /** Reads one answer into the accumulator; throws `model.*` for an error that stands in the stream. */
  readonly reader: (into: Accumulator, context: FailureContext) => BodyReader
  readonly models: (server: ModelServer, ask: AskJson) => Promise<readonly ModelInfo[]>
  readonly window: (server: ModelServer, model: string, ask: AskJson) => Promise<ModelWindow>
  /** What holds of a server that cannot be asked now. */
  readonly assumedWindow: ModelWindow
}

export function bearer(key: string | undefined): Readonly<Record<string, string>> {
  return key === undefined ? {} : { authorization: `Bearer ${key}` }
}

/** The address without the parts that people paste along. */
export function trimmedAddress(typed: string, routes: RegExp): string {
  return typed
    .trim()
    .replace(/[?#].*$/, '')
    .replace(/\/+$/, '')
    .replace(routes, '')
    .replace(/\/+$/, '')
}

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

/** How one kind of server is spoken to. One file each in `providers/`, one line in its index. */
export interface ModelProvider {
  /** The address as it is used, from what a person typed. */
  readonly address: (typed: string) => string
  /** `contextTokens`: the window that the settings give the model. */
  readonly chat: (server: ModelServer, request: CompletionRequest, contextTokens: number | undefined) => OutgoingRequest
  /** Reads one answer into the accumulator; throws `model.*` for an error that stands in the stream. */
  readonly reader: (into: Accumulator, context: FailureContext) => BodyReader
  readonly models: (server: ModelServer, ask: AskJson) => Promise<readonly ModelInfo[]>
  /** Null where the server does not say. */
  readonly contextTokens: (server: ModelServer, model: string, ask: AskJson) => Promise<number | null>
  /** One vector for each text, in order, of any length. Absent where the kind of server has no embedders. */
  readonly embed?: (
    server: ModelServer,
    request: { readonly model: string; readonly texts: readonly string[] },
    ask: AskJson,
  ) => Promise<readonly (readonly number[])[]>
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

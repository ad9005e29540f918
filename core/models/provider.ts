import type { CompletionRequest, ModelInfo, ModelPrice } from '../domain/model.ts'
import type { Accumulator } from './accumulator.ts'
import type { FailureContext } from './failure.ts'
import type { AnswerWaits, Transport } from './transport.ts'

/** A configured server, ready to be asked. `address` has no trailing slash. */
export interface ModelServer {
  readonly id: string
  readonly title: string
  readonly address: string
  readonly key: string | undefined
}

/** A short question to a server's own routes; throws `model.*`. */
export type AskJson = (path: { readonly url: string; readonly body?: string }) => Promise<unknown>

/** One answer to be had: what is asked, where its pieces go, and how long it may take. */
export interface AnswerJob {
  readonly server: ModelServer
  /** None where the server has no key. */
  readonly keyHeaders: Readonly<Record<string, string>>
  /** As servers accept it (`wireRequest`). */
  readonly request: CompletionRequest
  /** What the model is to run with, where each request asks for a window. */
  readonly windowTokens: number | undefined
  readonly into: Accumulator
  readonly waits: AnswerWaits
  readonly transport: Transport
  readonly context: FailureContext
}

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

/** What a server says of one of its models. */
export interface ModelFacts extends ModelWindow {
  readonly price?: ModelPrice
}

/** How one kind of server is spoken to. One file each in `providers/`, one line in its index. */
export interface ModelProvider {
  /** Where a hosted provider is reached unless a person says otherwise; null for servers that have no such place. */
  readonly officialAddress: string | null
  /** The address as it is used, from what a person typed. */
  readonly address: (typed: string) => string
  /** Nothing is sent without a key. */
  readonly needsKey: boolean
  readonly keyHeaders: (key: string) => Readonly<Record<string, string>>
  /** One attempt: exactly one request, read into `into`. Throws `model.*`, `cancelled`; whether it was whole, `into` knows. */
  readonly answer: (job: AnswerJob) => Promise<void>
  readonly models: (server: ModelServer, ask: AskJson) => Promise<readonly ModelInfo[]>
  readonly facts: (server: ModelServer, model: string, ask: AskJson) => Promise<ModelFacts>
  /** What holds of a server that cannot be asked now. */
  readonly assumedWindow: ModelWindow
  /** One vector for each text, in order, of any length. Absent where the kind of server has no embedders. */
  readonly embed?: (
    server: ModelServer,
    request: { readonly model: string; readonly texts: readonly string[] },
    ask: AskJson,
  ) => Promise<readonly (readonly number[])[]>
}

export function keyHeadersOf(provider: ModelProvider, { key }: ModelServer): Readonly<Record<string, string>> {
  return key === undefined ? {} : provider.keyHeaders(key)
}

export function bearer(key: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${key}` }
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

/** The same with the version that such servers want in front of each route, where only a host was typed. */
export function versionedAddress(typed: string, { routes, version }: { routes: RegExp; version: string }): string {
  const address = trimmedAddress(typed, routes)
  return URL.canParse(address) && new URL(address).pathname === '/' ? `${address}/${version}` : address
}

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
  /** As servers accept it (`wireRequest`). */
  readonly request: CompletionRequest
  /** The window that the settings give the model. */
  readonly contextTokens: number | undefined
  readonly into: Accumulator
  readonly waits: AnswerWaits
  readonly transport: Transport
  readonly context: FailureContext
}

/** What a server says of one of its models. */
export interface ModelFacts {
  readonly contextTokens: number | null
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

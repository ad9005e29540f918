import type { ErrorBody } from './error.ts'
import type { Json, JsonObject } from './json.ts'

/** A message as it is sent to a model. `tool` answers exactly one call of the assistant message before it. */
export type ModelMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls?: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly callId: string; readonly name: string; readonly content: string }

/** An action as a model sees it: JSON Schema of its parameters. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  readonly parameters: JsonObject
}

/** A call read from a stream. `invalid` calls are never run; the model is told what was wrong with their arguments. */
export type ToolCall = CallHead &
  ({ readonly arguments: JsonObject } | { readonly argumentsRaw: string; readonly invalid: InvalidArguments })
interface CallHead {
  readonly id: string
  readonly name: string
  /** What a provider wants back with the call, by its name: signatures of its thoughts. Nothing here reads it. */
  readonly providerMetadata?: ProviderMetadata
}
export type ProviderMetadata = Readonly<Record<string, JsonObject>>
export type InvalidArguments = 'E_TOOL_ARGS_TRUNCATED' | 'E_TOOL_ARGS_INVALID'

export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter'

/** Tokens of one call. `estimated`: the server sent none (or zero), so the figures are our own estimate. */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cachedInputTokens?: number
  readonly estimated?: boolean
}

export interface Completion {
  readonly text: string
  readonly reasoning?: string
  readonly toolCalls: readonly ToolCall[]
  readonly finishReason: FinishReason
  readonly usage?: Usage
  /** The built-in planner means this text to be run; its other answers quote files, and whatever code stands in those. */
  readonly isCode?: true
}

/** Live pieces of an answer; transient, never stored. */
export type ModelDelta =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  | { readonly kind: 'call'; readonly name: string }

export interface CompletionRequest {
  /** The name that the provider knows the model by. */
  readonly model: string
  readonly messages: readonly ModelMessage[]
  /** Left out of the request when empty. */
  readonly tools: readonly ToolDefinition[]
  readonly maxOutputTokens?: number
  readonly temperature?: number
}

/** Which server a model comes from. */
export const providerKinds = [
  'planner',
  'openai-compatible',
  'ollama',
  'scripted',
  'local',
  'openai',
  'anthropic',
  'google',
  'openrouter',
  'local',
] as const
export type ProviderKind = (typeof providerKinds)[number]

/** Providers with an address and prices of their own; a base URL beside it leads to a gateway. */
export const hostedKinds = ['openai', 'anthropic', 'google', 'openrouter'] as const satisfies readonly ProviderKind[]

export function isHosted(kind: ProviderKind): boolean {
  return hostedKinds.some((each) => each === kind)
}

/** What answers runs on this computer: in this app, or as a server at a loopback address. A request to it costs nothing. */
export function runsHere({ kind, baseUrl }: Pick<ProviderSettings, 'kind' | 'baseUrl'>): boolean {
  if (kind === 'planner' || kind === 'scripted' || kind === 'local') return true
  // A gateway on this computer passes a hosted model on, and its bill with it.
  if (baseUrl === null || isHosted(kind)) return false
  const { hostname } = new URL(baseUrl)
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname)
}

/** USD for a million tokens. `cachedInputUsd`: of those that the provider had cached; the same as others without it. */
export interface ModelPrice {
  readonly inputUsd: number
  readonly outputUsd: number
  readonly cachedInputUsd?: number | undefined
}

/**
 * Whether an address is nothing but one. Settings are shown, copied and backed up, so whatever may be a secret in it (user name,
 * password, query, fragment) has no place there.
 */
export function isBareAddress(address: string): boolean {
  if (!URL.canParse(address)) return !/[@?#]/.test(address)
  const { username, password } = new URL(address)
  return username === '' && password === '' && !/[?#]/.test(address)
}

/** A provider as it stands in the settings. The key itself is in the secrets seam under `keyName`. */
export interface ProviderSettings {
  readonly id: string
  readonly kind: ProviderKind
  readonly title: string
  readonly baseUrl: string | null
  readonly keyName: string | null
}

export interface ModelRef {
  readonly providerId: string
  readonly model: string
}

/** `<providerId>/<model>`; provider ids hold no slash, model names may. */
export function modelRefText({ providerId, model }: ModelRef): string {
  return `${providerId}/${model}`
}

export function parseModelRef(text: string): ModelRef {
  const at = text.indexOf('/')
  return { providerId: text.slice(0, at), model: text.slice(at + 1) }
}

/** One model in a list. `context` in tokens, where the server says so. */
export interface ModelInfo extends ModelRef {
  readonly contextTokens: number | null
  readonly title: string
  /** Where the provider names it. */
  readonly price?: ModelPrice
}

/** What a real request to a model showed. Times in ms. Source: CLI.md `model probe`. */
export interface ProbeResult {
  readonly name: string
  readonly provider: string
  readonly tier?: string
  /** False only where its server refused them; null: not shown, since no call came, or no answer. */
  readonly tools: boolean | null
  readonly parallel: boolean | null
  readonly contextTokens: number | null
  readonly firstTokenMs: number | null
  readonly error?: ErrorBody
}

/** A server that was looked for on its usual loopback port. */
export interface DiscoveredServer {
  readonly kind: 'ollama' | 'openai-compatible'
  readonly title: string
  readonly baseUrl: string
  readonly found: boolean
  readonly models: readonly ModelInfo[]
  readonly error?: ErrorBody
}

/** The text that a model reads for an action's value: strings as they are, everything else as JSON. */
export function resultText(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

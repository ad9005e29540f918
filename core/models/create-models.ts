import type { LookupFunction } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ProviderStatus } from '../domain/contract.ts'
import { AppError, errorBody } from '../domain/error.ts'
import {
  type CompletionRequest,
  type DiscoveredServer,
  type ModelRef,
  modelRefText,
  type ProbeResult,
  type ProviderSettings,
  type Usage,
} from '../domain/model.ts'
import type { Settings } from '../domain/settings.ts'
import type { Tier } from '../domain/thread.ts'
import {
  type Completed,
  type CompleteOptions,
  type CompleterParts,
  completeWithRetries,
  failureContext,
  overHttp,
  type ServerTarget,
} from './complete.ts'
import { discoverServers, factsOf, listModels, type UsualServer, usualServers } from './discover.ts'
import { completeEmbedded, type EmbeddedProvider } from './embedded.ts'
import { cancelled, keyRefused } from './failure.ts'
import { usdOf } from './prices.ts'
import { probeHead, probeServer } from './probe.ts'
import type { ModelFacts } from './provider.ts'
import { providers } from './providers/index.ts'
import { createTransport } from './transport.ts'

/** A request for one completion: to a given model, or to whatever a tier means at this moment (RULES 39). */
type ModelCall = Omit<CompletionRequest, 'model'> & { readonly ref: ModelRef | Tier }

/** The models that this person has. Every method takes the settings as they are when it is called. */
export interface Models {
  /**
   * One answer, streamed through `onDelta`. Usage is always present. Sends again by itself only on 429, a loading model
   * and a network failure before the first byte, twice (RULES 5). Throws `model.*` with `data.partialText` and
   * `data.streamCode`, or `cancelled`.
   */
  readonly complete: (call: ModelCall, options: CompleteOptions) => Promise<Completed>
  readonly resolve: (tier: Tier) => ModelRef
  /**
   * The model's real window: what the settings say, else what its server says, asked once. Null where neither does; null for
   * the planner, which has none. Not a promise where it is known already.
   */
  readonly windowOf: (ref: ModelRef, signal: AbortSignal) => number | null | Promise<number | null>
  /** In USD; null for a model without a price. */
  readonly usdOf: (ref: ModelRef, usage: Usage) => number | null
  /** Each provider with the models it offers now; one that cannot be asked has an `error` instead. */
  readonly list: (signal: AbortSignal) => Promise<readonly ProviderStatus[]>
  /** A small real request. What goes wrong is in the result; throws only `cancelled` and `model.none`. */
  readonly probe: (ref: ModelRef, signal: AbortSignal) => Promise<ProbeResult>
  /** Looks for servers on their usual loopback ports, configured or not. */
  readonly discover: (signal: AbortSignal) => Promise<readonly DiscoveredServer[]>
  /** Breaks off what is still running. */
  readonly close: () => Promise<void>
}

export interface ModelsOptions {
  readonly settings: () => Settings
  readonly secrets: { readonly get: (keyName: string) => Promise<string | undefined> }
  /** Providers inside this process. Each is also reachable under its kind as provider id, without any setting. */
  readonly embedded: Readonly<Partial<Record<'planner' | 'scripted', EmbeddedProvider>>>
  readonly clock: { readonly now: () => number; readonly monotonic: () => number }
  /** In [0, 1): the spread of retries, and ids for calls that a server sent without. */
  readonly random: () => number
  /** The pause before an own retry; the default is a timer. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
  readonly usualServers?: readonly UsualServer[]
  /** Resolves the names of servers; the default is the system's. */
  readonly lookup?: LookupFunction
}

/** `maxRetries`: a replay shows what one answer comes to and sends nothing again. */
export function createModelsWith(options: ModelsOptions, maxRetries: number): Models {
  const { settings, embedded, clock } = options
  const { lookup } = options
  const transport = createTransport({ now: clock.now, ...(lookup && { lookup }) })
  const parts: CompleterParts = {
    transport,
    settings,
    monotonic: clock.monotonic,
    random: options.random,
    wait: options.wait ?? (async (ms, signal) => sleep(ms, undefined, { signal })),
  }

  const embeddedAs = (ref: ModelRef): EmbeddedProvider | undefined => {
    const kind = configured(settings(), ref.providerId)?.kind ?? ref.providerId
    return kind === 'planner' || kind === 'scripted' ? embedded[kind] : undefined
  }
  const serverFor = async (ref: ModelRef): Promise<ServerTarget> => {
    const provider = configured(settings(), ref.providerId)
    if (provider === undefined) throw noProvider(ref)
    return serverOf(provider, options.secrets)
  }
  const statusOf = async (provider: ProviderSettings, signal: AbortSignal): Promise<ProviderStatus> => {
    const inProcess = embeddedAs({ providerId: provider.id, model: '' })
    if (inProcess !== undefined) return { ...provider, models: inProcess.models(), hasKey: false }
    let hasKey = false
    try {
      const target = await serverOf(provider, options.secrets)
      hasKey = target.server.key !== undefined
      const models = await listModels(target, { transport, signal })
      for (const { price, ...model } of models) if (price) prices.set(modelRefText(model), price)
      return { ...provider, models, hasKey }
    } catch (error) {
      return { ...provider, models: [], hasKey, error: errorBody(error, 'model.provider') }
    }
  }

  const windows = new Map<string, number | null>()
  /** What providers ask for their models. */
  const prices = new Map<string, ModelFacts['price']>()
  /** A server that cannot be asked now is asked again with the next step. */
  const askWindow = async (ref: ModelRef, signal: AbortSignal): Promise<number | null> => {
    const target = await serverFor(ref)
    const facts = await factsOf(target, ref.model, { transport, signal }).catch(() => undefined)
    if (facts === undefined) return null
    windows.set(modelRefText(ref), facts.contextTokens)
    prices.set(modelRefText(ref), facts.price)
    return facts.contextTokens
  }

  return {
    resolve: (tier) => settings().tiers[tier],
    windowOf(ref, signal) {
      const text = modelRefText(ref)
      const own = settings().modelLimits[text]?.contextTokens
      if (own !== undefined) return own
      const inProcess = embeddedAs(ref)
      if (inProcess !== undefined)
        return inProcess.models().find(({ model }) => model === ref.model)?.contextTokens ?? null
      return windows.has(text) ? (windows.get(text) ?? null) : askWindow(ref, signal)
    },
    usdOf: (ref, usage) => usdOf({ ...settings(), offered: prices.get(modelRefText(ref)) }, ref, usage),

    async complete(call, completeOptions) {
      const { ref: asked, ...rest } = call
      const ref = typeof asked === 'string' ? settings().tiers[asked] : asked
      if (completeOptions.signal.aborted) throw cancelled(completeOptions.signal.reason)
      const request: CompletionRequest = { ...rest, model: ref.model }
      const inProcess = embeddedAs(ref)
      if (inProcess !== undefined) {
        return completeEmbedded(inProcess, { ref, request, monotonic: clock.monotonic }, completeOptions)
      }
      return completeWithRetries(overHttp(await serverFor(ref), transport), request, {
        ...completeOptions,
        parts,
        maxRetries,
      })
    },

    async list(signal) {
      const known = settings().providers
      const builtIn = builtInProviders.filter(
        ({ id, kind }) => embedded[kind] && !known.some((other) => other.id === id),
      )
      return Promise.all([...builtIn, ...known].map((provider) => statusOf(provider, signal)))
    },

    async probe(ref, signal) {
      const inProcess = embeddedAs(ref)
      if (inProcess === undefined) return probeServer(await serverFor(ref), ref, { parts, signal })
      // Its calls come from our own code: there is no connection to measure.
      const info = inProcess.models().find((model) => model.model === ref.model)
      if (info === undefined) throw noProvider(ref)
      const head = probeHead(ref, settings())
      return { ...head, tools: true, parallel: true, contextTokens: info.contextTokens, firstTokenMs: null }
    },

    discover: (signal) => discoverServers(options.usualServers ?? usualServers, { transport, signal }),
    close: transport.close,
  }
}

const builtInProviders = [
  { id: 'planner', kind: 'planner', title: 'Built-in planner', baseUrl: null, keyName: null },
  { id: 'scripted', kind: 'scripted', title: 'Scripted', baseUrl: null, keyName: null },
] as const

function configured(settings: Settings, providerId: string): ProviderSettings | undefined {
  return settings.providers.find((provider) => provider.id === providerId)
}

async function serverOf(settings: ProviderSettings, secrets: ModelsOptions['secrets']): Promise<ServerTarget> {
  const { id, kind, title, baseUrl, keyName } = settings
  const provider = providers[kind]
  const typed = baseUrl ?? provider?.officialAddress
  if (provider === undefined || !typed) throw noProvider({ providerId: id, model: '' })
  const key = keyName === null ? undefined : (await secrets.get(keyName))?.trim()
  const server = { id, title, address: provider.address(typed), key: key === '' ? undefined : key }
  if (provider.needsKey && server.key === undefined) {
    throw keyRefused('no key is set, so nothing was sent', failureContext(server, ''))
  }
  return { provider, server }
}

function noProvider(ref: ModelRef): AppError {
  const name = ref.model === '' ? ref.providerId : `${ref.providerId}/${ref.model}`
  return new AppError('model.none', {
    message: `no provider for ${name}`,
    userMessage: `No model is connected under “${name}”. Your messages are kept. Choose a model in Settings → Models, then try again.`,
  })
}

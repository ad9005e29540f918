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
  type Answerer,
  type Completed,
  type CompleteOptions,
  type CompleterParts,
  completeWithRetries,
  failureContext,
  overHttp,
  type ServerTarget,
  waitsOf,
} from './complete.ts'
import { discoverServers, factsOf, listModels, type UsualServer, usualServers } from './discover.ts'
import { embedOverHttp, noEmbedder } from './embed.ts'
import { completeEmbedded, type EmbeddedProvider } from './embedded.ts'
import { cancelled, noKey } from './failure.ts'
import type { LocalModels } from './local/local.ts'
import { usdOf } from './prices.ts'
import { probeHead, probeModel } from './probe.ts'
import type { ModelFacts, ModelWindow } from './provider.ts'
import { providers } from './providers/index.ts'
import { createTransport } from './transport.ts'
import { requestBytes } from './usage.ts'
import { createWindowBook, mostTokens } from './window.ts'

/** A request for one completion: to a given model, or to whatever a tier means at this moment (RULES 39). */
type ModelCall = Omit<CompletionRequest, 'model'> & {
  readonly ref: ModelRef | Tier
  /** A better estimate of the whole prompt than its length gives, where the caller has one. */
  readonly promptTokens?: number
}

/** The models that this person has. Every method takes the settings as they are when it is called. */
export interface Models {
  /**
   * One answer, streamed through `onDelta`. Usage is always present. Sends again by itself only on 429, a loading model, a
   * network failure before the first byte, and where the server wants the ids of calls in another form, twice (RULES 5) and
   * never once a piece was shown. Throws `model.*` with `data.partialText` and `data.streamCode`, or `cancelled`.
   */
  readonly complete: (call: ModelCall, options: CompleteOptions) => Promise<Completed>
  readonly resolve: (tier: Tier) => ModelRef
  /**
   * The most that a request to the model may hold, its answer included: what a person set, else what its server says, asked
   * once; less where it refused less (`noteOverflow`). Null where nobody says; null for the planner, which has none. Not a
   * promise where it is known already.
   */
  readonly windowOf: (ref: ModelRef, signal: AbortSignal) => number | null | Promise<number | null>
  /** The model refused a prompt for its length: more tokens than this, as the caller counts them, it does not take. */
  readonly noteOverflow: (ref: ModelRef, tokens: number) => void
  /** Vectors of length 1, in the order of the texts. Sends nothing again by itself. Throws `model.*`, `local.*`, `cancelled`. */
  readonly embed: (
    ref: ModelRef,
    texts: readonly string[],
    options: { readonly as: 'doc' | 'query'; readonly signal: AbortSignal },
  ) => Promise<readonly Float32Array[]>
  /** A server of this model may leave out the front of a prompt that is too long, and answer as if nothing had happened. */
  readonly mayDropFront: (ref: ModelRef) => boolean
  /** False where its server refused them, in the last test of the model or since the start. */
  readonly callsActions: (ref: ModelRef) => boolean
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
  /** Models inside the app, in processes of their own; reachable as `local/<name>`. */
  readonly local?: LocalModels
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
    shortIds: new Set(),
  }

  const embeddedAs = (ref: ModelRef): EmbeddedProvider | undefined => {
    const kind = configured(settings(), ref.providerId)?.kind ?? ref.providerId
    return kind === 'planner' || kind === 'scripted' ? embedded[kind] : undefined
  }
  const isLocal = (ref: ModelRef) => (configured(settings(), ref.providerId)?.kind ?? ref.providerId) === 'local'
  const answererFor = async (ref: ModelRef): Promise<Answerer> => {
    if (options.local !== undefined && isLocal(ref)) return options.local.answerer
    return overHttp(await serverFor(ref), transport)
  }
  const serverFor = async (ref: ModelRef): Promise<ServerTarget> => {
    const provider = configured(settings(), ref.providerId)
    if (provider === undefined) throw noProvider(ref)
    return serverOf(provider, options.secrets)
  }
  const statusOf = async (provider: ProviderSettings, signal: AbortSignal): Promise<ProviderStatus> => {
    const inProcess = embeddedAs({ providerId: provider.id, model: '' })
    if (inProcess !== undefined) return { ...provider, models: inProcess.models(), hasKey: false }
    if (provider.kind === 'local') return { ...provider, models: options.local?.chatModels() ?? [], hasKey: false }
    let hasKey = false
    try {
      const target = await serverOf(provider, options.secrets)
      hasKey = target.server.key !== undefined
      const models = await listModels(target, { transport, signal })
      for (const { price, ...model } of models) if (price) prices.set(placeKey(model, provider), price)
      return { ...provider, models, hasKey }
    } catch (error) {
      return { ...provider, models: [], hasKey, error: errorBody(error, 'model.provider') }
    }
  }

  const isThere = (kind: (typeof builtInProviders)[number]['kind']) =>
    kind === 'local' ? (options.local?.chatModels().length ?? 0) > 0 : embedded[kind] !== undefined

  /** What providers ask for their models, by `placeKey`. */
  const prices = new Map<string, ModelFacts['price']>()
  const windows = createWindowBook()
  /** Models whose server refused a request because it offered actions: the next one offers none. */
  const withoutActions = new Set<string>()
  /** A model of one server: what is known of it does not hold for another kind or address under the same id. */
  const placeKey = (ref: ModelRef, at = configured(settings(), ref.providerId)) =>
    `${modelRefText(ref)} ${at?.kind ?? ''} ${at?.baseUrl ?? ''}`
  const setTokens = (ref: ModelRef) => settings().modelLimits[modelRefText(ref)]?.contextTokens
  /** Asks the server once for all that it says of the model: its window and its price. */
  const learnWindow = async (ref: ModelRef, signal: AbortSignal): Promise<ModelWindow> => {
    const place = placeKey(ref)
    const target = await serverFor(ref)
    const ask = async () => {
      const facts = await factsOf(target, ref.model, { transport, signal })
      prices.set(place, facts.price)
      return facts
    }
    return windows.learn(place, ask, target.provider.assumedWindow)
  }
  /** True for a server that is told the window with each request. */
  const isToldWindow = (ref: ModelRef) => {
    const kind = configured(settings(), ref.providerId)?.kind
    return kind !== undefined && providers[kind]?.assumedWindow.floor !== undefined
  }
  /** What the request is to run with; undefined for a server that is not told. */
  const sizeFor = async (ref: ModelRef, request: CompletionRequest, known: Sized): Promise<number | undefined> => {
    if (!isToldWindow(ref)) return undefined
    const window = await learnWindow(ref, known.signal)
    const promptTokens = Math.max(known.promptTokens ?? 0, Math.ceil(requestBytes(request) / bytesPerToken))
    const { maxOutputTokens } = request
    return windows.size(placeKey(ref), { window, set: setTokens(ref), promptTokens, maxOutputTokens })
  }

  const statedWindow: Models['windowOf'] = (ref, signal) => {
    const inProcess = embeddedAs(ref)
    const set = setTokens(ref)
    if (inProcess !== undefined)
      return set ?? inProcess.models().find(({ model }) => model === ref.model)?.contextTokens ?? null
    if (isLocal(ref)) return options.local?.windowOf(ref.model) ?? null
    const known = windows.known(placeKey(ref))
    if (known !== undefined) return mostTokens(known, set)
    const learnt = learnWindow(ref, signal).then((window) => mostTokens(window, set))
    // A window that a person set needs no server: what is asked for is its price.
    return set === undefined || isToldWindow(ref) ? learnt : learnt.catch(() => set)
  }

  const models: Models = {
    resolve: (tier) => settings().tiers[tier],
    windowOf(ref, signal) {
      const key = placeKey(ref)
      const stated = statedWindow(ref, signal)
      return stated instanceof Promise
        ? stated.then((tokens) => windows.within(key, tokens))
        : windows.within(key, stated)
    },
    noteOverflow: (ref, tokens) => windows.refused(placeKey(ref), tokens),
    async embed(ref, texts, { as, signal }) {
      const waits = { ...waitsOf(settings(), ref), signal }
      if (options.local !== undefined && isLocal(ref)) return options.local.embed(ref.model, texts, { as, ...waits })
      if (embeddedAs(ref) !== undefined) throw noEmbedder(ref.providerId)
      const asking = { transport, signal, timeoutMs: waits.firstTokenMs }
      return embedOverHttp(await serverFor(ref), { model: ref.model, texts }, asking)
    },
    mayDropFront: (ref) => {
      const kind = configured(settings(), ref.providerId)?.kind
      return kind === 'openai-compatible' || kind === 'ollama'
    },
    callsActions: (ref) => settings().probes[modelRefText(ref)]?.tools !== false && !withoutActions.has(placeKey(ref)),
    usdOf: (ref, usage) => usdOf({ ...settings(), offered: prices.get(placeKey(ref)) }, ref, usage),

    async complete(call, completeOptions) {
      const { ref: asked, promptTokens, ...rest } = call
      const ref = typeof asked === 'string' ? settings().tiers[asked] : asked
      if (completeOptions.signal.aborted) throw cancelled(completeOptions.signal.reason)
      const request: CompletionRequest = { ...rest, model: ref.model }
      const inProcess = embeddedAs(ref)
      if (inProcess !== undefined) {
        return completeEmbedded(inProcess, { ref, request, monotonic: clock.monotonic }, completeOptions)
      }
      // What comes of the request is known of the server that was asked, whatever stands under its id by then.
      const place = placeKey(ref)
      const answerer = await answererFor(ref)
      const windowTokens = await sizeFor(ref, request, { signal: completeOptions.signal, promptTokens })
      try {
        const sending = { ...completeOptions, parts, maxRetries, windowTokens }
        const completed = await completeWithRetries(answerer, request, sending)
        windows.note(place, windowTokens, completed.completion.usage.inputTokens)
        return completed
      } catch (error) {
        // It may have loaded the model with another window; one that was away may have been started anew.
        if (error instanceof AppError && error.code === 'model.connect') windows.renew(place)
        else windows.forget(place)
        if (error instanceof AppError && error.code === 'model.tools') withoutActions.add(place)
        throw error
      }
    },

    async list(signal) {
      const known = settings().providers
      const builtIn = builtInProviders.filter(
        ({ id, kind }) => isThere(kind) && !known.some((other) => other.id === id),
      )
      return Promise.all([...builtIn, ...known].map((provider) => statusOf(provider, signal)))
    },

    async probe(ref, signal) {
      const inProcess = embeddedAs(ref)
      if (inProcess === undefined) {
        windows.renew(placeKey(ref))
        withoutActions.delete(placeKey(ref))
        const open = async () => {
          const answerer = await answererFor(ref)
          return {
            answerer,
            windowTokens: await sizeFor(ref, { model: ref.model, messages: [], tools: [] }, { signal }),
          }
        }
        return probeModel(ref, { parts, signal, open, contextTokens: async () => models.windowOf(ref, signal) })
      }
      // Its calls come from our own code: there is no connection to measure.
      const info = inProcess.models().find((model) => model.model === ref.model)
      if (info === undefined) throw noProvider(ref)
      const head = probeHead(ref, settings())
      return { ...head, tools: true, parallel: true, contextTokens: info.contextTokens, firstTokenMs: null }
    },

    discover: (signal) => discoverServers(options.usualServers ?? usualServers, { transport, signal }),
    close: transport.close,
  }
  return models
}

/** For the choice of a window: too large a one costs memory, too small a one costs the beginning of the conversation. */
const bytesPerToken = 3

/** What is known of a request whose window is to be sized. */
interface Sized {
  readonly signal: AbortSignal
  readonly promptTokens?: number | undefined
}

const builtInProviders = [
  { id: 'planner', kind: 'planner', title: 'Built-in planner', baseUrl: null, keyName: null },
  { id: 'scripted', kind: 'scripted', title: 'Scripted', baseUrl: null, keyName: null },
  { id: 'local', kind: 'local', title: 'On this computer', baseUrl: null, keyName: null },
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
  if (provider.needsKey && server.key === undefined) throw noKey(failureContext(server, ''))
  return { provider, server }
}

function noProvider(ref: ModelRef): AppError {
  const name = ref.model === '' ? ref.providerId : `${ref.providerId}/${ref.model}`
  return new AppError('model.none', {
    message: `no provider for ${name}`,
    userMessage: `No model is connected under “${name}”. Your messages are kept. Choose a model in Settings → Models, then try again.`,
  })
}

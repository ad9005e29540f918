import { hash } from 'node:crypto'
import type { Keychain, ProviderStatus } from './domain/contract.ts'
import { AppError, type ErrorBody, errorBody } from './domain/error.ts'
import {
  type ModelRef,
  modelRefText,
  type ProbeResult,
  type ProviderKind,
  type ProviderSettings,
  parseModelRef,
} from './domain/model.ts'
import type { Settings } from './domain/settings.ts'
import type { Models } from './models/models.ts'
import type { Secrets } from './secrets.ts'
import type { SettingsStore } from './settings.ts'

export interface ProviderInput {
  readonly id?: string | undefined
  readonly kind: ProviderKind
  readonly title: string
  readonly baseUrl: string | null
}

/** The servers that a person has added. Their keys are in the secrets; settings and windows only know that there is one. */
export interface Providers {
  list(signal: AbortSignal): Promise<readonly ProviderStatus[]>
  /** Where keys are kept. Asked only where keys are shown: looking for a keyring may take a while. */
  keychain(): Keychain
  /**
   * Without a key the one there is stays, unless the address leads to another origin now: then it is removed, and `error` of the
   * answer says so. @throws AppError secret.unavailable when the key cannot be kept; nothing is changed then.
   */
  save(input: ProviderInput, key: string | undefined, signal: AbortSignal): Promise<ProviderStatus>
  /** Tiers that used it go back to the built-in planner, and docs are found by their words where it made the vectors. */
  remove(id: string): Promise<Settings>
  /** A small real request; what it showed is kept in the settings, until the server has another address. */
  probe(ref: ModelRef, signal: AbortSignal): Promise<ProbeResult>
}

export function createProviders(options: {
  readonly settings: SettingsStore
  readonly secrets: Secrets
  readonly models: Pick<Models, 'list' | 'probe'>
  readonly nextId: (prefix: string) => string
  readonly now: () => number
}): Providers {
  const { settings, secrets, models } = options
  const probesWithout = (id: string) =>
    Object.fromEntries(Object.entries(settings.current.probes).filter(([ref]) => parseModelRef(ref).providerId !== id))

  const placeOf = (id: string): Place | undefined => settings.current.providers.find((each) => each.id === id)

  return {
    list: (signal) => models.list(signal),
    keychain: () => ({ backend: secrets.backend, isProtected: secrets.isProtected }),

    async save(input, key, signal) {
      const id = input.id ?? options.nextId('prv')
      const known = settings.current.providers.find((each) => each.id === id)
      const keyName = keyNameFor(id, input, { known, hasNewKey: key !== undefined })
      if (key !== undefined && keyName !== null) await secrets.set(keyName, key)
      const provider = { id, kind: input.kind, title: input.title, baseUrl: input.baseUrl, keyName }
      const others = settings.current.providers.filter((each) => each.id !== id)
      const isMoved = !isSamePlace(known, input)
      settings.set({ providers: [...others, provider], ...(isMoved && { probes: probesWithout(id) }) })
      const old = known?.keyName ?? null
      if (old !== null && old !== keyName) await secrets.remove(old)
      const status = (await models.list(signal)).find((each) => each.id === id)
      if (status === undefined) throw noProvider(id)
      return old !== null && keyName === null ? { ...status, error: keyLeftBehind(known) } : status
    },

    async remove(id) {
      const known = settings.current.providers.find((each) => each.id === id)
      if (known === undefined) throw noProvider(id)
      if (known.keyName !== null) await secrets.remove(known.keyName)
      const { tiers, embedder } = settings.current
      const planner = { providerId: 'planner', model: 'planner' }
      const kept = (ref: { providerId: string; model: string }) => (ref.providerId === id ? planner : ref)
      return settings.set({
        providers: settings.current.providers.filter((each) => each.id !== id),
        probes: probesWithout(id),
        tiers: { minuet: kept(tiers.minuet), allegro: kept(tiers.allegro), forte: kept(tiers.forte) },
        embedder: embedder?.providerId === id ? null : embedder,
      })
    },

    async probe(ref, signal) {
      const asked = placeOf(ref.providerId)
      const result = await models.probe(ref, signal)
      // What another server showed, or one that is gone, says nothing of the one there is now.
      if (!isSamePlace(asked, placeOf(ref.providerId))) return result
      const { tools, parallel, contextTokens, firstTokenMs, error } = result
      const shown = { at: options.now(), tools, parallel, contextTokens, firstTokenMs }
      const kept =
        error === undefined ? shown : { ...shown, error: { code: error.code, userMessage: error.userMessage } }
      try {
        settings.set({ probes: { ...settings.current.probes, [modelRefText(ref)]: kept } })
      } catch (error) {
        // Who only looks on may ask a model all the same.
        if (!(error instanceof AppError) || error.code !== 'store.read_only') throw error
      }
      return result
    },
  }
}

/**
 * Where the key of this server lies. The name holds the origin (scheme, host, port): a key is found only at the address that it
 * was entered for, whatever goes wrong between the two writes.
 */
function keyNameFor(
  id: string,
  place: Place,
  { known, hasNewKey }: { readonly known: ProviderSettings | undefined; readonly hasNewKey: boolean },
): string | null {
  const origin = originOf(place)
  if (hasNewKey) return `provider:${id}:${hash('sha256', origin).slice(0, 12)}`
  return known !== undefined && originOf(known) === origin ? known.keyName : null
}

type Place = Pick<ProviderSettings, 'kind' | 'baseUrl'>

function isSamePlace(one: Place | undefined, other: Place | undefined): boolean {
  return one?.kind === other?.kind && one?.baseUrl === other?.baseUrl
}

/** Without an address it is the provider's own: one for each kind, and the key of one is nothing to another. */
function originOf({ kind, baseUrl }: Place): string {
  return baseUrl === null ? kind : new URL(baseUrl).origin
}

function keyLeftBehind(known: Place | undefined): ErrorBody {
  const origin = known === undefined ? 'another server' : originOf(known)
  return errorBody(
    new AppError('secret.unavailable', {
      message: `the key for ${origin} is not used for another server`,
      userMessage: `The new address is saved. It leads to another server, so the key that was entered for ${origin} was removed and not sent there. If this server wants a key, enter it now.`,
    }),
  )
}

function noProvider(id: string): AppError {
  return new AppError('model.none', {
    message: `no provider ${id}`,
    userMessage: 'That server is not in your settings any more. Look at Settings, Models.',
  })
}

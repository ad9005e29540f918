import type { ProviderStatus } from '../../core/domain/contract.ts'
import type { ModelRef, ProbeResult } from '../../core/domain/model.ts'
import { type Tier, tiers } from '../../core/domain/thread.ts'
import { call } from '../engine/client.ts'
import { durationText, windowText } from '../format/figures.ts'
import { changeSettings } from './load.ts'
import type { ServerKind } from './providers.ts'
import { setApp } from './store.ts'

export const planner: ModelRef = { providerId: 'planner', model: 'planner' }

/** An address that a person typed; without a scheme, http for a host of one's own, https for any other. Null: it is none. */
export function serverAddress(text: string): string | null {
  const trimmed = text.trim()
  const isOwnHost = /^(?:localhost|[\d.]+|\[[\da-f:]+\]|[\w-]+(?:\.local)?)(?:[:/]|$)/i.test(trimmed)
  const scheme = isOwnHost ? 'http' : 'https'
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `${scheme}://${trimmed}`
  if (trimmed === '' || /\s/.test(trimmed) || !URL.canParse(address)) return null
  const url = new URL(address)
  return url.protocol === 'http:' || url.protocol === 'https:' ? address.replace(/\/+$/, '') : null
}

export interface Server {
  /** Absent for a new one. */
  readonly id?: string
  readonly kind: ServerKind
  readonly title: string
  /** Null: the provider's own. */
  readonly baseUrl: string | null
  readonly key: string
}
/** Adds or replaces a server; its models or the reason why they could not be listed come back. */
export async function saveServer({ id, kind, title, baseUrl, key }: Server): Promise<ProviderStatus> {
  const status = await call('provider.save', {
    provider: { ...(id !== undefined && { id }), kind, title, baseUrl },
    ...(key !== '' && { key }),
  })
  setApp({ settings: await call('settings.get', {}) })
  return status
}

/** `host:port`, as a title for a server that has none. */
export function serverTitle(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : baseUrl
}

export type TierModels = Readonly<Record<Tier, ModelRef>>

export function sameForAllTiers(model: ModelRef): TierModels {
  return { minuet: model, allegro: model, forte: model }
}

export function setTierModels(models: TierModels): Promise<void> {
  return changeSettings({ tiers: pickRefs(models) })
}

// Only the reference is a setting: a ModelInfo carries more.
function pickRefs(models: TierModels): TierModels {
  const [minuet, allegro, forte] = tiers.map((tier) => ({
    providerId: models[tier].providerId,
    model: models[tier].model,
  }))
  return { minuet: minuet ?? planner, allegro: allegro ?? planner, forte: forte ?? planner }
}

/** "First token after 0.8 s. Can call actions, several at once, window of 32k tokens." */
export function probeText({ firstTokenMs, tools, parallel, contextTokens }: ProbeResult): string {
  const speed = firstTokenMs === null ? 'Answered.' : `First token after ${durationText(firstTokenMs)}.`
  const actions = tools === null ? 'actions not shown' : tools ? 'can call actions' : 'cannot call actions'
  const lack = tools === false ? ' It answers, but cannot look into files.' : ''
  const atOnce = parallel === true ? ', several at once' : ''
  const window = contextTokens === null ? '' : `, window of ${windowText(contextTokens)} tokens`
  const facts = `${actions}${atOnce}${window}`
  return `${speed} ${facts.charAt(0).toUpperCase()}${facts.slice(1)}.${lack}`
}

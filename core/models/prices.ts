import { isHosted, type ModelPrice, type ModelRef, modelRefText, type Usage } from '../domain/model.ts'
import type { Settings } from '../domain/settings.ts'

/** `offered`: what the provider itself names; a price that a person set comes before it. */
type Priced = Pick<Settings, 'prices' | 'providers'> & { readonly offered?: ModelPrice | undefined }

/** What a call cost in USD; null where the model has no price. What runs on this computer costs nothing. */
export function usdOf(settings: Priced, ref: ModelRef, usage: Usage): number | null {
  const price = settings.prices[modelRefText(ref)] ?? settings.offered
  if (price === undefined) return isLocal(settings, ref) ? 0 : null
  const cached = Math.min(usage.cachedInputTokens ?? 0, usage.inputTokens)
  const fresh = usage.inputTokens - cached
  const { inputUsd, outputUsd, cachedInputUsd = inputUsd } = price
  return (fresh * inputUsd + cached * cachedInputUsd + usage.outputTokens * outputUsd) / 1_000_000
}

/** The built-in planner, models inside the app, and servers on this computer. */
function isLocal({ providers }: Priced, { providerId }: ModelRef): boolean {
  const provider = providers.find((each) => each.id === providerId)
  if (isWithin(provider?.kind ?? providerId)) return true
  // A gateway on this computer passes a hosted model on, and its bill with it.
  if (provider === undefined || provider.baseUrl === null || isHosted(provider.kind)) return false
  const { hostname } = new URL(provider.baseUrl)
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname)
}

function isWithin(kind: string): boolean {
  return kind === 'planner' || kind === 'scripted' || kind === 'local'
}

import { type ModelRef, modelRefText, type Usage } from '../domain/model.ts'
import type { Settings } from '../domain/settings.ts'

/** What a call cost in USD; null where the model has no price. What runs on this computer costs nothing. */
export function usdOf(settings: Settings, ref: ModelRef, usage: Usage): number | null {
  const price = settings.prices[modelRefText(ref)]
  if (price === undefined) return isLocal(settings, ref) ? 0 : null
  const cached = Math.min(usage.cachedInputTokens ?? 0, usage.inputTokens)
  const fresh = usage.inputTokens - cached
  const { inputUsd, outputUsd, cachedInputUsd = inputUsd } = price
  return (fresh * inputUsd + cached * cachedInputUsd + usage.outputTokens * outputUsd) / 1_000_000
}

/** The built-in planner, models inside the app, and servers on this computer. */
function isLocal(settings: Settings, { providerId }: ModelRef): boolean {
  const provider = settings.providers.find((each) => each.id === providerId)
  if (isWithin(provider?.kind ?? providerId)) return true
  const baseUrl = provider?.baseUrl
  if (baseUrl === undefined || baseUrl === null) return false
  const { hostname } = new URL(baseUrl)
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname)
}

function isWithin(kind: string): boolean {
  return kind === 'planner' || kind === 'scripted' || kind === 'local'
}

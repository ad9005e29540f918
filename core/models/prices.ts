import { type ModelPrice, type ModelRef, modelRefText, providerKinds, runsHere, type Usage } from '../domain/model.ts'
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

/** A provider that is not in the settings is one of those inside the app, under its kind. */
function isLocal({ providers }: Priced, { providerId }: ModelRef): boolean {
  const provider = providers.find((each) => each.id === providerId)
  if (provider !== undefined) return runsHere(provider)
  const kind = providerKinds.find((each) => each === providerId)
  return kind !== undefined && runsHere({ kind, baseUrl: null })
}

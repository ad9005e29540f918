import { isHosted, type ModelRef, modelRefText } from '../../core/domain/model.ts'
import type { Settings, SettingsPatch } from '../../core/domain/settings.ts'
import { type Tier, tiers } from '../../core/domain/thread.ts'

export type Price = Settings['prices'][string]

/** What a call of a model costs. `free`: it runs on this computer. `none`: nobody said, so that nothing is counted. */
export type Pricing =
  | { readonly kind: 'price'; readonly price: Price }
  | { readonly kind: 'free' }
  | { readonly kind: 'none' }

type Priced = Pick<Settings, 'prices' | 'providers'>

/** The same rule as the engine's meter: a price that was set counts, also for a server of this computer. */
export function pricingOf({ prices, providers }: Priced, ref: ModelRef): Pricing {
  const price = prices[modelRefText(ref)]
  if (price !== undefined) return { kind: 'price', price }
  if (ref.providerId === 'planner' || ref.providerId === 'local') return { kind: 'free' }
  const provider = providers.find(({ id }) => id === ref.providerId)
  // A gateway on this computer passes a hosted model on, and its bill with it.
  const baseUrl = provider === undefined || isHosted(provider.kind) ? '' : (provider.baseUrl ?? '')
  return { kind: URL.canParse(baseUrl) && isThisComputer(new URL(baseUrl).hostname) ? 'free' : 'none' }
}

function isThisComputer(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname)
}

/** Tiers whose model is not asked at all where there is a limit in USD. */
export function tiersWithoutPrice(settings: Pick<Settings, 'prices' | 'providers' | 'tiers'>): readonly Tier[] {
  return tiers.filter((tier) => pricingOf(settings, settings.tiers[tier]).kind === 'none')
}

/** `$0.25 in, $2.00 out, $0.025 cached`, per million tokens. */
export function priceText({ inputUsd, outputUsd, cachedInputUsd }: Price): string {
  const cached = cachedInputUsd === undefined ? '' : `, ${perMillion(cachedInputUsd)} cached`
  return `${perMillion(inputUsd)} in, ${perMillion(outputUsd)} out${cached}`
}

/** As many places as it has, two at least: prices are small and exact. */
function perMillion(usd: number): string {
  const [, decimals = ''] = String(usd).split('.')
  return `$${decimals.length > 2 ? usd : usd.toFixed(2)}`
}

/** A model's price, or null for none. */
export function withPrice({ prices }: Pick<Settings, 'prices'>, ref: ModelRef, price: Price | null): SettingsPatch {
  const { [modelRefText(ref)]: _, ...others } = prices
  return { prices: price === null ? others : { ...others, [modelRefText(ref)]: price } }
}

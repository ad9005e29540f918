import type { ProviderStatus } from '../../core/domain/contract.ts'
import type { ProviderKind } from '../../core/domain/model.ts'
import type { Settings } from '../../core/domain/settings.ts'
import { tiers, tierTitles } from '../../core/domain/thread.ts'
import type { StatusLook } from '../components/status.tsx'
import { counted } from '../format/figures.ts'

/** What a person can add. Hosted ones have an address of their own. */
export const serverKinds = ['openai', 'anthropic', 'google', 'openrouter', 'ollama', 'openai-compatible'] as const
export type ServerKind = (typeof serverKinds)[number]

export const kindTitles: Readonly<Record<ServerKind, string>> = {
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google',
  openrouter: 'OpenRouter',
  ollama: 'Ollama',
  'openai-compatible': 'Other server',
}

export function serverKindOf(kind: ProviderKind): ServerKind | undefined {
  return serverKinds.find((each) => each === kind)
}

/** Whether a provider answers; a key that is refused, missing or unreadable is told apart. */
export function providerLook({ models, error, hasKey }: ProviderStatus): StatusLook {
  switch (error?.code) {
    case undefined:
      return { status: 'done', word: counted(models.length, 'model') }
    case 'model.auth':
      return { status: 'failed', word: hasKey ? 'key refused' : 'wants a key' }
    case 'secret.unavailable':
      return { status: 'waiting', word: 'key cannot be read' }
    case 'model.connect':
      return { status: 'failed', word: 'not reached' }
    default:
      return { status: 'failed', word: 'not answering' }
  }
}

/** A key that cannot be read is there all the same: it is never called missing. */
export function keyText({ error, hasKey, keyName }: ProviderStatus): string {
  if (error?.code === 'secret.unavailable' && keyName !== null) return 'its key is there, but cannot be read'
  return hasKey ? 'with a key' : 'without a key'
}

/** What comes of removing a provider: sentences. */
export function removalConsequences(settings: Pick<Settings, 'tiers'>, provider: ProviderStatus): readonly string[] {
  const consequences = ['Threads on record keep all that it said.']
  if (provider.keyName !== null) consequences.unshift('Its key is deleted from this computer.')
  return [tiersText(settings, { providerId: provider.id }), ...consequences]
}

/** Which tiers lose their model when it goes: a sentence. Without a model: all models of the provider. */
export function tiersText(
  settings: Pick<Settings, 'tiers'>,
  { providerId, model }: { readonly providerId: string; readonly model?: string },
): string {
  const used = tiers
    .filter((tier) => settings.tiers[tier].providerId === providerId)
    .filter((tier) => model === undefined || settings.tiers[tier].model === model)
    .map((tier) => tierTitles[tier])
  if (used.length === 0) return 'No tier uses it now.'
  const last = used.at(-1) ?? ''
  const names = used.length === 1 ? last : `${used.slice(0, -1).join(', ')} and ${last}`
  return `${names} ${used.length === 1 ? 'goes' : 'go'} back to the built-in planner.`
}

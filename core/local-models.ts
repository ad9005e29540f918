import type { ModelRef } from './domain/model.ts'
import type { LocalModelSettings, Settings } from './domain/settings.ts'
import type { SettingsStore } from './settings.ts'

/** The list of local models as it stands in the settings. Tiers and the embedder let go of a model that leaves it. */
export function localModelsIn(settings: SettingsStore) {
  return {
    current: () => settings.current.local.models,
    save(models: readonly LocalModelSettings[]): void {
      const { local, tiers, embedder, providers } = settings.current
      // A server may have taken the name.
      const isOurs = providers.every(({ id }) => id !== 'local')
      const refs = isOurs ? keptBy(models, { tiers, embedder }) : {}
      settings.set({ ...refs, local: { ...local, models: [...models] } })
    },
  }
}

const planner: ModelRef = { providerId: 'planner', model: 'planner' }

function keptBy(
  models: readonly LocalModelSettings[],
  { tiers, embedder }: Pick<Settings, 'tiers' | 'embedder'>,
): Pick<Settings, 'tiers' | 'embedder'> {
  const isGone = (ref: ModelRef) => ref.providerId === 'local' && !models.some(({ name }) => name === ref.model)
  const kept = (ref: ModelRef) => (isGone(ref) ? planner : ref)
  return {
    tiers: { minuet: kept(tiers.minuet), allegro: kept(tiers.allegro), forte: kept(tiers.forte) },
    embedder: embedder !== null && isGone(embedder) ? null : embedder,
  }
}

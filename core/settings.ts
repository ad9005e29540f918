import {
  defaultSettings,
  providerSchema,
  type Settings,
  type SettingsPatch,
  settingsSchema,
} from './domain/settings.ts'
import type { Store } from './store/store.ts'

type Providers = Settings['providers']

export interface SettingsStore {
  readonly current: Settings
  /** Changes what the patch names and nothing else; in force at once, also for running threads' next request. */
  set(
    patch: Omit<SettingsPatch, 'local'> & {
      readonly providers?: Providers
      readonly probes?: Settings['probes']
      readonly integrations?: Settings['integrations']
      readonly skillLists?: Settings['skillLists']
      readonly local?: Settings['local']
    },
  ): Settings
}

/** Read once and held. A value that no longer fits its schema shows its default and stays in the store as it is. */
export function createSettings(store: Store): SettingsStore {
  const stored = readAll(store)
  let storedProviders = stored.get('providers')
  let current = settingsFrom(stored)
  return {
    get current() {
      return current
    },
    set(patch) {
      const next = settingsSchema.parse({ ...current, ...patch })
      const providers = withUnknown(next.providers, storedProviders)
      store.transaction(() => {
        for (const [name, value] of Object.entries({ ...next, providers })) {
          if (name in patch) store.settings.set(name, JSON.stringify(value))
        }
      })
      if ('providers' in patch) storedProviders = providers
      current = next
      return next
    },
  }
}

function readAll(store: Store): ReadonlyMap<string, unknown> {
  return new Map(store.settings.all().map(({ name, value }) => [name, parseJson(value)]))
}

function settingsFrom(stored: ReadonlyMap<string, unknown>): Settings {
  let settings = defaultSettings
  for (const [name, value] of stored) {
    const shown = name === 'providers' ? readable(value) : value
    const parsed = settingsSchema.safeParse({ ...settings, [name]: shown })
    if (parsed.success) settings = parsed.data
  }
  return settings
}

/** Server by server: one that a newer version wrote must not hide the others. */
function readable(stored: unknown): Providers {
  return itemsOf(stored).flatMap((item) => {
    const parsed = providerSchema.safeParse(item)
    return parsed.success ? [parsed.data] : []
  })
}

/** What is written: each server with the fields that are not known here, then the servers that cannot be read. */
function withUnknown(providers: Providers, stored: unknown): readonly unknown[] {
  const known = new Map<string, unknown>()
  const unreadable: unknown[] = []
  for (const item of itemsOf(stored)) {
    const parsed = providerSchema.safeParse(item)
    if (parsed.success) known.set(parsed.data.id, item)
    else unreadable.push(item)
  }
  const whole = (provider: Providers[number]) => Object.assign({}, known.get(provider.id), provider)
  return [...providers.map(whole), ...unreadable]
}

function itemsOf(stored: unknown): readonly unknown[] {
  return Array.isArray(stored) ? stored : []
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not our JSON: as good as absent, and left in the store untouched.
    return undefined
  }
}

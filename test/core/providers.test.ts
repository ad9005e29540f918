import { expect, test } from 'vitest'
import type { Models } from '../../core/models/models.ts'
import { createProviders } from '../../core/providers.ts'
import type { Secrets } from '../../core/secrets.ts'
import { createSettings } from '../../core/settings.ts'
import { startEngine } from '../support/engine.ts'

test('the key of one hosted provider is never kept for another: what it is changed into has none', async () => {
  const settings = createSettings((await startEngine()).store)
  const values = new Map<string, string>()
  const secrets: Secrets = {
    backend: 'a keyring of this test',
    isProtected: true,
    get: async (name) => values.get(name),
    set: async (name, value) => void values.set(name, value),
    remove: async (name) => void values.delete(name),
  }
  // The far end: both providers answer at their official addresses.
  const list: Models['list'] = async () =>
    settings.current.providers.map((each) => ({ ...each, models: [], hasKey: each.keyName !== null }))
  const probe: Models['probe'] = () => Promise.reject(new Error('nobody tests a model here'))
  const providers = createProviders({ settings, secrets, models: { list, probe }, nextId: () => 'prv_1', now: () => 0 })
  const { signal } = new AbortController()
  const hosted = { title: 'Mine', baseUrl: null }

  await providers.save({ ...hosted, kind: 'openai' }, 'sk-openai', signal)
  const renamed = await providers.save({ ...hosted, id: 'prv_1', kind: 'openai', title: 'Other' }, undefined, signal)
  expect(renamed.keyName).not.toBeNull()
  expect([...values.values()]).toEqual(['sk-openai'])

  const changed = await providers.save({ ...hosted, id: 'prv_1', kind: 'anthropic' }, undefined, signal)
  expect(changed).toMatchObject({ keyName: null, error: { code: 'secret.unavailable' } })
  expect([...values.values()]).toEqual([])
})

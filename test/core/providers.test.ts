import { describe, expect, test } from 'vitest'
import type { ProbeResult } from '../../core/domain/model.ts'
import type { Models } from '../../core/models/models.ts'
import { createProviders, type ProviderInput, type Providers } from '../../core/providers.ts'
import { noSecrets, type Secrets } from '../../core/secrets.ts'
import { createSettings } from '../../core/settings.ts'
import { startEngine } from '../support/engine.ts'

const live = new AbortController().signal

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

describe('a test of a model that ends late', () => {
  const hosted = { kind: 'openai', title: 'Mine', baseUrl: null } as const
  const shown: ProbeResult = {
    ...{ name: 'm', provider: 'prv_1', tools: true, parallel: true, contextTokens: 8_000, firstTokenMs: 1 },
  }
  const ref = { providerId: 'prv_1', model: 'm' }

  /** `meanwhile` happens between the question and its answer. */
  async function probed(meanwhile: (providers: Providers) => Promise<unknown>) {
    const settings = createSettings((await startEngine()).store)
    const secrets = noSecrets('nothing here has a key')
    const list: Models['list'] = async () =>
      settings.current.providers.map((each) => ({ ...each, models: [], hasKey: false }))
    const probe: Models['probe'] = async () => {
      await meanwhile(providers)
      return shown
    }
    const providers = createProviders({
      settings,
      secrets,
      models: { list, probe },
      nextId: () => 'prv_1',
      now: () => 0,
    })
    await providers.save(hosted, undefined, live)
    expect(await providers.probe(ref, live)).toEqual(shown)
    return settings.current.probes
  }

  test.each<[string, ProviderInput]>([
    ['has another address by then', { ...hosted, baseUrl: 'https://gateway.example/v1' }],
    ['is of another kind by then', { ...hosted, kind: 'anthropic' }],
  ])('is answered and not kept where its server %s', async (_, input) => {
    expect(await probed((providers) => providers.save({ ...input, id: 'prv_1' }, undefined, live))).toEqual({})
  })

  test('is answered and not kept where its server is removed by then', async () => {
    expect(await probed((providers) => providers.remove('prv_1'))).toEqual({})
  })

  test('is kept where its server only has another name by then', async () => {
    const renamed = { ...hosted, id: 'prv_1', title: 'Other' }
    expect(await probed((providers) => providers.save(renamed, undefined, live))).toHaveProperty(
      ['prv_1/m', 'tools'],
      true,
    )
  })
})

import { describe, expect, onTestFinished, test } from 'vitest'
import { errorBody } from '../../core/domain/error.ts'
import type { Engine, Secrets } from '../../core/engine.ts'
import { startEngine, temporaryFolder } from '../support/engine.ts'
import { startLocalServer } from '../support/local-servers.ts'
import { startModelServer } from '../support/model-server.ts'

test('a change sets what it names and nothing else, and is there after a restart', async () => {
  const dataDir = temporaryFolder()
  const engine = await startEngine({ dataDir })
  await engine.api.call('provider.save', {
    provider: { kind: 'openai-compatible', title: 'Mine', baseUrl: 'http://127.0.0.1:9/v1' },
  })
  await engine.api.call('settings.set', { patch: { theme: 'dark' } })
  await engine.api.call('settings.set', { patch: { density: 'comfortable' } })
  await engine.stop('over')
  const again = await startEngine({ dataDir })
  expect(await again.api.call('settings.get', {})).toMatchObject({
    theme: 'dark',
    density: 'comfortable',
    providers: [{ title: 'Mine' }],
  })
})

test('a value that no longer fits shows its default, hides nothing else and stays in the store', async () => {
  const dataDir = temporaryFolder()
  const engine = await startEngine({ dataDir })
  await engine.api.call('settings.set', { patch: { density: 'comfortable' } })
  engine.store.transaction(() => {
    engine.store.settings.set('theme', '"purple"')
    engine.store.settings.set('fromTheFuture', '[1]')
    engine.store.settings.set('singleKeys', 'not json')
  })
  await engine.stop('over')
  const again = await startEngine({ dataDir })
  expect(await again.api.call('settings.get', {})).toMatchObject({
    theme: 'system',
    density: 'comfortable',
    singleKeys: true,
  })
  await again.api.call('settings.set', { patch: { singleKeys: false } })
  expect(again.store.settings.all()).toEqual(
    expect.arrayContaining([
      { name: 'theme', value: '"purple"' },
      { name: 'fromTheFuture', value: '[1]' },
    ]),
  )
})

test('removing a server sends the tiers that used it back to the planner, and the search back to words', async () => {
  const engine = await startEngine()
  const saved = await engine.api.call('provider.save', {
    provider: { kind: 'openai-compatible', title: 'Mine', baseUrl: 'http://127.0.0.1:9/v1' },
  })
  const mine = { providerId: saved.id, model: 'm' }
  const planner = { providerId: 'planner', model: 'planner' }
  const tiers = { minuet: planner, allegro: mine, forte: mine }
  await engine.api.call('settings.set', { patch: { tiers, embedder: mine } })
  expect(await engine.api.call('provider.remove', { id: saved.id })).toMatchObject({
    providers: [],
    tiers: { minuet: planner, allegro: planner, forte: planner },
    embedder: null,
  })
})

test('a key without a keychain is refused, and the server is not saved half', async () => {
  const engine = await startEngine()
  const provider = { kind: 'openai-compatible', title: 'Mine', baseUrl: 'https://api.example.com/v1' } as const
  await expect(engine.api.call('provider.save', { provider, key: 'k' })).rejects.toMatchObject({
    code: 'secret.unavailable',
  })
  expect((await engine.api.call('settings.get', {})).providers).toEqual([])
})

test('servers are changed by their own calls only: a patch with servers is refused', async () => {
  const engine = await startEngine()
  const provider = { id: 'x', kind: 'ollama', title: 'X', baseUrl: 'https://evil.example', keyName: 'provider:y' }
  await expect(engine.api.callByName('settings.set', { patch: { providers: [provider] } })).rejects.toMatchObject({
    code: 'api.input',
  })
  expect((await engine.api.call('settings.get', {})).providers).toEqual([])
})

test.each([
  ['a password', 'http://user:s3cret@127.0.0.1:9/v1'],
  ['a user name alone', 'http://s3cret@127.0.0.1:9/v1'],
  ['a key in the query', 'http://127.0.0.1:9/v1?key=s3cret'],
  ['a fragment', 'http://127.0.0.1:9/v1#s3cret'],
])('an address with %s is saved nowhere and repeated nowhere; where a key belongs is said', async (_, baseUrl) => {
  const engine = await startEngine()
  const save = engine.api.call('provider.save', { provider: { kind: 'openai-compatible', title: 'Mine', baseUrl } })
  const error: unknown = await save.catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'api.input', userMessage: expect.stringContaining('`threadsmith provider key') })
  expect(JSON.stringify(errorBody(error))).not.toContain('s3cret')
  expect(JSON.stringify(engine.store.settings.all())).not.toContain('s3cret')
})

test('what a test of a model showed is kept, until its server has another address or is removed', async () => {
  const server = await startLocalServer('vllm', { windowTokens: 20_480 })
  onTestFinished(() => server.close())
  const clock = { now: () => 1_000, monotonic: () => 0 }
  const engine = await startEngine({ clock })
  const provider = { kind: 'openai-compatible', title: 'Mine', baseUrl: server.baseUrl } as const
  const { id } = await engine.api.call('provider.save', { provider })
  const probes = async () => (await engine.api.call('settings.get', {})).probes
  const probe = () => engine.api.call('model.probe', { providerId: id, model: 'test-model' })
  await probe()
  const kept = { at: 1_000, tools: true, parallel: true, contextTokens: 20_480, firstTokenMs: 0 }
  expect(await probes()).toEqual({ [`${id}/test-model`]: kept })

  await engine.api.call('provider.save', { provider: { ...provider, id, title: 'Renamed' } })
  expect(await probes()).toEqual({ [`${id}/test-model`]: kept })
  await expect(engine.api.callByName('settings.set', { patch: { probes: {} } })).rejects.toMatchObject({
    code: 'api.input',
  })
  await engine.api.call('provider.save', { provider: { ...provider, id, baseUrl: 'http://127.0.0.1:9/v1' } })
  expect(await probes()).toEqual({})

  await probe()
  const error = { code: 'model.connect', userMessage: expect.stringContaining('No model server answers') }
  const unknown = { tools: null, parallel: null, contextTokens: null, firstTokenMs: null }
  expect(await probes()).toEqual({ [`${id}/test-model`]: { at: 1_000, ...unknown, error } })
  await engine.api.call('provider.remove', { id })
  expect(await probes()).toEqual({})
})

describe('servers that a newer version wrote', () => {
  const known = { id: 'prv_1', kind: 'ollama', title: 'Known', baseUrl: 'http://127.0.0.1:9', keyName: null }
  const extended = { ...known, id: 'prv_2', title: 'Extended', region: 'north' }
  const foreign = { id: 'prv_3', kind: 'quantum', title: 'Foreign' }
  const stored = (engine: Engine) =>
    JSON.parse(engine.store.settings.all().find(({ name }) => name === 'providers')?.value ?? '')

  async function reopened(value: string) {
    const dataDir = temporaryFolder()
    const engine = await startEngine({ dataDir })
    engine.store.transaction(() => engine.store.settings.set('providers', value))
    await engine.stop('over')
    return startEngine({ dataDir })
  }

  test('are shown as far as they can be read, one by one', async () => {
    const engine = await reopened(JSON.stringify([known, foreign, extended]))
    expect((await engine.api.call('settings.get', {})).providers).toEqual([
      known,
      { ...known, id: 'prv_2', title: 'Extended' },
    ])
  })

  test('keep what is not understood when another server is saved, changed or removed', async () => {
    const engine = await reopened(JSON.stringify([known, foreign, extended]))
    const { kind, baseUrl } = { kind: 'ollama', baseUrl: 'http://127.0.0.1:9' } as const
    const added = await engine.api.call('provider.save', { provider: { kind, title: 'New', baseUrl } })
    await engine.api.call('provider.save', { provider: { id: 'prv_2', kind, title: 'Renamed', baseUrl } })
    await engine.api.call('provider.remove', { id: 'prv_1' })
    const now = stored(engine)
    expect(now).toHaveLength(3)
    expect(now).toEqual(
      expect.arrayContaining([foreign, { ...extended, title: 'Renamed' }, { ...known, id: added.id, title: 'New' }]),
    )
  })

  test('and a row that is no list is left until a server is saved', async () => {
    const engine = await reopened('{"not":"a list"}')
    await engine.api.call('settings.set', { patch: { theme: 'dark' } })
    expect(stored(engine)).toEqual({ not: 'a list' })
    expect((await engine.api.call('settings.get', {})).providers).toEqual([])
  })
})

describe('a key belongs to the server that it was entered for', () => {
  function keyring() {
    const values = new Map<string, string>()
    const secrets: Secrets = {
      backend: 'a keyring of this test',
      isProtected: true,
      get: async (name) => values.get(name),
      set: async (name, value) => void values.set(name, value),
      remove: async (name) => void values.delete(name),
    }
    return { values, secrets }
  }
  async function withKey() {
    const [first, second] = [await startModelServer([]), await startModelServer([])]
    const { values, secrets } = keyring()
    const engine = await startEngine({ secrets })
    const save = (id: string | undefined, baseUrl: string, key?: string) =>
      engine.api.call('provider.save', {
        provider: { ...(id !== undefined && { id }), kind: 'openai-compatible', title: 'Mine', baseUrl },
        ...(key !== undefined && { key }),
      })
    const { id } = await save(undefined, first.baseUrl, 'sk-first')
    return { engine, values, save, id, first, second }
  }
  const servers = (...all: readonly { close: () => Promise<void> }[]) => Promise.all(all.map((each) => each.close()))

  test('whoever enters one is told which keychain keeps it, and whether that protects it', async () => {
    const { secrets } = keyring()
    const engine = await startEngine({ secrets: { ...secrets, isProtected: false } })
    expect(await engine.api.call('provider.keychain', {})).toEqual({
      ...{ backend: 'a keyring of this test', isProtected: false },
    })
  })

  test('another path of the same server keeps it', async () => {
    const { save, id, first, second, values } = await withKey()
    const moved = await save(id, `${first.origin}/other/v1`)
    expect(moved).toMatchObject({ hasKey: true })
    expect(moved.keyName).not.toBeNull()
    expect([...values.values()]).toEqual(['sk-first'])
    await servers(first, second)
  })

  test('another host or port never sees it: it is removed, and that is said', async () => {
    const { engine, save, id, first, second, values } = await withKey()
    const moved = await save(id, second.baseUrl)
    expect(moved).toMatchObject({ keyName: null, hasKey: false, error: { code: 'secret.unavailable' } })
    expect(moved.error?.userMessage).toContain(first.origin)
    expect([...values.values()]).toEqual([])
    await engine.api.call('model.probe', { providerId: id, model: 'test-model' })
    expect(second.requests.map((request) => request.headers.authorization)).toEqual([undefined])
    // Said once, where it happened.
    expect(await save(id, second.baseUrl)).not.toHaveProperty('error')
    await servers(first, second)
  })

  test('with a new key the new server gets that one and the old one is gone', async () => {
    const { save, id, first, second, values } = await withKey()
    expect(await save(id, second.baseUrl, 'sk-second')).toMatchObject({ hasKey: true, models: [{}] })
    expect([...values.values()]).toEqual(['sk-second'])
    await servers(first, second)
  })

  test('http and https are two servers', async () => {
    const { save, id, first, second } = await withKey()
    expect(await save(id, first.baseUrl.replace('http:', 'https:'))).toMatchObject({ keyName: null })
    await servers(first, second)
  })
})

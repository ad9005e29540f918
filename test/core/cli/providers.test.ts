import { expect, test } from 'vitest'
import { removeProvider } from '../../../core/cli/providers.ts'
import type { Secrets } from '../../../core/engine.ts'
import { startEngine } from '../../support/engine.ts'
import { startModelServer } from '../../support/model-server.ts'
import { accessTo, printed } from './support.ts'

test.each([
  ['with a key, here', 'sk', true, 'removed Mine, and its key\n', ''],
  [
    'with a key, through the app',
    'sk',
    false,
    'removed Mine, and the key that the app kept for it\n',
    'secrets-cli.json',
  ],
  ['without a key', undefined, false, 'removed Mine\n', ''],
])('provider remove of one %s says what became of its key, and no more', async (_, key, isOwn, said, noted) => {
  const server = await startModelServer([])
  const values = new Map<string, string>()
  const secrets: Secrets = {
    backend: 'a keyring of this test',
    isProtected: true,
    get: async (name) => values.get(name),
    set: async (name, value) => void values.set(name, value),
    remove: async (name) => void values.delete(name),
  }
  const engine = await startEngine({ secrets })
  const provider = { kind: 'openai-compatible', title: 'Mine', baseUrl: server.baseUrl } as const
  const { id } = await engine.api.call('provider.save', { provider, ...(key && { key }) })
  await server.close()
  const { terminal, text, err } = printed(false)
  expect(await removeProvider(accessTo(engine, { isOwn }), terminal, id)).toBe(0)
  expect(text()).toBe(said)
  const note = err()
  expect(noted === '' ? note : note.includes(noted)).toBe(noted === '' ? '' : true)
  expect([...values]).toEqual([])
})

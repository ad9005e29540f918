import type { Secrets } from '../../core/secrets.ts'

/** A keychain that a test can look into. `locked`: what is kept cannot be read. */
export interface TestSecrets extends Secrets {
  readonly values: ReadonlyMap<string, string>
  locked: boolean
}

export function testSecrets(): TestSecrets {
  const values = new Map<string, string>()
  const secrets: TestSecrets = {
    backend: 'a keyring of this test',
    isProtected: true,
    values,
    locked: false,
    async get(name) {
      if (secrets.locked) throw new Error('the keyring is locked')
      return values.get(name)
    },
    set: async (name, value) => void values.set(name, value),
    remove: async (name) => void values.delete(name),
  }
  return secrets
}

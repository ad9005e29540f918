import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSecrets, type Encryption } from '../../electron/secrets.ts'

/** A keyring that obscures by reversing, and can be locked or changed for another. */
function fakeKeyring() {
  const state = { isOpen: true, key: 'k1', isPlain: false }
  const encryption: Encryption = {
    isEncryptionAvailable: () => state.isOpen,
    encryptString: (plain) => Buffer.from(`${state.key}:${[...plain].reverse().join('')}`),
    decryptString: (encrypted) => {
      const [key, text = ''] = encrypted.toString().split(':')
      if (!state.isOpen || key !== state.key) throw new Error('Error while decrypting the ciphertext')
      return [...text].reverse().join('')
    },
    setUsePlainTextEncryption: (isPlain) => {
      state.isPlain = isPlain
    },
  }
  return { state, encryption }
}

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'secrets-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function open(keyring = fakeKeyring(), backend = 'gnome_libsecret') {
  const file = path.join(folder, 'secrets.json')
  return { ...keyring, file, secrets: createSecrets({ file, encryption: keyring.encryption, backend: () => backend }) }
}

describe('saved keys', () => {
  it('come back after a restart and never stand in the file as they are', async () => {
    const { secrets, file, ...keyring } = open()
    await secrets.set('provider/openai', 'sk-12345')
    expect(await open(keyring).secrets.get('provider/openai')).toBe('sk-12345')
    expect(readFileSync(file, 'utf8')).not.toContain('sk-12345')
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('are absent where none was saved or it was removed, and leave the others alone', async () => {
    const { secrets } = open()
    await secrets.set('a', '1')
    await secrets.set('b', '2')
    await secrets.remove('a')
    await secrets.remove('never')
    expect([await secrets.get('a'), await secrets.get('b')]).toEqual([undefined, '2'])
  })

  it('that cannot be decrypted are an error, never "no key"', async () => {
    const { secrets, state } = open()
    await secrets.set('a', '1')
    state.key = 'k2'
    await expect(secrets.get('a')).rejects.toMatchObject({ code: 'secret.unavailable', retryable: true })
    expect(await secrets.get('b')).toBeUndefined()
    state.key = 'k1'
    expect(await secrets.get('a')).toBe('1')
  })

  it('are not written while nothing encrypts', async () => {
    const { secrets, state } = open()
    state.isOpen = false
    await expect(secrets.set('a', '1')).rejects.toMatchObject({ code: 'secret.unavailable' })
    expect(readdirSync(folder)).toEqual([])
  })

  it('in a file that cannot be read are an error; entering one anew keeps that file', async () => {
    const { secrets, file } = open()
    writeFileSync(file, '{"version":1,"val')
    await expect(secrets.get('a')).rejects.toMatchObject({ code: 'secret.unavailable' })
    await secrets.set('a', 'new')
    expect(await secrets.get('a')).toBe('new')
    expect(readFileSync(`${file}.aside-1`, 'utf8')).toBe('{"version":1,"val')
  })

  it('without a keyring are obscured only, and that is said', async () => {
    const { secrets, state } = open(fakeKeyring(), 'basic_text')
    await secrets.set('a', '1')
    expect(state.isPlain).toBe(true)
    expect(secrets.backend).toContain('only obscured, not protected')
    expect(secrets.isProtected).toBe(false)
    const kept = open()
    await kept.secrets.set('a', '1')
    expect(kept.state.isPlain).toBe(false)
    expect(kept.secrets.backend).toBe('gnome_libsecret')
    expect(kept.secrets.isProtected).toBe(true)
  })
})

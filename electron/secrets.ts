import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { AppError } from '../core/domain/error.ts'
import type { Secrets } from '../core/engine.ts'

/** The part of Electron's safeStorage that is used here. */
export interface Encryption {
  isEncryptionAvailable(): boolean
  encryptString(plain: string): Buffer
  decryptString(encrypted: Buffer): string
  /** Without a keyring Linux encrypts nothing until this is called: the values are then obscured by a fixed password. */
  setUsePlainTextEncryption(usePlainText: boolean): void
}

export interface SecretsOptions {
  readonly file: string
  readonly encryption: Encryption
  /**
   * Where the system keeps its key: `keychain`, `gnome_libsecret`, … or `basic_text`, which protects nothing. Asked only
   * when needed: looking for a keyring may take a while.
   */
  readonly backend: () => string
}

const obscuring = 'basic_text'
const fileSchema = z.strictObject({ version: z.literal(1), values: z.record(z.string(), z.base64()) })
type SecretsFile = z.infer<typeof fileSchema>

/**
 * Keys of providers, encrypted by the system's own store. A key that cannot be decrypted is an error, never "no key": else a
 * request would go out without it.
 */
export function createSecrets({ file, encryption, backend }: SecretsOptions): Secrets {
  function prepare(): void {
    if (backend() === obscuring) encryption.setUsePlainTextEncryption(true)
  }
  return {
    get backend() {
      const name = backend()
      return name === obscuring ? 'no keyring on this system: keys are only obscured, not protected' : name
    },
    get isProtected() {
      return backend() !== obscuring
    },
    async get(name) {
      const encrypted = read(file).values[name]
      if (encrypted === undefined) return undefined
      prepare()
      try {
        return encryption.decryptString(Buffer.from(encrypted, 'base64'))
      } catch (cause) {
        throw unavailable(`${name} cannot be decrypted by ${backend()}`, cause)
      }
    },
    async set(name, value) {
      prepare()
      if (!encryption.isEncryptionAvailable()) throw unavailable(`${backend()} does not encrypt now`)
      const encrypted = encryption.encryptString(value).toString('base64')
      write(file, { version: 1, values: { ...readOrSetAside(file).values, [name]: encrypted } })
    },
    async remove(name) {
      const { [name]: gone, ...values } = readOrSetAside(file).values
      if (gone !== undefined) write(file, { version: 1, values })
    },
  }
}

function read(file: string): SecretsFile {
  if (!fs.existsSync(file)) return { version: 1, values: {} }
  try {
    return fileSchema.parse(JSON.parse(fs.readFileSync(file, 'utf8')))
  } catch (cause) {
    throw unavailable('secrets.json cannot be read', cause)
  }
}

/** A person who enters a key anew must not be stopped by a broken file; it is kept beside the new one. */
function readOrSetAside(file: string): SecretsFile {
  try {
    return read(file)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    let number = 1
    while (fs.existsSync(`${file}.aside-${number}`)) number += 1
    fs.renameSync(file, `${file}.aside-${number}`)
    return { version: 1, values: {} }
  }
}

/** By a rename: a crash leaves the old file or the new one. */
function write(file: string, content: SecretsFile): void {
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const fresh = `${file}.new`
  fs.writeFileSync(fresh, JSON.stringify(content), { mode: 0o600 })
  fs.renameSync(fresh, file)
}

function unavailable(message: string, cause?: unknown): AppError {
  return new AppError('secret.unavailable', {
    message,
    userMessage:
      'A saved key cannot be read now: the keyring of this system is locked or has changed. The key was not deleted. Unlock the keyring and try again, or enter the key anew.',
    cause,
    retryable: true,
  })
}

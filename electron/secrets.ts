import { z } from 'zod'
import { AppError } from '../core/domain/error.ts'
import { openKeyFile, type Secrets } from '../core/engine.ts'

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

/**
 * Keys of providers, encrypted by the system's own store. A key that cannot be decrypted is an error, never "no key": else a
 * request would go out without it.
 */
export function createSecrets({ file, encryption, backend }: SecretsOptions): Secrets {
  const keys = openKeyFile({ file, parse: (value) => fileSchema.parse(value), unavailable })
  const valuesIn = (content: z.infer<typeof fileSchema> | undefined) => content?.values ?? {}
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
      const encrypted = valuesIn(keys.read())[name]
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
      keys.write({ version: 1, values: { ...valuesIn(keys.readOrSetAside()), [name]: encrypted } })
    },
    async remove(name) {
      const { [name]: gone, ...values } = valuesIn(keys.readOrSetAside())
      if (gone !== undefined) keys.write({ version: 1, values })
    },
  }
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

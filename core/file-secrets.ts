import { createCipheriv, createDecipheriv, type ScryptOptions, scrypt } from 'node:crypto'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { AppError } from './domain/error.ts'
import { openKeyFile } from './key-file.ts'
import { keptElsewhere, type Secrets } from './secrets.ts'

export interface FileSecretsOptions {
  readonly file: string
  /** The only thing that opens the file; it is kept nowhere. */
  readonly passphrase: string
  /** Fit for keys: salts and nonces. */
  readonly randomBytes: (count: number) => Buffer
  /** scrypt by default, which takes a second and 128 MiB on purpose. */
  readonly derive?: Derive
}

/** A key of 32 bytes. */
type Derive = (passphrase: string, salt: Buffer, options: ScryptOptions) => Promise<Buffer>

const cost = { cost: 131_072, blockSize: 8, parallelization: 1 } as const

// Only what is ever written: a number in a file must not take the memory of the computer, or make the passphrase cheap to guess.
const derivation = z.strictObject({
  name: z.literal('scrypt'),
  salt: z.base64(),
  cost: z.literal(cost.cost),
  blockSize: z.literal(cost.blockSize),
  parallelization: z.literal(cost.parallelization),
})
const content = z.strictObject({
  version: z.literal(1),
  derivation,
  /** A known text: tells a wrong passphrase from a damaged key, before anything is added under another one. */
  check: z.base64(),
  values: z.record(z.string(), z.base64()),
})
type Content = z.infer<typeof content>

const checkText = 'threadsmith'
const [nonceBytes, tagBytes] = [12, 16]

/**
 * Keys of the command line, where there is no keychain: scrypt makes a key of the passphrase, AES-256-GCM encrypts each
 * value under a nonce of its own with its name bound to it. A name that is not here is refused, never taken for "no key":
 * the settings name it, so the app keeps it. Why: docs/adr/014.
 */
export function createFileSecrets({
  file,
  passphrase,
  randomBytes,
  derive = deriveByScrypt,
}: FileSecretsOptions): Secrets {
  const keys = openKeyFile({ file, parse: (value) => content.parse(value), unavailable: unreadable })
  const derived = new Map<string, Promise<Buffer>>()

  function keyFor(how: Content['derivation']): Promise<Buffer> {
    const id = JSON.stringify(how)
    const known = derived.get(id)
    if (known !== undefined) return known
    const key = derive(passphrase.normalize('NFC'), Buffer.from(how.salt, 'base64'), optionsOf(how))
    derived.set(id, key)
    // There may be memory for it the next time.
    key.catch(() => derived.delete(id))
    return key
  }

  function checked(key: Buffer, found: Content): Buffer {
    if (opened(key, 'check', found.check) !== checkText) throw wrongPassphrase(file)
    return key
  }

  function begun(how: Content['derivation'], key: Buffer): Content {
    const check = sealed(key, { about: 'check', text: checkText, nonce: randomBytes(nonceBytes) })
    return { version: 1, derivation: how, check, values: {} }
  }

  return {
    backend: `${path.basename(file)}, encrypted with THREADSMITH_KEY`,
    isProtected: true,
    async get(name) {
      const found = keys.read()
      const value = found?.values[name]
      if (found === undefined || value === undefined) throw notHere(file)
      const text = opened(checked(await keyFor(found.derivation), found), entry(name), value)
      if (text === undefined) throw damaged(name, file)
      return text
    },
    async set(name, value) {
      const fresh = { name: 'scrypt' as const, salt: randomBytes(16).toString('base64'), ...cost }
      let how: Content['derivation']
      let key: Buffer
      let before: Content | undefined
      // No await stands between the last look into the file and the write: what was saved or removed meanwhile stays so.
      do {
        how = withKeys(keys.readOrSetAside())?.derivation ?? fresh
        key = await keyFor(how)
        before = withKeys(keys.readOrSetAside())
      } while (!isDeepStrictEqual(before?.derivation ?? fresh, how))
      if (before !== undefined) checked(key, before)
      const { values, ...head } = before ?? begun(how, key)
      const text = sealed(key, { about: entry(name), text: value, nonce: randomBytes(nonceBytes) })
      keys.write({ ...head, values: { ...values, [name]: text } })
    },
    async remove(name) {
      const found = keys.read()
      if (found?.values[name] === undefined) throw notHere(file)
      const { [name]: _, ...values } = found.values
      keys.write({ ...found, values })
    },
  }
}

/** A file without a key belongs to no passphrase any more. */
function withKeys(found: Content | undefined): Content | undefined {
  return found !== undefined && Object.keys(found.values).length > 0 ? found : undefined
}

const entry = (name: string) => `entry:${name}`

function optionsOf({ cost, blockSize, parallelization }: Content['derivation']): ScryptOptions {
  return { cost, blockSize, parallelization, maxmem: 256 * cost * blockSize }
}

function deriveByScrypt(passphrase: string, salt: Buffer, options: ScryptOptions): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase, salt, 32, options, (error, key) => (error === null ? resolve(key) : reject(notDerived(error))))
  })
}

interface Sealing {
  /** Bound to the text: what is moved to another name does not open there. */
  readonly about: string
  readonly text: string
  readonly nonce: Buffer
}

function sealed(key: Buffer, { about, text, nonce }: Sealing): string {
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about))
  const bytes = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), bytes]).toString('base64')
}

/** Undefined for what this key did not seal about this. */
function opened(key: Buffer, about: string, value: string): string | undefined {
  const bytes = Buffer.from(value, 'base64')
  const head = nonceBytes + tagBytes
  if (bytes.length < head) return undefined
  const options = { authTagLength: tagBytes }
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), options)
    .setAAD(Buffer.from(about))
    .setAuthTag(bytes.subarray(nonceBytes, head))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(head)), decipher.final()]).toString('utf8')
  } catch {
    // The tag does not fit: that is the answer to the question.
    return undefined
  }
}

function notHere(file: string): AppError {
  const name = path.basename(file)
  return keptElsewhere(
    `the key is not in ${name}`,
    `The key of this server is not in ${name}: the app keeps it, or it was never entered here. Nothing was sent without it. Start the app and repeat the command, or enter the key here with \`threadsmith provider key <id>\`.`,
  )
}

function notDerived(cause: Error): AppError {
  return unavailable(
    `no key could be made of the passphrase: ${cause.message}`,
    'The saved keys cannot be decrypted now: this computer has no room for it. They were not deleted and nothing was written. Close what takes memory (128 MB are needed for a second), then try again.',
    cause,
  )
}

function wrongPassphrase(file: string): AppError {
  const name = path.basename(file)
  return unavailable(
    `${name} was encrypted with another THREADSMITH_KEY`,
    `The saved keys cannot be decrypted with this THREADSMITH_KEY. They were not deleted and nothing was written. Set the passphrase that they were saved with; if it is lost, move ${file} away and enter the keys anew.`,
  )
}

function damaged(name: string, file: string): AppError {
  return unavailable(
    `${name} in ${path.basename(file)} is damaged or was moved there`,
    `One saved key cannot be decrypted: ${file} was damaged or changed. It was not deleted, and the other keys are not touched. Enter this key anew with \`threadsmith provider key <id>\`.`,
  )
}

function unreadable(message: string, cause: unknown): AppError {
  return unavailable(
    message,
    'The file of saved keys cannot be read. It was not deleted. Restore it from a copy; if you enter a key anew, this file is kept beside the new one.',
    cause,
  )
}

function unavailable(message: string, userMessage: string, cause?: unknown): AppError {
  return new AppError('secret.unavailable', { message, userMessage, cause, retryable: true })
}

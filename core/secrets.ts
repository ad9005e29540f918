import { AppError } from './domain/error.ts'
import type { KnownSecret } from './domain/leaks/known.ts'

/** The seam for keys: the keychain in the app, a file of its own on the command line. Values never leave main. */
export interface Secrets {
  /** For people: what keeps them. */
  readonly backend: string
  /** False where whoever can read the file of the keys can read the keys. Nothing kept is nothing unprotected. */
  readonly isProtected: boolean
  /**
   * Undefined when there is none. A value that cannot be decrypted, or that something else keeps, throws instead: else a
   * request would go out without it. @throws AppError secret.unavailable
   */
  get(name: string): Promise<string | undefined>
  set(name: string, value: string): Promise<void>
  remove(name: string): Promise<void>
}

/** Where no keys can be reached: one that is asked for is refused, never taken to be absent. */
export function noSecrets(why: string): Secrets {
  const refuse = (): Promise<never> =>
    Promise.reject(
      keptElsewhere(
        why,
        `Keys cannot be reached from here: ${why}. Nothing was changed or sent, and no key was deleted. Start the app, which keeps them in the keychain and lets this command in, or set THREADSMITH_KEY, and the command line keeps keys of its own (\`threadsmith provider key <id>\`).`,
      ),
    )
  return { backend: `not reached from here: ${why}`, isProtected: true, get: refuse, set: refuse, remove: refuse }
}

/** `data.keptElsewhere`: nothing is wrong with the key or its server, only this process does not reach it. */
export function keptElsewhere(message: string, userMessage: string): AppError {
  return new AppError('secret.unavailable', { message, userMessage, data: { keptElsewhere: true } })
}

/**
 * Reads each of these keys, so that its value is known before anything could quote it. One that cannot be had is left: nothing
 * here waits for a keychain.
 */
export async function recallKeys(secrets: Secrets, names: readonly string[]): Promise<void> {
  for (const name of names) await secrets.get(name).catch(() => undefined)
}

/** The seam for keys that remembers what went through it, so that no value of it is stored, shown or sent anywhere else. */
export interface RememberedSecrets {
  readonly secrets: Secrets
  /** Each value since the start, also of keys that were replaced or removed. Another list once there is another. */
  known(): readonly KnownSecret[]
}

/** A key that was never decrypted in this process is not among them. */
export function rememberSecrets(secrets: Secrets): RememberedSecrets {
  let known: readonly KnownSecret[] = []
  const remember = (name: string, value: string): void => {
    if (!known.some((each) => each.name === name && each.value === value)) known = [...known, { name, value }]
  }
  return {
    known: () => known,
    secrets: {
      get backend() {
        return secrets.backend
      },
      get isProtected() {
        return secrets.isProtected
      },
      async get(name) {
        const value = await secrets.get(name)
        if (value !== undefined) remember(name, value)
        return value
      },
      // Before it is kept: what goes wrong there may quote it.
      async set(name, value) {
        remember(name, value)
        await secrets.set(name, value)
      },
      remove: (name) => secrets.remove(name),
    },
  }
}

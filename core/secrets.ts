import { AppError } from './domain/error.ts'

/** The seam for keys: the keychain in the app, nothing on the command line. Values never leave main. */
export interface Secrets {
  /** For people: which keychain it is. */
  readonly backend: string
  /** False where whoever can read the file of the keys can read the keys. Nothing kept is nothing unprotected. */
  readonly isProtected: boolean
  /** Undefined when there is none; a value that cannot be decrypted throws instead. @throws AppError secret.unavailable */
  get(name: string): Promise<string | undefined>
  set(name: string, value: string): Promise<void>
  remove(name: string): Promise<void>
}

/** The `backend` of a process without a keychain. */
export const notReached = 'not reached from here'

/** Where no keychain can be reached: a key that is asked for is refused, never taken to be absent. */
export function noSecrets(why: string): Secrets {
  const refuse = (): Promise<never> =>
    Promise.reject(
      new AppError('secret.unavailable', {
        message: why,
        userMessage: `The key of this server is kept by the app and cannot be reached here: ${why}. Start the app, or use a server without a key.`,
      }),
    )
  return { backend: notReached, isProtected: true, get: refuse, set: refuse, remove: refuse }
}

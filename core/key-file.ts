import fs from 'node:fs'
import path from 'node:path'
import { AppError } from './domain/error.ts'

/** A file of encrypted keys, whoever encrypts them. What goes wrong is a `secret.unavailable`. */
export interface KeyFile<Content> {
  /** Undefined where there is no file. @throws AppError secret.unavailable, for content that is none what `unavailable` makes. */
  read(): Content | undefined
  /**
   * For a person who enters a key anew: a broken file must not stop them, and is kept beside the new one. One that cannot be
   * opened now may be whole, and stays where it is. @throws AppError secret.unavailable
   */
  readOrSetAside(): Content | undefined
  /** By a rename: a crash leaves the old file or the new one. Only its owner can read it. @throws AppError secret.unavailable */
  write(content: Content): void
}

export function openKeyFile<Content>(options: {
  readonly file: string
  readonly parse: (value: unknown) => Content
  /** What was read and holds no keys: damaged, or a newer version's. */
  readonly unavailable: (message: string, cause: unknown) => AppError
}): KeyFile<Content> {
  const { file, parse, unavailable } = options
  const name = path.basename(file)

  function text(): string | undefined {
    try {
      return fs.readFileSync(file, 'utf8')
    } catch (cause) {
      if (isAbsent(cause)) return undefined
      throw notOpened(file, cause)
    }
  }

  function content(found: string): { readonly value: Content } | { readonly cause: unknown } {
    try {
      return { value: parse(JSON.parse(found)) }
    } catch (cause) {
      return { cause }
    }
  }

  return {
    read() {
      const found = text()
      if (found === undefined) return undefined
      const read = content(found)
      if ('cause' in read) throw unavailable(`${name} cannot be read`, read.cause)
      return read.value
    },
    readOrSetAside() {
      const found = text()
      if (found === undefined) return undefined
      const read = content(found)
      if ('value' in read) return read.value
      let number = 1
      while (fs.existsSync(`${file}.aside-${number}`)) number += 1
      writing(file, () => fs.renameSync(file, `${file}.aside-${number}`))
      return undefined
    },
    write: (next) =>
      writing(file, () => {
        fs.mkdirSync(path.dirname(file), { recursive: true })
        const fresh = `${file}.new`
        // One that a crash left may have any mode, and a mode is given at creation only.
        fs.rmSync(fresh, { force: true })
        // The name comes last, to what is on disk: else a loss of power could leave an empty file under it.
        fs.writeFileSync(fresh, JSON.stringify(next), { mode: 0o600, flush: true })
        fs.renameSync(fresh, file)
      }),
  }
}

function isAbsent(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
}

function writing(file: string, write: () => void): void {
  try {
    write()
  } catch (cause) {
    throw new AppError('secret.unavailable', {
      message: `${path.basename(file)} cannot be written`,
      userMessage: `The file of saved keys cannot be written now: ${reasonOf(cause)}. The keys in it are kept as they were, and this change was not made. Look that ${path.dirname(file)} can be written to and has room, then try again.`,
      cause,
      retryable: true,
    })
  }
}

function notOpened(file: string, cause: unknown): AppError {
  return new AppError('secret.unavailable', {
    message: `${path.basename(file)} cannot be opened: ${reasonOf(cause)}`,
    userMessage: `The file of saved keys cannot be opened now: ${reasonOf(cause)}. Nothing was changed, and no key was deleted. Look that this account can read ${file}, then try again.`,
    cause,
    retryable: true,
  })
}

/** `EACCES`: short, and the same on each system. */
function reasonOf(cause: unknown): string {
  if (cause instanceof Error && 'code' in cause) return String(cause.code)
  return cause instanceof Error ? cause.message : String(cause)
}

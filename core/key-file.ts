import fs from 'node:fs'
import path from 'node:path'
import { AppError } from './domain/error.ts'

/** A file of encrypted keys, whoever encrypts them. */
export interface KeyFile<Content> {
  /** Undefined where there is no file. @throws what `unavailable` makes when it cannot be read. */
  read(): Content | undefined
  /** For a person who enters a key anew: a broken file must not stop them, and is kept beside the new one. */
  readOrSetAside(): Content | undefined
  /** By a rename: a crash leaves the old file or the new one. Only its owner can read it. */
  write(content: Content): void
}

export function openKeyFile<Content>(options: {
  readonly file: string
  readonly parse: (value: unknown) => Content
  readonly unavailable: (message: string, cause: unknown) => AppError
}): KeyFile<Content> {
  const { file, parse, unavailable } = options

  function read(): Content | undefined {
    if (!fs.existsSync(file)) return undefined
    try {
      return parse(JSON.parse(fs.readFileSync(file, 'utf8')))
    } catch (cause) {
      throw unavailable(`${path.basename(file)} cannot be read`, cause)
    }
  }

  return {
    read,
    readOrSetAside() {
      try {
        return read()
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        let number = 1
        while (fs.existsSync(`${file}.aside-${number}`)) number += 1
        fs.renameSync(file, `${file}.aside-${number}`)
        return undefined
      }
    },
    write(content) {
      fs.mkdirSync(path.dirname(file), { recursive: true })
      const fresh = `${file}.new`
      // One that a crash left may have any mode, and a mode is given at creation only.
      fs.rmSync(fresh, { force: true })
      fs.writeFileSync(fresh, JSON.stringify(content), { mode: 0o600 })
      fs.renameSync(fresh, file)
    },
  }
}

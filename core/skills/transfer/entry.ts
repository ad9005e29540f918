import { limits } from '../../domain/limits.ts'

/** One file of an archive or a folder, by its whole path in it. */
export interface ArchiveEntry {
  /** Relative, with `/`. */
  readonly path: string
  readonly data: Uint8Array
  readonly isExecutable: boolean
}

/** Why something is not imported: a closed list of its own, beside the verdicts on a SKILL.md (RULES 31). */
export type ImportCode =
  | 'E_ARCHIVE'
  | 'E_DUPLICATE'
  | 'E_ENCRYPTED'
  | 'E_LEFT_OUT'
  | 'E_LINK'
  | 'E_NAME'
  | 'E_NOT_REGULAR'
  | 'E_PATH_OUTSIDE'
  | 'E_SKILL_MISSING'
  | 'E_TOO_LARGE'
  | 'E_TOO_MANY'

/** What was left out, and why. `code`: an ImportCode, or the verdict on the SKILL.md. */
export interface LeftOut {
  readonly path: string
  readonly code: string
  readonly message: string
}

/** Nothing of the archive is imported. Only thrown inside `readArchive`. */
export class ArchiveRefusal extends Error {
  readonly leftOut: LeftOut
  constructor(code: ImportCode, path: string, message: string) {
    super(message)
    this.name = 'ArchiveRefusal'
    this.leftOut = { path, code, message }
  }
}

/** What is left of the limits while an archive is read: of real bytes, whatever its headers say. */
export interface Budget {
  /** The most that one more file may have. */
  readonly fileBytes: number
  /** Why it may not have more. */
  tooLarge(path: string): ArchiveRefusal
  /** @throws ArchiveRefusal */
  take(path: string, bytes: number): void
  /** One more file. @throws ArchiveRefusal */
  enter(path: string): void
  /** One more folder, of which there may be as many. @throws ArchiveRefusal */
  enterFolder(path: string): void
}

export function createBudget(): Budget {
  let bytesLeft: number = limits.importBytes
  let filesLeft: number = limits.importFiles
  let foldersLeft: number = limits.importFiles
  const refusal = (path: string) =>
    bytesLeft < limits.importFileBytes
      ? tooLarge(path, limits.importBytes, 'All of it')
      : tooLarge(path, limits.importFileBytes, 'The file')
  return {
    get fileBytes() {
      return Math.min(limits.importFileBytes, bytesLeft)
    },
    tooLarge: refusal,
    take(path, bytes) {
      if (bytes > limits.importFileBytes || bytes > bytesLeft) throw refusal(path)
      bytesLeft -= bytes
    },
    enter(path) {
      filesLeft -= 1
      if (filesLeft < 0) throw tooMany(path)
    },
    enterFolder(path) {
      foldersLeft -= 1
      if (foldersLeft < 0) throw tooMany(path)
    },
  }
}

export function tooLarge(path: string, most: number, what: string): ArchiveRefusal {
  return new ArchiveRefusal('E_TOO_LARGE', path, `${what} is larger than ${most / 1_048_576} MiB, unpacked.`)
}

export function tooMany(path: string): ArchiveRefusal {
  return new ArchiveRefusal('E_TOO_MANY', path, `There are more than ${limits.importFiles} files or folders in it.`)
}

/**
 * Refuses a path that leads out of the folder that it is unpacked in, or that is another one on another system: what is safe here
 * must be safe wherever the skill goes. @throws ArchiveRefusal
 */
export function refusePath(path: string): void {
  if (/^[/\\]|^[A-Za-z]:/.test(path) || path.split(/[/\\]/).includes('..')) {
    throw new ArchiveRefusal('E_PATH_OUTSIDE', path, 'The path leads out of the folder that it would be unpacked in.')
  }
  const parts = path.split('/')
  const wrong = parts.find((part) => !isPlainName(part))
  if (wrong !== undefined || path.length > longestPath || parts.length > deepest) {
    throw new ArchiveRefusal('E_NAME', path, 'The path has characters, names or a length that not every system takes.')
  }
}
const longestPath = 400
const deepest = 16

/** As Windows, the strictest, takes it. */
function isPlainName(name: string): boolean {
  if (name === '' || name === '.' || Buffer.byteLength(name) > 255) return false
  if (/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"|?*\\]|[. ]$|^ /u.test(name)) return false
  return !/^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(?:\.|$)/i.test(name)
}

/** Refuses two files that are one on some system, and a file in the place of a folder. @throws ArchiveRefusal */
export function refuseTwins(paths: readonly string[], folders: readonly string[] = []): void {
  const files = new Set<string>()
  for (const path of paths) {
    const plain = plainPath(path)
    if (files.has(plain)) throw twin(path, 'There are two files of this name; letter case makes no other one.')
    files.add(plain)
  }
  for (const path of [...paths.map(folderOf), ...folders]) {
    for (let at = plainPath(path); at !== ''; at = folderOf(at)) {
      if (files.has(at)) throw twin(path, 'There is a file in the place of this folder.')
    }
  }
}

/** '' for what lies at the top. */
function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0))
}

function twin(path: string, message: string): ArchiveRefusal {
  return new ArchiveRefusal('E_DUPLICATE', path, message)
}

function plainPath(path: string): string {
  return path.normalize('NFKC').toLowerCase().normalize('NFKC')
}

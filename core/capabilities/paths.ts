import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, open, readdir, readlink, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { AppError, type ErrorCode } from '../domain/error.ts'

/** Where an action may look: a project's folder, without the app's own data. Both absolute and free of links. */
export interface Root {
  readonly folder: string
  /**
   * Closed to every action: it holds the person's keys, and a file of the store that is opened and closed again by this
   * process would take the store's own locks with it (POSIX drops them all).
   */
  readonly dataDir: string
}

/** A file or folder that exists inside the project. `path` is relative, '/' separated, '.' for the project's folder. */
export interface Place {
  readonly path: string
  /** Absolute and free of links. */
  readonly absolute: string
  readonly isFolder: boolean
}

/** A regular file, open for reading. Only valid inside the function that `withFile` runs. */
export interface OpenedFile {
  readonly path: string
  readonly handle: FileHandle
  readonly bytes: number
  /** Epoch ms. */
  readonly modifiedMs: number
}

/**
 * The project's folder, free of links. Called once for each call of an action.
 * Throws project.missing when the folder is gone, no folder, or may not be entered.
 */
export async function openProject({ folder, dataDir }: Root): Promise<Root> {
  try {
    const real = await realpath(folder)
    if ((await stat(real)).isDirectory()) return { folder: real, dataDir }
  } catch (cause) {
    throw missingProject(folder, cause)
  }
  throw missingProject(folder, undefined)
}

function missingProject(folder: string, cause: unknown): AppError {
  return new AppError('project.missing', {
    message: `the project folder ${folder} is not there or cannot be entered`,
    userMessage: `The project folder ${folder} is not there or cannot be entered. Your threads are safe. Put the folder back, or open another project.`,
    cause,
  })
}

/**
 * Where `given` leads, all links followed. Throws action.outside for everything that leads out of `root`, whether it exists
 * or not (so that nothing outside can be probed), else action.args, action.not_found or action.failed.
 */
export async function findPlace(root: Root, given: string): Promise<Place> {
  const { shown, absolute } = await resolveInside(root, given)
  return { path: shown, absolute, isFolder: (await lookAt(given, absolute)).isDirectory() }
}

/**
 * Opens the regular file at `given`, runs `use` and closes it again. The last part of the path is opened without following
 * links and checked once more on the open handle: a link put there between check and open is refused.
 * Throws as `findPlace`, and action.not_regular for folders, pipes, sockets and devices.
 */
export async function withFile<Result>(
  root: Root,
  given: string,
  use: (file: OpenedFile) => Promise<Result>,
): Promise<Result> {
  const { shown, absolute } = await resolveInside(root, given)
  // Opening a device or a pipe can already have an effect, so its kind is looked at before, and again on the handle.
  const before = await lookAt(given, absolute)
  if (!before.isFile()) throw notRegular(shown, before.isDirectory())
  if (before.nlink > 1 && (await isOwnFile(root, before))) throw ownData(given)
  const handle = await open(absolute, readFlags).catch((cause: unknown) => {
    throw fileError(given, cause)
  })
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw notRegular(shown, stats.isDirectory())
    if (!(await isOpenedWithin(root.folder, absolute, handle))) throw outside(given)
    return await use({ path: shown, handle, bytes: stats.size, modifiedMs: stats.mtimeMs })
  } finally {
    await handle.close()
  }
}

/** Never through a link as the last part, and never waiting for the other end of a pipe. */
export const readFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** True when `candidate` is `root` or below it, by whole path segments: /ws-evil is not inside /ws. */
export function isWithin(root: string, candidate: string): boolean {
  const below = path.relative(root, candidate)
  return below === '' || (below.split(path.sep)[0] !== '..' && !path.isAbsolute(below))
}

/** Relative to the project's folder, '/' separated; '.' for the folder itself. */
export function relativePath(root: string, absolute: string): string {
  return path.relative(root, absolute).split(path.sep).join('/') || '.'
}

/** What the system said about a file, as an error that a model can read and mend. */
export function fileError(given: string, cause: unknown): AppError {
  if (cause instanceof AppError) return cause
  const [code, text] = systemErrors[systemCode(cause)] ?? ['action.failed', 'could not be read']
  return pathError(code, given, text, cause)
}

const systemErrors: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ENOENT: ['action.not_found', 'does not exist'],
  ENOTDIR: ['action.not_found', 'does not exist: a part of the path is a file'],
  EACCES: ['action.failed', 'may not be read: permission denied'],
  EPERM: ['action.failed', 'may not be read: permission denied'],
  ELOOP: ['action.failed', 'is a link that leads in a circle'],
  ENAMETOOLONG: ['action.args', 'is too long for a path'],
  ENXIO: ['action.not_regular', 'is a socket or a device, not a regular file'],
}

export function systemCode(cause: unknown): string {
  return cause instanceof Error && 'code' in cause ? String(cause.code) : ''
}

async function resolveInside(root: Root, given: string): Promise<{ shown: string; absolute: string }> {
  const { folder } = root
  refuseImpossibleNames(given, process.platform)
  const lexical = path.resolve(folder, given)
  const absolute = await followLinks(folder, lexical, given)
  if (isWithin(root.dataDir, absolute)) throw ownData(given)
  return { shown: relativePath(folder, isWithin(folder, lexical) ? lexical : absolute), absolute }
}

/** Another name of one of the app's own files, made by a hard link. */
export async function isOwnFile({ dataDir }: Root, { dev, ino }: Stats): Promise<boolean> {
  const names = await readdir(dataDir).catch(() => [])
  const own = await Promise.all(names.map((name) => lstat(path.join(dataDir, name)).catch(() => undefined)))
  return own.some((each) => each?.ino === ino && each.dev === dev)
}

function lookAt(given: string, absolute: string): Promise<Stats> {
  return lstat(absolute).catch((cause: unknown) => {
    throw fileError(given, cause)
  })
}

async function followLinks(root: string, lexical: string, given: string): Promise<string> {
  try {
    const absolute = await realpath(lexical)
    if (isWithin(root, absolute)) return absolute
  } catch (cause) {
    if (!isWithin(root, lexical) || !(await isNearestWithin(root, lexical))) throw outside(given)
    if (readsAsOutside(given)) throw outside(given)
    throw fileError(given, cause)
  }
  throw outside(given)
}

/** For a path that does not exist: does the part of it that exists, or the dangling link it ends in, stay inside? */
export async function isNearestWithin(root: string, lexical: string): Promise<boolean> {
  for (let current = lexical; current !== root; current = path.dirname(current)) {
    try {
      return isWithin(root, await realpath(current))
    } catch (cause) {
      if (systemCode(cause) !== 'ENOENT') continue
      const target = await readlink(current).catch(() => undefined)
      if (target !== undefined) return isWithin(root, path.resolve(path.dirname(current), target))
    }
  }
  return true
}

/** Spellings of other systems, and of a shell, that only look like a name here: the refusal should say why. */
export function readsAsOutside(given: string): boolean {
  return /^~|^[a-z]:[\\/]|^\\\\|(^|[\\/])\.\.\\|\\\.\.\//i.test(given)
}

export function refuseImpossibleNames(given: string, platform: NodeJS.Platform): void {
  if (given.includes('\0')) throw pathError('action.args', given.replaceAll('\0', '␀'), 'holds a NUL character')
  if (Buffer.byteLength(given) > 4_096) throw pathError('action.args', given, 'is too long for a path')
  const reserved = platform === 'win32' && given.split(/[\\/]/).find(isReservedOnWindows)
  if (reserved) throw pathError('action.args', given, `holds the name "${reserved}", which Windows reserves`)
}

/** Device names, alternate streams, and names that Windows would silently shorten. */
export function isReservedOnWindows(segment: string): boolean {
  if (segment === '.' || segment === '..' || /^[a-z]:$/i.test(segment)) return false
  return /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(segment) || segment.includes(':') || /[. ]$/.test(segment)
}

// A folder on the way may have become a link since the check. Linux can name what the handle really is; elsewhere the path
// is resolved again and must still be the same file.
async function isOpenedWithin(root: string, absolute: string, handle: FileHandle): Promise<boolean> {
  if (process.platform === 'linux') {
    const opened = await readlink(`/proc/self/fd/${handle.fd}`).catch(() => undefined)
    if (opened !== undefined) return isWithin(root, opened)
  }
  const [again, named, held] = await Promise.all([realpath(absolute), lstat(absolute), handle.stat()])
  return again === absolute && named.ino === held.ino && named.dev === held.dev
}

export function outside(given: string): AppError {
  return pathError('action.outside', given, 'is outside the project folder')
}

export function ownData(given: string): AppError {
  return pathError('action.outside', given, "belongs to Threadsmith's own data, which no action touches")
}

export function notRegular(given: string, isFolder: boolean): AppError {
  return pathError(
    'action.not_regular',
    given,
    isFolder
      ? 'is a folder, not a file: list_files shows what is in it'
      : 'is a pipe, a socket or a device, not a file',
  )
}

export function pathError(code: ErrorCode, given: string, text: string, cause?: unknown): AppError {
  const shown = given.length > 200 ? `${given.slice(0, 200)}…` : given
  return new AppError(code, {
    message: `"${shown}" ${text}`,
    userMessage: `"${shown}" ${text}. Nothing was changed. The agent can go on with another path inside the project.`,
    data: { path: shown },
    cause,
  })
}

import { hash } from 'node:crypto'
import { constants } from 'node:fs'
import {
  chmod,
  copyFile,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readlink,
  rename,
  rm,
  rmdir,
  symlink,
  unlink,
  utimes,
} from 'node:fs/promises'
import path from 'node:path'
import { faultPoint } from '../domain/fault-point.ts'
import { openFolder, pathOfHandle } from './held-folder.ts'
import { notRegular, readFlags, systemCode } from './paths.ts'

/**
 * Moves a file or folder to a place where nothing is, on another disk too. Killed at any point, one of the two is whole:
 * `to` appears in one piece, and only then does `from` go. Run again, it ends what it began.
 */
export async function relocate(from: string, to: string): Promise<void> {
  try {
    await renameToNew(from, to)
  } catch (cause) {
    if (systemCode(cause) !== 'EXDEV') throw cause
    const part = beside(to, 'part')
    await removeTree(part)
    try {
      await copyTree(from, part)
      await renameToNew(part, to)
    } catch (error) {
      await removeTree(part)
      throw error
    }
    await discard(from)
  }
}

/** Removes a file or folder in one step for whoever looks at its name. */
export async function discard(from: string): Promise<void> {
  const gone = beside(from, 'gone')
  await removeTree(gone)
  await rename(from, gone)
  await removeTree(gone)
}

/** What a `discard` that was killed has left. */
export function finishDiscard(from: string): Promise<void> {
  return removeTree(beside(from, 'gone'))
}

/** A rename that replaces nothing. Throws EEXIST, and EXDEV across disks. */
export async function renameToNew(from: string, to: string): Promise<void> {
  const isFile = (await lstat(from)).isFile()
  // Only a second name is ever made in one step with the check that nothing is there.
  if (isFile && (await linkIfPossible(from, to))) {
    faultPoint('file.linked')
    return unlink(from)
  }
  if (isFile && (await isSameFile(from, to))) return endRename(from, to)
  if (await exists(to)) throw Object.assign(new Error(`${to} exists`), { code: 'EEXIST' })
  await rename(from, to)
}

/** True where a write that was killed between the two steps of its rename left its second name beside the place. */
export function isHalfPublished(place: string): Promise<boolean> {
  return isSameFile(beside(place, 'part'), place)
}

/** Ends such a rename. */
export async function finishPublish(place: string): Promise<void> {
  if (await isHalfPublished(place)) await unlink(beside(place, 'part'))
}

const withoutLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EACCES']

async function linkIfPossible(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (cause) {
    if (withoutLinks.includes(systemCode(cause)) || systemCode(cause) === 'EEXIST') return false
    throw cause
  }
}

/** One file by two names: the case of its letters, or a rename that was killed between its two steps. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((each) => lstat(each).catch(() => undefined)))
  return a !== undefined && b !== undefined && a.isFile() && a.ino === b.ino && a.dev === b.dev
}

async function endRename(from: string, to: string): Promise<void> {
  const isCaseOnly = path.basename(from).toLowerCase() === path.basename(to).toLowerCase()
  if (isCaseOnly) return rename(from, to)
  await unlink(from)
}

export async function exists(absolute: string): Promise<boolean> {
  return (await bytesAt(absolute)) !== undefined
}

/** The size of a file; undefined where nothing is. */
export async function bytesAt(absolute: string): Promise<number | undefined> {
  const stats = await lstat(absolute).catch((cause: unknown) => {
    if (systemCode(cause) === 'ENOENT') return undefined
    throw cause
  })
  return stats?.size
}

/** A name of our own beside a place, the same each time, so that what a crash leaves is found again. */
export function beside(place: string, what: string): string {
  const mark = hash('sha256', path.basename(place)).slice(0, 16)
  return path.join(path.dirname(place), `.threadsmith-${mark}.${what}`)
}

async function copyTree(from: string, to: string): Promise<void> {
  const stats = await lstat(from)
  if (stats.isSymbolicLink()) return symlink(await readlink(from), to)
  if (!stats.isDirectory()) return copyOne(from, to)
  await mkdir(to, { mode: (stats.mode & 0o777) | 0o700 })
  await inFolder(from, async (base, names) => {
    for (const name of names) await copyTree(path.join(base, name), path.join(to, name))
  })
  await utimes(to, stats.atime, stats.mtime)
}

async function copyOne(from: string, to: string): Promise<void> {
  const handle = await open(from, readFlags)
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) throw notRegular(path.basename(from), false)
    await copyFile((await pathOfHandle(handle))?.base ?? from, to, constants.COPYFILE_EXCL)
    await chmod(to, 0o600)
    const copy = await open(to, 'r+')
    try {
      await copy.chmod(stats.mode & 0o777)
      await copy.utimes(stats.atime, stats.mtime)
      await copy.sync()
    } finally {
      await copy.close()
    }
  } finally {
    await handle.close()
  }
}

/** Never through a link: a folder that is swapped for one while it is emptied is left alone. */
export async function removeTree(absolute: string): Promise<void> {
  const stats = await lstat(absolute).catch((cause: unknown) => {
    if (systemCode(cause) === 'ENOENT') return undefined
    throw cause
  })
  if (stats === undefined) return
  if (!stats.isDirectory()) return rm(absolute, { force: true })
  await inFolder(absolute, async (base, names) => {
    for (const name of names) await removeTree(path.join(base, name))
  })
  await rmdir(absolute)
}

/** The names in a folder, and a path to it that stays its own while `use` runs. */
async function inFolder(
  absolute: string,
  use: (base: string, names: readonly string[]) => Promise<void>,
): Promise<void> {
  const handle = await openFolder(absolute, path.basename(absolute))
  try {
    const base = (await pathOfHandle(handle))?.base ?? absolute
    await use(base, await readdir(base))
  } finally {
    await handle.close()
  }
}

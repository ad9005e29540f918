import type { Stats } from 'node:fs'
import { lstat, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { AppError, type ErrorCode } from '../domain/error.ts'
import { type HeldFolder, holdFolder } from './held-folder.ts'
import {
  fileError,
  isNearestWithin,
  isOwnFile,
  isWithin,
  notRegular,
  outside,
  ownData,
  pathError,
  type Root,
  readsAsOutside,
  refuseImpossibleNames,
  relativePath,
  systemCode,
} from './paths.ts'
import { protectedPart } from './protected-names.ts'
import { finishPublish, isHalfPublished } from './relocate.ts'

/** Where something may be written, moved or deleted. */
export interface Target {
  /** Relative to the project's folder and free of links, '/' separated. */
  readonly path: string
  /** The same from the root of the disk. To read only: what is done here goes by `HeldTarget.here`. */
  readonly absolute: string
  /** What is there now. */
  readonly stats: Stats | undefined
}

/** Only valid inside the function that `withTarget` runs. */
export interface HeldTarget extends Target {
  readonly folder: HeldFolder
  /** Names the target in its folder, which is held open. */
  readonly here: string
}

/** `file`: only a regular file, with one name, may be there. `any`: a folder too. */
export type TargetKind = 'file' | 'any'

/**
 * Where `given` leads, without touching anything. A write of ours that a kill cut off may have left its second name. Throws action.outside for everything that leads out of `root` or into the
 * app's own data, and for files with a second name; action.not_regular for links, devices and what `kind` does not allow.
 */
export async function findTarget(root: Root, given: string, kind: TargetKind): Promise<Target> {
  const found = await locate(root, given)
  const isMissing = found.missing.length > 0
  const stats = isMissing ? undefined : await lookIfThere(found.absolute, given)
  await refuseUnwritable(root, { given, kind, absolute: found.absolute, stats })
  return { path: found.path, absolute: found.absolute, stats }
}

/**
 * Holds the folder of the target open and runs `use`. Missing folders on the way are made where `makesFolders` says so, else
 * action.not_found. Throws as `findTarget`, and action.outside when a folder on the way turned into a link meanwhile.
 */
export async function withTarget<Result>(
  root: Root,
  asked: { readonly path: string; readonly kind: TargetKind; readonly makesFolders: boolean },
  use: (target: HeldTarget) => Promise<Result>,
): Promise<Result> {
  const given = asked.path
  const found = await locate(root, given)
  if (found.missing.length > 0 && !asked.makesFolders) throw pathError('action.not_found', given, 'does not exist')
  let folder: HeldFolder | undefined
  try {
    folder = await holdFolder(root, found.nearest, given)
    for (const name of found.missing) folder = await folder.enter(name)
    const here = folder.at(found.name)
    await finishPublish(here)
    const stats = await lookIfThere(here, given)
    await refuseUnwritable(root, { given, kind: asked.kind, absolute: found.absolute, stats })
    return await use({ path: found.path, absolute: found.absolute, stats, folder, here })
  } catch (cause) {
    throw writeError(given, cause)
  } finally {
    await folder?.close()
  }
}

/** What the system said about a write, as an error that a model can read and mend. */
export function writeError(given: string, cause: unknown): Error {
  const known = writeErrors[systemCode(cause)]
  if (cause instanceof AppError || (known === undefined && !isSystemError(cause))) return asError(cause)
  return known === undefined ? fileError(given, cause) : pathError(known[0], given, known[1], cause)
}

const writeErrors: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  EACCES: ['action.failed', 'may not be changed: permission denied'],
  EPERM: ['action.failed', 'may not be changed: permission denied'],
  EROFS: ['action.failed', 'lies on a disk that may only be read'],
  ENOSPC: ['action.failed', 'does not fit: the disk is full'],
  EDQUOT: ['action.failed', 'does not fit: the disk space allowed to you is used up'],
  EFBIG: ['action.failed', 'does not fit: the disk takes no file of that size'],
  EEXIST: ['action.conflict', 'was made by somebody else just now'],
  ENOTEMPTY: ['action.conflict', 'was changed by somebody else just now'],
  EXDEV: ['action.failed', 'lies on another disk than the place it should go to'],
}

function isSystemError(cause: unknown): boolean {
  return /^E[A-Z0-9]+$/.test(systemCode(cause))
}

function asError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error(String(cause))
}

/** `nearest`: the deepest folder on the way that exists, free of links; `missing`: the folders between it and `name`. */
interface Located {
  readonly path: string
  readonly absolute: string
  readonly nearest: string
  readonly missing: readonly string[]
  readonly name: string
}

async function locate(root: Root, given: string): Promise<Located> {
  refuseImpossibleNames(given, process.platform)
  const lexical = path.resolve(root.folder, given)
  const { nearest, missing, fault } = await findNearest(path.dirname(lexical), given)
  const absolute = path.join(nearest, ...missing, path.basename(lexical))
  if (absolute === root.folder || lexical === root.folder) throw isProject(given)
  if (!isWithin(root.folder, nearest)) throw outside(given)
  if (fault !== undefined) throw fileError(given, fault)
  if (readsAsOutside(given) && (await lookIfThere(absolute, given)) === undefined) throw outside(given)
  if (isWithin(root.dataDir, absolute)) throw ownData(given)
  const below = relativePath(root.folder, absolute)
  if (below.split('/').some((name) => Buffer.byteLength(name) > 255)) {
    throw pathError('action.args', given, 'is too long for a path')
  }
  refuseDisguised(given, below)
  return { path: below, absolute, nearest, missing, name: path.basename(lexical) }
}

/** `fault`: why the way to `folder` cannot be gone. It is told of places inside only: nothing outside can be probed. */
async function findNearest(
  folder: string,
  given: string,
): Promise<{ nearest: string; missing: readonly string[]; fault: unknown }> {
  const missing: string[] = []
  let fault: unknown
  for (let current = folder; ; current = path.dirname(current)) {
    const nearest = await realpath(current).catch((cause: unknown) => {
      if (systemCode(cause) !== 'ENOENT') fault ??= cause
      return undefined
    })
    if (nearest !== undefined) return { nearest, missing, fault }
    // A link to nothing would be followed by whoever makes the folder behind it.
    if (fault === undefined && (await lookIfThere(current, given)) !== undefined) throw outside(given)
    missing.unshift(path.basename(current))
  }
}

/** A person is asked by the name in the call: what is protected must be called by its own name. */
function refuseDisguised(given: string, below: string): void {
  if (protectedPart(below) === undefined || protectedPart(given) !== undefined) return
  throw pathError('action.args', given, `is another name of "${below}", which is protected: ask for it by that name`)
}

async function lookIfThere(absolute: string, given: string): Promise<Stats | undefined> {
  try {
    return await lstat(absolute)
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT') return undefined
    throw fileError(given, cause)
  }
}

interface Asked {
  readonly given: string
  readonly kind: TargetKind
  readonly absolute: string
  readonly stats: Stats | undefined
}

async function refuseUnwritable(root: Root, { given, kind, absolute, stats }: Asked): Promise<void> {
  if (stats === undefined) return
  if (stats.isSymbolicLink()) throw await linkRefusal(root, absolute, given)
  if (isWithin(absolute, root.dataDir) || (await isDataDir(root, stats))) throw ownData(given)
  if (stats.isDirectory() && kind === 'any') return
  if (!stats.isFile()) throw notRegular(given, stats.isDirectory())
  if (stats.nlink === 1) return
  if (await isOwnFile(root, stats)) throw ownData(given)
  if (kind === 'file' && !(stats.nlink === 2 && (await isHalfPublished(absolute)))) {
    throw pathError(
      'action.outside',
      given,
      'has a second name on the disk (a hard link), which may lie outside the project',
    )
  }
}

async function linkRefusal(root: Root, absolute: string, given: string): Promise<AppError> {
  const leadsTo = await realpath(absolute).catch(() => undefined)
  if (leadsTo === undefined && !(await isNearestWithin(root.folder, absolute))) return outside(given)
  if (leadsTo !== undefined && !isWithin(root.folder, leadsTo)) return outside(given)
  const to = leadsTo === undefined ? 'nothing' : `"${relativePath(root.folder, leadsTo)}"`
  return pathError('action.not_regular', given, `is a link to ${to}; links are left as they are`)
}

/** By identity: a disk that knows no case has many names for it. */
async function isDataDir({ dataDir }: Root, { dev, ino }: Stats): Promise<boolean> {
  const own = await stat(dataDir).catch(() => undefined)
  return own !== undefined && own.ino === ino && own.dev === dev
}

function isProject(given: string): AppError {
  return pathError('action.args', given, 'is the project folder itself')
}

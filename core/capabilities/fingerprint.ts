import { createHash, hash } from 'node:crypto'
import type { Stats } from 'node:fs'
import { lstat, open, readdir, readlink } from 'node:fs/promises'
import path from 'node:path'
import { limits } from '../domain/limits.ts'
import { notRegular, pathError, readFlags, systemCode } from './paths.ts'
import { protectedPart } from './protected-names.ts'
import { writeError } from './write-paths.ts'

/** What a place holds, in one text that is the same as long as nothing there changes. */
export interface Fingerprint {
  /**
   * SHA-256. Of a file up to `limits.keptCopyBytes`: of its bytes, so that other tools find the same. Of a larger one: of its
   * size and time of change. Of a folder: of the name, kind, size and time of everything below.
   */
  readonly sha256: string
  readonly isFolder: boolean
  readonly files: number
  readonly bytes: number
  /** The first protected name below a folder, relative to it. */
  readonly protectedInside: string | undefined
}

interface Looked {
  /** How errors call the place. */
  readonly given: string
  readonly signal: AbortSignal
}

/**
 * Of the file or folder at `absolute`; undefined where nothing is. Throws action.too_large for a folder of more than
 * `limits.treeEntries`, action.not_regular for devices and the like, there or below.
 */
export async function fingerprint(absolute: string, looked: Looked): Promise<Fingerprint | undefined> {
  try {
    return await look(absolute, looked)
  } catch (cause) {
    throw writeError(looked.given, cause)
  }
}

async function look(absolute: string, looked: Looked): Promise<Fingerprint | undefined> {
  const stats = await lstat(absolute).catch((cause: unknown) => {
    if (systemCode(cause) === 'ENOENT') return undefined
    throw cause
  })
  if (stats === undefined) return undefined
  if (stats.isDirectory()) return ofFolder(absolute, looked)
  if (!stats.isFile()) throw notRegular(looked.given, false)
  const sha256 = stats.size > limits.keptCopyBytes ? hash('sha256', facts(stats)) : await hashFile(absolute, looked)
  return { sha256, isFolder: false, files: 1, bytes: stats.size, protectedInside: undefined }
}

export function sha256Of(bytes: Buffer): string {
  return hash('sha256', bytes)
}

function facts(stats: Stats): string {
  return `file ${stats.size} ${stats.mtimeMs}`
}

const chunkBytes = 256 * 1_024

async function hashFile(absolute: string, { given, signal }: Looked): Promise<string> {
  const handle = await open(absolute, readFlags)
  try {
    if (!(await handle.stat()).isFile()) throw notRegular(given, false)
    const sum = createHash('sha256')
    const buffer = Buffer.allocUnsafe(chunkBytes)
    for (;;) {
      signal.throwIfAborted()
      const { bytesRead } = await handle.read(buffer, 0, chunkBytes)
      if (bytesRead === 0) return sum.digest('hex')
      sum.update(buffer.subarray(0, bytesRead))
    }
  } finally {
    await handle.close()
  }
}

async function ofFolder(absolute: string, looked: Looked): Promise<Fingerprint> {
  const sum = createHash('sha256')
  const totals = { entries: 0, files: 0, bytes: 0 }
  let protectedInside: string | undefined
  async function visit(below: string): Promise<void> {
    const names = await readdir(path.join(absolute, below))
    for (const name of names.sort()) {
      looked.signal.throwIfAborted()
      totals.entries += 1
      if (totals.entries > limits.treeEntries) throw tooMany(looked.given)
      const inner = path.join(below, name)
      // Packages bring such files by the thousand, and are installed anew.
      if (!inner.split(path.sep).includes('node_modules')) protectedInside ??= protectedPart(inner) && inner
      const stats = await lstat(path.join(absolute, inner))
      sum.update(JSON.stringify([inner, await described(path.join(absolute, inner), stats, looked)]))
      if (stats.isDirectory()) await visit(inner)
      if (!stats.isFile()) continue
      totals.files += 1
      totals.bytes += stats.size
    }
  }
  await visit('')
  const { files, bytes } = totals
  return { sha256: sum.digest('hex'), isFolder: true, files, bytes, protectedInside }
}

async function described(absolute: string, stats: Stats, { given }: Looked): Promise<string> {
  if (stats.isDirectory()) return 'folder'
  if (stats.isSymbolicLink()) return `link ${await readlink(absolute)}`
  if (!stats.isFile()) throw notRegular(given, false)
  return facts(stats)
}

function tooMany(given: string): Error {
  return pathError(
    'action.too_large',
    given,
    `holds more than ${limits.treeEntries} files and folders; take a folder inside it`,
  )
}

import { type FileHandle, open, realpath } from 'node:fs/promises'
import path from 'node:path'
import { AppError } from '../../domain/error.ts'
import { limits } from '../../domain/limits.ts'
import { ArchiveRefusal, tooLarge } from './entry.ts'
import { folderEntries } from './folder.ts'
import { type ArchiveReading, skillsIn } from './skills-in.ts'
import { zipEntries } from './zip.ts'

/**
 * What a folder or a zip file holds of skills, as it would be imported: the files in memory, and what was left out. Writes nothing, runs
 * nothing. Of an archive that is made to do harm, or is over a limit, there is nothing. @throws AppError skill.import where there is
 * no such folder or file, or it cannot be read.
 */
export async function readArchive(given: string): Promise<ArchiveReading> {
  try {
    const real = await realpath(given)
    const { isFolder, zip } = await opened(real)
    const { entries, leftOut } = isFolder ? await folderEntries(real) : { entries: zipEntries(zip), leftOut: [] }
    const { skills, refused } = skillsIn(entries, {
      archive: path.basename(given),
      top: isFolder ? path.basename(real) : null,
    })
    return { skills, refused: [...leftOut, ...refused] }
  } catch (error) {
    if (error instanceof ArchiveRefusal) {
      const { leftOut } = error
      return { skills: [], refused: [{ ...leftOut, path: leftOut.path === '' ? path.basename(given) : leftOut.path }] }
    }
    if (error instanceof AppError) throw error
    throw importError(given, error instanceof Error ? error.message : String(error), error)
  }
}

async function opened(file: string): Promise<{ readonly isFolder: boolean; readonly zip: Uint8Array }> {
  const handle = await open(file, 'r')
  try {
    const stats = await handle.stat()
    if (stats.isDirectory()) return { isFolder: true, zip: new Uint8Array() }
    if (!stats.isFile()) throw importError(file, 'it is neither a folder nor a file')
    if (stats.size > limits.importBytes) throw tooLarge(path.basename(file), limits.importBytes, 'The archive')
    return { isFolder: false, zip: await zipBytes(handle, file, stats.size) }
  } finally {
    await handle.close()
  }
}

async function zipBytes(handle: FileHandle, file: string, size: number): Promise<Uint8Array> {
  const bytes = Buffer.alloc(size)
  const { bytesRead } = await handle.read(bytes, 0, size, 0)
  if (bytes.toString('latin1', 0, 2) !== 'PK') throw importError(file, 'it is no zip file')
  return bytes.subarray(0, bytesRead)
}

function importError(given: string, reason: string, cause?: unknown): AppError {
  return new AppError('skill.import', {
    message: `${given}: ${reason}`,
    userMessage: `${given} could not be imported: ${reason}. Nothing was changed. Give a folder, or a zip file, with a SKILL.md in it.`,
    cause,
  })
}

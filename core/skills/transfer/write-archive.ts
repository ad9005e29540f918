import { mkdir, open, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { type Zippable, zipSync } from 'fflate'
import { AppError } from '../../domain/error.ts'
import { strictSkillText } from '../file/write.ts'
import { refusePath, refuseTwins } from './entry.ts'

/** A skill to be written, with everything that lies beside it. */
export interface ExportedSkill {
  readonly name: string
  /** `SKILL.md` among them; `path` is relative to the folder of the skill, with `/`. */
  readonly files: readonly { readonly path: string; readonly data: Uint8Array }[]
}

/** What was written. */
export interface ArchiveWritten {
  /** The folder of the skill, or the zip file. Absolute. */
  readonly path: string
  readonly bytes: number
  readonly files: number
}

/**
 * Writes a skill by the letter of agentskills.io into a zip file, where `target` ends in .zip, or else into a folder: `target` itself where
 * it is called like the skill, `<target>/<name>` where not. Never over anything that is there; what was begun and failed is taken away.
 * The same skill makes the same bytes. @throws AppError skill.import
 */
export async function writeArchive(skill: ExportedSkill, target: string): Promise<ArchiveWritten> {
  const files = strictFiles(skill)
  const absolute = path.resolve(target)
  const isZip = absolute.toLowerCase().endsWith('.zip')
  try {
    return isZip ? await writeZip(absolute, skill.name, files) : await writeFolder(absolute, skill.name, files)
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    const isThere = cause instanceof Error && 'code' in cause && cause.code === 'EEXIST'
    throw exportError(skill.name, isThere ? `there is something at ${absolute} already` : messageOf(cause), cause)
  }
}

interface Written {
  readonly path: string
  readonly data: Uint8Array
}

function strictFiles({ name, files }: ExportedSkill): readonly Written[] {
  try {
    const paths = files.map((file) => `${name}/${file.path}`)
    for (const each of paths) refusePath(each)
    refuseTwins(paths)
    return files.map(({ path: file, data }) => ({
      path: file,
      data: file === 'SKILL.md' ? new TextEncoder().encode(strictSkillText(data)) : data,
    }))
  } catch (cause) {
    throw exportError(name, messageOf(cause), cause)
  }
}

async function writeZip(target: string, name: string, files: readonly Written[]): Promise<ArchiveWritten> {
  const entries: Zippable = {}
  for (const { path: file, data } of files) entries[`${name}/${file}`] = [data, plainFile]
  const zip = zipSync(entries)
  await writeNew(target, zip)
  return { path: target, bytes: zip.byteLength, files: files.length }
}

/** No time and no system of the writer: a regular file that only its owner changes. */
const plainFile = { mtime: new Date(1980, 0, 1), os: 3, attrs: (0o100644 << 16) >>> 0 }

async function writeFolder(target: string, name: string, files: readonly Written[]): Promise<ArchiveWritten> {
  const folder = path.basename(target) === name ? target : path.join(target, name)
  const made = await firstMissing(folder)
  await mkdir(path.dirname(folder), { recursive: true })
  await mkdir(folder)
  try {
    for (const { path: file, data } of files) {
      const whole = path.join(folder, ...file.split('/'))
      await mkdir(path.dirname(whole), { recursive: true })
      await writeNew(whole, data)
    }
  } catch (error) {
    await rm(made, { recursive: true, force: true })
    throw error
  }
  return { path: folder, bytes: files.reduce((sum, { data }) => sum + data.byteLength, 0), files: files.length }
}

/** What of the path is not there yet: all that may be taken away again. */
async function firstMissing(folder: string): Promise<string> {
  let at = folder
  for (;;) {
    const parent = path.dirname(at)
    const isThere = await stat(parent).then(
      () => true,
      () => false,
    )
    if (isThere || parent === at) return at
    at = parent
  }
}

async function writeNew(file: string, data: Uint8Array): Promise<void> {
  const handle = await open(file, 'wx', 0o644)
  try {
    await handle.writeFile(data)
    await handle.sync()
  } catch (error) {
    await rm(file, { force: true })
    throw error
  } finally {
    await handle.close()
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function exportError(name: string, reason: string, cause: unknown): AppError {
  return new AppError('skill.import', {
    message: `export of ${name}: ${reason}`,
    userMessage: `The skill ${name} could not be written: ${reason}. Nothing that was there was changed. Choose another place.`,
    cause,
  })
}

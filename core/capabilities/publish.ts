import { constants } from 'node:fs'
import { lstat, open, rename, rm } from 'node:fs/promises'
import { faultPoint } from '../domain/fault-point.ts'
import { systemCode } from './paths.ts'
import { beside, renameToNew } from './relocate.ts'
import type { HeldTarget } from './write-paths.ts'

/**
 * Puts `bytes` at the target in one step: whoever looks sees the old file or the new one, whole, after a loss of power too.
 * An existing file keeps its mode. Answers false, and changes nothing, where the target is no longer what `target.stats` saw.
 */
export async function publish(target: HeldTarget, bytes: Buffer): Promise<boolean> {
  const part = beside(target.here, 'part')
  await target.folder.check()
  try {
    await writePart(part, bytes, target)
    faultPoint('file.staged')
    await target.folder.check()
    if (!(await isAsSeen(target))) return false
    if (target.stats === undefined) await renameToNew(part, target.here)
    else await rename(part, target.here)
    faultPoint('file.published')
    await target.folder.sync()
    return true
  } catch (cause) {
    if (target.stats === undefined && systemCode(cause) === 'EEXIST') return false
    throw cause
  } finally {
    await rm(part, { force: true })
  }
}

async function writePart(part: string, bytes: Buffer, { stats }: HeldTarget): Promise<void> {
  // What a crash left of an earlier write of the same name.
  await rm(part, { force: true })
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)
  const handle = await open(part, flags, 0o644)
  try {
    await handle.writeFile(bytes)
    if (stats !== undefined) await handle.chmod(stats.mode & 0o777)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function isAsSeen({ here, stats }: HeldTarget): Promise<boolean> {
  const now = await lstat(here).catch((cause: unknown) => {
    if (systemCode(cause) === 'ENOENT') return undefined
    throw cause
  })
  if (now === undefined || stats === undefined) return now === stats
  return now.ino === stats.ino && now.dev === stats.dev && now.mtimeMs === stats.mtimeMs && now.size === stats.size
}

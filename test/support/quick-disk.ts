import fs from 'node:fs'
import path from 'node:path'

const disk = '/dev/shm'
const roomBytes = 2 * 1_073_741_824
const prefix = 'threadsmith-test-'

/**
 * Where the tests of this process put their temporary folders: in memory, where the system has room there. Every store that is
 * opened syncs its file, which costs more than all else that it does; what a process wrote outlives a kill there as well.
 * Undefined: where the system puts them.
 */
export const quickDisk: string | undefined = hasRoom() ? path.join(disk, `${prefix}${process.pid}`) : undefined

function hasRoom(): boolean {
  if (process.platform !== 'linux' || !fs.existsSync(disk)) return false
  const { bavail, bsize } = fs.statfsSync(disk)
  return bavail * bsize > roomBytes
}

/** Makes it, and removes what runs left that were killed. Answers what is to be called at the end. */
export function makeQuickDisk(): () => void {
  if (quickDisk === undefined) return () => undefined
  const root = quickDisk
  for (const name of fs.readdirSync(disk)) {
    const pid = name.startsWith(prefix) ? name.slice(prefix.length) : ''
    if (pid !== '' && !fs.existsSync(`/proc/${pid}`)) fs.rmSync(path.join(disk, name), { recursive: true, force: true })
  }
  fs.mkdirSync(root, { recursive: true, mode: 0o700 })
  return () => fs.rmSync(root, { recursive: true, force: true })
}

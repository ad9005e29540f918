import fs from 'node:fs'
import path from 'node:path'

const disk = '/dev/shm'
const roomBytes = 2 * 1_073_741_824
const prefix = 'threadsmith-tests-'

/**
 * Where the tests of this process put their temporary folders: in memory, where the system has room there. Every store that is
 * opened syncs its file, which costs more than all else that it does; what a process wrote outlives a kill there as well.
 * Undefined: where the system puts them.
 */
export const quickDisk: string | undefined = hasRoom() ? path.join(disk, nameOf(process.pid)) : undefined

function hasRoom(): boolean {
  if (process.platform !== 'linux' || !fs.existsSync(disk)) return false
  const { bavail, bsize } = fs.statfsSync(disk)
  return bavail * bsize > roomBytes
}

/** With the space that the number is one of: containers can share this disk, and a living run of another has no /proc entry here. */
function nameOf(pid: number): string {
  return `${prefix}${spaceOf()}-${pid}`
}
function spaceOf(): string {
  return fs.statSync('/proc/self/ns/pid').ino.toString()
}

/** Makes it, and removes what runs left that were killed. Answers what is to be called at the end. */
export function makeQuickDisk(): () => void {
  if (quickDisk === undefined) return () => undefined
  const root = quickDisk
  const isLiving = (pid: string) => pid !== String(process.pid) && fs.existsSync(`/proc/${pid}`)
  removeLeftovers({ disk, space: spaceOf(), uid: process.getuid?.() ?? -1, isLiving })
  // One that is there all the same is somebody else's: then this ends here, before a test writes into it.
  fs.mkdirSync(root, { mode: 0o700 })
  return () => fs.rmSync(root, { recursive: true, force: true })
}

interface Leftovers {
  readonly disk: string
  /** Of the numbers of processes. */
  readonly space: string
  readonly uid: number
  readonly isLiving: (pid: string) => boolean
}

/** Folders of runs that are over, in this space and of this user. One that cannot be removed stays, and is said. */
export function removeLeftovers({ disk: from, space, uid, isLiving }: Leftovers): void {
  for (const name of fs.readdirSync(from)) {
    const ours = `${prefix}${space}-`
    const pid = name.startsWith(ours) ? /^\d+$/.exec(name.slice(ours.length))?.[0] : undefined
    const folder = path.join(from, name)
    if (pid === undefined || !isOf(uid, folder) || isLiving(pid)) continue
    try {
      fs.rmSync(folder, { recursive: true, force: true })
    } catch (error) {
      console.warn(`${folder} is left of an earlier run and could not be removed: ${String(error)}`)
    }
  }
}

/** Not what a link leads to. Another run may have removed it meanwhile. */
function isOf(uid: number, folder: string): boolean {
  const stat = fs.lstatSync(folder, { throwIfNoEntry: false })
  return stat?.isDirectory() === true && stat.uid === uid
}

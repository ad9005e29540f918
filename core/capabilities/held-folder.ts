import { constants } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readlink, realpath } from 'node:fs/promises'
import path from 'node:path'
import { isWithin, outside, type Root, systemCode } from './paths.ts'

/** A folder of the project, held open: what is done by `at` happens in this folder, wherever its path leads meanwhile. */
export interface HeldFolder {
  /** Names an entry of it. Only valid while it is held. */
  at(name: string): string
  /**
   * Throws action.outside where the folder itself was carried out of the project; where the system gives no path to an open
   * folder (all but Linux), also where its path leads elsewhere by now. There a swap after this call is not seen.
   */
  check(): Promise<void>
  /** What was renamed in it survives a loss of power. */
  sync(): Promise<void>
  /** Names a folder in it, made where it is missing, and held in the place of this one, which is closed. */
  enter(name: string): Promise<HeldFolder>
  close(): Promise<void>
}

/** Shows `given` in errors. Throws action.outside where the folder is a link by now, or lies outside. */
export async function holdFolder(root: Root, absolute: string, given: string): Promise<HeldFolder> {
  return held({ root, given }, absolute, await openFolder(absolute, given))
}

const folderFlags = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0)

export function openFolder(absolute: string, given: string): Promise<FileHandle> {
  return open(absolute, folderFlags).catch((cause: unknown) => {
    // A link where a folder was found a moment ago.
    if (systemCode(cause) === 'ELOOP') throw outside(given)
    throw cause
  })
}

/** A path that leads to the open folder and nowhere else; undefined where the system gives none. */
export async function pathOfHandle(handle: FileHandle): Promise<{ base: string; leadsTo: string } | undefined> {
  if (process.platform !== 'linux') return undefined
  const base = `/proc/self/fd/${handle.fd}`
  const leadsTo = await readlink(base).catch(() => undefined)
  return leadsTo === undefined ? undefined : { base, leadsTo }
}

async function held(
  place: { readonly root: Root; readonly given: string },
  absolute: string,
  handle: FileHandle,
): Promise<HeldFolder> {
  const { root, given } = place
  try {
    const named = await pathOfHandle(handle)
    const check = async () => {
      const leadsTo = (await pathOfHandle(handle))?.leadsTo ?? (await checkedPath(absolute, handle, given))
      if (!isWithin(root.folder, leadsTo) || isWithin(root.dataDir, leadsTo)) throw outside(given)
    }
    await check()
    const at = (name: string) => path.join(named?.base ?? absolute, name)
    return {
      at,
      check,
      // Windows does not sync folders.
      sync: () => (process.platform === 'win32' ? Promise.resolve() : handle.sync()),
      async enter(name) {
        await mkdir(at(name), { mode: 0o755 }).catch((cause: unknown) => {
          if (systemCode(cause) !== 'EEXIST') throw cause
        })
        const inner = await held(place, path.join(absolute, name), await openFolder(at(name), given))
        await handle.close()
        return inner
      },
      close: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

async function checkedPath(absolute: string, handle: FileHandle, given: string): Promise<string> {
  const [again, named, opened] = await Promise.all([realpath(absolute), lstat(absolute), handle.stat()]).catch(() => {
    throw outside(given)
  })
  if (again !== absolute || named.ino !== opened.ino || named.dev !== opened.dev) throw outside(given)
  return absolute
}

import fs from 'node:fs'
import path from 'node:path'
import { limits } from '../domain/limits.ts'

export interface FolderWatch {
  /** Nothing is told any more, and nothing is left open. */
  close(): void
}

export interface FolderWatchOptions {
  /** A file of the folder, by its path below it with `/`, changed, came or went. */
  readonly onChange: (file: string) => void
  /** More folders than are watched: those that came later are not. Told once. */
  readonly onTooMany: () => void
  readonly onFault: (error: unknown) => void
}

/**
 * Watches a folder and all below it, but for hidden ones, node_modules and what only a symbolic link leads to. A folder that comes later
 * is watched too, and what lies in it by then is told. It keeps no process alive.
 */
export function watchFolder(root: string, { onChange, onTooMany, onFault }: FolderWatchOptions): FolderWatch {
  const open = new Map<string, fs.FSWatcher>()
  let isFull = false

  /** `isNew`: it came while we watched, so its files are new too. */
  function enter(folder: string, isNew: boolean): void {
    if (open.has(folder)) return
    if (open.size >= limits.watchedFolders) {
      if (!isFull) onTooMany()
      isFull = true
      return
    }
    if (!watch(folder)) return
    for (const entry of entriesOf(path.join(root, folder))) {
      const file = joined(folder, entry.name)
      if (entry.isDirectory() && isOpen(entry.name)) enter(file, isNew)
      else if (isNew && entry.isFile()) onChange(file)
    }
  }
  function watch(folder: string): boolean {
    try {
      const watcher = fs.watch(path.join(root, folder), { persistent: false }, (_event, name) => {
        if (name !== null) guarded(folder, name)
      })
      watcher.on('error', () => leave(folder))
      open.set(folder, watcher)
      return true
    } catch (error) {
      // A folder that went meanwhile is no fault.
      if (fs.existsSync(path.join(root, folder))) onFault(error)
      return false
    }
  }
  /** Nobody stands above it who could take an error. */
  function guarded(folder: string, name: string): void {
    try {
      changed(folder, name)
    } catch (error) {
      onFault(error)
    }
  }
  function changed(folder: string, name: string): void {
    const file = joined(folder, name)
    const stats = fs.lstatSync(path.join(root, file), { throwIfNoEntry: false })
    if (stats?.isDirectory()) {
      if (isOpen(name)) enter(file, true)
      return
    }
    if (open.has(file)) leave(file)
    else if (stats === undefined || stats.isFile()) onChange(file)
  }
  function leave(folder: string): void {
    for (const [each, watcher] of open) {
      if (each !== folder && !each.startsWith(`${folder}/`)) continue
      open.delete(each)
      watcher.close()
    }
  }

  enter('', false)
  return {
    close() {
      for (const watcher of open.values()) watcher.close()
      open.clear()
    },
  }
}

const isOpen = (name: string) => !name.startsWith('.') && name !== 'node_modules'
const joined = (folder: string, name: string) => (folder === '' ? name : `${folder}/${name}`)

function entriesOf(folder: string): readonly fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true })
  } catch {
    // Gone since, or not to be entered: there is nothing to watch.
    return []
  }
}

/** What a folder is, whatever it is called; null where there is none. */
export function stampOf(folder: string): string | null {
  const stats = fs.statSync(folder, { throwIfNoEntry: false })
  return stats?.isDirectory() ? `${stats.dev}:${stats.ino}` : null
}

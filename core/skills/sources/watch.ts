import fs from 'node:fs'
import path from 'node:path'
import { limits } from '../../domain/limits.ts'

export interface SkillWatch {
  /** Nothing is told any more, and nothing is left open. */
  close(): void
}

export interface WatchOptions {
  /** What failed in `onChange`, or a folder that cannot be watched: too many of them, say. The others are watched all the same. */
  readonly onFault: (error: unknown) => void
  /** Changes within it are told once. */
  readonly delayMs?: number
}

/**
 * Calls `onChange` some time after something changed in a folder or below it, as deep as skills lie. A folder that appears later
 * is seen, by its nearest parent, and so is one that is put in the place of another. It keeps no process alive.
 */
export function watchSkillFolders(
  folders: readonly string[],
  onChange: () => void,
  { onFault, delayMs = 200 }: WatchOptions,
): SkillWatch {
  const open = new Map<string, fs.FSWatcher>()
  const faulty = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function schedule(): void {
    if (isClosed || timer !== undefined) return
    timer = setTimeout(settle, delayMs)
    timer.unref()
  }

  function settle(): void {
    timer = undefined
    try {
      // First: what changes while skills are read is told again.
      reconcile()
      onChange()
    } catch (error) {
      onFault(error)
    }
  }

  /** Folders come and go while this is done: until nothing is new. */
  function reconcile(): void {
    for (let round = 0; round < mostRounds; round += 1) {
      const wanted = wantedFor(folders)
      for (const [key, watcher] of open) if (!wanted.has(key)) stop(key, watcher)
      const fresh = [...wanted].filter(([key]) => !open.has(key) && !faulty.has(key))
      if (fresh.length === 0) return
      for (const [key, want] of fresh) watch(key, want)
    }
  }

  function watch(key: string, { folder, only }: Wanted): void {
    try {
      const watcher = fs.watch(folder, { persistent: false }, (_event, name) => {
        if (only === null || name === null || only.has(name)) schedule()
      })
      watcher.on('error', () => {
        stop(key, watcher)
        schedule()
      })
      open.set(key, watcher)
    } catch (error) {
      if (stampOf(folder) === null) return
      faulty.add(key)
      onFault(error)
    }
  }

  function stop(key: string, watcher: fs.FSWatcher): void {
    open.delete(key)
    watcher.close()
  }

  reconcile()
  return {
    close() {
      isClosed = true
      clearTimeout(timer)
      for (const [key, watcher] of open) stop(key, watcher)
    },
  }
}
const mostRounds = 5

interface Wanted {
  readonly folder: string
  /** What alone matters in it; null for everything. Parents of a folder that is not there yet change all the time. */
  readonly only: ReadonlySet<string> | null
}

/** By path and by what lies there: of another folder in the same place the old watch knows nothing. */
function wantedFor(folders: readonly string[]): ReadonlyMap<string, Wanted> {
  const names = new Map<string, ReadonlySet<string> | null>()
  const want = (folder: string, name: string | null) => {
    const before = names.get(folder)
    names.set(folder, before === null || name === null ? null : new Set([...(before ?? []), name]))
  }
  for (const folder of folders) {
    const { parent, name } = nearestParent(folder)
    // Of a folder that is there, only its parent knows that another one took its place.
    if (name !== '') want(parent, name)
    for (const each of foldersOfSkills(folder)) want(each, null)
  }
  return new Map(
    [...names].flatMap(([folder, only]) => {
      const stamp = stampOf(folder)
      const key = [folder, stamp, ...(only === null ? [] : [...only].sort())].join('\n')
      return stamp === null ? [] : [[key, { folder, only }]]
    }),
  )
}

/** The parent that there is, with the name that matters in it. */
function nearestParent(folder: string): { readonly parent: string; readonly name: string } {
  let at = folder
  while (stampOf(path.dirname(at)) === null && path.dirname(at) !== at) at = path.dirname(at)
  return { parent: path.dirname(at), name: path.basename(at) }
}

/** All that skills can lie in, as `scanSkillFolders` looks for them. */
function foldersOfSkills(folder: string): readonly string[] {
  const all: string[] = []
  const enter = (at: string, depth: number) => {
    if (all.length >= limits.skillFolders || stampOf(at) === null) return
    all.push(at)
    const entries = entriesOf(at)
    const isSkill = depth > 0 && entries.some(({ name }) => name === 'SKILL.md')
    if (isSkill || depth === limits.skillFolderDepth) return
    for (const entry of entries) {
      const isOpen = entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules'
      if (isOpen) enter(path.join(at, entry.name), depth + 1)
    }
  }
  enter(folder, 0)
  return all
}

function entriesOf(folder: string): readonly fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true })
  } catch {
    // Gone since, or not to be entered: whoever reads the skills tells that.
    return []
  }
}

/** What a folder is, whatever it is called; null where there is none. */
function stampOf(folder: string): string | null {
  try {
    const stats = fs.statSync(folder)
    return stats.isDirectory() ? `${stats.dev}:${stats.ino}` : null
  } catch {
    return null
  }
}

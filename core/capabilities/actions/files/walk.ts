import type { Dirent, Stats } from 'node:fs'
import { lstat, opendir, realpath } from 'node:fs/promises'
import path from 'node:path'
import { limits } from '../../../domain/limits.ts'
import { fileError, type Place, type Root, relativePath } from '../../paths.ts'

type EntryKind = 'file' | 'folder' | 'link' | 'other'

/** Something that a walk met. Links are named, never followed. */
export interface WalkEntry {
  /** Relative to the project's folder. */
  readonly path: string
  /** Relative to the folder where the walk began. */
  readonly below: string
  readonly kind: EntryKind
  readonly bytes: number
  /** Epoch ms. */
  readonly modifiedMs: number
}

interface WalkOptions {
  readonly root: Root
  readonly start: Place
  readonly isRecursive: boolean
  readonly withHidden: boolean
  /** Asked before a file is looked at; false leaves it out of what is yielded (folders are entered all the same). */
  readonly wants: (below: string) => boolean
  readonly signal: AbortSignal
  readonly maxEntries?: number
  readonly maxMs?: number
}

/** What the walk did not do; complete once it has ended. */
export interface WalkReport {
  /** Folders that were not entered: .git, node_modules, the app's own data, and those that may not be read. */
  readonly skipped: string[]
  /** Why the walk stopped early; undefined when it saw everything. */
  stoppedBecause: string | undefined
}

export function createWalkReport(): WalkReport {
  return { skipped: [], stoppedBecause: undefined }
}

const neverEntered = new Set(['.git', 'node_modules'])

/** Folder by folder, names in order, at most 50,000 entries and 5 s of its own time; `report` says what was left out. */
export async function* walk(options: WalkOptions, report: WalkReport): AsyncGenerator<WalkEntry> {
  const { start } = options
  const { folder: root, dataDir } = options.root
  const budget = createBudget(options)
  const entersAll = start.path.split('/').some((segment) => neverEntered.has(segment))
  const folders = [start.absolute]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const names = await readNames(folder, options, budget).catch((cause: unknown) => {
      options.signal.throwIfAborted()
      if (folder === start.absolute) throw fileError(start.path, cause)
      report.skipped.push(relativePath(root, folder ?? ''))
      return []
    })
    const inside: string[] = []
    for (const entry of names) {
      if (!entry.isDirectory()) continue
      const absolute = path.join(folder, entry.name)
      if (!options.isRecursive) continue
      if (absolute === dataDir || (!entersAll && neverEntered.has(entry.name)))
        report.skipped.push(relativePath(root, absolute))
      else inside.push(absolute)
    }
    folders.push(...inside.reverse())
    for await (const entry of lookAt(folder, names, options)) yield* budget.outside(entry)
    report.stoppedBecause = budget.stop(folders.length > 0)
    if (report.stoppedBecause !== undefined) return
  }
}

async function* lookAt(folder: string, names: readonly Dirent[], options: WalkOptions): AsyncGenerator<WalkEntry> {
  const { start, signal } = options
  const root = options.root.folder
  const wanted = names.filter(({ name }) => {
    if (!options.withHidden && name.startsWith('.')) return false
    return options.wants(relativePath(start.absolute, path.join(folder, name)))
  })
  for (let at = 0; at < wanted.length; at += 64) {
    signal.throwIfAborted()
    const looked = await Promise.all(
      wanted.slice(at, at + 64).map(async ({ name }) => {
        const absolute = path.join(folder, name)
        // A file that went away since its name was read is no longer part of the folder.
        const stats = await lstat(absolute).catch(() => undefined)
        return stats && describe(root, start.absolute, absolute, stats)
      }),
    )
    for (const entry of looked) if (entry) yield entry
  }
}

function describe(root: string, start: string, absolute: string, stats: Stats): WalkEntry {
  const kind = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'other'
  return {
    path: relativePath(root, absolute),
    below: relativePath(start, absolute),
    kind,
    bytes: kind === 'file' ? stats.size : 0,
    modifiedMs: stats.mtimeMs,
  }
}

async function readNames(folder: string, options: WalkOptions, budget: Budget): Promise<Dirent[]> {
  const names: Dirent[] = []
  for await (const entry of await opendir(folder, { bufferSize: 512 })) {
    options.signal.throwIfAborted()
    if (!options.withHidden && entry.name.startsWith('.') && !neverEntered.has(entry.name)) continue
    if (!budget.take()) break
    names.push(entry)
  }
  // Put in its place since: what was read may lie outside the project.
  if ((await realpath(folder)) !== folder) return []
  return names.sort((a, b) => (a.name < b.name ? -1 : 1))
}

interface Budget {
  take(): boolean
  /** Why to stop here; `hasMore`: folders are left. */
  stop(hasMore: boolean): string | undefined
  /** Yields the entry; the time that its reader takes is not the walk's. */
  outside(entry: WalkEntry): Generator<WalkEntry>
}

function createBudget(options: WalkOptions): Budget {
  const maxEntries = options.maxEntries ?? limits.walkEntries
  const maxMs = options.maxMs ?? limits.walkMs
  const tooMany = `Only the first ${maxEntries} entries were looked at.`
  const tooLong = `The folder was looked at for ${maxMs / 1_000} s, not to its end.`
  let entries = 0
  let cutBecause: string | undefined
  let deadline = performance.now() + maxMs
  return {
    take() {
      if (entries >= maxEntries) cutBecause = tooMany
      else if (performance.now() >= deadline) cutBecause = tooLong
      else entries += 1
      return cutBecause === undefined
    },
    stop(hasMore) {
      return cutBecause ?? (hasMore && performance.now() >= deadline ? tooLong : undefined)
    },
    *outside(entry) {
      const left = performance.now()
      yield entry
      deadline += performance.now() - left
    },
  }
}

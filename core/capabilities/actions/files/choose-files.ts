import path from 'node:path'
import { findPlace, type Root } from '../../paths.ts'
import { compileGlob } from './glob.ts'
import { type WalkEntry, type WalkReport, walk } from './walk.ts'

/** Files below a folder, or the one file that `path` is. */
interface FileChoice {
  readonly root: Root
  readonly path: string
  /** Default: all files of the folder and of those below. Hidden ones only where the pattern or the path names them. */
  readonly pattern: string | undefined
  readonly signal: AbortSignal
}

/** Regular files only: links are not followed, so that nothing is counted twice. */
export async function* chooseFiles(choice: FileChoice, report: WalkReport): AsyncGenerator<WalkEntry> {
  const { root, signal } = choice
  const place = await findPlace(root, choice.path)
  const only = place.isFolder ? undefined : path.basename(place.absolute)
  const start = only === undefined ? place : await findPlace(root, path.dirname(place.absolute))
  const glob = choice.pattern === undefined ? undefined : compileGlob(choice.pattern)
  const found = walk(
    {
      root,
      start,
      isRecursive: only === undefined,
      withHidden: only !== undefined || (glob?.wantsHidden ?? false),
      wants: (below) => (only === undefined || below === only) && (glob?.matches(below) ?? true),
      signal,
    },
    report,
  )
  for await (const entry of found) if (entry.kind === 'file') yield entry
}

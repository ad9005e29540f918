import { open } from 'node:fs/promises'
import type { TrashItem } from '../domain/approval.ts'
import { AppError } from '../domain/error.ts'
import { fingerprint } from './fingerprint.ts'
import { inTurn } from './in-turn.ts'
import { openProject, type Root, readFlags } from './paths.ts'
import { publish } from './publish.ts'
import { exists, isSameFile, relocate, renameToNew } from './relocate.ts'
import { type HeldTarget, withTarget } from './write-paths.ts'

/** A row of the trash, and where its file is kept: absolute, there or not. */
export interface RestorableRow extends TrashItem {
  readonly place: string
  /** Null where nothing was there before. */
  readonly kept: string | null
  readonly sha256: string
}

/** All that may lie in the trash for one call. `made` marks that a file is about to be made; `undone` is one that was taken back. */
export function keptThing(place: string): { readonly kept: string; readonly made: string; readonly undone: string } {
  return { kept: place, made: `${place}.made`, undone: `${place}.undone` }
}

/**
 * Takes back what one call did. Run again after a crash it finds what it did itself. Throws trash.conflict and
 * trash.not_found before anything is changed.
 */
export function putBack(project: Root, row: RestorableRow): Promise<void> {
  return inTurn(async () => {
    const root = await openProject(project)
    await (row.kind === 'moved' ? moveBack(root, row) : takeBack(root, row)).catch((error: unknown) => {
      throw isElsewise(error) ? conflict(row.file, error) : error
    })
  })
}

/** The folder on the way is gone, or something of another kind is there. */
function isElsewise(error: unknown): boolean {
  return error instanceof AppError && /^action\.(not_found|not_regular|conflict)$/.test(error.code)
}

function takeBack(root: Root, row: RestorableRow): Promise<void> {
  return withTarget(root, { path: row.file, kind: 'any', makesFolders: row.kind === 'deleted' }, (target) => {
    if (row.kind === 'deleted') return bringBack(target, row)
    return row.kind === 'created' ? takeAway(target, row) : writeBack(target, row)
  })
}

async function bringBack(target: HeldTarget, row: RestorableRow): Promise<void> {
  const there = await printOf(target.here, row)
  if (there === row.sha256) return
  if (there !== undefined) throw conflict(row.file)
  await refuseMissing(row)
  await relocate(row.place, target.here)
  await target.folder.sync()
}

async function takeAway(target: HeldTarget, row: RestorableRow): Promise<void> {
  const { undone } = keptThing(row.place)
  const there = await printOf(target.here, row)
  if (there === undefined && (await exists(undone))) return
  if (there !== row.sha256) throw conflict(row.file)
  await relocate(target.here, undone)
  await target.folder.sync()
}

async function writeBack(target: HeldTarget, row: RestorableRow): Promise<void> {
  await refuseMissing(row)
  const [there, before] = [await printOf(target.here, row), await printOf(row.place, row)]
  if (there === before) return
  if (there !== row.sha256) throw conflict(row.file)
  const bytes = await readKept(row.place)
  if (!(await publish(target, bytes))) throw conflict(row.file)
}

async function moveBack(root: Root, row: RestorableRow): Promise<void> {
  const { file, movedTo, kept, sha256 } = row
  if (movedTo === null) throw conflict(file)
  await withTarget(root, { path: file, kind: 'any', makesFolders: true }, (from) =>
    withTarget(root, { path: movedTo, kind: 'any', makesFolders: false }, async (to) => {
      const [there, back] = [await printOf(to.here, row), await printOf(from.here, row)]
      const isStillKept = kept !== null && (await exists(row.place))
      const isBack = back === sha256 && (there === undefined || (kept !== null && !isStillKept))
      if (!isBack) {
        const isFree = back === undefined || (await isSameFile(to.here, from.here))
        if (there !== sha256 || !isFree) throw conflict(movedTo)
        if (kept !== null) await refuseMissing(row)
        await renameToNew(to.here, from.here)
      }
      if (isStillKept) await relocate(row.place, to.here)
      await from.folder.sync()
      await to.folder.sync()
    }),
  )
}

async function printOf(absolute: string, { file }: RestorableRow): Promise<string | undefined> {
  const found = await fingerprint(absolute, { given: file, signal: new AbortController().signal })
  return found?.sha256
}

async function readKept(place: string): Promise<Buffer> {
  const handle = await open(place, readFlags)
  try {
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}

async function refuseMissing(row: RestorableRow): Promise<void> {
  if (await exists(row.place)) return
  throw new AppError('trash.not_found', {
    message: `the kept file of ${row.id} is gone`,
    userMessage: `What was at "${row.file}" before is no longer kept, so it cannot be put back. Nothing was changed.`,
    data: { id: row.id, file: row.file },
  })
}

function conflict(file: string, cause?: unknown): AppError {
  return new AppError('trash.conflict', {
    message: `"${file}" is no longer what the action left`,
    userMessage: `"${file}" was changed since. Nothing was put back, so that no later work is lost. Take back the later changes first, or change the file yourself.`,
    data: { file },
    cause,
  })
}

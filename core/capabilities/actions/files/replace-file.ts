import { open, rename, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { faultPoint } from '../../../domain/fault-point.ts'
import type { Json } from '../../../domain/json.ts'
import { limits } from '../../../domain/limits.ts'
import type { ActionContext, PreflightContext } from '../../action.ts'
import { sha256Of } from '../../fingerprint.ts'
import { inTurn } from '../../in-turn.ts'
import { openProject, readFlags, withFile } from '../../paths.ts'
import { publish } from '../../publish.ts'
import { beside, bytesAt, exists, removeTree } from '../../relocate.ts'
import { keptThing } from '../../restore.ts'
import { findTarget, type HeldTarget, withTarget } from '../../write-paths.ts'
import { readGuard, stale } from './guard.ts'
import { refuseLarge } from './text-stream.ts'

/** Makes the bytes of a file from those that are there; undefined where there is no file. Throws what the model can mend. */
export type Rewrite = (before: Buffer | undefined, path: string) => Buffer

export interface Rewriting {
  readonly path: string
  readonly before: Buffer | undefined
  readonly after: Buffer
}

/** SHA-256 of what is there, null where nothing is, and of what is to be there. */
const guardShape = z.strictObject({ sha256: z.string().nullable(), result: z.string() })

/** What a rewrite would do, without doing it. */
export async function previewRewrite(
  given: string,
  context: PreflightContext,
  rewrite: Rewrite,
): Promise<Rewriting & { readonly guard: Json }> {
  const root = await openProject(context)
  const { path, stats } = await findTarget(root, given, 'file')
  const before =
    stats &&
    (await withFile(root, path, async (file) => {
      refuseLarge(file, limits.keptCopyBytes, 'Delete it first: it is kept in the trash.')
      return file.handle.readFile()
    }))
  const after = rewrite(before, path)
  const guard = { sha256: before === undefined ? null : sha256Of(before), result: sha256Of(after) }
  return { path, before, after, guard }
}

/** `already`: what is there is what was wanted, put there by this very call before a crash, or by somebody else. */
export type Outcome = 'created' | 'replaced' | 'already'

/**
 * Writes what `rewrite` makes, once what is there is still what the guard saw; keeps in the trash what was there before.
 * Throws approval.stale, and nothing is written then.
 */
export function rewriteFile(
  given: string,
  context: ActionContext,
  rewrite: Rewrite,
): Promise<{ readonly path: string; readonly bytes: number; readonly outcome: Outcome }> {
  return inTurn(async () => {
    const root = await openProject(context)
    const guard = readGuard(guardShape, context)
    const asked = { path: given, kind: 'file', makesFolders: guard.sha256 === null } as const
    return withTarget(root, asked, async (target) => {
      const before = await readHeld(target)
      const now = before === undefined ? null : sha256Of(before)
      const place = context.trash.place(context.callKey)
      if (now === guard.result) {
        await recordFound(target, { place, sha256: now }, context)
        return { path: target.path, bytes: before?.length ?? 0, outcome: 'already' }
      }
      if (now !== guard.sha256) throw stale(target.path)
      const after = rewrite(before, target.path)
      // The arguments are not those that a person saw.
      if (sha256Of(after) !== guard.result) throw stale(target.path)
      context.signal.throwIfAborted()
      await keep(place, before)
      faultPoint('file.kept')
      if (!(await publish(target, after))) {
        await forget(place)
        throw stale(target.path)
      }
      await recordFound(target, { place, sha256: guard.result }, context)
      return { path: target.path, bytes: after.length, outcome: now === null ? 'created' : 'replaced' }
    })
  })
}

async function readHeld(target: HeldTarget): Promise<Buffer | undefined> {
  if (target.stats === undefined) return undefined
  const handle = await open(target.here, readFlags)
  try {
    const held = await handle.stat()
    if (!held.isFile() || held.nlink > 1 || held.size > limits.keptCopyBytes) throw stale(target.path)
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}

/** Before the effect: a run that finds the effect without its record knows by this whose it is. */
async function keep(place: string, before: Buffer | undefined): Promise<void> {
  const { kept, made } = keptThing(place)
  const part = beside(place, 'part')
  await removeTree(part)
  await writeFile(part, before ?? '', { mode: 0o600, flush: true, flag: 'wx' })
  await rename(part, before === undefined ? made : kept)
}

async function forget(place: string): Promise<void> {
  const { kept, made } = keptThing(place)
  await removeTree(kept)
  await removeTree(made)
}

/** Where this call kept nothing, somebody else has written the same: there is nothing to undo. */
async function recordFound(
  { path }: HeldTarget,
  { place, sha256 }: { readonly place: string; readonly sha256: string },
  { trash, callKey }: ActionContext,
): Promise<void> {
  const { kept, made } = keptThing(place)
  const bytes = await bytesAt(kept)
  const isMade = bytes === undefined && (await exists(made))
  if (bytes === undefined && !isMade) return
  const item = { callKey, file: path, movedTo: null, sha256 }
  if (bytes === undefined) trash.record({ ...item, kind: 'created', kept: null, bytes: 0 })
  else trash.record({ ...item, kind: 'overwritten', kept, bytes })
}

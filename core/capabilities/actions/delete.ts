import { z } from 'zod'
import type { Change } from '../../domain/approval.ts'
import type { Json } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import { type ActionContext, defineAction, type PreflightContext } from '../action.ts'
import { type Fingerprint, fingerprint } from '../fingerprint.ts'
import { inTurn } from '../in-turn.ts'
import { openProject, withFile } from '../paths.ts'
import { protectedPart } from '../protected-names.ts'
import { discard, exists, finishDiscard, relocate } from '../relocate.ts'
import { findTarget, withTarget } from '../write-paths.ts'
import { askToWrite, fileResource } from './files/ask.ts'
import { fileChange } from './files/change.ts'
import { readGuard, stale } from './files/guard.ts'
import { pathText, summaryText } from './parameters.ts'
import { refusal } from './refusal.ts'

/** What is there. */
const guardShape = z.strictObject({ sha256: z.string() })

export const deleteFile = defineAction({
  name: 'delete',
  description:
    'Moves a file or a folder of the project to the trash, after a person agreed. A person can put it back from there.',
  parameters: z.strictObject({ path: pathText.min(1).describe('File or folder inside the project.') }),
  effects: ['ReadLocal', 'WriteLocal'],
  // What it took lies in the trash under the name of the call: run again it finds it there.
  isIdempotent: true,
  isUndoable: true,
  askedFor: ['delete', 'remove', 'erase', 'discard', 'trash', 'clear', 'clean'],
  source: () => null,
  review: ({ path }) => askToWrite('delete', 'It moves a file or a folder of the project to the trash.', [path]),
  async preflight({ path: given }, context) {
    const root = await openProject(context)
    const { path, absolute } = await findTarget(root, given, 'any')
    const found = await fingerprint(absolute, { given, signal: context.signal })
    if (found === undefined) throw refusal('action.not_found', `"${path}" does not exist.`)
    refuseProtectedInside(path, found)
    return {
      change: found.isFolder ? folderChange(path, found) : await goneChange(path, found, context),
      guard: { sha256: found.sha256 },
      undo: `Undo puts it back, for ${limits.trashDays} days, unless something else is there by then.`,
    }
  },
  resource: ({ path }) => fileResource(path),
  summarize: ({ path }) => summaryText(path),
  run: ({ path }, context) => inTurn(() => deleteOne(path, context)),
})

async function deleteOne(given: string, context: ActionContext): Promise<Json> {
  const { trash, callKey, signal } = context
  const guard = readGuard(guardShape, context)
  const root = await openProject(context)
  return withTarget(root, { path: given, kind: 'any', makesFolders: false }, async (target) => {
    const { path, here, folder } = target
    const kept = trash.place(callKey)
    const isKept = await exists(kept)
    const there = await fingerprint(here, { given, signal })
    if (there === undefined ? !isKept : there.sha256 !== guard.sha256) throw stale(path)
    if (there !== undefined) refuseProtectedInside(path, there)
    signal.throwIfAborted()
    await folder.check()
    if (there !== undefined) await (isKept ? discard(here) : relocate(here, kept))
    else await finishDiscard(here)
    await folder.sync()
    const { isFolder, files, bytes } = there ?? (await keptFacts(kept, context))
    trash.record({ callKey, kind: 'deleted', file: path, movedTo: null, kept, bytes, sha256: guard.sha256 })
    return { path, kind: isFolder ? 'folder' : 'file', files, bytes, inTrash: true }
  })
}

async function keptFacts(kept: string, { signal }: ActionContext): Promise<Fingerprint> {
  const found = await fingerprint(kept, { given: 'what is kept', signal })
  if (found === undefined) throw refusal('action.not_found', 'What was deleted is no longer kept.')
  return found
}

/** A folder goes under its own name; what is protected in it is asked for by that name first. */
function refuseProtectedInside(path: string, { protectedInside }: Fingerprint): void {
  if (protectedInside === undefined || protectedPart(path) !== undefined) return
  throw refusal(
    'action.conflict',
    `"${path}" holds "${protectedInside}", which is protected. Delete "${path}/${protectedInside}" first: that is asked for by its name.`,
    { path, protectedInside },
  )
}

async function goneChange(path: string, { bytes }: Fingerprint, context: PreflightContext): Promise<Change> {
  if (bytes > limits.keptCopyBytes) {
    return { kind: 'file', path, before: null, after: null, note: `The file is not shown: ${bytes} bytes.` }
  }
  const before = await withFile(await openProject(context), path, ({ handle }) => handle.readFile())
  return fileChange(path, before, undefined)
}

function folderChange(path: string, { files, bytes }: Fingerprint): Change {
  const note = `A folder with ${files} ${files === 1 ? 'file' : 'files'} of ${bytes} bytes in all.`
  return { kind: 'file', path, before: null, after: null, note }
}

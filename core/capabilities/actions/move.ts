import { z } from 'zod'
import type { Json } from '../../domain/json.ts'
import { type ActionContext, defineAction, type PreflightContext } from '../action.ts'
import { type Fingerprint, fingerprint } from '../fingerprint.ts'
import { inTurn } from '../in-turn.ts'
import { isWithin, openProject } from '../paths.ts'
import { exists, isSameFile, relocate, renameToNew } from '../relocate.ts'
import { findTarget, type HeldTarget, type Target, withTarget } from '../write-paths.ts'
import { askToWrite, fileResource } from './files/ask.ts'
import { readGuard, stale } from './files/guard.ts'
import { flag, pathText, summaryText } from './parameters.ts'
import { refusal } from './refusal.ts'

const parameters = z.strictObject({
  from: pathText.min(1).describe('File or folder inside the project.'),
  to: pathText.min(1).describe('Its new path, name included; missing folders are made.'),
  overwrite: flag().default(false).describe('Replace what is there. Default false.'),
})
type Parameters = z.output<typeof parameters>

/** What is at both ends; null where nothing is. */
const guardShape = z.strictObject({ from: z.string(), to: z.string().nullable() })
type Guard = z.output<typeof guardShape>

export const move = defineAction({
  name: 'move',
  description:
    'Moves or renames a file or a folder inside the project, after a person agreed. What it replaces is kept and can be put back.',
  parameters,
  effects: ['ReadLocal', 'WriteLocal'],
  // Bound to what was at both ends: run again it finds it moved.
  isIdempotent: true,
  isUndoable: true,
  askedFor: ['move', 'rename', 'put', 'archive', 'relocate', 'sort', 'organise', 'organize'],
  source: () => null,
  review: ({ from, to }) => askToWrite('move', 'It moves or renames a file or a folder of the project.', [from, to]),
  async preflight(asked, context) {
    const root = await openProject(context)
    const [from, to] = [await findTarget(root, asked.from, 'any'), await findTarget(root, asked.to, 'any')]
    const [moved, replaced] = await look(asked, { from: from.absolute, to: to.absolute }, context)
    if (moved === undefined) throw refusal('action.not_found', `"${from.path}" does not exist.`)
    const isSame = await isSameFile(from.absolute, to.absolute)
    refuseImpossible(asked, { from, to, isTaken: replaced !== undefined && !isSame })
    return {
      change: { kind: 'move', from: from.path, to: to.path, replaces: replaced !== undefined && !isSame },
      guard: { from: moved.sha256, to: isSame ? null : (replaced?.sha256 ?? null) },
      undo: 'Undo moves it back and puts back what it replaced, unless one of them was changed since.',
    }
  },
  resource: ({ from }) => fileResource(from),
  summarize: ({ from, to }) => summaryText(`${from} → ${to}`),
  run: (asked, context) => inTurn(() => moveOne(asked, context)),
})

async function moveOne(asked: Parameters, context: ActionContext): Promise<Json> {
  const guard = readGuard(guardShape, context)
  const root = await openProject(context)
  return withTarget(root, { path: asked.from, kind: 'any', makesFolders: false }, (from) =>
    withTarget(root, { path: asked.to, kind: 'any', makesFolders: true }, async (to) => {
      const kept = context.trash.place(context.callKey)
      await renameGuarded({ asked, from, to, guard, kept }, context)
      const replaced = await fingerprint(kept, { given: asked.to, signal: context.signal })
      const wasKept = replaced !== undefined
      context.trash.record({
        ...{ callKey: context.callKey, kind: 'moved', file: from.path, movedTo: to.path },
        ...{ kept: wasKept ? kept : null, bytes: replaced?.bytes ?? 0, sha256: guard.from },
      })
      return { from: from.path, to: to.path, replaced: wasKept }
    }),
  )
}

interface Move {
  readonly asked: Parameters
  readonly from: HeldTarget
  readonly to: HeldTarget
  readonly guard: Guard
  readonly kept: string
}

async function renameGuarded({ asked, from, to, guard, kept }: Move, context: ActionContext): Promise<void> {
  const [moved, there] = await look(asked, { from: from.here, to: to.here }, context)
  // Done by a run that did not come to its record.
  if (moved === undefined && there?.sha256 === guard.from) return
  if (moved?.sha256 !== guard.from) throw stale(from.path)
  const isSame = await isSameFile(from.here, to.here)
  const replaced = isSame ? null : (there?.sha256 ?? null)
  const isReplacedKept = replaced === null && guard.to !== null && (await exists(kept))
  if (replaced !== guard.to && !isReplacedKept) throw stale(to.path)
  refuseImpossible(asked, { from, to, isTaken: replaced !== null })
  context.signal.throwIfAborted()
  await from.folder.check()
  await to.folder.check()
  if (replaced !== null) await relocate(to.here, kept)
  try {
    await renameToNew(from.here, to.here)
  } catch (cause) {
    if (guard.to !== null) await relocate(kept, to.here)
    throw cause
  }
  await from.folder.sync()
  await to.folder.sync()
}

function look(
  asked: Parameters,
  at: { readonly from: string; readonly to: string },
  { signal }: PreflightContext,
): Promise<readonly [Fingerprint | undefined, Fingerprint | undefined]> {
  return Promise.all([
    fingerprint(at.from, { given: asked.from, signal }),
    fingerprint(at.to, { given: asked.to, signal }),
  ])
}

function refuseImpossible(
  { overwrite }: Parameters,
  { from, to, isTaken }: { readonly from: Target; readonly to: Target; readonly isTaken: boolean },
): void {
  if (from.absolute === to.absolute) throw refusal('action.args', `"${from.path}" is there already.`)
  if (isWithin(from.absolute, to.absolute) || isWithin(to.absolute, from.absolute)) {
    throw refusal('action.args', `"${from.path}" and "${to.path}" lie one in the other.`)
  }
  if (!isTaken || overwrite) return
  throw refusal('action.conflict', `"${to.path}" exists already. Pass overwrite: true to replace it.`)
}

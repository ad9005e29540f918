import { hash } from 'node:crypto'
import fs from 'node:fs'
import { readdir, rmdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { TrashItem } from '../domain/approval.ts'
import { AppError } from '../domain/error.ts'
import { faultPoint } from '../domain/fault-point.ts'
import { limits } from '../domain/limits.ts'
import type { Store } from '../store/store.ts'
import type { ActionTrash } from './action.ts'
import { inTurn } from './in-turn.ts'
import { systemCode } from './paths.ts'
import { removeTree } from './relocate.ts'
import { keptThing, putBack, type RestorableRow } from './restore.ts'

/** What actions overwrote, made, moved and deleted, with what is needed to put it back. */
export interface Trash {
  /** For one call of an action. */
  forCall(
    scope: { readonly threadId: string; readonly projectId: string; readonly step: number },
    path: string,
  ): ActionTrash
  /** Newest first, at most `limit`; of one thread: all of it, oldest first. */
  list(filter: { readonly threadId: string } | { readonly limit: number }): readonly TrashItem[]
  /**
   * Puts back exactly what was there before, and calls `onUndone`. An item that was put back already is left as it is.
   * Throws trash.not_found where nothing is kept any more, trash.conflict where somebody changed the place since; nothing is
   * changed then. Throws project.missing, and action.failed where the disk refuses.
   */
  restore(id: string): Promise<TrashItem>
  /**
   * Removes what is older than `limits.trashDays`, and the oldest beyond `limits.trashBytes`; nothing younger than a day.
   * Answers how many items went.
   */
  prune(): Promise<number>
}

export interface TrashOptions {
  readonly store: Store
  /** Absolute and free of links. */
  readonly dataDir: string
  readonly now: () => number
  readonly nextId: () => string
  /** Must call `mark` in the transaction that records the event: the row and the fact change together. */
  readonly onUndone: (item: TrashItem, mark: () => void) => void
}

const dayMs = 86_400_000

export function createTrash({ store, dataDir, now, nextId, onUndone }: TrashOptions): Trash {
  const folder = path.join(dataDir, 'trash')
  const restoring = new Map<string, Promise<TrashItem>>()

  /** One call keeps one thing: its name is made of the call's key. */
  function placeOf(threadId: string, callKey: string): string {
    return path.join(folder, hash('sha256', threadId).slice(0, 24), hash('sha256', callKey).slice(0, 32))
  }

  async function restore(id: string): Promise<TrashItem> {
    const row = store.trash.get(id)
    if (row === undefined) throw notFound(id)
    if (row.restoredAt !== null) return itemOf(row)
    const project = store.projects.get(row.projectId)
    if (project === undefined) throw notFound(id)
    const place = placeOf(row.threadId, row.callKey)
    const restorable: RestorableRow = { ...row, place }
    await putBack({ folder: project.folder, dataDir }, restorable)
    const undone = { ...itemOf(row), restoredAt: now() }
    onUndone(undone, () => store.trash.markRestored(id, undone.restoredAt))
    return undone
  }

  return {
    forCall({ threadId, projectId, step }, callPath) {
      return {
        place(callKey) {
          const place = placeOf(threadId, callKey)
          // The folder is closed to others, so that kept files need not lose the mode they are put back with.
          fs.mkdirSync(path.dirname(place), { recursive: true, mode: 0o700 })
          return place
        },
        record(item) {
          const kept = item.kept === null ? null : path.relative(folder, item.kept)
          store.trash.insert({ ...item, kept, id: nextId(), threadId, projectId, step, path: callPath, at: now() })
          faultPoint('file.recorded')
        },
      }
    },

    list: (filter) =>
      ('threadId' in filter ? store.trash.ofThread(filter.threadId) : store.trash.recent(filter.limit)).map(itemOf),

    restore(id) {
      const running = restoring.get(id) ?? restore(id).finally(() => restoring.delete(id))
      restoring.set(id, running)
      return running
    },

    async prune() {
      const at = now()
      let removed = 0
      let bytes = 0
      for (const row of allRows(store)) {
        const ageMs = at - row.at
        bytes += row.bytes
        const isDue = ageMs > limits.trashDays * dayMs || bytes > limits.trashBytes
        if (!isDue || ageMs < dayMs || restoring.has(row.id)) continue
        // The file first: a row without one says that nothing is kept any more.
        await inTurn(() => removeKept(placeOf(row.threadId, row.callKey)))
        store.trash.remove(row.id)
        removed += 1
      }
      await inTurn(() => removeOrphans(folder, at - (limits.trashDays + 1) * dayMs))
      return removed
    },
  }
}

const pageRows = 200

/** A page at a time: what is removed meanwhile does not shift the next page. */
function* allRows(store: Store) {
  let before = { at: Number.MAX_SAFE_INTEGER, id: '' }
  for (;;) {
    const rows = store.trash.page(before, pageRows)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < pageRows) return
    before = last
  }
}

async function removeKept(place: string): Promise<void> {
  for (const each of Object.values(keptThing(place))) await removeTree(each)
}

/** What a call kept that never came to its record: no row is as old as this. */
async function removeOrphans(folder: string, before: number): Promise<void> {
  for (const thread of await namesIn(folder)) {
    const inThread = path.join(folder, thread)
    for (const name of await namesIn(inThread)) {
      // The time of the last rename: a deleted file keeps the time of its last change.
      const { ctimeMs } = await stat(path.join(inThread, name)).catch(() => ({ ctimeMs: Infinity }))
      if (ctimeMs < before) await removeTree(path.join(inThread, name))
    }
    await rmdir(inThread).catch(() => undefined)
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((cause: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(cause))) return []
    throw cause
  })
}

function itemOf({
  id,
  threadId,
  projectId,
  step,
  path: callPath,
  kind,
  file,
  movedTo,
  bytes,
  at,
  restoredAt,
}: TrashItem) {
  return { id, threadId, projectId, step, path: callPath, kind, file, movedTo, bytes, at, restoredAt }
}

function notFound(id: string): AppError {
  return new AppError('trash.not_found', {
    message: `nothing is kept of ${id}`,
    userMessage: 'What was there before is no longer kept, so it cannot be put back. Nothing was changed.',
    data: { id },
  })
}

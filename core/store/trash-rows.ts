import type { TrashItem } from '../domain/approval.ts'
import type { Connection } from './connection.ts'

export interface TrashRow extends TrashItem {
  readonly callKey: string
  /** The kept file, relative to the trash folder; null where nothing was there before. */
  readonly kept: string | null
  /** Of what the action left; of a deletion, of what it took. */
  readonly sha256: string
}

export function createTrashRows(connection: Connection) {
  const insert = connection.prepare(
    `INSERT INTO trash (id, callKey, threadId, projectId, step, path, kind, file, movedTo, kept, bytes, sha256, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  )
  const byId = connection.prepare<TrashRow>('SELECT * FROM trash WHERE id = ?')
  const ofThread = connection.prepare<TrashRow>('SELECT * FROM trash WHERE threadId = ? ORDER BY at')
  const recent = connection.prepare<TrashRow>('SELECT * FROM trash ORDER BY at DESC LIMIT ?')
  const page = connection.prepare<TrashRow>(
    'SELECT * FROM trash WHERE (at, id) < (?, ?) ORDER BY at DESC, id DESC LIMIT ?',
  )
  const remove = connection.prepare('DELETE FROM trash WHERE id = ?')
  const restore = connection.prepare('UPDATE trash SET restoredAt = ? WHERE id = ? AND restoredAt IS NULL')
  return {
    /** One call keeps one thing, however often it is run. */
    insert(t: Omit<TrashRow, 'restoredAt'>): void {
      insert.run(
        ...[t.id, t.callKey, t.threadId, t.projectId, t.step, t.path, t.kind, t.file, t.movedTo, t.kept],
        ...[t.bytes, t.sha256, t.at],
      )
    },
    get: (id: string): TrashRow | undefined => byId.get(id),
    ofThread: (threadId: string): readonly TrashRow[] => ofThread.all(threadId),
    /** Newest first. */
    recent: (max: number): readonly TrashRow[] => recent.all(max),
    /** Newest first: what is older than `before`, the last one of the page before. */
    page: (before: Pick<TrashRow, 'at' | 'id'>, max: number): readonly TrashRow[] =>
      page.all(before.at, before.id, max),
    remove: (id: string): boolean => remove.run(id) === 1,
    markRestored: (id: string, at: number): boolean => restore.run(at, id) === 1,
  }
}

import type { Grant } from '../domain/approval.ts'
import type { Connection } from './connection.ts'

/** Standing approvals. Writes must run in the transaction of their event. */
export function createGrantRows(connection: Connection) {
  const insert = connection.prepare(
    `INSERT INTO standing_grant (id, scope, action, scopeKey, threadId, projectId, missionId, approvalId, grantedAt, revokedAt)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const live = connection.prepare<Grant>('SELECT * FROM standing_grant WHERE revokedAt IS NULL ORDER BY grantedAt')
  const byId = connection.prepare<Grant>('SELECT * FROM standing_grant WHERE id = ?')
  const revoke = connection.prepare('UPDATE standing_grant SET revokedAt = ? WHERE id = ? AND revokedAt IS NULL')
  return {
    insert(g: Grant): void {
      insert.run(
        ...[g.id, g.scope, g.action, g.scopeKey, g.threadId, g.projectId, g.missionId, g.approvalId, g.grantedAt],
        g.revokedAt,
      )
    },
    /** Oldest first. */
    live: (): readonly Grant[] => live.all(),
    get: (id: string): Grant | undefined => byId.get(id),
    revoke: (id: string, at: number): boolean => revoke.run(at, id) === 1,
  }
}

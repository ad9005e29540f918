import { z } from 'zod'
import type { Lease } from '../domain/action.ts'
import type { Connection } from './connection.ts'

interface LeaseRow extends Omit<Lease, 'actions'> {
  readonly actions: string
}
const actionNames = z.array(z.string())

export function createLeaseRows(connection: Connection) {
  const insert = connection.prepare(
    'INSERT INTO lease (id, threadId, actions, grantedAt, expiresAt, usesLeft, revokedAt) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const ofThread = connection.prepare<LeaseRow>('SELECT * FROM lease WHERE threadId = ? ORDER BY grantedAt, id')
  const consume = connection.prepare<{ usesLeft: number }>(
    'UPDATE lease SET usesLeft = usesLeft - 1 WHERE id = ? AND usesLeft > 0 AND revokedAt IS NULL RETURNING usesLeft',
  )
  const revoke = connection.prepare('UPDATE lease SET revokedAt = ? WHERE threadId = ? AND revokedAt IS NULL')
  return {
    insert({ id, threadId, actions, grantedAt, expiresAt, usesLeft, revokedAt }: Lease): void {
      insert.run(id, threadId, JSON.stringify(actions), grantedAt, expiresAt, usesLeft, revokedAt)
    },
    ofThread: (threadId: string): readonly Lease[] =>
      ofThread.all(threadId).map((row) => ({ ...row, actions: actionsOf(row.actions) })),
    /** One use of a counted lease in one statement; undefined when none was left. */
    consume: (id: string): number | undefined => consume.get(id)?.usesLeft,
    /** Ending a thread ends its leases. */
    revokeAll: (threadId: string, at: number) => revoke.run(at, threadId),
  }
}

/** A lease that cannot be read grants nothing. */
function actionsOf(text: string): readonly string[] {
  try {
    return actionNames.parse(JSON.parse(text))
  } catch {
    return []
  }
}

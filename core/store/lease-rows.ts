import { z } from 'zod'
import { effectTypes, type Lease } from '../domain/action.ts'
import type { Connection } from './connection.ts'

interface LeaseRow extends Omit<Lease, 'actions' | 'effects'> {
  readonly actions: string
  readonly effects: string
}
const actionNames = z.array(z.string())
const effectList = z.array(z.enum(effectTypes))

/** The lease and those it was cut from, up to the root's. */
const chain = `WITH RECURSIVE chain (id, parent) AS (
  SELECT id, parentLeaseId FROM lease WHERE id = ?
  UNION SELECT lease.id, lease.parentLeaseId FROM lease JOIN chain ON lease.id = chain.parent)`
/** The lease and those cut from it. */
const tree = `WITH RECURSIVE tree (id) AS (
  SELECT ? UNION SELECT lease.id FROM lease JOIN tree ON lease.parentLeaseId = tree.id)`

/** Writes must run in the transaction of their event. */
export function createLeaseRows(connection: Connection) {
  const insert = connection.prepare(
    `INSERT INTO lease (id, threadId, capability, actions, effects, argsHash, parentLeaseId, grantedAt, expiresAt, usesLeft,
       revokedAt) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const ofThread = connection.prepare<LeaseRow>('SELECT * FROM lease WHERE threadId = ? ORDER BY grantedAt, id')
  const byId = connection.prepare<LeaseRow>('SELECT * FROM lease WHERE id = ?')
  const consume = connection.prepare<{ id: string; usesLeft: number }>(
    `${chain} UPDATE lease SET usesLeft = usesLeft - 1
     WHERE id IN (SELECT id FROM chain) AND usesLeft IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM lease AS l WHERE l.id IN (SELECT id FROM chain)
         AND (l.usesLeft = 0 OR l.revokedAt IS NOT NULL OR l.expiresAt <= ?))
     RETURNING id, usesLeft`,
  )
  const revoke = connection.prepare(
    `${tree} UPDATE lease SET revokedAt = ? WHERE id IN (SELECT id FROM tree) AND revokedAt IS NULL`,
  )
  const revokeAll = connection.prepare('UPDATE lease SET revokedAt = ? WHERE threadId = ? AND revokedAt IS NULL')
  const revokeBelow = connection.prepare(
    `WITH RECURSIVE below (id) AS (
       SELECT id FROM lease WHERE threadId = ?
       UNION SELECT lease.id FROM lease JOIN below ON lease.parentLeaseId = below.id)
     UPDATE lease SET revokedAt = ? WHERE id IN (SELECT id FROM below) AND revokedAt IS NULL`,
  )
  return {
    insert(lease: Lease): void {
      const { id, threadId, capability, actions, effects, argsHash, parentLeaseId } = lease
      const lists = [JSON.stringify(actions), JSON.stringify(effects)]
      const bounds = [lease.grantedAt, lease.expiresAt, lease.usesLeft, lease.revokedAt]
      insert.run(id, threadId, capability, ...lists, argsHash, parentLeaseId, ...bounds)
    },
    ofThread: (threadId: string): readonly Lease[] => ofThread.all(threadId).map(toLease),
    get: (id: string): Lease | undefined =>
      [byId.get(id)].flatMap((row) => (row === undefined ? [] : [toLease(row)]))[0],
    /**
     * One use of a counted lease, and of those that it was cut from, in one statement; undefined when one of them had none
     * left, was revoked or has expired. Only for leases with a counted one among them.
     */
    consume: (id: string, now: number): number | undefined =>
      consume
        .all(id, now)
        .reduce<number | undefined>((least, row) => Math.min(least ?? row.usesLeft, row.usesLeft), undefined),
    /** The lease and all that were cut from it. */
    revoke: (id: string, at: number): void => void revoke.run(id, at),
    /** Ending a thread ends its leases, and those that its children hold. */
    revokeAll(threadId: string, at: number, hasChildren: boolean): void {
      if (hasChildren) revokeBelow.run(threadId, at)
      else revokeAll.run(at, threadId)
    },
  }
}

function toLease(row: LeaseRow): Lease {
  return { ...row, actions: listOf(actionNames, row.actions), effects: listOf(effectList, row.effects) }
}

/** A lease that cannot be read grants nothing. */
function listOf<Item>(schema: z.ZodType<Item[]>, text: string): readonly Item[] {
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    return []
  }
}

import type { Mission } from '../domain/mission.ts'
import type { Connection } from './connection.ts'

export type TriggerKind = 'thread' | 'file' | 'start' | 'idle' | 'webhook'

export interface TriggerRow {
  readonly missionId: string
  readonly kind: TriggerKind
  readonly heard: number
  readonly counted: number
}

export interface RetryRow {
  readonly missionId: string
  /** Epoch ms. */
  readonly at: number
  /** The firing that failed. */
  readonly firingId: string
}

/** What sets off missions besides the clock, how far each has heard of it, and what is tried again. Writes must run in a transaction. */
export function createTriggerRows(connection: Connection) {
  const byId = connection.prepare<TriggerRow>('SELECT * FROM mission_trigger WHERE missionId = ?')
  const set = connection.prepare(
    `INSERT INTO mission_trigger (missionId, kind, heard) VALUES (?, ?, ?)
     ON CONFLICT (missionId) DO UPDATE SET kind = excluded.kind, counted = 0,
       heard = CASE WHEN kind = excluded.kind THEN heard ELSE excluded.heard END`,
  )
  const remove = connection.prepare('DELETE FROM mission_trigger WHERE missionId = ?')
  const lowest = connection.prepare<{ heard: number }>(
    'SELECT heard FROM mission_trigger WHERE kind = ? ORDER BY heard LIMIT 1',
  )
  const listening = connection.prepare<Mission & Pick<TriggerRow, 'heard' | 'counted'>>(
    `SELECT mission.*, heard, counted FROM mission_trigger JOIN mission ON mission.id = missionId
     WHERE kind = ? AND status = 'active' ORDER BY heard LIMIT ?`,
  )
  const move = connection.prepare('UPDATE mission_trigger SET heard = ?, counted = ? WHERE missionId = ?')
  const moveAll = connection.prepare('UPDATE mission_trigger SET heard = ? WHERE kind = ? AND heard < ?')
  const setRetry = connection.prepare(
    `INSERT INTO mission_retry (missionId, at, firingId) VALUES (?, ?, ?)
     ON CONFLICT (missionId) DO UPDATE SET at = excluded.at, firingId = excluded.firingId`,
  )
  const retryOf = connection.prepare<RetryRow>('SELECT * FROM mission_retry WHERE missionId = ?')
  const removeRetry = connection.prepare('DELETE FROM mission_retry WHERE missionId = ?')
  const dueRetries = connection.prepare<RetryRow>('SELECT * FROM mission_retry WHERE at <= ? ORDER BY at LIMIT ?')

  return {
    get: (missionId: string): TriggerRow | undefined => byId.get(missionId),
    /** One that was of this kind before goes on from where it was. */
    set: (missionId: string, kind: TriggerKind, heard: number): void => void set.run(missionId, kind, heard),
    remove: (missionId: string): void => void remove.run(missionId),
    /** What the one that lags most behind has heard; null where nobody listens. */
    lowest: (kind: TriggerKind): number | null => lowest.get(kind)?.heard ?? null,
    /** Active missions of a kind, with how far each has heard. */
    listening(kind: TriggerKind, max: number) {
      return listening.all(kind, max).map(({ heard, counted, ...mission }) => ({ mission, heard, counted }))
    },
    move: (missionId: string, heard: number, counted: number): void => void move.run(heard, counted, missionId),
    /** Those that lag behind `heard`. */
    moveAll: (kind: TriggerKind, heard: number): void => void moveAll.run(heard, kind, heard),
    /** At most one of a mission: a later one takes its place. */
    setRetry: ({ missionId, at, firingId }: RetryRow): void => void setRetry.run(missionId, at, firingId),
    retryOf: (missionId: string): RetryRow | undefined => retryOf.get(missionId),
    removeRetry: (missionId: string): void => void removeRetry.run(missionId),
    dueRetries: (at: number, max: number): readonly RetryRow[] => dueRetries.all(at, max),
  }
}

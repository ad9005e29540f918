import type { Connection } from './connection.ts'

/** `until`: up to where a call of `threadId` reads now; it counts once that thread is answered. */
export interface LearningReading {
  readonly mission: string
  readonly projectId: string
  readonly seq: number
  readonly callKey: string | null
  readonly threadId: string | null
  readonly until: number | null
}

/** How far the learning missions have read the log. Writes must run in a transaction. */
export function createReadingRows(connection: Connection) {
  const get = connection.prepare<LearningReading>('SELECT * FROM learning_reading WHERE mission = ? AND projectId = ?')
  const all = connection.prepare<LearningReading>(
    'SELECT * FROM learning_reading WHERE projectId = ? ORDER BY mission LIMIT ?',
  )
  const set = connection.prepare(
    `INSERT INTO learning_reading (mission, projectId, seq, callKey, threadId, until) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (projectId, mission) DO UPDATE SET seq = excluded.seq, callKey = excluded.callKey,
       threadId = excluded.threadId, until = excluded.until`,
  )
  return {
    get: (mission: string, projectId: string): LearningReading | undefined => get.get(mission, projectId),
    ofProject: (projectId: string, max: number): readonly LearningReading[] => all.all(projectId, max),
    set: (r: LearningReading) => set.run(r.mission, r.projectId, r.seq, r.callKey, r.threadId, r.until),
  }
}

import type { Connection } from './connection.ts'

export interface LoopVersionRow {
  readonly version: number
  readonly parent: number
  readonly code: string
  readonly sha256: string
  readonly reason: string
  readonly source: string
  readonly state: 'candidate' | 'active' | 'retired' | 'failed'
  readonly failures: number
  readonly dryRun: string
  readonly createdAt: number
  readonly decidedAt: number | null
}

/** Versions of the step loop; 0 is the bundled one and has no row. */
export function createLoopVersionRows(connection: Connection) {
  const insert = connection.prepare<{ version: number }>(
    `INSERT INTO orchestrator_version (version, parent, code, sha256, reason, source, state, dryRun, createdAt)
     VALUES ((SELECT coalesce(max(version), 0) + 1 FROM orchestrator_version), ?, ?, ?, ?, ?, 'candidate', '', ?)
     RETURNING version`,
  )
  const all = connection.prepare<LoopVersionRow>('SELECT * FROM orchestrator_version ORDER BY version')
  const byVersion = connection.prepare<LoopVersionRow>('SELECT * FROM orchestrator_version WHERE version = ?')
  const active = connection.prepare<LoopVersionRow>(
    `SELECT * FROM orchestrator_version WHERE state = 'active' ORDER BY version DESC LIMIT 1`,
  )
  const decide = connection.prepare('UPDATE orchestrator_version SET state = ?, decidedAt = ? WHERE version = ?')
  const retire = connection.prepare(
    `UPDATE orchestrator_version SET state = 'retired', decidedAt = ? WHERE state = 'active'`,
  )
  const fail = connection.prepare<{ failures: number }>(
    'UPDATE orchestrator_version SET failures = failures + 1 WHERE version = ? RETURNING failures',
  )
  const setDryRun = connection.prepare('UPDATE orchestrator_version SET dryRun = ? WHERE version = ?')
  return {
    /** Answers its number. */
    insert(row: Pick<LoopVersionRow, 'parent' | 'code' | 'sha256' | 'reason' | 'source' | 'createdAt'>): number {
      const { parent, code, sha256, reason, source, createdAt } = row
      return insert.get(parent, code, sha256, reason, source, createdAt)?.version ?? 0
    },
    all: (): readonly LoopVersionRow[] => all.all(),
    get: (version: number): LoopVersionRow | undefined => byVersion.get(version),
    active: (): LoopVersionRow | undefined => active.get(),
    decide: (version: number, state: LoopVersionRow['state'], at: number) => decide.run(state, at, version),
    retireActive: (at: number) => retire.run(at),
    addFailure: (version: number): number => fail.get(version)?.failures ?? 0,
    setDryRun: (version: number, report: string) => setDryRun.run(report, version),
  }
}

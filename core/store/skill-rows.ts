import { z } from 'zod'
import type { SkillSource, SkillState, SkillTrust, SkillUse } from '../domain/skill.ts'
import type { Connection } from './connection.ts'

export interface SkillRow {
  readonly id: string
  readonly name: string
  readonly projectId: string | null
  readonly state: SkillState
  readonly live: number | null
  readonly imported: number | null
  readonly createdAt: number
  readonly uses: number
  readonly successes: number
  readonly lastUsedAt: number | null
}

/** A version without its text. */
export interface SkillVersionRow {
  readonly skillId: string
  readonly version: number
  readonly parent: number | null
  readonly sha256: string
  readonly source: SkillSource
  readonly trust: SkillTrust
  readonly place: string
  readonly file: string | null
  /** Its own folder, with what lies beside its file; null where it has none. Absolute. */
  readonly folder: string | null
  readonly reason: string
  readonly threadId: string | null
  readonly candidateId: string | null
  readonly createdAt: number
  readonly uses: number
  readonly successes: number
  /** Of the fast rollback rule. */
  readonly cusum: number
  readonly rolledBackAt: number | null
  readonly rolledBackReason: string | null
  readonly rolledBackThreads: readonly string[]
}
type StoredVersion = Omit<SkillVersionRow, 'rolledBackThreads'> & { readonly rolledBackThreads: string | null }

export type NewSkillVersion = Omit<
  SkillVersionRow,
  'uses' | 'successes' | 'cusum' | 'rolledBackAt' | 'rolledBackReason' | 'rolledBackThreads'
> & { readonly content: string }

export type NewSkillUse = Omit<SkillUse, 'threadNumber' | 'threadTitle'>

const facts = `skillId, version, parent, sha256, source, trust, place, file, folder, reason, threadId, candidateId, createdAt, uses,
  successes, cusum, rolledBackAt, rolledBackReason, rolledBackThreads`

/** Skills, their versions and what threads showed about them. Writes must run in a transaction. */
export function createSkillRows(connection: Connection) {
  const insert = connection.prepare(
    'INSERT INTO skill (id, name, projectId, state, live, imported, createdAt) VALUES (?, ?, ?, ?, NULL, NULL, ?)',
  )
  const insertVersion = connection.prepare(
    `INSERT INTO skill_version (skillId, version, parent, sha256, source, trust, place, file, folder, reason, threadId, candidateId,
       createdAt, content)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const move = connection.prepare('UPDATE skill SET live = ?, state = ? WHERE id = ?')
  const noteImport = connection.prepare('UPDATE skill SET imported = ? WHERE id = ?')
  const moveFile = connection.prepare(
    'UPDATE skill_version SET file = ?, folder = ?, place = ?, trust = ? WHERE skillId = ? AND version = ?',
  )
  // The skills of one computer: read whole, as settings are.
  const all = connection.prepare<SkillRow>('SELECT * FROM skill ORDER BY name, id LIMIT ?')
  const byId = connection.prepare<SkillRow>('SELECT * FROM skill WHERE id = ?')
  const byName = connection.prepare<SkillRow>(
    `SELECT * FROM skill WHERE name = ? AND ifnull(projectId, '') = ifnull(?, '')`,
  )
  const heads = connection.prepare<StoredVersion>(
    `SELECT ${facts} FROM (SELECT id AS headId, live AS headVersion FROM skill) CROSS JOIN skill_version
       ON skillId = headId AND version = headVersion LIMIT ?`,
  )
  const version = connection.prepare<StoredVersion>(
    `SELECT ${facts} FROM skill_version WHERE skillId = ? AND version = ?`,
  )
  const content = connection.prepare<{ content: string }>(
    'SELECT content FROM skill_version WHERE skillId = ? AND version = ?',
  )
  const versions = connection.prepare<StoredVersion>(
    `SELECT ${facts} FROM skill_version WHERE skillId = ? ORDER BY version DESC LIMIT ?`,
  )
  const newest = connection.prepare<{ version: number | null }>(
    'SELECT max(version) AS version FROM skill_version WHERE skillId = ?',
  )
  const rollBack = connection.prepare(
    `UPDATE skill_version SET rolledBackAt = ?, rolledBackReason = ?, rolledBackThreads = ? WHERE skillId = ? AND version = ?`,
  )
  const clearRollback = connection.prepare(
    `UPDATE skill_version SET rolledBackAt = NULL, rolledBackReason = NULL, rolledBackThreads = NULL
     WHERE skillId = ? AND sha256 = ?`,
  )
  const setCusum = connection.prepare('UPDATE skill_version SET cusum = ? WHERE skillId = ? AND version = ?')
  const tallyVersion = connection.prepare(
    'UPDATE skill_version SET uses = uses + ?, successes = successes + ? WHERE skillId = ? AND version = ?',
  )
  const tallySkill = connection.prepare(
    'UPDATE skill SET uses = uses + ?, successes = successes + ?, lastUsedAt = max(ifnull(lastUsedAt, 0), ?) WHERE id = ?',
  )
  const insertUse = connection.prepare(
    `INSERT INTO skill_use (skillId, version, threadId, at, how, outcome, reason) VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  )
  const uses = connection.prepare<SkillUse>(
    `SELECT u.skillId, u.version, u.threadId, t.number AS threadNumber, t.title AS threadTitle, u.at, u.how, u.outcome, u.reason
     FROM skill_use AS u CROSS JOIN thread AS t ON t.id = u.threadId WHERE u.skillId = ? ORDER BY u.at DESC LIMIT ?`,
  )
  const usesOfThread = connection.prepare<NewSkillUse>(
    'SELECT skillId, version, threadId, at, how, outcome, reason FROM skill_use WHERE threadId = ?',
  )
  const failUse = connection.prepare(
    `UPDATE skill_use SET outcome = 'failure', reason = ?
     WHERE skillId = ? AND version = ? AND threadId = ? AND outcome = 'success'`,
  )

  return {
    insert: (row: Pick<SkillRow, 'id' | 'name' | 'projectId' | 'state' | 'createdAt'>) =>
      insert.run(row.id, row.name, row.projectId, row.state, row.createdAt),
    insertVersion(v: NewSkillVersion): void {
      insertVersion.run(
        ...[v.skillId, v.version, v.parent, v.sha256, v.source, v.trust, v.place, v.file, v.folder, v.reason],
        ...[v.threadId, v.candidateId, v.createdAt, v.content],
      )
    },
    move: (id: string, live: number | null, state: SkillState) => move.run(live, state, id),
    noteImport: (id: string, imported: number) => noteImport.run(imported, id),
    /** The same bytes lie elsewhere now, or in a place with another trust. */
    moveFile: (of: Pick<SkillVersionRow, 'skillId' | 'version' | 'file' | 'folder' | 'place' | 'trust'>) =>
      moveFile.run(of.file, of.folder, of.place, of.trust, of.skillId, of.version),
    all: (): readonly SkillRow[] => all.all(mostSkills),
    /** The live version of each. */
    heads: (): readonly SkillVersionRow[] => heads.all(mostSkills).flatMap(toVersion),
    get: (id: string): SkillRow | undefined => byId.get(id),
    byName: (name: string, projectId: string | null): SkillRow | undefined => byName.get(name, projectId),
    version: (skillId: string, number: number): SkillVersionRow | undefined =>
      [version.get(skillId, number)].flatMap(toVersion)[0],
    content: (skillId: string, number: number): string | undefined => content.get(skillId, number)?.content,
    /** The newest first. */
    versions: (skillId: string): readonly SkillVersionRow[] => versions.all(skillId, mostVersions).flatMap(toVersion),
    newestVersion: (skillId: string): number => newest.get(skillId)?.version ?? 0,
    noteRollback: (of: {
      readonly skillId: string
      readonly version: number
      readonly at: number
      readonly reason: string
      readonly threadIds: readonly string[]
    }) => rollBack.run(of.at, of.reason, JSON.stringify(of.threadIds), of.skillId, of.version),
    /** A person decided on these bytes anew, in whatever version they stand; the log keeps that they were taken back. */
    clearRollback: (skillId: string, sha256: string) => clearRollback.run(skillId, sha256),
    setCusum: (skillId: string, number: number, cusum: number) => setCusum.run(cusum, skillId, number),
    /** False where this thread was counted before. */
    addUse(use: NewSkillUse): boolean {
      const { skillId, version: number, threadId, at, how, outcome, reason } = use
      if (insertUse.run(skillId, number, threadId, at, how, outcome, reason) === 0) return false
      const counts = outcome === null ? 0 : 1
      const succeeded = outcome === 'success' ? 1 : 0
      tallyVersion.run(counts, succeeded, skillId, number)
      tallySkill.run(counts, succeeded, at, skillId)
      return true
    },
    /** The newest first. */
    uses: (skillId: string, limit: number): readonly SkillUse[] => uses.all(skillId, limit),
    usesOfThread: (threadId: string): readonly NewSkillUse[] => usesOfThread.all(threadId),
    /** A success that was none. False where it was not counted as one. */
    failUse({ skillId, version: number, threadId, reason }: Omit<NewSkillUse, 'at' | 'how' | 'outcome'>): boolean {
      if (failUse.run(reason, skillId, number, threadId) === 0) return false
      tallyVersion.run(0, -1, skillId, number)
      tallySkill.run(0, -1, 0, skillId)
      return true
    },
  }
}

/** More are not read: the oldest versions of a skill that changed thousands of times. */
const mostVersions = 1_000
const mostSkills = 100_000
const idList = z.array(z.string())

function toVersion(row: StoredVersion | undefined): readonly SkillVersionRow[] {
  if (row === undefined) return []
  const threads = idList.safeParse(parsed(row.rolledBackThreads ?? '[]'))
  return [{ ...row, rolledBackThreads: threads.success ? threads.data : [] }]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

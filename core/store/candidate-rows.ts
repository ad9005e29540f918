import { z } from 'zod'
import type { Candidate, CandidateState, PartEvidence } from '../domain/candidate.ts'
import type { Connection } from './connection.ts'

interface CandidateRow extends Omit<Candidate, 'target'> {
  readonly targetId: string | null
  readonly targetVersion: number | null
  readonly targetSha256: string | null
}

type NewCandidate = Omit<Candidate, 'threadNumber' | 'state' | 'decisionReason' | 'decidedAt' | 'version'> & {
  readonly callKey: string | null
  readonly evidence: readonly PartEvidence[]
  readonly folder: string | null
  readonly content: string
}

const columns = `c.id, c.kind, c.name, c.projectId, c.sha256, c.targetId, c.targetVersion, c.targetSha256, c.source, c.trust,
  c.threadId, t.number AS threadNumber, c.proposedBy, c.reason, c.state, c.decisionReason, c.proposedAt, c.expiresAt, c.decidedAt,
  c.version`
const joined = `SELECT ${columns} FROM skill_candidate AS c LEFT JOIN thread AS t ON t.id = c.threadId`

/** What would change a skill and waits for a person, or was decided. Writes must run in a transaction. */
export function createCandidateRows(connection: Connection) {
  const insert = connection.prepare(
    `INSERT INTO skill_candidate (id, kind, name, projectId, sha256, targetId, targetVersion, targetSha256, source, trust, threadId,
       proposedBy, reason, state, callKey, proposedAt, expiresAt, evidence, folder, content)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?, ?, ?, ?, ?)`,
  )
  const decide = connection.prepare(
    `UPDATE skill_candidate SET state = ?, decisionReason = ?, decidedAt = ?, version = ? WHERE id = ? AND state = 'pending'`,
  )
  const edit = connection.prepare(
    `UPDATE skill_candidate SET content = ?, sha256 = ?, name = ? WHERE id = ? AND state = 'pending'`,
  )
  const byId = connection.prepare<CandidateRow>(`${joined} WHERE c.id = ?`)
  const byCallKey = connection.prepare<CandidateRow>(`${joined} WHERE c.callKey = ?`)
  const ofBytes = connection.prepare<CandidateRow>(`${joined} WHERE c.sha256 = ? ORDER BY c.proposedAt DESC LIMIT 50`)
  const texts = connection.prepare<{ content: string; evidence: string; folder: string | null }>(
    'SELECT content, evidence, folder FROM skill_candidate WHERE id = ?',
  )
  const pending = connection.prepare<CandidateRow>(`${joined} WHERE c.state = 'pending' ORDER BY c.proposedAt LIMIT ?`)
  // What was decided in the same instant stands on the same page: a page begins before an instant.
  const decided = connection.prepare<CandidateRow>(
    `${joined} WHERE c.state <> 'pending' AND c.decidedAt < ? AND c.decidedAt >= ifnull((
       SELECT min(decidedAt) FROM (SELECT decidedAt FROM skill_candidate WHERE state <> 'pending' AND decidedAt < ?
         ORDER BY decidedAt DESC LIMIT ?)), 0) ORDER BY c.decidedAt DESC, c.id LIMIT 10000`,
  )
  const countPending = connection.prepare<{ count: number }>(
    `SELECT count(*) AS count FROM skill_candidate WHERE state = 'pending'`,
  )

  return {
    insert(c: NewCandidate): void {
      const { target } = c
      insert.run(
        ...[c.id, c.kind, c.name, c.projectId, c.sha256],
        ...[target?.skillId ?? null, target?.version ?? null, target?.sha256 ?? null],
        ...[c.source, c.trust, c.threadId, c.proposedBy, c.reason, c.callKey, c.proposedAt, c.expiresAt],
        ...[JSON.stringify(c.evidence), c.folder, c.content],
      )
    },
    /** False where it was decided before: the first decision counts. */
    decide: (of: {
      readonly id: string
      readonly state: Exclude<CandidateState, 'pending'>
      readonly reason: string | null
      readonly at: number
      readonly version: number | null
    }): boolean => decide.run(of.state, of.reason, of.at, of.version, of.id) === 1,
    /** What a person wrote in its place, before it is decided on. */
    edit: (id: string, to: { readonly content: string; readonly sha256: string; readonly name: string }): boolean =>
      edit.run(to.content, to.sha256, to.name, id) === 1,
    get: (id: string): Candidate | undefined => [byId.get(id)].flatMap(toCandidate)[0],
    byCallKey: (callKey: string): Candidate | undefined => [byCallKey.get(callKey)].flatMap(toCandidate)[0],
    /** Whose bytes are these, the newest first. */
    ofBytes: (sha256: string): readonly Candidate[] => ofBytes.all(sha256).flatMap(toCandidate),
    texts(
      id: string,
    ):
      | { readonly content: string; readonly evidence: readonly PartEvidence[]; readonly folder: string | null }
      | undefined {
      const row = texts.get(id)
      if (row === undefined) return undefined
      const evidence = evidenceList.safeParse(parsed(row.evidence))
      return { content: row.content, folder: row.folder, evidence: evidence.success ? evidence.data : [] }
    },
    /** Oldest first. */
    pending: (max: number): readonly Candidate[] => pending.all(max).flatMap(toCandidate),
    /** Newest first; more than asked for where they were decided in one instant. */
    decided: (before: number, max: number): readonly Candidate[] =>
      decided.all(before, before, max).flatMap(toCandidate),
    countPending: (): number => countPending.get()?.count ?? 0,
  }
}

const evidenceList = z.array(
  z.object({
    part: z.enum(['keyword', 'tag', 'pattern', 'line', 'parameter', 'description']),
    text: z.string(),
    line: z.number().nullable(),
    steps: z.array(
      z.object({
        threadId: z.string(),
        threadNumber: z.number(),
        step: z.number(),
        seq: z.number(),
        quote: z.string(),
      }),
    ),
  }),
)

function toCandidate(row: CandidateRow | undefined): readonly Candidate[] {
  if (row === undefined) return []
  const { targetId, targetVersion, targetSha256, ...rest } = row
  const target =
    targetId === null || targetVersion === null || targetSha256 === null
      ? null
      : { skillId: targetId, version: targetVersion, sha256: targetSha256 }
  return [{ ...rest, target }]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

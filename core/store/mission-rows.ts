import type {
  Firing,
  FiringState,
  Mission,
  MissionDefinition,
  MissionProposal,
  MissionSource,
  ToldOutcome,
} from '../domain/mission.ts'
import { missionDefinitionSchema, storedSourcesSchema, toldOutcomeSchema } from '../domain/mission.ts'
import type { Connection } from './connection.ts'

export interface MissionVersion {
  readonly missionId: string
  readonly version: number
  readonly at: number
  readonly source: MissionSource
  readonly definition: MissionDefinition
}
type StoredVersion = Omit<MissionVersion, 'definition'> & { readonly definition: string }

export interface NewFiring extends Firing {
  /** What came with its trigger, as JSON; null for nothing. */
  readonly payload: string | null
}

const firingFacts = `id, missionId, instant, until, version, "trigger", state, reason, claimedAt, startedAt, startedOn, endedAt,
  threadId, causeDepth, dedupeKey, attempt`

/** Missions, their versions and the ledger of their firings. Writes must run in a transaction. */
export function createMissionRows(connection: Connection) {
  const insert = connection.prepare(
    `INSERT INTO mission (id, projectId, name, status, statusReason, version, source, anchorAt, claimedUntil, nextFireAt, focus,
       failures, lastFiredAt, createdAt, updatedAt)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const update = connection.prepare(
    `UPDATE mission SET name = ?, status = ?, statusReason = ?, version = ?, source = ?, anchorAt = ?, claimedUntil = ?, nextFireAt = ?,
       focus = ?, failures = ?, lastFiredAt = ?, updatedAt = ? WHERE id = ?`,
  )
  const byId = connection.prepare<Mission>('SELECT * FROM mission WHERE id = ?')
  const proposed = connection.prepare<{ count: number }>(
    "SELECT count(*) AS count FROM mission WHERE projectId = ? AND status = 'proposed'",
  )
  const ofProject = connection.prepare<Mission>(
    "SELECT * FROM mission WHERE projectId = ? AND status <> 'removed' ORDER BY name LIMIT ?",
  )
  const byName = connection.prepare<Mission>(
    `SELECT * FROM mission WHERE projectId = ? AND name = ? AND status <> 'removed'`,
  )
  const page = connection.prepare<Mission>(
    `SELECT * FROM mission WHERE status <> 'removed' AND (name, id) > (?, ?) ORDER BY name, id LIMIT ?`,
  )
  const due = connection.prepare<Mission>(
    'SELECT * FROM mission WHERE nextFireAt IS NOT NULL AND nextFireAt <= ? ORDER BY nextFireAt LIMIT ?',
  )
  const ahead = connection.prepare<Mission>(
    'SELECT * FROM mission WHERE nextFireAt IS NOT NULL AND claimedUntil > ? ORDER BY claimedUntil LIMIT ?',
  )
  const earliest = connection.prepare<{ at: number }>(
    'SELECT nextFireAt AS at FROM mission WHERE nextFireAt IS NOT NULL ORDER BY nextFireAt LIMIT 1',
  )
  const proposals = connection.prepare<Mission>(
    `SELECT * FROM mission WHERE status = 'proposed' ORDER BY createdAt, id LIMIT ?`,
  )
  const insertProposal = connection.prepare(
    'INSERT INTO mission_proposal (missionId, threadId, sources) VALUES (?, ?, ?)',
  )
  const proposal = connection.prepare<{ threadId: string; sources: string }>(
    'SELECT threadId, sources FROM mission_proposal WHERE missionId = ?',
  )
  const insertVersion = connection.prepare(
    'INSERT INTO mission_version (missionId, version, at, source, definition) VALUES (?, ?, ?, ?, ?)',
  )
  const version = connection.prepare<StoredVersion>('SELECT * FROM mission_version WHERE missionId = ? AND version = ?')
  const versions = connection.prepare<StoredVersion>(
    'SELECT * FROM mission_version WHERE missionId = ? ORDER BY version DESC LIMIT ?',
  )

  const insertFiring = connection.prepare(
    `INSERT INTO firing (id, missionId, instant, until, version, "trigger", state, reason, claimedAt, startedAt, startedOn, endedAt,
       threadId, causeDepth, dedupeKey, attempt, payload)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (missionId, instant) DO NOTHING`,
  )
  const start = connection.prepare(
    `UPDATE firing SET state = 'running', reason = ?, version = ?, startedAt = ?, startedOn = ?, threadId = ?
     WHERE id = ? AND state = 'queued'`,
  )
  const end = connection.prepare(
    'UPDATE firing SET state = ?, reason = ?, endedAt = ?, outcome = ? WHERE id = ? AND state = ?',
  )
  const note = connection.prepare('UPDATE firing SET reason = ? WHERE id = ?')
  const firing = connection.prepare<Firing>(`SELECT ${firingFacts} FROM firing WHERE id = ?`)
  const rehearsal = connection.prepare<Firing>(
    `SELECT ${firingFacts} FROM firing WHERE missionId = ? AND "trigger" = 'rehearsal' ORDER BY instant DESC LIMIT 1`,
  )
  const ofThread = connection.prepare<Firing>(`SELECT ${firingFacts} FROM firing WHERE threadId = ?`)
  const queued = connection.prepare<Firing>(
    `SELECT ${firingFacts} FROM firing WHERE state = 'queued' ORDER BY claimedAt, instant LIMIT ?`,
  )
  const running = connection.prepare<Firing>(`SELECT ${firingFacts} FROM firing WHERE state = 'running' LIMIT ?`)
  const atWorkIn = connection.prepare<Firing>(
    `SELECT ${firingFacts} FROM firing WHERE state = 'running'
       AND missionId IN (SELECT id FROM mission WHERE projectId = ?)
       AND EXISTS (SELECT 1 FROM thread WHERE thread.id = firing.threadId AND thread.state = 'Running')`,
  )
  const countRunning = connection.prepare<{ count: number }>(
    `SELECT count(*) AS count FROM firing LEFT JOIN thread ON thread.id = firing.threadId
     WHERE firing.state = 'running' AND thread.state IS NOT 'Waiting' AND thread.state IS NOT 'Suspended'`,
  )
  const live = connection.prepare<Firing>(
    `SELECT ${firingFacts} FROM firing WHERE missionId = ? AND state IN ('queued','running') ORDER BY instant`,
  )
  const between = connection.prepare<{ instant: number }>(
    'SELECT instant FROM firing WHERE missionId = ? AND instant > ? AND instant <= ? ORDER BY instant LIMIT ?',
  )
  const ledger = connection.prepare<Firing>(
    `SELECT ${firingFacts} FROM firing WHERE missionId = ? AND instant >= ? AND instant < ? ORDER BY instant DESC LIMIT ?`,
  )
  const startedOn = connection.prepare<{ count: number }>(
    'SELECT count(*) AS count FROM firing WHERE missionId = ? AND startedOn = ?',
  )
  const sameKey = connection.prepare<Firing>(
    `SELECT ${firingFacts} FROM firing WHERE missionId = ? AND dedupeKey = ? AND claimedAt > ? ORDER BY claimedAt DESC LIMIT 1`,
  )
  const samePayload = connection.prepare<{ one: 1 }>(
    `SELECT 1 AS one FROM firing WHERE missionId = ? AND claimedAt > ? AND state <> 'skipped' AND payload = ? LIMIT 1`,
  )
  const payload = connection.prepare<{ payload: string | null }>('SELECT payload FROM firing WHERE id = ?')
  const newestEnds = connection.prepare<{ state: FiringState }>(
    `SELECT state FROM firing WHERE missionId = ? AND state IN ('ran','late','failed','blocked','missed','unknown')
     ORDER BY instant DESC LIMIT ?`,
  )
  const newestOutcomes = connection.prepare<Pick<Firing, 'state' | 'reason'>>(
    `SELECT state, reason FROM firing WHERE missionId = ? AND id <> ? AND state IN ('ran','late','failed','blocked','unknown')
     ORDER BY instant DESC LIMIT ?`,
  )
  const wasThere = connection.prepare<{ one: 1 }>(
    'SELECT 1 AS one FROM mission WHERE projectId = ? AND name = ? LIMIT 1',
  )
  const told = connection.prepare<{ firingId: string; instant: number; state: FiringState; outcome: string }>(
    `SELECT id AS firingId, instant, state, outcome FROM firing WHERE missionId = ? AND outcome IS NOT NULL AND endedAt < ?
     ORDER BY endedAt DESC LIMIT ?`,
  )

  return {
    insert(m: Mission): void {
      insert.run(
        ...[m.id, m.projectId, m.name, m.status, m.statusReason, m.version, m.source, m.anchorAt, m.claimedUntil],
        ...[m.nextFireAt, m.focus, m.failures, m.lastFiredAt, m.createdAt, m.updatedAt],
      )
    },
    /** Everything of it that can change. */
    update(m: Mission): void {
      update.run(
        ...[m.name, m.status, m.statusReason, m.version, m.source, m.anchorAt, m.claimedUntil, m.nextFireAt, m.focus],
        ...[m.failures, m.lastFiredAt, m.updatedAt, m.id],
      )
    },
    get: (id: string): Mission | undefined => byId.get(id),
    byName: (projectId: string, name: string): Mission | undefined => byName.get(projectId, name),
    /** By name. */
    ofProject: (projectId: string, max: number): readonly Mission[] => ofProject.all(projectId, max),
    countProposed: (projectId: string): number => proposed.get(projectId)?.count ?? 0,
    /** By name, those after the last one of the page before. */
    page: (after: Pick<Mission, 'name' | 'id'>, max: number): readonly Mission[] => page.all(after.name, after.id, max),
    /** Those with an instant up to `at`, the oldest instant first. */
    due: (at: number, max: number): readonly Mission[] => due.all(at, max),
    /** Those of which instants after `at` are claimed. */
    ahead: (at: number, max: number): readonly Mission[] => ahead.all(at, max),
    /** The next instant of all; null where none is to come. */
    nextFireAt: (): number | null => earliest.get()?.at ?? null,
    /** Those that wait for a person, the oldest first. */
    proposals: (max: number): readonly Mission[] => proposals.all(max),
    insertProposal(missionId: string, { threadId, sources }: MissionProposal): void {
      insertProposal.run(missionId, threadId, JSON.stringify(sources))
    },
    proposal(missionId: string): MissionProposal | null {
      const row = proposal.get(missionId)
      return row === undefined ? null : { ...row, sources: storedSourcesSchema.parse(JSON.parse(row.sources)) }
    },
    insertVersion(v: MissionVersion): void {
      insertVersion.run(v.missionId, v.version, v.at, v.source, JSON.stringify(v.definition))
    },
    /** Undefined where there is none, or none that can be read. */
    definition: (missionId: string, of: number): MissionDefinition | undefined =>
      [version.get(missionId, of)].flatMap(toVersion)[0]?.definition,
    /** Newest first. */
    versions: (missionId: string, max: number): readonly MissionVersion[] =>
      versions.all(missionId, max).flatMap(toVersion),

    /** False where this instant of the mission is in the ledger already. */
    insertFiring: (f: NewFiring): boolean =>
      insertFiring.run(
        ...[f.id, f.missionId, f.instant, f.until, f.version, f.trigger, f.state, f.reason, f.claimedAt, f.startedAt],
        ...[f.startedOn, f.endedAt, f.threadId, f.causeDepth, f.dedupeKey, f.attempt, f.payload],
      ) === 1,
    /** False where it is not queued any more. */
    startFiring: (
      id: string,
      to: Pick<Firing, 'reason' | 'version' | 'startedAt' | 'startedOn' | 'threadId'>,
    ): boolean => start.run(to.reason, to.version, to.startedAt, to.startedOn, to.threadId, id) === 1,
    /** False where it is not in the state `from` any more. */
    endFiring: (of: {
      readonly id: string
      readonly from: FiringState
      readonly to: FiringState
      readonly reason: string | null
      readonly at: number
      readonly outcome: ToldOutcome | null
    }): boolean =>
      end.run(of.to, of.reason, of.at, of.outcome === null ? null : JSON.stringify(of.outcome), of.id, of.from) === 1,
    noteReason: (id: string, reason: string) => note.run(reason, id),
    firing: (id: string): Firing | undefined => firing.get(id),
    newestRehearsal: (missionId: string): Firing | undefined => rehearsal.get(missionId),
    firingOfThread: (threadId: string): Firing | undefined => ofThread.get(threadId),
    /** In the order in which they were claimed. */
    queued: (max: number): readonly Firing[] => queued.all(max),
    /** Of one project: one that waits for a person does nothing. */
    atWorkIn: (projectId: string): readonly Firing[] => atWorkIn.all(projectId),
    running: (max: number): readonly Firing[] => running.all(max),
    /** Those at work: one that waits for a person holds nobody up. */
    countRunning: (): number => countRunning.get()?.count ?? 0,
    /** Queued and running ones of a mission. */
    liveOf: (missionId: string): readonly Firing[] => live.all(missionId),
    /** Instants in the ledger after `from` and up to `to`. */
    instantsBetween: (missionId: string, from: number, to: number, max: number): readonly number[] =>
      between.all(missionId, from, to, max).map(({ instant }) => instant),
    /** From `from` to before `to`, the newest first. */
    ledger: (missionId: string, from: number, to: number, max: number): readonly Firing[] =>
      ledger.all(missionId, from, to, max),
    countStartedOn: (missionId: string, day: string): number => startedOn.get(missionId, day)?.count ?? 0,
    /** The newest with this key that was claimed after `since`. */
    sameKey: (missionId: string, key: string, since: number): Firing | undefined => sameKey.get(missionId, key, since),
    /** Whether the same came with a trigger after `since` and was not left out. */
    hasPayload: (missionId: string, same: string, since: number): boolean =>
      samePayload.get(missionId, since, same) !== undefined,
    /** States of what was to run and ended, the newest first. */
    newestEnds: (missionId: string, max: number): readonly FiringState[] =>
      newestEnds.all(missionId, max).map(({ state }) => state),
    /** What became of those that began, or could not for want of something: the newest first, without the one that is named. */
    newestOutcomes: (missionId: string, without: string, max: number): readonly Pick<Firing, 'state' | 'reason'>[] =>
      newestOutcomes.all(missionId, without, max),
    /** Also one that was removed. */
    wasThere: (projectId: string, name: string): boolean => wasThere.get(projectId, name) !== undefined,
    payloadOf: (id: string): string | null => payload.get(id)?.payload ?? null,
    /** What firings that ended before `before` said of themselves, the newest first. */
    told: (missionId: string, before: number, max: number) =>
      told.all(missionId, before, max).flatMap((row) => {
        const outcome = toldOutcomeSchema.safeParse(parsed(row.outcome))
        return outcome.success ? [{ ...row, outcome: outcome.data }] : []
      }),
  }
}

/** A definition that this version cannot read hides nothing else. */
function toVersion(row: StoredVersion | undefined): readonly MissionVersion[] {
  if (row === undefined) return []
  const definition = missionDefinitionSchema.safeParse(parsed(row.definition))
  return definition.success ? [{ ...row, definition: definition.data }] : []
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

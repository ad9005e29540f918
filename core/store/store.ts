import type { StoredEvent } from '../domain/event.ts'
import { faultPoint } from '../domain/fault-point.ts'
import { type Redactor, shapeRedactor } from '../domain/leaks/redactor.ts'
import { createApprovalRows } from './approval-rows.ts'
import { listBackups, storePath } from './backup.ts'
import { createCallRows } from './call-rows.ts'
import { createCandidateRows } from './candidate-rows.ts'
import { createCodeVmRows } from './code-vm-rows.ts'
import type { Connection } from './connection.ts'
import { createDocRows } from './doc-rows.ts'
import { createDocSearchRows } from './doc-search-rows.ts'
import { createEventRows } from './event-rows.ts'
import { createFixRows } from './fix-rows.ts'
import { createGrantRows } from './grant-rows.ts'
import { createStoreJobs } from './jobs.ts'
import { createLearningRows } from './learning-rows.ts'
import { createLearntRows } from './learnt-rows.ts'
import { createLeaseRows } from './lease-rows.ts'
import { createLoopVersionRows } from './loop-version-rows.ts'
import { createMissionRows } from './mission-rows.ts'
import { markClosed, type OpenOptions, openConnection } from './open.ts'
import { createProjectRows } from './project-rows.ts'
import { createReadingRows } from './reading-rows.ts'
import { createSettingRows } from './setting-rows.ts'
import { createSkillRows } from './skill-rows.ts'
import { createThreadRows } from './thread-rows.ts'
import { createTrashRows } from './trash-rows.ts'
import { createTriggerRows } from './trigger-rows.ts'

export { listBackups, restoreBackup, setStoreAside, storePath } from './backup.ts'
export type { StoredCodeVm } from './code-vm-rows.ts'
export type { DocFilter } from './doc-rows.ts'
export type { FixPattern } from './fix-rows.ts'
export type { MinedProgram } from './learning-rows.ts'
export type { NewFiring } from './mission-rows.ts'
export { readOwner, takeOwnerLock } from './owner.ts'
export type { ProjectRow } from './project-rows.ts'
export type { NewSkillVersion, SkillRow, SkillVersionRow } from './skill-rows.ts'
export { asStoreError } from './store-error.ts'
export type { TriggerKind } from './trigger-rows.ts'

export interface StoreOptions extends OpenOptions {
  /** The worker's entry: a .ts file from a checkout, a .js one from a build. */
  readonly workerEntry: string
}

/** The one SQLite file. Rows ↔ domain; statements outside `core/store` do not exist. */
export type Store = ReturnType<typeof openStore>

/** Commits between two checkpoints: about 16 MB of WAL at two or three pages each. */
const commitsPerCheckpoint = 500

/** @throws AppError store.*; see `openConnection`. */
export function openStore(options: StoreOptions) {
  const { dataDir } = options
  const opened = openConnection(options)
  const { connection } = opened
  const rows = rowsOf(connection, options.redactor ?? shapeRedactor)
  const file = storePath(dataDir)
  const jobs = createStoreJobs(options.workerEntry)
  let { needsCheck } = opened
  let commits = 0
  let isClosed = false

  function noteCommit(): void {
    commits += 1
    if (commits % commitsPerCheckpoint === 0) void checkpoint()
  }
  /** A checkpoint that fails leaves a longer WAL behind and nothing else: the next one does its work too. */
  async function checkpoint(): Promise<void> {
    await jobs.run({ job: 'checkpoint', file }).catch(() => undefined)
  }

  return {
    ...rows,
    file,
    isReadOnly: options.readOnly,
    /** True until a check ends well, where the last one to own the store did not close it or left it damaged. */
    get needsCheck() {
      return needsCheck
    },

    /** All or nothing. @throws AppError store.full and the like for SQLite's own errors. */
    transaction<Result>(work: () => Result): Result {
      try {
        const result = connection.transaction(work)
        noteCommit()
        return result
      } catch (error) {
        rows.events.forgetStretches()
        throw error
      }
    },

    /** Appends and nothing else: in one statement where they are few and small. Answers them as they were written. */
    appendAll(events: readonly StoredEvent[]): readonly StoredEvent[] {
      const written = rows.events.appendTogether(events)
      if (written === null) return this.transaction(() => events.map((event) => rows.events.append(event)))
      noteCommit()
      return written
    },

    /** 'ok', or what `quick_check` found first. On the worker: takes about 1 ms per MB. */
    async check(): Promise<string> {
      const found = await jobs.run({ job: 'check', file })
      needsCheck = found !== 'ok'
      return found
    },

    /** A copy of the whole store; keeps the newest three. Answers its path. */
    backup: (why: string): Promise<string> => jobs.run({ job: 'backup', file, dataDir, why }),
    backups: () => listBackups(dataDir),
    /** Moves the WAL into the file, on the worker. */
    checkpoint,

    statementTimes: () => connection.statementTimes,
    explain: (sql: string) => connection.explain(sql),

    /** Idempotent. The last one to close leaves no WAL behind. A store that needs a check still needs it at the next start. */
    async close(): Promise<void> {
      if (isClosed) return
      isClosed = true
      faultPoint('store.closing')
      await jobs.close()
      try {
        if (!options.readOnly) connection.pragma('wal_checkpoint(TRUNCATE)')
      } finally {
        connection.close()
      }
      faultPoint('store.closed')
      if (!options.readOnly && !needsCheck) markClosed(dataDir)
    },
  }
}

function rowsOf(connection: Connection, redactor: Redactor) {
  try {
    return tablesOf(connection, redactor)
  } catch (error) {
    connection.close()
    throw error
  }
}

function tablesOf(connection: Connection, redactor: Redactor) {
  const events = createEventRows(connection, redactor)
  return {
    projects: createProjectRows(connection),
    threads: createThreadRows(connection),
    events,
    calls: createCallRows(connection, events.headersOf),
    leases: createLeaseRows(connection),
    approvals: createApprovalRows(connection),
    grants: createGrantRows(connection),
    codeVms: createCodeVmRows(connection),
    trash: createTrashRows(connection),
    loopVersions: createLoopVersionRows(connection),
    docs: createDocRows(connection),
    skills: createSkillRows(connection),
    candidates: createCandidateRows(connection),
    missions: createMissionRows(connection),
    triggers: createTriggerRows(connection),
    learnt: createLearntRows(connection),
    fixes: createFixRows(connection),
    readings: createReadingRows(connection),
    learning: createLearningRows(connection),
    docSearch: createDocSearchRows(connection),
    settings: createSettingRows(connection),
  }
}

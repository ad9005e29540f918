import fs from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { z } from 'zod'
import { AppError } from '../domain/error.ts'
import { asStoreError, isOfKind } from './store-error.ts'

const ownerSchema = z.object({ pid: z.number(), command: z.string(), socket: z.string().nullable() })
/** Who holds the store now, as it stands in `owner.json`. */
export type Owner = z.infer<typeof ownerSchema>

/** Held while this process owns the store; free at once when it dies, because the system drops its file locks. */
export interface OwnerLock {
  describe(owner: Owner): void
  release(): void
}

/** A handle that nobody refers to is closed by the garbage collector, and its lock with it. */
const held = new Set<Database.Database>()

/**
 * Takes the store for this process: an exclusive transaction on a tiny SQLite file (RULES 26).
 * @throws AppError store.busy with the owner in `data` when another process holds it; store.io, store.read_only when the
 * lock's file cannot be opened.
 */
export function takeOwnerLock(dataDir: string): OwnerLock {
  const db = lockFile(dataDir)
  held.add(db)
  const file = ownerPath(dataDir)
  return {
    describe(owner) {
      const fresh = `${file}.${owner.pid}`
      fs.writeFileSync(fresh, JSON.stringify(owner), { mode: 0o600 })
      fs.renameSync(fresh, file)
    },
    release() {
      try {
        fs.rmSync(file, { force: true, recursive: true })
      } finally {
        db.close()
        held.delete(db)
      }
    },
  }
}

/**
 * Does something to the files of a store that nobody may have open meanwhile.
 * @throws AppError store.busy when another process owns it; `work` is not run then.
 */
export function withOwnerLock<Result>(dataDir: string, work: () => Result): Result {
  const lock = takeOwnerLock(dataDir)
  try {
    return work()
  } finally {
    lock.release()
  }
}

function lockFile(dataDir: string): Database.Database {
  const file = path.join(dataDir, 'owner.lock')
  try {
    return lockExclusively(file)
  } catch (error) {
    if (isOfKind(error, 'SQLITE_BUSY')) throw ownedBy(readOwner(dataDir), error)
    if (!isOfKind(error, 'SQLITE_NOTADB')) throw asStoreError(error, file)
  }
  // SQLite read it, so nobody holds it, and it is no database. Emptied in place: were it replaced, two processes that do
  // so at the same time could each lock a file of their own.
  try {
    fs.truncateSync(file)
    return lockExclusively(file)
  } catch (error) {
    throw isOfKind(error, 'SQLITE_BUSY') ? ownedBy(readOwner(dataDir), error) : asStoreError(error, file)
  }
}

function lockExclusively(file: string): Database.Database {
  const db = new Database(file, { timeout: 0 })
  try {
    db.exec('BEGIN EXCLUSIVE')
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function ownedBy(owner: Owner | undefined, cause: unknown): AppError {
  return new AppError('store.busy', {
    message: `the store is owned by ${owner === undefined ? 'another process' : `process ${owner.pid}`}`,
    userMessage: `Another Threadsmith${owner === undefined ? '' : ` (${owner.command}, process ${owner.pid})`} is using this data. What it records is safe; wait until it is done, or stop it.`,
    cause,
    ...(owner && { data: { ...owner } }),
    retryable: true,
  })
}

/** What the owner said of itself; undefined where nobody did, or it cannot be read. Says nothing about being alive. */
export function readOwner(dataDir: string): Owner | undefined {
  try {
    return ownerSchema.safeParse(JSON.parse(fs.readFileSync(ownerPath(dataDir), 'utf8'))).data
  } catch {
    // It only names the owner in messages: whatever is wrong with it, the lock still tells whether there is one.
    return undefined
  }
}

function ownerPath(dataDir: string): string {
  return path.join(dataDir, 'owner.json')
}

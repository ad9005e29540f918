import fs from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { AppError } from '../domain/error.ts'
import { type Redactor, shapeRedactor } from '../domain/leaks/redactor.ts'
import { markerPath, storePath, writeBackup } from './backup.ts'
import { Connection } from './connection.ts'
import { migrations } from './migrations.ts'
import { asStoreError } from './store-error.ts'

/** 'THSM': tells our file from any other SQLite file. */
const applicationId = 0x54_48_53_4d
/** See docs/adr/002: large enough that 2 kB bodies pack well: a step writes one or two of them. */
const pageBytes = 16_384

export interface OpenOptions {
  readonly dataDir: string
  readonly readOnly: boolean
  /** The last line: what no module took out of a text is not written. Default: by shape. */
  readonly redactor?: Redactor
  /** The file may not grow past so many pages: what a full disk comes to. */
  readonly maxPages?: number
}

/** What opening found. */
export interface OpenedStore {
  readonly connection: Connection
  /** The store was not closed, or its last check did not end well: it is to be checked, which takes a worker a while. */
  readonly needsCheck: boolean
}

/**
 * Opens (or makes) the store, with a backup before any migration.
 * @throws AppError store.empty | store.corrupt | store.newer | store.full | store.read_only | store.io; the file is left as
 * it was.
 */
export function openConnection(options: OpenOptions): OpenedStore {
  const file = storePath(options.dataDir)
  const wasMade = fs.existsSync(markerPath(options.dataDir))
  const bytes = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (bytes === 0 && wasMade) throw emptyStore(file)
  if (bytes === 0 && options.readOnly) throw noStore(file)
  const db = openFile(file, options.readOnly)
  try {
    const isNew = !wasMade && isBlank(db)
    if (isNew && options.readOnly) throw noStore(file)
    if (!isNew) checkIdentity(db, file)
    // Its log gets the same mode from SQLite. The folder may be one that others can enter.
    else fs.chmodSync(file, 0o600)
    if (!options.readOnly) prepareForWriting(db, options.dataDir, isNew)
    db.pragma('foreign_keys = ON')
    db.pragma('trusted_schema = OFF')
    db.pragma('cache_size = -65536')
    if (options.maxPages !== undefined) db.pragma(`max_page_count = ${options.maxPages}`)
    return { connection: new Connection(db, file, options.redactor ?? shapeRedactor), needsCheck: markOpen(options) }
  } catch (error) {
    db.close()
    throw asStoreError(error, file)
  }
}

function openMark(dataDir: string): string {
  return path.join(dataDir, 'store.open')
}

/** Marks the store as made and at work. Answers whether it was marked as at work before. */
function markOpen({ dataDir, readOnly }: OpenOptions): boolean {
  const wasOpen = fs.existsSync(openMark(dataDir))
  if (!readOnly) {
    fs.writeFileSync(markerPath(dataDir), '')
    fs.writeFileSync(openMark(dataDir), '')
  }
  return wasOpen
}

/** To be called after a store known to be whole was closed by its owner: the next start need not check the file. */
export function markClosed(dataDir: string): void {
  fs.rmSync(openMark(dataDir), { force: true })
}

function openFile(file: string, readOnly: boolean): Database.Database {
  try {
    return new Database(file, { readonly: readOnly, timeout: 5_000 })
  } catch (error) {
    throw asStoreError(error, file)
  }
}

/** A file that nothing was written to but a header at most: a first start that was cut short leaves one. */
function isBlank(db: Database.Database): boolean {
  if (db.pragma('application_id', { simple: true }) !== 0) return false
  return db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined
}

function checkIdentity(db: Database.Database, file: string): void {
  const version = Number(db.pragma('user_version', { simple: true }))
  if (db.pragma('application_id', { simple: true }) !== applicationId) {
    throw foreign(file)
  }
  if (version > migrations.length) {
    throw new AppError('store.newer', {
      message: `schema ${version} is newer than ${migrations.length}`,
      userMessage:
        'Your data was written by a newer Threadsmith. It was not touched. Update Threadsmith, or restore an older backup.',
      data: { path: file, schema: version, supported: migrations.length },
    })
  }
}

function prepareForWriting(db: Database.Database, dataDir: string, isNew: boolean): void {
  if (isNew) db.pragma(`page_size = ${pageBytes}`)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = NORMAL')
  // A checkpoint inside COMMIT would stall the window: the worker does them.
  db.pragma('wal_autocheckpoint = 0')
  const version = Number(db.pragma('user_version', { simple: true }))
  if (version === migrations.length) return
  if (!isNew) writeBackup(db, dataDir, `schema-${version}`)
  for (const [at, sql] of migrations.entries()) {
    if (at >= version) migrate(db, sql, at + 1)
  }
}

function migrate(db: Database.Database, sql: string, version: number): void {
  db.transaction(() => {
    db.exec(sql)
    db.pragma(`application_id = ${applicationId}`)
    db.pragma(`user_version = ${version}`)
  })()
}

function emptyStore(file: string): AppError {
  return new AppError('store.empty', {
    message: 'a store existed here and its file is empty or gone',
    userMessage:
      'Your data file is empty, though Threadsmith kept data here before. Nothing was overwritten. Restore the newest backup, or start fresh.',
    data: { path: file },
  })
}

function noStore(file: string): AppError {
  return new AppError('store.empty', {
    message: 'there is no store here yet',
    userMessage: 'There is nothing here yet: no thread was ever run with this data folder.',
    data: { path: file, isFresh: true },
  })
}

function foreign(file: string): AppError {
  return new AppError('store.corrupt', {
    message: 'the file is a database of another program',
    userMessage:
      'Your data file is a database of another program. It was not changed. Restore the newest backup, or start fresh; the file is kept beside it.',
    data: { path: file },
  })
}

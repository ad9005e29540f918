import Database from 'better-sqlite3'
import { AppError } from '../domain/error.ts'

type StoreFailure = 'store.corrupt' | 'store.full' | 'store.busy' | 'store.read_only' | 'store.io' | 'engine.stopped'

/** By SQLite's primary code. What is not here is a fault of ours, not of the file. */
const sqliteCodes: Readonly<Record<string, StoreFailure>> = {
  SQLITE_CORRUPT: 'store.corrupt',
  SQLITE_NOTADB: 'store.corrupt',
  SQLITE_FULL: 'store.full',
  SQLITE_BUSY: 'store.busy',
  SQLITE_LOCKED: 'store.busy',
  SQLITE_READONLY: 'store.read_only',
  SQLITE_PERM: 'store.read_only',
  SQLITE_IOERR: 'store.io',
  SQLITE_CANTOPEN: 'store.io',
}
/** By the system's code. Any other that it gives is `store.io`. */
const systemCodes: Readonly<Record<string, StoreFailure>> = {
  ENOSPC: 'store.full',
  EDQUOT: 'store.full',
  EROFS: 'store.read_only',
  EACCES: 'store.read_only',
  EPERM: 'store.read_only',
}

const words: Readonly<Record<StoreFailure, string>> = {
  'store.corrupt':
    'Your data file cannot be read. It was not changed. Restore the newest backup, or start fresh; the file is kept beside it.',
  'store.full': 'The disk is full. What was recorded so far is kept. Free some space and try again.',
  'store.busy': 'Another Threadsmith is using this data. Close it, or wait until it is done.',
  'store.read_only':
    'Your data cannot be written from here: it is read-only. What was recorded so far is kept. Make the data folder writable, or close the Threadsmith that owns it, and try again.',
  'store.io':
    'The disk or its folder did not answer as it should. What was recorded so far is kept. See that the disk is connected and its folder is there, then try again.',
  'engine.stopped':
    'Something inside Threadsmith failed while it worked with your data. What was recorded so far is kept. Try again; if it happens again, run the doctor.',
}

/**
 * An error of SQLite, or of the system on the way to the file, as ours. Only what says that the file is no readable
 * database is `store.corrupt`: nobody is sent to a backup because a disk is full or a statement is wrong.
 */
export function asStoreError(error: unknown, file: string): AppError {
  if (error instanceof AppError) return error
  const code = codeOf(error)
  return new AppError(code, {
    message: `${nameOf(error)}: ${error instanceof Error ? error.message : String(error)}`,
    userMessage: words[code],
    cause: error,
    data: { path: file },
    retryable: code !== 'store.corrupt',
  })
}

export function isSqliteError(error: unknown): boolean {
  return error instanceof Database.SqliteError
}

/** `SQLITE_IOERR_READ` is of the kind `SQLITE_IOERR`. */
export function isOfKind(error: unknown, primary: string): boolean {
  return error instanceof Database.SqliteError && primaryOf(error.code) === primary
}

function codeOf(error: unknown): StoreFailure {
  const name = nameOf(error)
  if (error instanceof Database.SqliteError) return sqliteCodes[primaryOf(name)] ?? 'engine.stopped'
  if (!(error instanceof Error) || !('syscall' in error)) return 'engine.stopped'
  return systemCodes[name] ?? 'store.io'
}

function nameOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'internal'
}

function primaryOf(code: string): string {
  return code.split('_').slice(0, 2).join('_')
}

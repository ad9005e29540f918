import fs from 'node:fs'
import path from 'node:path'
import type Database from 'better-sqlite3'
import { AppError } from '../domain/error.ts'
import { limits } from '../domain/limits.ts'
import type { StoreBackup } from '../domain/shell.ts'
import { withOwnerLock } from './owner.ts'
import { asStoreError } from './store-error.ts'

export function storePath(dataDir: string): string {
  return path.join(dataDir, 'threadsmith.db')
}

/** Says that a store was made here: without it an empty file is a first start that did not get far. */
export function markerPath(dataDir: string): string {
  return path.join(dataDir, 'store.made')
}

function backupFolder(dataDir: string): string {
  return path.join(dataDir, 'backups')
}

const backupName = /^\d{6}-.*\.db$/
/** What a copy is called until it is whole and on disk. */
const partSuffix = '.part'

/** What there is to go back to, newest first. Only whole ones. @throws AppError store.io and the like. */
export function listBackups(dataDir: string): readonly StoreBackup[] {
  return mapped(backupFolder(dataDir), () => backupsIn(backupFolder(dataDir)))
}

function backupsIn(folder: string): readonly StoreBackup[] {
  if (!fs.existsSync(folder)) return []
  return fs
    .readdirSync(folder)
    .filter((name) => backupName.test(name))
    .sort()
    .reverse()
    .flatMap((name) => {
      const file = path.join(folder, name)
      const stat = fs.statSync(file, { throwIfNoEntry: false })
      return stat?.isFile() ? [{ path: file, at: Math.round(stat.mtimeMs), bytes: stat.size }] : []
    })
}

/** A copy of the whole store; keeps the newest three. Answers its path. One at a time. */
export function writeBackup(db: Database.Database, dataDir: string, why: string): string {
  const folder = backupFolder(dataDir)
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const name of fs.readdirSync(folder)) {
    // Of a process that was killed while it copied.
    if (name.endsWith(partSuffix)) fs.rmSync(path.join(folder, name), { force: true })
  }
  const file = nextBackupPath(dataDir, why)
  const part = file + partSuffix
  orRemoved(part, () => {
    db.prepare('VACUUM INTO ?').run(part)
    fs.chmodSync(part, 0o600)
    syncFile(part)
  })
  giveName(part, file)
  dropOldBackups(dataDir)
  return file
}

/** Names count up, so their order never depends on a clock. */
function nextBackupPath(dataDir: string, why: string): string {
  const newest = listBackups(dataDir)[0]
  const number = newest === undefined ? 1 : Number(path.basename(newest.path).slice(0, 6)) + 1
  return path.join(backupFolder(dataDir), `${String(number).padStart(6, '0')}-${why}.db`)
}

function dropOldBackups(dataDir: string): void {
  for (const old of listBackups(dataDir).slice(limits.backups)) fs.rmSync(old.path, { force: true })
}

/** Half a copy only takes room, and a full disk is the usual reason for it. */
function orRemoved(part: string, copy: () => void): void {
  try {
    copy()
  } catch (error) {
    fs.rmSync(part, { force: true })
    throw error
  }
}

/** The name comes last, to what is on disk: a file that has it is whole, whenever the power goes. */
function giveName(part: string, file: string): void {
  fs.renameSync(part, file)
  syncFolder(path.dirname(file))
}

function syncFile(file: string): void {
  const handle = fs.openSync(file, 'r+')
  try {
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}

/** Windows has no such thing; its file system records a rename by itself. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const handle = fs.openSync(folder, 'r')
  try {
    fs.fsyncSync(handle)
  } finally {
    fs.closeSync(handle)
  }
}

/**
 * Moves the store's files to `<name>.aside-<n>` and answers where they went: nothing is ever deleted. The next start makes
 * a store anew. @throws AppError store.busy while another process owns the store; nothing is moved then.
 */
export function setStoreAside(dataDir: string): string {
  return withOwnerLock(dataDir, () =>
    mapped(storePath(dataDir), () => {
      const aside = moveAside(dataDir)
      // Last: until then a start finds that something was here, and asks.
      fs.rmSync(markerPath(dataDir), { force: true })
      return aside
    }),
  )
}

const logFiles = ['-wal', '-shm'] as const

/** The store's file first, so that no start opens it without its log; a log that was left behind follows it. */
function moveAside(dataDir: string): string {
  const file = storePath(dataDir)
  const asideOf = (number: number) => `${file}.aside-${number}`
  let number = 1
  while (['', ...logFiles].some((suffix) => fs.existsSync(asideOf(number) + suffix))) number += 1
  const wasCutShort = !fs.existsSync(file) && !logFiles.some((suffix) => fs.existsSync(asideOf(number - 1) + suffix))
  const aside = asideOf(wasCutShort && number > 1 ? number - 1 : number)
  for (const suffix of ['', ...logFiles]) {
    if (fs.existsSync(file + suffix)) fs.renameSync(file + suffix, aside + suffix)
  }
  return aside
}

/**
 * Puts a backup in the store's place; what was there is set aside. Cut short at any point it leaves the store that was, or
 * none and the mark that there was one: the next start asks again, and this can be done again.
 * @throws AppError store.corrupt when `backup` is none of ours, store.busy while another process owns the store, store.full
 * and the like when it cannot be copied; nothing is changed then.
 */
export function restoreBackup(dataDir: string, backup: string): void {
  if (!listBackups(dataDir).some((each) => each.path === backup)) throw unknownBackup(backup)
  withOwnerLock(dataDir, () =>
    mapped(storePath(dataDir), () => {
      const file = storePath(dataDir)
      const part = `${file}${partSuffix}`
      orRemoved(part, () => {
        fs.copyFileSync(backup, part)
        syncFile(part)
      })
      fs.writeFileSync(markerPath(dataDir), '')
      moveAside(dataDir)
      giveName(part, file)
    }),
  )
}

function mapped<Result>(file: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw asStoreError(error, file)
  }
}

function unknownBackup(backup: string): AppError {
  return new AppError('store.corrupt', {
    message: `not a backup of this store: ${backup}`,
    userMessage: 'That file is not one of the backups of this data folder. Nothing was changed.',
  })
}

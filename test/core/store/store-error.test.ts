import fs from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { openStore, type Store, storePath } from '../../../core/store/store.ts'
import { asStoreError } from '../../../core/store/store-error.ts'
import { temporaryFolder } from '../../support/engine.ts'

const workerEntry = path.resolve(import.meta.dirname, '../../../core/store/worker.ts')
function open(dataDir: string): Store {
  const store = openStore({ dataDir, readOnly: false, workerEntry })
  onTestFinished(() => store.close())
  return store
}
const project = (id: string) => ({ id, folder: `/${id}`, name: id, createdAt: 1 })

test.each([
  ['SQLITE_CORRUPT', 'store.corrupt', /backup/],
  ['SQLITE_CORRUPT_INDEX', 'store.corrupt', /backup/],
  ['SQLITE_NOTADB', 'store.corrupt', /backup/],
  ['SQLITE_FULL', 'store.full', /disk is full/],
  ['SQLITE_BUSY', 'store.busy', /Another Threadsmith/],
  ['SQLITE_BUSY_SNAPSHOT', 'store.busy', /Another Threadsmith/],
  ['SQLITE_LOCKED', 'store.busy', /Another Threadsmith/],
  ['SQLITE_READONLY', 'store.read_only', /written/],
  ['SQLITE_READONLY_DBMOVED', 'store.read_only', /written/],
  ['SQLITE_PERM', 'store.read_only', /written/],
  ['SQLITE_IOERR_READ', 'store.io', /disk or its folder/],
  ['SQLITE_CANTOPEN', 'store.io', /disk or its folder/],
  ['SQLITE_CONSTRAINT_UNIQUE', 'engine.stopped', /inside Threadsmith/],
  ['SQLITE_ERROR', 'engine.stopped', /inside Threadsmith/],
  ['SQLITE_TOOBIG', 'engine.stopped', /inside Threadsmith/],
])('SQLite says %s: %s', (sqlite, code, words) => {
  const cause = new Database.SqliteError('it went wrong', sqlite)
  const error = asStoreError(cause, '/data/threadsmith.db')
  expect(error).toMatchObject({ code, cause, userMessage: expect.stringMatching(words) })
  if (code !== 'store.corrupt') expect(error.userMessage).not.toMatch(/backup/i)
})

test.each([
  ['ENOSPC', 'store.full'],
  ['EROFS', 'store.read_only'],
  ['EACCES', 'store.read_only'],
  ['EIO', 'store.io'],
  ['ENOTDIR', 'store.io'],
])('the system says %s: %s', (system, code) => {
  const cause = Object.assign(new Error(system), { code: system, syscall: 'open' })
  expect(asStoreError(cause, '/data/threadsmith.db').code).toBe(code)
})

test('a read outside any transaction fails with words too', async () => {
  const dataDir = temporaryFolder()
  const store = open(dataDir)
  store.transaction(() => {
    for (let at = 0; at < 400; at += 1) store.projects.insert(project(`${at}-${'x'.repeat(100)}`))
  })
  await store.close()
  const handle = fs.openSync(storePath(dataDir), 'r+')
  const { size } = fs.statSync(storePath(dataDir))
  for (let at = size - 10 * 8_192; at < size; at += 8_192) fs.writeSync(handle, Buffer.alloc(8_192, 0xff), 0, 8_192, at)
  fs.closeSync(handle)
  const spoilt = open(dataDir)
  expect(() => spoilt.projects.list()).toThrow(
    expect.objectContaining({ name: 'AppError', code: 'store.corrupt', data: { path: storePath(dataDir) } }),
  )
})

test('a row that the rules of a table refuse is a fault of ours: nobody is told to restore a backup', () => {
  const store = open(temporaryFolder())
  store.transaction(() => store.projects.insert(project('p1')))
  expect(() => store.transaction(() => store.projects.insert(project('p1')))).toThrow(
    expect.objectContaining({ code: 'engine.stopped', userMessage: expect.not.stringContaining('backup') }),
  )
})

import fs from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import {
  listBackups,
  openStore,
  restoreBackup,
  type Store,
  setStoreAside,
  storePath,
} from '../../../core/store/store.ts'
import { temporaryFolder } from '../../support/engine.ts'

const workerEntry = path.resolve(import.meta.dirname, '../../../core/store/worker.ts')
function open(dataDir: string): Store {
  const store = openStore({ dataDir, readOnly: false, workerEntry })
  onTestFinished(() => store.close())
  return store
}
const addProject = (store: Store, id: string) =>
  store.transaction(() => store.projects.insert({ id, folder: `/${id}`, name: id, createdAt: 1 }))
const namesOf = (dataDir: string) => listBackups(dataDir).map((each) => path.basename(each.path))
const newestOf = (dataDir: string) => listBackups(dataDir)[0]?.path ?? ''

test('the newest three are kept, and one can be put back; what was there is set aside', async () => {
  const dataDir = temporaryFolder()
  const store = open(dataDir)
  addProject(store, 'before')
  for (const why of ['one', 'two', 'three', 'four']) await store.backup(why)
  expect(namesOf(dataDir)).toEqual(['000004-four.db', '000003-three.db', '000002-two.db'])
  expect(listBackups(dataDir)).toHaveLength(limits.backups)
  addProject(store, 'after')
  await store.close()
  fs.writeFileSync(storePath(dataDir), 'broken')
  restoreBackup(dataDir, newestOf(dataDir))
  const restored = open(dataDir)
  expect(restored.projects.list().map((project) => project.id)).toEqual(['before'])
  expect(fs.readFileSync(`${storePath(dataDir)}.aside-1`, 'utf8')).toBe('broken')
})

test('one that was killed half-way is never offered or counted, and is gone after the next', async () => {
  const dataDir = temporaryFolder()
  const store = open(dataDir)
  for (const why of ['one', 'two', 'three']) await store.backup(why)
  const folder = path.join(dataDir, 'backups')
  fs.writeFileSync(path.join(folder, '000004-daily.db.part'), 'half a backup')
  expect(namesOf(dataDir)).toEqual(['000003-three.db', '000002-two.db', '000001-one.db'])
  await store.backup('daily')
  expect(fs.readdirSync(folder).toSorted()).toEqual(['000002-two.db', '000003-three.db', '000004-daily.db'])
})

test('it is a whole store of its own', async () => {
  const dataDir = temporaryFolder()
  const store = open(dataDir)
  addProject(store, 'p1')
  const copy = new Database(await store.backup('daily'), { readonly: true })
  onTestFinished(() => void copy.close())
  expect(copy.pragma('quick_check', { simple: true })).toBe('ok')
  expect(copy.prepare('SELECT id FROM project').pluck().all()).toEqual(['p1'])
})

test('two at once get a number each', async () => {
  const dataDir = temporaryFolder()
  const store = open(dataDir)
  await Promise.all([store.backup('daily'), store.backup('asked')])
  expect(namesOf(dataDir)).toEqual(['000002-asked.db', '000001-daily.db'])
})

test('one that fails says why, leaves no name behind and keeps those there are', async () => {
  const dataDir = temporaryFolder()
  const store = open(dataDir)
  await store.backup('one')
  fs.mkdirSync(path.join(dataDir, 'backups', '000002-two.db.part', 'in the way'), { recursive: true })
  await expect(store.backup('two')).rejects.toMatchObject({ code: expect.stringMatching(/^store\./), retryable: true })
  expect(namesOf(dataDir)).toEqual(['000001-one.db'])
})

test('only a backup of this very store can be put back', async () => {
  const dataDir = temporaryFolder()
  await open(dataDir).close()
  expect(() => restoreBackup(dataDir, '/etc/hostname')).toThrow(expect.objectContaining({ code: 'store.corrupt' }))
  expect(fs.existsSync(storePath(dataDir))).toBe(true)
})

test('a restore that cannot be copied leaves the store as it is', async () => {
  const dataDir = temporaryFolder()
  const store = open(dataDir)
  addProject(store, 'p1')
  const backup = await store.backup('daily')
  await store.close()
  fs.mkdirSync(`${storePath(dataDir)}.part`)
  expect(() => restoreBackup(dataDir, backup)).toThrow(
    expect.objectContaining({ code: expect.stringMatching(/^store\./) }),
  )
  expect(open(dataDir).projects.list()).toHaveLength(1)
})

test('set aside, the store starts fresh and the old file is still there', async () => {
  const dataDir = temporaryFolder()
  const store = open(dataDir)
  addProject(store, 'old')
  await store.close()
  const aside = setStoreAside(dataDir)
  expect(open(dataDir).projects.list()).toEqual([])
  expect(fs.statSync(aside).size).toBeGreaterThan(0)
})

test('what was set aside before is never overwritten, not even its log', async () => {
  const dataDir = temporaryFolder()
  await open(dataDir).close()
  fs.writeFileSync(`${storePath(dataDir)}.aside-1-wal`, 'of an earlier one')
  expect(setStoreAside(dataDir)).toBe(`${storePath(dataDir)}.aside-2`)
  expect(fs.readFileSync(`${storePath(dataDir)}.aside-1-wal`, 'utf8')).toBe('of an earlier one')
})

test('a log that was left behind by a set-aside that was cut short follows its store', () => {
  const dataDir = temporaryFolder()
  const file = storePath(dataDir)
  fs.writeFileSync(`${file}.aside-1`, 'an earlier store')
  fs.writeFileSync(`${file}.aside-2`, 'the store')
  fs.writeFileSync(`${file}-wal`, 'its log')
  expect(setStoreAside(dataDir)).toBe(`${file}.aside-2`)
  expect(fs.readFileSync(`${file}.aside-2`, 'utf8')).toBe('the store')
  expect(fs.readFileSync(`${file}.aside-2-wal`, 'utf8')).toBe('its log')
})

test.skipIf(process.platform === 'win32')('only the person can read the store, its log and its backups', async () => {
  const dataDir = temporaryFolder()
  fs.chmodSync(dataDir, 0o755)
  const store = open(dataDir)
  addProject(store, 'p1')
  const backup = await store.backup('daily')
  for (const file of [storePath(dataDir), `${storePath(dataDir)}-wal`, backup]) {
    expect(`${file} ${(fs.statSync(file).mode & 0o777).toString(8)}`).toBe(`${file} 600`)
  }
})

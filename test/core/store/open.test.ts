import fs from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { openStore, type Store, storePath } from '../../../core/store/store.ts'
import { temporaryFolder } from '../../support/engine.ts'

const workerEntry = path.resolve(import.meta.dirname, '../../../core/store/worker.ts')
const open = (dataDir: string, readOnly = false): Store => openStore({ dataDir, readOnly, workerEntry })
const addProject = (store: Store, id: string) =>
  store.transaction(() => store.projects.insert({ id, folder: `/${id}`, name: id, createdAt: 1 }))

test('a new store has our mark, our page size and WAL; it opens again as it was left', async () => {
  const dataDir = temporaryFolder()
  const store = open(dataDir)
  addProject(store, 'p1')
  await store.close()
  const db = new Database(storePath(dataDir))
  expect(db.pragma('application_id', { simple: true })).toBe(0x5448534d)
  expect(db.pragma('page_size', { simple: true })).toBe(16_384)
  expect(db.pragma('journal_mode', { simple: true })).toBe('wal')
  db.close()
  const again = open(dataDir)
  expect(again.projects.get('p1')).toMatchObject({ folder: '/p1' })
  expect(again.needsCheck).toBe(false)
  await again.close()
})

test('a store that was not closed says so at the next start', async () => {
  const dataDir = temporaryFolder()
  const store = open(dataDir)
  fs.cpSync(dataDir, `${dataDir}-copy`, { recursive: true })
  await store.close()
  const copy = open(`${dataDir}-copy`)
  expect(copy.needsCheck).toBe(true)
  expect(await copy.check()).toBe('ok')
  await copy.close()
  fs.rmSync(`${dataDir}-copy`, { recursive: true })
})

const bytesOf = (file: string) => fs.readFileSync(file)

test.each([
  [
    'garbage',
    'store.corrupt',
    (file: string) => fs.writeFileSync(file, 'this is a letter, not a database'.repeat(300)),
  ],
  ['an empty file', 'store.empty', (file: string) => fs.writeFileSync(file, '')],
  [
    'a newer schema',
    'store.newer',
    (file: string) => {
      const db = new Database(file)
      db.pragma('user_version = 999')
      db.close()
    },
  ],
  [
    "another program's database",
    'store.corrupt',
    (file: string) => {
      fs.rmSync(file)
      const db = new Database(file)
      db.exec('CREATE TABLE mail (id INTEGER)')
      db.close()
    },
  ],
])('%s is refused as %s, and the file is left byte for byte', async (_name, code, spoil) => {
  const dataDir = temporaryFolder()
  await open(dataDir).close()
  const file = storePath(dataDir)
  spoil(file)
  const before = bytesOf(file)
  expect(() => open(dataDir)).toThrow(expect.objectContaining({ code, userMessage: expect.stringMatching(/\. /) }))
  expect(bytesOf(file).equals(before)).toBe(true)
})

test('a store that is gone although one was made here is no reason to start fresh silently', async () => {
  const dataDir = temporaryFolder()
  await open(dataDir).close()
  fs.rmSync(storePath(dataDir))
  expect(() => open(dataDir)).toThrow(expect.objectContaining({ code: 'store.empty' }))
})

test.each([
  ['an empty file', (file: string) => fs.writeFileSync(file, '')],
  [
    'a database without a table or a mark',
    (file: string) => {
      const db = new Database(file)
      db.pragma('page_size = 8192')
      db.pragma('journal_mode = WAL')
      db.close()
    },
  ],
])('%s that a first start left behind is no store yet: the next one makes it', async (_name, leave) => {
  const dataDir = temporaryFolder()
  leave(storePath(dataDir))
  expect(() => open(dataDir, true)).toThrow(
    expect.objectContaining({ code: 'store.empty', data: { path: storePath(dataDir), isFresh: true } }),
  )
  const store = open(dataDir)
  addProject(store, 'p1')
  await store.close()
  expect(fs.existsSync(path.join(dataDir, 'backups'))).toBe(false)
})

test('a store that its check found damaged, or that was not checked yet, is checked again at the next start', async () => {
  const dataDir = temporaryFolder()
  const store = open(dataDir)
  for (let at = 0; at < 400; at += 1) addProject(store, `project-${at}-${'x'.repeat(100)}`)
  await store.close()
  fs.writeFileSync(path.join(dataDir, 'store.open'), '')
  await open(dataDir).close()
  const unchecked = open(dataDir)
  expect(unchecked.needsCheck).toBe(true)
  expect(await unchecked.check()).toBe('ok')
  expect(unchecked.needsCheck).toBe(false)
  await unchecked.close()

  const file = storePath(dataDir)
  const handle = fs.openSync(file, 'r+')
  fs.writeSync(handle, Buffer.alloc(4_000, 0xff), 0, 4_000, fs.statSync(file).size - 8_192)
  fs.closeSync(handle)
  const spoilt = open(dataDir)
  expect(spoilt.needsCheck).toBe(false)
  expect(await spoilt.check()).not.toBe('ok')
  await spoilt.close()
  const again = open(dataDir)
  expect(again.needsCheck).toBe(true)
  await again.close()
})

test('a corrupt page is found by the check', async () => {
  const dataDir = temporaryFolder()
  const store = open(dataDir)
  for (let at = 0; at < 400; at += 1) addProject(store, `project-${at}-${'x'.repeat(100)}`)
  await store.close()
  const file = storePath(dataDir)
  const handle = fs.openSync(file, 'r+')
  fs.writeSync(handle, Buffer.alloc(4_000, 0xff), 0, 4_000, fs.statSync(file).size - 8_192)
  fs.closeSync(handle)
  const spoilt = open(dataDir)
  expect(await spoilt.check()).not.toBe('ok')
  await spoilt.close()
})

test('a read-only store refuses writing and makes nothing where there is none', () => {
  const dataDir = temporaryFolder()
  expect(() => open(dataDir, true)).toThrow(expect.objectContaining({ code: 'store.empty' }))
  expect(fs.readdirSync(dataDir)).toEqual([])
})

test('a transaction that throws leaves nothing behind', async () => {
  const store = open(temporaryFolder())
  const failing = () =>
    store.transaction(() => {
      store.projects.insert({ id: 'half', folder: '/half', name: 'half', createdAt: 1 })
      throw new Error('no')
    })
  expect(failing).toThrow('no')
  expect(store.projects.list()).toEqual([])
  await store.close()
})

test('a full disk is store.full; what was there stays, and it works again once there is room', async () => {
  const dataDir = temporaryFolder()
  const full = openStore({ dataDir, readOnly: false, workerEntry, maxPages: 60 })
  const fill = () => {
    for (let at = 0; ; at += 1) addProject(full, `p${at}-${'x'.repeat(1_000)}`)
  }
  expect(fill).toThrow(expect.objectContaining({ code: 'store.full', retryable: true }))
  const kept = full.projects.list().length
  expect(kept).toBeGreaterThan(0)
  await full.close()
  const roomy = open(dataDir)
  addProject(roomy, 'one-more')
  expect(roomy.projects.list()).toHaveLength(kept + 1)
  expect(await roomy.check()).toBe('ok')
  await roomy.close()
})

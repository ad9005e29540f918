import { fork } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, onTestFinished, test } from 'vitest'
import {
  listBackups,
  openStore,
  readOwner,
  restoreBackup,
  setStoreAside,
  storePath,
  takeOwnerLock,
} from '../../../core/store/store.ts'
import { temporaryFolder } from '../../support/engine.ts'

const workerEntry = path.resolve(import.meta.dirname, '../../../core/store/worker.ts')
const owner = { pid: 4711, command: 'threadsmith run', socket: null }

/** Another process that owns the store until the test has ended. */
async function ownedElsewhere(dataDir: string): Promise<void> {
  const child = fork(path.join(import.meta.dirname, 'owner-process.ts'), [dataDir])
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  await new Promise((resolve) => child.once('message', resolve))
}

test('while another process owns the store it is neither restored nor set aside: its file stays where it is', async () => {
  const dataDir = temporaryFolder()
  const store = openStore({ dataDir, readOnly: false, workerEntry })
  await store.backup('daily')
  await store.close()
  await ownedElsewhere(dataDir)
  const before = fs.readdirSync(dataDir).toSorted()
  const busy = expect.objectContaining({
    code: 'store.busy',
    userMessage: expect.stringContaining('is using this data'),
  })
  expect(() => restoreBackup(dataDir, listBackups(dataDir)[0]?.path ?? '')).toThrow(busy)
  expect(() => setStoreAside(dataDir)).toThrow(busy)
  expect(fs.readdirSync(dataDir).toSorted()).toEqual(before)
  expect(fs.existsSync(storePath(dataDir))).toBe(true)
})

test('after a restore the store is free again', async () => {
  const dataDir = temporaryFolder()
  const store = openStore({ dataDir, readOnly: false, workerEntry })
  await store.backup('daily')
  await store.close()
  restoreBackup(dataDir, listBackups(dataDir)[0]?.path ?? '')
  setStoreAside(dataDir)
  takeOwnerLock(dataDir).release()
})

test('the lock is held until it is released, though nobody keeps it at hand', async () => {
  const dataDir = temporaryFolder()
  takeOwnerLock(dataDir)
  setFlagsFromString('--expose-gc')
  for (let round = 0; round < 3; round += 1) {
    runInNewContext('gc')()
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(() => takeOwnerLock(dataDir)).toThrow(expect.objectContaining({ code: 'store.busy' }))
})

test.each([
  ['a word', 'garbage'],
  ['a page of text', 'this is no database. '.repeat(400)],
])('a lock file that is %s is made anew, and then it locks', async (_name, content) => {
  const dataDir = temporaryFolder()
  fs.writeFileSync(path.join(dataDir, 'owner.lock'), content)
  const lock = takeOwnerLock(dataDir)
  expect(() => takeOwnerLock(dataDir)).toThrow(expect.objectContaining({ code: 'store.busy' }))
  lock.release()
  await ownedElsewhere(dataDir)
  expect(() => takeOwnerLock(dataDir)).toThrow(expect.objectContaining({ code: 'store.busy' }))
})

test('a lock file that cannot be opened is an error with words, and is left alone', () => {
  const dataDir = temporaryFolder()
  fs.mkdirSync(path.join(dataDir, 'owner.lock'))
  expect(() => takeOwnerLock(dataDir)).toThrow(expect.objectContaining({ code: 'store.io' }))
  expect(fs.statSync(path.join(dataDir, 'owner.lock')).isDirectory()).toBe(true)
})

test('what the owner said of itself is read back while it holds the store', () => {
  const dataDir = temporaryFolder()
  expect(readOwner(dataDir)).toBeUndefined()
  const lock = takeOwnerLock(dataDir)
  lock.describe(owner)
  expect(readOwner(dataDir)).toEqual(owner)
  lock.release()
  expect(readOwner(dataDir)).toBeUndefined()
})

test.each([
  ['no JSON', (file: string) => fs.writeFileSync(file, '{"pid": 12')],
  ['of another shape', (file: string) => fs.writeFileSync(file, '["pid"]')],
  ['a folder', (file: string) => fs.mkdirSync(file)],
])('an owner.json that is %s says nothing, and breaks nothing', (_name, spoil) => {
  const dataDir = temporaryFolder()
  spoil(path.join(dataDir, 'owner.json'))
  expect(readOwner(dataDir)).toBeUndefined()
  const lock = takeOwnerLock(dataDir)
  expect(() => takeOwnerLock(dataDir)).toThrow(
    expect.objectContaining({
      code: 'store.busy',
      userMessage: expect.stringContaining('Another Threadsmith is using'),
    }),
  )
  lock.release()
})

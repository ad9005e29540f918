import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { AppError } from '../../core/domain/error.ts'
import { createEngine } from '../../core/engine.ts'
import { openStore, takeOwnerLock } from '../../core/store/store.ts'
import { contentDir, startEngine, temporaryFolder } from '../support/engine.ts'

const workerEntry = path.resolve(import.meta.dirname, '../../core/store/worker.ts')

/** Nothing of the failed start is left: the store was closed in order, its lock is free, and a start succeeds. */
async function expectAllClosed(dataDir: string): Promise<void> {
  expect(fs.existsSync(path.join(dataDir, 'store.open'))).toBe(false)
  expect(fs.existsSync(path.join(dataDir, 'threadsmith.db-wal'))).toBe(false)
  takeOwnerLock(dataDir).release()
}

test('where the socket cannot be made, all that was opened is closed again, and the error has words', async () => {
  const dataDir = temporaryFolder()
  fs.writeFileSync(path.join(dataDir, 'socket'), 'a file where the folder should be')
  const starting = startEngine({ dataDir })
  await expect(starting).rejects.toBeInstanceOf(AppError)
  await expect(starting).rejects.toMatchObject({ userMessage: expect.stringMatching(/\. /) })
  await expectAllClosed(dataDir)
  fs.rmSync(path.join(dataDir, 'socket'))
  await startEngine({ dataDir })
})

test('where the content is missing, all that was opened is closed again, and the error has words', async () => {
  const dataDir = temporaryFolder()
  const starting = startEngine({ dataDir, contentDir: temporaryFolder() })
  await expect(starting).rejects.toBeInstanceOf(AppError)
  await expectAllClosed(dataDir)
})

test('a data folder that cannot be made is an error with words', async () => {
  const file = path.join(temporaryFolder(), 'file')
  fs.writeFileSync(file, '')
  await expect(startEngine({ dataDir: path.join(file, 'data') })).rejects.toMatchObject({ code: 'store.io' })
})

test('an engine that is stopped while something fails to close still frees the store', async () => {
  const dataDir = temporaryFolder()
  const engine = await createEngine({ dataDir, contentDir, version: '0.0.0-test', command: 'test' })
  Object.assign(engine.threads, { suspendAll: () => Promise.reject(new Error('no')) })
  await expect(engine.stop('quit')).rejects.toThrow('no')
  await expectAllClosed(dataDir)
  await openStore({ dataDir, readOnly: false, workerEntry }).close()
})

import fs from 'node:fs'
import path from 'node:path'
import { createSettings } from '../../core/settings.ts'
import { openStore, storePath } from '../../core/store/store.ts'

const workerEntry = path.resolve(import.meta.dirname, '../../core/store/worker.ts')

/** A data folder as a process leaves it that was killed: a store that opens, with damage that a check finds, and a backup. */
export async function damagedStore(dataDir: string): Promise<void> {
  const store = openStore({ dataDir, readOnly: false, workerEntry })
  store.transaction(() => {
    for (let at = 0; at < 400; at += 1) {
      const id = `${at}-${'x'.repeat(100)}`
      store.projects.insert({ id, folder: `/${id}`, name: id, createdAt: 1 })
    }
  })
  createSettings(store).set({ firstRunDone: true })
  await store.backup('daily')
  await store.close()
  spoil(storePath(dataDir))
  fs.writeFileSync(path.join(dataDir, 'store.open'), '')
}

/** The last pages of the file, full of projects. */
function spoil(file: string): void {
  const handle = fs.openSync(file, 'r+')
  fs.writeSync(handle, Buffer.alloc(4_000, 0xff), 0, 4_000, fs.statSync(file).size - 8_192)
  fs.closeSync(handle)
}

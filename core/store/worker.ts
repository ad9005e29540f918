// Entry of the store's worker thread: what may take longer than a frame runs here, on a connection of its own (RULES 27).
import { parentPort } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { z } from 'zod'
import { type ErrorBody, errorBody } from '../domain/error.ts'
import { writeBackup } from './backup.ts'
import { asStoreError } from './store-error.ts'

const jobSchema = z.discriminatedUnion('job', [
  z.object({ id: z.number(), job: z.literal('checkpoint'), file: z.string() }),
  z.object({ id: z.number(), job: z.literal('check'), file: z.string() }),
  z.object({ id: z.number(), job: z.literal('backup'), file: z.string(), dataDir: z.string(), why: z.string() }),
])
export type StoreJob = z.infer<typeof jobSchema>
type WithoutId<Job> = Job extends unknown ? Omit<Job, 'id'> : never
export type StoreJobInput = WithoutId<StoreJob>
export interface StoreJobAnswer {
  readonly id: number
  readonly result?: string
  readonly error?: ErrorBody
}

function work(job: StoreJob): string {
  // A check must not write, not even what closing the last connection moves into the file: the doctor owns nothing.
  const db = new Database(job.file, { fileMustExist: true, timeout: 5_000, readonly: job.job === 'check' })
  try {
    switch (job.job) {
      case 'checkpoint':
        return JSON.stringify(db.pragma('wal_checkpoint(PASSIVE)'))
      case 'check':
        return quickCheck(db)
      case 'backup':
        return writeBackup(db, job.dataDir, job.why)
    }
  } finally {
    db.close()
  }
}

/** Damage that keeps the check itself from running is what it found. */
function quickCheck(db: Database.Database): string {
  try {
    return String(db.pragma('quick_check(1)', { simple: true }))
  } catch (error) {
    const found = asStoreError(error, db.name)
    if (found.code === 'store.corrupt') return found.message
    throw error
  }
}

parentPort?.on('message', (message: unknown) => {
  const job = jobSchema.parse(message)
  try {
    parentPort?.postMessage({ id: job.id, result: work(job) } satisfies StoreJobAnswer)
  } catch (error) {
    parentPort?.postMessage({ id: job.id, error: errorBody(asStoreError(error, job.file)) } satisfies StoreJobAnswer)
  }
})

import { Worker } from 'node:worker_threads'
import { AppError, fromErrorBody } from '../domain/error.ts'
import type { StoreJobAnswer, StoreJobInput } from './worker.ts'

/** The worker thread of the store: started at its first job, ended by `close`. */
export interface StoreJobs {
  /** @throws AppError what the job threw, engine.stopped when the worker died. */
  run(job: StoreJobInput): Promise<string>
  close(): Promise<void>
}

interface Pending {
  readonly resolve: (result: string) => void
  readonly reject: (error: AppError) => void
}

export function createStoreJobs(entry: string): StoreJobs {
  const pending = new Map<number, Pending>()
  let worker: Worker | undefined
  let nextId = 1

  function fail(cause: unknown): void {
    worker = undefined
    const error = workerDied(cause)
    for (const each of pending.values()) each.reject(error)
    pending.clear()
  }

  function start(): Worker {
    const fresh = new Worker(entry)
    fresh.unref()
    fresh.on('message', (answer: StoreJobAnswer) => {
      const waiting = pending.get(answer.id)
      pending.delete(answer.id)
      if (answer.error === undefined) waiting?.resolve(answer.result ?? '')
      else waiting?.reject(fromErrorBody(answer.error))
    })
    fresh.on('error', fail)
    fresh.on('exit', (code) => {
      if (worker === fresh) fail(`exit code ${code}`)
    })
    return fresh
  }

  return {
    run(job) {
      worker ??= start()
      const id = nextId++
      const current = worker
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject })
        current.postMessage({ ...job, id })
      })
    },
    async close() {
      await worker?.terminate()
      worker = undefined
    },
  }
}

function workerDied(cause: unknown): AppError {
  return new AppError('engine.stopped', {
    message: `the store's worker ended: ${cause instanceof Error ? cause.message : String(cause)}`,
    userMessage:
      'A check or backup of your data did not come to its end. Nothing was changed. Try again, or run the doctor.',
    cause,
    retryable: true,
  })
}

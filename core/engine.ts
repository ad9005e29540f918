import fs from 'node:fs'
import type { Api } from './api.ts'
import { type Closing, createClosing } from './closing.ts'
import type { EventBatch } from './domain/contract.ts'
import { onFaultPoint } from './domain/fault-point.ts'
import type { EngineOptions } from './engine-options.ts'
import { wire } from './engine-wire.ts'
import { firingBehind } from './missions/missions.ts'
import type { Runs } from './runs/runs.ts'
import { noAnswer, serveSocket, socketPath, stopThreadsOf } from './socket.ts'
import { asStoreError, readOwner, type Store, takeOwnerLock } from './store/store.ts'
import type { Threads } from './threads/threads.ts'

export type { Api } from './api.ts'
export { dataDir } from './domain/data-dir.ts'
export type { EngineOptions } from './engine-options.ts'
export { openKeyFile } from './key-file.ts'
export type { SpawnSandbox } from './sandbox/sandbox.ts'
export type { Secrets } from './secrets.ts'
export { listBackups, readOwner, restoreBackup, setStoreAside, storePath } from './store/store.ts'

export interface Engine {
  readonly api: Api
  readonly threads: Threads
  /** Skills' runs, for whoever hosts the engine. */
  readonly runs: Runs
  /** The computer slept: calls that were open then are made again. Answers the threads. */
  wokeUp(): Promise<readonly string[]>
  /** Everything after `fromSeq`, then live. Answers how to unsubscribe. */
  subscribe(fromSeq: number, listener: (batch: EventBatch) => void): () => void
  /** Suspends what runs, closes the store, frees the lock. Idempotent. */
  stop(reason: string): Promise<void>
  /** The store's own figures, for benches and the plan test. */
  readonly store: Store
}

/**
 * Opens the store and wires everything; the only place that does. Where that fails, all that was opened is closed again.
 * @throws AppError store.busy when another engine owns the store, store.empty | corrupt | newer when it cannot be opened,
 * store.io and the like when the data folder or the socket cannot be made.
 */
export async function createEngine(options: EngineOptions): Promise<Engine> {
  const closing = createClosing()
  if (options.onFaultPoint !== undefined) {
    onFaultPoint(options.onFaultPoint)
    closing.add(() => onFaultPoint(undefined))
  }
  try {
    fs.mkdirSync(options.dataDir, { recursive: true, mode: 0o700 })
    return options.readOnly ? wire(options, closing) : await own(options, closing)
  } catch (error) {
    // Why it did not start is what counts, not what came of it.
    await closing.close('the start failed').catch(() => undefined)
    throw asStoreError(error, options.dataDir)
  }
}

async function own(options: EngineOptions, closing: Closing): Promise<Engine> {
  const lock = takeOwnerLock(options.dataDir)
  closing.add(() => lock.release())
  const engine = wire(options, closing)
  const socket = await serveSocket(engine, socketPath(options.dataDir, process.platform, process.env.XDG_RUNTIME_DIR))
  closing.add(() => socket.close())
  lock.describe({ pid: process.pid, command: options.command, socket: socket.path })
  // First: a firing that was at work may be why it crashed.
  const isHeld = options.ticks === true && engine.missions.countStart()
  engine.threads.recover(
    options.recover ?? 'suspend',
    ({ rootId }) => !isHeld || firingBehind(engine.store, rootId) === undefined,
  )
  engine.missions.missions.recover()
  if (options.ticks) engine.missions.open()
  return engine
}

/** Asks whoever owns the store to stop its threads. @throws AppError store.busy when it cannot be reached. */
export async function stopOwner(dataDir: string): Promise<void> {
  const socket = readOwner(dataDir)?.socket
  if (typeof socket !== 'string') throw noAnswer(new Error('the owner has no socket'))
  await stopThreadsOf(socket)
}

import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createEvents } from '../../core/events/events.ts'
import { openStore, type Store } from '../../core/store/store.ts'
import { startUpkeep, type Upkeep } from '../../core/upkeep.ts'
import { damagedStore } from '../support/damaged-store.ts'
import { startEngine, temporaryFolder } from '../support/engine.ts'

// Only the timers are ours: the store, its worker and its files are real.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const workerEntry = path.resolve(import.meta.dirname, '../../core/store/worker.ts')
const hourMs = 3_600_000

function open(dataDir: string): { readonly store: Store; readonly upkeep: Upkeep } {
  const store = openStore({ dataDir, readOnly: false, workerEntry })
  const upkeep = startUpkeep(store, { now: () => Date.now(), prune: async () => undefined })
  onTestFinished(async () => {
    await upkeep.stop()
    await store.close()
  })
  return { store, upkeep }
}

function record(store: Store): void {
  const events = createEvents({ store, now: () => 1, onListenerFault: () => undefined })
  events.commit((append) => append('thr_1', { kind: 'status', data: { text: 'something worth keeping' } }))
}

/** Moves the clock, then lets the worker finish: an hour that passes while it works would be one without a look. */
async function after(ms: number, isDone: () => boolean = () => true): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms)
  while (!isDone() || vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve))
}

test('an app that is left open makes a backup every day, not only at its start', async () => {
  const { store } = open(temporaryFolder())
  record(store)
  const made = (count: number) => () => store.backups().length === count
  // Files are dated by the real clock, which stands still here.
  const date = () => fs.utimesSync(store.backups()[0]?.path ?? '', new Date(), new Date())
  await after(20_000, made(1))
  date()
  for (let hour = 0; hour < 24; hour += 1) await after(hourMs)
  expect(store.backups()).toHaveLength(1)
  await after(hourMs, made(2))
  date()
  for (let hour = 0; hour < 24; hour += 1) await after(hourMs)
  expect(store.backups()).toHaveLength(2)
})

test('there is no backup of a store that holds nothing', async () => {
  const { store, upkeep } = open(temporaryFolder())
  await after(20_000)
  await upkeep.stop()
  expect(store.backups()).toEqual([])
})

test('a backup that does not succeed is said, tried again within the hour, and forgotten when it does', async () => {
  const dataDir = temporaryFolder()
  const { store, upkeep } = open(dataDir)
  record(store)
  fs.writeFileSync(path.join(dataDir, 'backups'), 'a file where the folder should be')
  await after(20_000, () => upkeep.fault !== null)
  expect(upkeep.fault).toMatchObject({ code: expect.stringMatching(/^store\./), retryable: true })
  fs.rmSync(path.join(dataDir, 'backups'))
  await after(hourMs, () => upkeep.fault === null)
  expect(store.backups()).toHaveLength(1)
})

test('damage found after an unclean end is the fault of the engine: it offers the newest backup, and makes none', async () => {
  const dataDir = temporaryFolder()
  await damagedStore(dataDir)
  const { store, upkeep } = open(dataDir)
  record(store)
  await after(20_000, () => upkeep.fault !== null)
  expect(upkeep.fault).toMatchObject({
    code: 'store.corrupt',
    userMessage: expect.stringContaining('Restore the newest backup'),
    data: { backup: store.backups()[0]?.path },
  })
  for (let hour = 0; hour < 30; hour += 1) await after(hourMs)
  await upkeep.stop()
  expect(store.backups()).toHaveLength(1)
  expect(upkeep.fault?.code).toBe('store.corrupt')
})

test('damage is said by engine.info, and again after the next start, though the engine was stopped in order', async () => {
  const dataDir = temporaryFolder()
  await damagedStore(dataDir)
  for (const _start of [1, 2]) {
    const engine = await startEngine({ dataDir })
    let fault = (await engine.api.call('engine.info', {})).fault
    expect(fault).toBeNull()
    await after(20_000)
    while (fault === null) {
      await new Promise((resolve) => setImmediate(resolve))
      fault = (await engine.api.call('engine.info', {})).fault
    }
    expect(fault.code).toBe('store.corrupt')
    await engine.stop('quit')
  }
})

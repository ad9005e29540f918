import { AppError, type ErrorBody, errorBody } from './domain/error.ts'
import type { StoreBackup } from './domain/shell.ts'
import type { Store } from './store/store.ts'

export interface Upkeep {
  /** What it found, or could not do, until it can: a damaged store, a backup that does not succeed. */
  readonly fault: ErrorBody | null
  /** Waits for what is under way. */
  stop(): Promise<void>
}

export interface UpkeepParts {
  readonly now: () => number
  /** Lets go of what was kept for undo and is too old, or too much. */
  readonly prune: () => Promise<void>
}

/** Once the window is up. */
const firstAfterMs = 20_000
const againAfterMs = 3_600_000
const backupEveryMs = 24 * 3_600_000

/** As long as the engine runs: a check after an unclean end, and a backup a day. Both on the store's worker. */
export function startUpkeep(store: Store, { now, prune }: UpkeepParts): Upkeep {
  let fault: ErrorBody | null = null
  let isStopped = false
  let running: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  function runIn(ms: number): void {
    timer = setTimeout(() => {
      running = runOnce()
    }, ms)
    timer.unref()
  }
  async function runOnce(): Promise<void> {
    try {
      await keepUp(store, now())
      await prune()
      fault = null
    } catch (error) {
      fault = errorBody(error)
    }
    if (!isStopped) runIn(againAfterMs)
  }

  runIn(firstAfterMs)
  return {
    get fault() {
      return fault
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}

/** No backup of a damaged store: it would push out one that is whole. */
async function keepUp(store: Store, at: number): Promise<void> {
  if (store.needsCheck) {
    const found = await store.check()
    if (found !== 'ok') throw damaged(found, store)
  }
  const newest = store.backups()[0]
  const isDue = newest === undefined || at - newest.at > backupEveryMs
  if (isDue && store.events.lastSeq() > 0) await store.backup('daily')
}

function damaged(found: string, store: Store): AppError {
  const newest = store.backups()[0]
  return new AppError('store.corrupt', {
    message: `the check of the store found: ${found}`,
    userMessage: `A check found damage in your data file. Nothing was changed, and what can still be read is shown. ${wayBack(newest)}`,
    data: { path: store.file, found, backup: newest?.path ?? null },
  })
}

function wayBack(newest: StoreBackup | undefined): string {
  if (newest === undefined) return 'There is no backup to go back to: copy the file before you go on.'
  const day = new Date(newest.at).toISOString().slice(0, 16).replace('T', ' ')
  return `Restore the newest backup, of ${day} UTC; the damaged file is kept beside it.`
}

/** From now on, each minute, as long as the engine runs. What goes wrong is told, and tried again. */
export function everyMinute(work: () => void, onFault: (error: unknown) => void): { stop(): void } {
  const tryIt = () => {
    try {
      work()
    } catch (error) {
      onFault(error)
    }
  }
  const timer = setInterval(tryIt, 60_000)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

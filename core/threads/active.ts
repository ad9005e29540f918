import { AppError } from '../domain/error.ts'
import type { ThreadHeader } from '../domain/thread.ts'
import { type ActiveRun, type RunParts, runThread } from './run.ts'

/** The threads that run in this process. */
export interface ActiveRuns {
  /** Undefined for a thread that does not run here, or is about to end. */
  get(threadId: string): ActiveRun | undefined
  has(threadId: string): boolean
  ids(): readonly string[]
  start(thread: ThreadHeader): void
  /** Aborts at once and waits until its end is on record. The first ending counts. */
  interrupt(threadId: string, ending: NonNullable<ActiveRun['ending']>): Promise<void>
  /** Settles when it rests; at once for a thread that does not run here. */
  rest(threadId: string): Promise<void>
}

export interface ActiveRunsOptions {
  readonly parts: RunParts
  /** A thread came to rest by itself, on record, with messages that it had not read. */
  readonly onLeftOver: (thread: ThreadHeader, said: readonly string[]) => void
}

export function createActiveRuns({ parts, onLeftOver }: ActiveRunsOptions): ActiveRuns {
  const active = new Map<string, { readonly run: ActiveRun; readonly rest: Promise<void> }>()

  async function supervise(run: ActiveRun): Promise<void> {
    try {
      await runThread(run, parts)
      parts.onFault(null)
      active.delete(run.thread.id)
      if (run.injected.length > 0 && run.ending === undefined) onLeftOver(run.thread, run.injected)
    } catch (error) {
      active.delete(run.thread.id)
      parts.onFault(error)
    }
  }

  return {
    get(threadId) {
      const run = active.get(threadId)?.run
      return run?.ending === undefined ? run : undefined
    },
    has: (threadId) => active.has(threadId),
    ids: () => [...active.keys()],
    start(thread) {
      const controller = new AbortController()
      const run: ActiveRun = { thread, controller, injected: [], ending: undefined, holdsSlot: false }
      // Only looked up once this turn is over: whoever starts a thread has it registered before it can end.
      const rest = Promise.resolve().then(() => supervise(run))
      active.set(thread.id, { run, rest })
    },
    async interrupt(threadId, ending) {
      const entry = active.get(threadId)
      if (entry === undefined) return
      entry.run.ending ??= ending
      entry.run.controller.abort(new AppError('cancelled', { message: ending.reason, userMessage: 'Stopped.' }))
      await entry.rest
    },
    rest: async (threadId) => active.get(threadId)?.rest,
  }
}

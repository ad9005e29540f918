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

export function createActiveRuns(parts: RunParts): ActiveRuns {
  const active = new Map<string, { readonly run: ActiveRun; readonly rest: Promise<void> }>()

  async function supervise(run: ActiveRun): Promise<void> {
    try {
      const next = await runThread(run, parts)
      parts.onFault(null)
      active.delete(run.thread.id)
      if (next !== undefined) start(next)
    } catch (error) {
      active.delete(run.thread.id)
      parts.onFault(error)
    }
  }

  function start(thread: ThreadHeader): void {
    const controller = new AbortController()
    const begin = { injected: [], ending: undefined, holdsSlot: false, isOver: false }
    const run: ActiveRun = { thread, controller, ...begin }
    // Only looked up once this turn is over: whoever starts a thread has it registered before it can end.
    const rest = Promise.resolve().then(() => supervise(run))
    active.set(thread.id, { run, rest })
  }

  return {
    get(threadId) {
      const run = active.get(threadId)?.run
      return run?.ending === undefined && run?.isOver === false ? run : undefined
    },
    has: (threadId) => active.has(threadId),
    ids: () => [...active.keys()],
    start,
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

import { AppError } from '../domain/error.ts'
import { faultPoint } from '../domain/fault-point.ts'
import type { ThreadHeader } from '../domain/thread.ts'
import { type ActiveRun, type RunParts, runThread } from './run.ts'

/** The threads that run in this process. */
export interface ActiveRuns {
  /** Undefined for a thread that does not run here, or is about to end. */
  get(threadId: string): ActiveRun | undefined
  has(threadId: string): boolean
  ids(): readonly string[]
  /** `inSlotOf`: a child that its parent's code waits for runs in its parent's slot. */
  start(thread: ThreadHeader, inSlotOf?: string): void
  /** Aborts at once, its children first, and waits until its end is on record. The first ending counts. */
  interrupt(threadId: string, ending: NonNullable<ActiveRun['ending']>): Promise<void>
  /** Settles when it rests; at once for a thread that does not run here. */
  rest(threadId: string): Promise<void>
  /** Those that wait for a model now, children among them. */
  asking(): readonly string[]
  /** A thread that ended without running: whoever waits for it goes on. */
  ended(thread: ThreadHeader): void
}

export interface ActiveParts extends Omit<RunParts, 'runs'> {
  /** Called once a thread has come to rest. */
  readonly onRest: (threadId: string) => void
}

export function createActiveRuns(parts: ActiveParts): ActiveRuns {
  const active = new Map<string, { readonly run: ActiveRun; readonly rest: Promise<void> }>()

  async function supervise(run: ActiveRun): Promise<void> {
    try {
      const next = await runThread(run, { ...parts, runs })
      parts.onFault(null)
      active.delete(run.thread.id)
      if (next !== undefined) runs.start(next)
    } catch (error) {
      active.delete(run.thread.id)
      parts.onFault(error)
      return
    }
    parts.onRest(run.thread.id)
  }

  const runs: ActiveRuns = {
    get(threadId) {
      const run = active.get(threadId)?.run
      return run?.ending === undefined && run?.isOver === false ? run : undefined
    },
    has: (threadId) => active.has(threadId),
    ids: () => [...active.keys()],
    start(thread, inSlotOf) {
      const controller = new AbortController()
      const begin = { injected: [], ending: undefined, holdsSlot: false, asking: 0, isOver: false }
      const run: ActiveRun = { thread, controller, inSlotOf, ...begin }
      // Only looked up once this turn is over: whoever starts a thread has it registered before it can end.
      const rest = Promise.resolve().then(() => supervise(run))
      active.set(thread.id, { run, rest })
      faultPoint('thread.started')
    },
    async interrupt(threadId, ending) {
      const entry = active.get(threadId)
      if (entry === undefined) return
      entry.run.ending ??= ending
      const children = [...active.values()].filter(({ run }) => run.thread.parentId === threadId)
      entry.run.controller.abort(new AppError('cancelled', { message: ending.reason, userMessage: 'Stopped.' }))
      await Promise.all(children.map(({ run }) => runs.interrupt(run.thread.id, ending)))
      await entry.rest
    },
    rest: async (threadId) => active.get(threadId)?.rest,
    asking: () => [...active.values()].flatMap(({ run }) => (run.asking > 0 ? [run.thread.id] : [])),
    ended: (thread) => parts.onRest(thread.id),
  }
  return runs
}

import { AppError } from '../domain/error.ts'
import { faultPoint } from '../domain/fault-point.ts'
import { runThread } from './run.ts'
import type { ActiveRun, ActiveRuns, RunParts } from './working.ts'

export interface ActiveParts extends Omit<RunParts, 'runs'> {
  /** Called once a thread has come to rest. */
  readonly onRest: (threadId: string) => void
}

export function createActiveRuns(parts: ActiveParts): ActiveRuns {
  const active = new Map<string, { readonly run: ActiveRun; readonly rest: Promise<void> }>()

  /** A decision may have begun it anew in the very moment in which it came to rest. */
  function forget(run: ActiveRun): void {
    if (active.get(run.thread.id)?.run === run) active.delete(run.thread.id)
  }

  async function supervise(run: ActiveRun): Promise<void> {
    try {
      const next = await runThread(run, { ...parts, runs })
      parts.onFault(null)
      forget(run)
      if (next !== undefined) runs.start(next)
      parts.onRest(run.thread.id)
    } catch (error) {
      forget(run)
      parts.onFault(error)
    }
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
      const slotHolder = parts.store.missions.firingOfThread(thread.rootId) === undefined ? 'chat' : 'mission'
      const begin = {
        injected: [],
        ending: undefined,
        holdsSlot: false,
        takingSlot: undefined,
        asking: 0,
        runCalls: undefined,
        isOver: false,
      }
      const run: ActiveRun = { thread, controller, inSlotOf, slotHolder, ...begin }
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

import { AppError } from '../domain/error.ts'
import { limits } from '../domain/limits.ts'
import { isTerminal, type ThreadHeader } from '../domain/thread.ts'
import { type ChildRest, type Children, createTaint, type Taint } from '../orchestrator/orchestrator.ts'
import type { Store } from '../store/store.ts'
import { activeMsOf } from './clock.ts'
import { requireThread } from './lifecycle.ts'
import { moveThread } from './moves.ts'
import { eventsOf } from './record.ts'
import { planChild } from './spawn.ts'
import type { Working } from './working.ts'

/** The threads that this thread's code asks for. They run in its slot, and what stops it stops them. */
export function createChildren({ run, parts }: Working, taint: Taint): Children {
  const { thread } = run
  const { store, runs } = parts

  /** A crash or a quit left it where it was: it goes on from there. */
  function takeUp(child: ThreadHeader): void {
    if (child.state === 'Running') {
      runs.start(child, thread.id)
      return
    }
    const moves = [{ to: 'Running', reason: 'its parent goes on' }] as const
    runs.start(moveThread(parts, { thread: child, moves }).thread, thread.id)
  }

  return {
    refusal:
      thread.depth >= limits.maxDepth
        ? `rlm_query goes ${limits.maxDepth} deep: answer this with your own actions, or with llm_query`
        : null,
    plan: (goal) => {
      const most = Math.min(thread.maxSteps ?? limits.maxSteps, limits.childSteps)
      return planChild(parts, { parent: asParent({ run, parts }), goal, maxSteps: most, sources: taint.sources })
    },
    async run(childId) {
      const child = requireThread(store, childId)
      if (isTerminal(child.state)) return restOf(store, child)
      if (child.state === 'Waiting') return waitingRest(child)
      if (!runs.has(childId)) takeUp(child)
      await runs.rest(childId)
      if (run.controller.signal.aborted) throw cancelled()
      return restOf(store, requireThread(store, childId))
    },
  }
}

/** With the time that is left of its budget: a child has no more. */
export function asParent({ run: { thread }, parts }: Pick<Working, 'run' | 'parts'>): ThreadHeader {
  const { ms } = thread.budget
  const leftMs = ms === null ? null : Math.max(0, ms - activeMsOf(parts.store, thread.id, parts.now()))
  return { ...thread, budget: { ...thread.budget, ms: leftMs } }
}

function restOf(store: Store, child: ThreadHeader): ChildRest {
  if (!isTerminal(child.state)) return waitingRest(child)
  const text = store.events.lastAnswer(child.id) ?? child.reason ?? `it ended ${child.outcome ?? child.state}`
  const taint = createTaint({ trustsProject: false, said: [] })
  for (const event of eventsOf(store, child.id)) taint.note(event)
  return { kind: 'ended', outcome: child.outcome, text, sources: taint.sources }
}

function waitingRest({ number, reason, state }: ThreadHeader): ChildRest {
  return { kind: 'waits', reason: `its child #${number} ${reason ?? `is ${state.toLowerCase()}`}` }
}

function cancelled(): AppError {
  return new AppError('cancelled', { message: 'stopped', userMessage: 'Stopped.' })
}

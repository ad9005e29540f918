import { AppError } from '../domain/error.ts'
import type { StoredEvent } from '../domain/event.ts'
import type { ThreadHeader } from '../domain/thread.ts'
import type { Program, Sandbox } from '../sandbox/sandbox.ts'
import type { Store } from '../store/store.ts'
import { type DryRun, dryRun } from './dry-run.ts'
import type { LoopVersion, LoopVersions } from './versions.ts'

/** How a version does on what is on record; made before anybody can activate it. */
export interface LoopReview {
  readonly version: LoopVersion
  readonly runs: readonly DryRun[]
}

export interface LoopReviews {
  /**
   * How a loop that is no version yet does on what is on record; none where nothing is. The same code twice in a row is run once.
   * @throws AppError orchestrator.invalid where the script itself fails.
   */
  tryOut(code: string): Promise<readonly DryRun[]>
  /** @throws AppError orchestrator.invalid where the script itself fails; orchestrator.not_found. */
  review(version: number): Promise<LoopReview>
  /** A person's decision: reviewed first, then it is what new threads begin with. @throws as `review`; orchestrator.locked */
  activate(version: number): Promise<LoopReview>
}

/** Threads that are looked at: the newest that are over. */
const mostThreads = 10
const mostEvents = 5_000

export function createLoopReviews(parts: {
  readonly store: Store
  readonly sandbox: Sandbox
  readonly versions: LoopVersions
}): LoopReviews {
  const { store, sandbox, versions } = parts

  function endedThreads(): readonly ThreadHeader[] {
    const states = ['Done', 'Failed'] as const
    return states
      .flatMap((state) => store.threads.list({ state, conversations: false, limit: mostThreads }))
      .filter((thread) => thread.outcome === 'answered' || thread.outcome === 'failed' || thread.outcome === 'maxSteps')
      .sort((a, b) => b.number - a.number)
      .slice(0, mostThreads)
  }

  const eventsOf = (threadId: string): readonly StoredEvent[] => store.events.ofThread(threadId, 0, mostEvents)

  async function runOver(program: Program, threads: readonly ThreadHeader[]): Promise<readonly DryRun[]> {
    const runs: DryRun[] = []
    for (const thread of threads) runs.push(await dryRun(program, { thread, events: eventsOf(thread.id) }, sandbox))
    return runs
  }

  async function review(number: number): Promise<LoopReview> {
    const version = versions.get(number)
    const threads = endedThreads()
    if (threads.length === 0) throw nothingToReplay()
    const runs = await runOver({ name: `loop-v${number}.py`, code: version.code }, threads)
    store.loopVersions.setDryRun(number, JSON.stringify(runs))
    return { version, runs }
  }

  let tried: { readonly code: string; readonly runs: readonly DryRun[] } | undefined
  async function tryOut(code: string): Promise<readonly DryRun[]> {
    if (tried?.code === code) return tried.runs
    const runs = await runOver({ name: 'loop-proposed.py', code }, endedThreads())
    tried = { code, runs }
    return runs
  }

  return {
    tryOut,
    review,
    async activate(number) {
      if (number === 0) return { version: versions.activate(0), runs: [] }
      if (versions.get(number).state === 'failed') versions.activate(number)
      const { runs } = await review(number)
      return { version: versions.activate(number), runs }
    },
  }
}

function nothingToReplay(): AppError {
  return new AppError('orchestrator.invalid', {
    message: 'no thread is on record that it could be run over',
    userMessage:
      'A new step loop is first run over threads that are on record, and there is none yet. Let a thread finish, then activate it.',
  })
}

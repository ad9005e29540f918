import type { FiringThread, FiringThreads } from './missions/missions.ts'
import type { Store } from './store/store.ts'
import type { Threads } from './threads/threads.ts'

/** Threads as missions see them. */
export function createFiringThreads(
  store: Store,
  threads: Pick<Threads, 'insertFiring' | 'beginFiring' | 'stop'>,
  onFault: (error: unknown) => void,
): FiringThreads {
  return {
    insert: (append, { mission, definition, firing, brief, sources }) =>
      threads.insertFiring(append, {
        projectId: mission.projectId,
        mark: {
          ...{ missionId: mission.id, name: mission.name, version: mission.version },
          ...{ firingId: firing.id, causeDepth: firing.causeDepth + 1 },
        },
        ...{ brief, sources, tier: definition.tier },
        ...{ actions: definition.actions, isRehearsal: firing.trigger === 'rehearsal' },
        maxSteps: definition.budget.steps,
        budget: budgetOf(definition.budget),
      }),
    start: (threadId) => threads.beginFiring(threadId),
    // Its reason is that of the firing: the thread only says that it was stopped.
    stop: (threadId) => void threads.stop(threadId).catch(onFault),
    stateOf: (threadId) => stateOf(store, threadId),
  }
}

/** Null where the mission says nothing: then the settings do. */
function budgetOf({
  tokens,
  usd,
  ms,
}: {
  readonly tokens: number | null
  readonly usd: number | null
  readonly ms: number | null
}) {
  return tokens === null && usd === null && ms === null ? null : { tokens, usd, ms }
}

function stateOf(store: Store, threadId: string): FiringThread {
  const thread = store.threads.get(threadId)
  if (thread === undefined) return { kind: 'lost' }
  const { state, outcome, reason, steps } = thread
  if (state === 'Suspended') return { kind: 'suspended' }
  if (state !== 'Done' && state !== 'Failed') return { kind: 'running' }
  const answer = store.events.answerOf(threadId)
  return {
    ...{ kind: 'ended', outcome: outcome ?? 'failed', reason, steps },
    ...{ answer: answer?.text ?? null, sources: answer?.sources ?? [] },
  }
}

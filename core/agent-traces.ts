import type { Store } from './store/store.ts'

/** Whether what is new in a folder of skills may be an agent's work. Why: docs/adr/019. */
export interface AgentTraces {
  /** `isFirst`: nobody in this process looked there before. Null: anywhere. */
  mayBeAgents(projectId: string | null, isFirst: boolean): boolean
  /** An agent came to rest. */
  rested(): void
}

export function createAgentTraces(parts: {
  readonly store: { readonly threads: Pick<Store['threads'], 'ofState'> }
  /** How many agents work now. */
  readonly working: () => number
  readonly monotonic: () => number
}): AgentTraces {
  // The process before this one died at work: nobody looked at what was written last.
  const left = new Set(parts.store.threads.ofState('Running').map(({ projectId }) => projectId))
  let restedAt = Number.NEGATIVE_INFINITY
  return {
    mayBeAgents(projectId, isFirst) {
      if (isFirst) return projectId === null ? left.size > 0 : left.has(projectId)
      return parts.working() > 0 || parts.monotonic() - restedAt < settleMs
    },
    rested() {
      restedAt = parts.monotonic()
    },
  }
}

/** A change of a file is told of so long after it at most. */
const settleMs = 10_000

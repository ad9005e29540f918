import { supervise } from './store.ts'

export interface Gatherer {
  want(ids: Iterable<string>): void
  /** Nobody asks for it any more. */
  drop(id: string): void
}

interface Gathering {
  readonly max: number
  /** Before the first question: what is wanted within it is asked for together. */
  readonly delayMs: number
  /** Between rounds: whatever goes on changing is asked for once in this time. */
  readonly restMs: number
}

/** Asks for ids that are wanted, in rounds: at most `max` at a time, one question after the other, each id once a round. */
export function gather(
  ask: (ids: readonly string[]) => Promise<unknown>,
  { max, delayMs, restMs }: Gathering,
): Gatherer {
  const wanted = new Set<string>()
  let isAsking = false
  async function askRound(): Promise<void> {
    const round = new Set(wanted)
    for (;;) {
      const ids = [...round].filter((id) => wanted.has(id)).slice(0, max)
      if (ids.length === 0) return
      for (const id of ids) {
        wanted.delete(id)
        round.delete(id)
      }
      await ask(ids)
    }
  }
  async function askAll(): Promise<void> {
    try {
      await pause(delayMs)
      do {
        await askRound()
        await pause(restMs)
      } while (wanted.size > 0)
    } finally {
      // After a failure the rest waits for the next that is wanted: the same question would fail as often as it was asked.
      isAsking = false
    }
  }
  return {
    want(ids) {
      for (const id of ids) wanted.add(id)
      if (isAsking || wanted.size === 0) return
      isAsking = true
      supervise(askAll)
    },
    drop: (id) => void wanted.delete(id),
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

import { supervise } from './store.ts'

export interface Gatherer {
  want(ids: Iterable<string>): void
  /** Nobody asks for it any more. */
  drop(id: string): void
}

interface Gathering {
  readonly max: number
  readonly delayMs: number
}

/** Ids that are wanted within a moment are asked for together: at most `max` at a time, one question after the other. */
export function gather(ask: (ids: readonly string[]) => Promise<unknown>, { max, delayMs }: Gathering): Gatherer {
  const wanted = new Set<string>()
  let isAsking = false
  async function askAll(): Promise<void> {
    try {
      while (wanted.size > 0) {
        const ids = [...wanted].slice(0, max)
        for (const id of ids) wanted.delete(id)
        await ask(ids)
      }
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
      setTimeout(() => supervise(askAll), delayMs)
    },
    drop: (id) => void wanted.delete(id),
  }
}

import type { Store } from '../../store/store.ts'

/** Numbers of those of the threads of which a person said, after their end, that they were wrong. */
export function correctedAmong(store: Store, threadIds: readonly string[]): readonly number[] {
  const wrong = [...new Set(threadIds)].filter((id) => store.events.isCorrected(id))
  return wrong.flatMap((id) => store.threads.get(id)?.number ?? []).toSorted((a, b) => a - b)
}

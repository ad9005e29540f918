import type { Firing } from '../domain/mission.ts'
import type { Store } from '../store/store.ts'

/** The firing that a thread works for, itself or by the thread that it is a child of; undefined for what a person began. */
export function firingBehind(store: Store, threadId: string): Firing | undefined {
  const root = store.threads.get(threadId)?.rootId ?? threadId
  return store.missions.firingOfThread(root)
}

/** How many missions led to what is set off by something that this firing did; 0 where a person did it. */
export function depthAfter(firing: Pick<Firing, 'causeDepth'> | undefined): number {
  return firing === undefined ? 0 : firing.causeDepth + 1
}

import { isModelFailure } from '../domain/error.ts'
import type { StoredEvent } from '../domain/event.ts'
import type { ThreadHeader } from '../domain/thread.ts'
import type { Store } from '../store/store.ts'

const pageRows = 500

/** The whole record of a thread, oldest first. */
export function* eventsOf(store: Store, threadId: string): Generator<StoredEvent> {
  let after = 0
  for (;;) {
    const page = store.events.ofThread(threadId, after, pageRows)
    yield* page
    const last = page.at(-1)
    if (last === undefined || page.length < pageRows) return
    after = last.seq
  }
}

/** Its model gave no answer, and nothing else was wrong: whoever goes on with it need not do again what it did. */
export function isEndedByModel(store: Store, thread: ThreadHeader): boolean {
  const code = thread.outcome === 'failed' ? store.events.lastState(thread.id)?.code : undefined
  return code !== undefined && isModelFailure(code)
}

/** The threads that this one goes on with after their models had failed, oldest first. */
export function retriedBy(store: Store, thread: ThreadHeader): readonly ThreadHeader[] {
  const [created] = store.events.ofThread(thread.id, 0, 1)
  const retryOf = created?.kind === 'thread.created' ? created.data.retryOf : undefined
  const before = retryOf === undefined ? undefined : store.threads.get(retryOf)
  return before === undefined ? [] : [...retriedBy(store, before), before]
}

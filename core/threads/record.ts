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

/** How far one message of a chat has come: the newest of the threads that went on with it, one after another. */
interface Try {
  readonly newest: ThreadHeader
  /** Models kept them from an answer: a retry goes on with all that they did. */
  readonly goesOn: boolean
}

/** Of whichever thread is to be retried, the first of them or the last. */
export function tryOf(store: Store, thread: ThreadHeader): Try {
  const first = firstOf(store, thread)
  const since = store.threads.ofConversation(thread.conversationId).filter(({ number }) => number > first.number)
  let newest = first
  for (const each of since) if (retryOf(store, each) === newest.id) newest = each
  if (newest.outcome === 'answered') return { newest, goesOn: false }
  // Who stopped the last of them did not undo what the others had done.
  return { newest, goesOn: newest.id !== first.id || isEndedByModel(store, first) }
}

function firstOf(store: Store, thread: ThreadHeader): ThreadHeader {
  return retriedBy(store, thread)[0] ?? thread
}

function retryOf(store: Store, thread: ThreadHeader): string | undefined {
  const [created] = store.events.ofThread(thread.id, 0, 1)
  return created?.kind === 'thread.created' ? created.data.retryOf : undefined
}

/** Its model gave no answer, and nothing else was wrong: whoever goes on with it need not do again what it did. */
function isEndedByModel(store: Store, thread: ThreadHeader): boolean {
  const code = thread.outcome === 'failed' ? store.events.lastState(thread.id)?.code : undefined
  return code !== undefined && isModelFailure(code)
}

/** The threads that this one goes on with after their models had failed, oldest first. */
export function retriedBy(store: Store, thread: ThreadHeader): readonly ThreadHeader[] {
  const id = retryOf(store, thread)
  const before = id === undefined ? undefined : store.threads.get(id)
  return before === undefined ? [] : [...retriedBy(store, before), before]
}

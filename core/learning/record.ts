import type { StoredEvent } from '../domain/event.ts'
import type { Store } from '../store/store.ts'

const pageRows = 200

/** The whole log of a thread, a page at a time, the event loop in between. @throws AppError store.corrupt */
export async function wholeRecord(store: Pick<Store, 'events'>, threadId: string): Promise<readonly StoredEvent[]> {
  const record: StoredEvent[] = []
  for (;;) {
    const page = store.events.ofThread(threadId, record.at(-1)?.seq ?? 0, pageRows)
    record.push(...page)
    if (page.length < pageRows) return record
    await new Promise((resolve) => setImmediate(resolve))
  }
}

import fs from 'node:fs'
import path from 'node:path'
import type { ThreadHeader } from './domain/thread.ts'
import type { Store } from './store/store.ts'

/** `thread_<id>.json`: the header and every event with its body. */
export function writeTrace(folder: string, thread: ThreadHeader, store: Store): void {
  const events = store.events.ofThread(thread.id, 0, Number.MAX_SAFE_INTEGER)
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  fs.writeFileSync(path.join(folder, `thread_${thread.id}.json`), JSON.stringify({ thread, events }, null, 2), {
    mode: 0o600,
  })
}

import fs from 'node:fs'
import path from 'node:path'
import type { Redactor } from './domain/leaks/redactor.ts'
import type { ThreadHeader } from './domain/thread.ts'
import type { Store } from './store/store.ts'

export interface TraceParts {
  readonly store: Store
  readonly redactor: Redactor
}

/** `thread_<id>.json`: the header and every event with its body. */
export function writeTrace(folder: string, thread: ThreadHeader, { store, redactor }: TraceParts): void {
  const events = store.events.ofThread(thread.id, 0, Number.MAX_SAFE_INTEGER)
  const trace = redactor.redact({ thread, events }).value
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  fs.writeFileSync(path.join(folder, `thread_${thread.id}.json`), JSON.stringify(trace, null, 2), {
    mode: 0o600,
  })
}

import type { Store } from '../store/store.ts'

const pageRows = 1_000

/** How long a thread has been running, in ms: waits, suspensions and the time between processes do not count. */
export function activeMsOf(store: Store, threadId: string, now: number): number {
  let total = 0
  let since: number | null = null
  let lastAt = 0
  let after = 0
  for (;;) {
    const page = store.events.headersOf(threadId, after, pageRows)
    for (const event of page) {
      // A crash: what it did until then is all that it ran.
      if (event.kind === 'thread.recovered' && since !== null) {
        total += Math.max(0, lastAt - since)
        since = null
      }
      lastAt = event.at
      if (event.kind !== 'thread.state') continue
      if (event.data.to === 'Running') since ??= event.at
      else if (since !== null) {
        total += Math.max(0, event.at - since)
        since = null
      }
    }
    const last = page.at(-1)
    if (last === undefined || page.length < pageRows) return total + (since === null ? 0 : Math.max(0, now - since))
    after = last.seq
  }
}

import { limits } from '../../core/domain/limits.ts'
import { call } from '../engine/client.ts'
import { factOf } from '../timeline/fact.ts'
import { canvasCard, mergeCanvases } from './fold-canvases.ts'
import { loadCalls } from './load.ts'
import type { CallTable } from './model.ts'
import { getApp, setKnown } from './store.ts'

/** The part of a thread's log in which it drew: after which event, and up to which. Null where no call drew anything. */
export function canvasSpan(table: CallTable | undefined): { readonly after: number; readonly until: number } | null {
  const calls = Object.values(table ?? {}).filter(({ name }) => name === 'emit_canvas')
  if (calls.length === 0) return null
  return {
    after: Math.max(0, Math.min(...calls.map(({ startSeq }) => startSeq)) - 1),
    until: Math.max(...calls.map(({ startSeq, endSeq }) => endSeq ?? startSeq)),
  }
}

/** The threads that calls of a thread wait for, in the order in which they began. */
export function childrenIn(table: CallTable | undefined): readonly string[] {
  const rows = Object.values(table ?? {}).toSorted((a, b) => a.startSeq - b.startSeq)
  return rows.flatMap(({ childId }) => childId ?? [])
}

/**
 * The cards of a thread, after a reload. The index of its calls says where in the log it drew: only that part is read, however
 * long the thread is. Where the index is not there yet, that is asked for: load again once it is.
 */
export async function loadCanvases(threadId: string): Promise<void> {
  if (getApp().known.calls[threadId] === undefined) return loadCalls(threadId)
  const span = canvasSpan(getApp().known.calls[threadId])
  if (span === null) return
  let after: number | null = span.after
  while (after !== null && after < span.until) {
    const page: Awaited<ReturnType<typeof readEvents>> = await readEvents(threadId, after)
    const cards = page.rows.flatMap((header) => {
      const fact = factOf(header)
      return fact?.kind === 'canvas.emitted' ? [canvasCard({ seq: header.seq, data: fact.data })] : []
    })
    setKnown((known) => mergeCanvases(known, threadId, cards))
    after = page.next
  }
}

function readEvents(id: string, after: number) {
  return call('thread.events', { id, after, limit: limits.pageRows })
}

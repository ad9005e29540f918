import { limits } from '../../core/domain/limits.ts'
import { call } from '../engine/client.ts'
import { factOf } from '../timeline/fact.ts'
import { canvasCard, mergeCanvases } from './fold-canvases.ts'
import { loadCalls } from './load.ts'
import { getApp, setKnown } from './store.ts'

/**
 * The cards of a thread, after a reload. An action draws them, and the index of calls says where in the log it ran: only that
 * part is read, however long the thread is.
 */
export async function loadCanvases(threadId: string): Promise<void> {
  if (getApp().known.calls[threadId] === undefined) await loadCalls(threadId)
  const calls = Object.values(getApp().known.calls[threadId] ?? {}).filter(({ name }) => name === 'emit_canvas')
  if (calls.length === 0) return
  let after = Math.min(...calls.map(({ startSeq }) => startSeq)) - 1
  const until = Math.max(...calls.map(({ startSeq, endSeq }) => endSeq ?? startSeq))
  while (after < until) {
    const page = await call('thread.events', { id: threadId, after: Math.max(0, after), limit: limits.pageRows })
    const cards = page.rows.flatMap((header) => {
      const fact = factOf(header)
      return fact?.kind === 'canvas.emitted' ? [canvasCard({ seq: header.seq, data: fact.data })] : []
    })
    setKnown((known) => mergeCanvases(known, threadId, cards))
    if (page.next === null) return
    after = page.next
  }
}

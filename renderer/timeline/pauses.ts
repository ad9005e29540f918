import { type EventFacts, factOf } from './fact.ts'
import type { Pause } from './span.ts'

/** When the thread did nothing, and why. Read anew from the notes: there are few of them, and pages may come in any order. */
export function pausesOf(notes: readonly EventFacts[]): readonly Pause[] {
  const pauses: Pause[] = []
  let open: { why: Pause['why']; startedAt: number } | null = null
  const close = (endedAt: number | null) => {
    if (open) pauses.push({ ...open, endedAt })
    open = null
  }
  for (const note of notes) {
    const fact = factOf(note)
    if (fact?.kind === 'slot.queued') {
      close(note.at)
      open = { why: 'slot', startedAt: note.at }
    } else if (fact?.kind === 'slot.acquired') {
      if (open === null && fact.data.waitedMs > 0) open = { why: 'slot', startedAt: note.at - fact.data.waitedMs }
      close(note.at)
    } else if (fact?.kind === 'thread.state') {
      const { to } = fact.data
      if (to === 'Waiting' || to === 'Suspended') {
        close(note.at)
        open = { why: to === 'Waiting' ? 'waiting' : 'suspended', startedAt: note.at }
      } else if (!(to === 'Running' && open?.why === 'slot')) close(note.at)
    }
  }
  close(null)
  return pauses
}

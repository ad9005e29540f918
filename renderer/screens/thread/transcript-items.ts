import { previewOf } from '../../../core/domain/event.ts'
import type { CanvasCard } from '../../state/model.ts'
import { type EventFacts, factOf } from '../../timeline/fact.ts'
import { childrenOf, modelOf, spanAt, type Timeline } from '../../timeline/timeline.ts'

/** One piece of the thread as it reads from top to bottom. */
export type TranscriptItem =
  | { readonly kind: 'message'; readonly seq: number; readonly note: EventFacts }
  | { readonly kind: 'step'; readonly seq: number; readonly id: number }
  | { readonly kind: 'canvas'; readonly seq: number; readonly card: CanvasCard }

/** Messages and steps in the order in which they happened. An answer that a step already shows is not shown again. */
export function transcriptItems(timeline: Timeline): readonly TranscriptItem[] {
  const answers = new Set<string>()
  const steps = childrenOf(timeline, 0).map((id): TranscriptItem => {
    const model = modelOf(timeline, id)
    if (model.summary !== '') answers.add(previewOf(model.summary))
    return { kind: 'step', seq: spanAt(timeline, id).startSeq, id }
  })
  // A card stands after the step that drew it; a newer one with its id stands where that was drawn.
  const messages = timeline.notes.flatMap((note): TranscriptItem[] => {
    const fact = factOf(note)
    if (fact?.kind === 'canvas.emitted')
      return [{ kind: 'canvas', seq: note.seq, card: { ...fact.data, seq: note.seq } }]
    if (fact?.kind !== 'message.added') return []
    const isSaid = fact.data.role === 'assistant' && answers.has(previewOf(fact.data.preview))
    return isSaid ? [] : [{ kind: 'message', seq: note.seq, note }]
  })
  return merge(steps, messages)
}

/** Which of them holds an event: the last one that began by then; -1 while it is not there yet. */
export function itemAt(items: readonly TranscriptItem[], seq: number): number {
  return items.findLastIndex((item) => item.seq <= seq)
}

function merge(steps: readonly TranscriptItem[], messages: readonly TranscriptItem[]): readonly TranscriptItem[] {
  const items: TranscriptItem[] = []
  let [s, m] = [0, 0]
  while (s < steps.length || m < messages.length) {
    const [step, message] = [steps[s], messages[m]]
    if (step && (!message || step.seq < message.seq)) {
      items.push(step)
      s += 1
    } else if (message) {
      items.push(message)
      m += 1
    }
  }
  return items
}

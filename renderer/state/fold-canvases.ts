import type { CanvasEmitted } from '../../core/domain/event.ts'
import type { CanvasCard, Known } from './model.ts'

export function canvasCard({ seq, data }: { readonly seq: number; readonly data: CanvasEmitted }): CanvasCard {
  return { ...data, seq }
}

/** A card takes the place of one with its id where it is newer; a new id comes last. */
export function mergeCanvases(known: Known, threadId: string, cards: readonly CanvasCard[]): Known {
  const before = known.canvases[threadId] ?? []
  const byId = new Map(before.map((card) => [card.id, card]))
  for (const card of cards) {
    const there = byId.get(card.id)
    if (there === undefined || there.seq < card.seq) byId.set(card.id, card)
  }
  const merged = [...byId.values()]
  const isSame = merged.length === before.length && merged.every((card, at) => card === before[at])
  return isSame ? known : { ...known, canvases: { ...known.canvases, [threadId]: merged } }
}

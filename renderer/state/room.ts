import type { Room } from '../../core/domain/contract.ts'
import type { ModelRef } from '../../core/domain/model.ts'
import { tokensText, windowText } from '../format/figures.ts'

/** From here on the window is worth a look; below it there is nothing to say. */
const meterFrom = 0.6

/** What the composer says of the room that is left: nothing, a quiet meter, or that it does not fit. */
export type RoomLook =
  | { readonly kind: 'none' }
  | { readonly kind: 'meter'; readonly share: number; readonly words: string }
  | { readonly kind: 'full'; readonly words: string }

export function roomLook(room: Room | null, model: ModelRef): RoomLook {
  if (room === null || room.windowTokens === null) return { kind: 'none' }
  const { promptTokens, windowTokens, fits } = room
  const share = promptTokens / windowTokens
  const window = windowText(windowTokens)
  if (!fits) {
    const sent = `About ${tokensText(promptTokens)} tokens would go to ${model.model}, whose window holds ${window}`
    const why = share < 1 ? `${sent}: too little is left for an answer.` : `${sent}.`
    return {
      kind: 'full',
      words: `${why} What does not fit is shortened, the oldest first; your messages stay on record.`,
    }
  }
  if (share < meterFrom) return { kind: 'none' }
  return { kind: 'meter', share, words: `${tokensText(promptTokens)} of ${window} tokens` }
}

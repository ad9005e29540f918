import { limits } from '../../domain/limits.ts'
import { bytesOf, type Episode } from '../miner/episode.ts'

/** Finished threads of one run: each is read once, and no more of them are held than `limits.minerKeptBytes`. */
export interface Shelf {
  put(threadId: string, episode: Episode | null): void
  /** Of these threads, the newest first, as many as there is room for; without those that nothing can be learnt from. */
  newest(threadIds: readonly string[]): Promise<readonly Episode[]>
}

interface Held {
  readonly episode: Episode | null
  readonly bytes: number
}

/** `read` gives null for a thread that nothing can be learnt from. */
export function createShelf(read: (threadId: string) => Promise<Episode | null>): Shelf {
  let held = new Map<string, Held>()
  const hold = (threadId: string, episode: Episode | null): Held => {
    const each = {
      episode,
      bytes: episode === null ? 0 : bytesOf(episode) + episode.goal.length + episode.answer.length,
    }
    held.set(threadId, each)
    return each
  }

  return {
    put: hold,
    async newest(threadIds) {
      const kept = new Map<string, Held>()
      let bytes = 0
      for (const threadId of threadIds) {
        const each = held.get(threadId) ?? hold(threadId, await read(threadId))
        bytes += each.bytes
        if (bytes > limits.minerKeptBytes) break
        kept.set(threadId, each)
      }
      // What had no room goes; it is read again where newer ones make way for it.
      held = kept
      return [...kept.values()].flatMap(({ episode }) => episode ?? [])
    },
  }
}

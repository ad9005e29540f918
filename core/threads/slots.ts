/** Who asks for a slot: a person's thread, or one of a mission, which nobody waits for. */
export type SlotHolder = 'chat' | 'mission'

/**
 * A counting semaphore, first come first served; missions hold one less than there are, so that a person always finds one.
 * Source: seed L, Concurrency slot; RULES 2.
 */
export interface Slots {
  readonly used: number
  readonly total: number
  readonly queued: number
  /** Resolves once a slot is held; rejects with the signal's reason when it aborts first. */
  acquire(signal: AbortSignal, holder?: SlotHolder): Promise<void>
  /** Hands the slot to the next in line. Exactly once for each acquire, by the same holder. */
  release(holder?: SlotHolder): void
  /** Whether it would have to wait now. */
  mustWait(holder: SlotHolder): boolean
}

interface Waiting {
  readonly holder: SlotHolder
  readonly take: () => void
}

/** `onRelease`: whoever held one is at rest now. */
export function createSlots(total: number, onRelease?: () => void): Slots {
  const held: Record<SlotHolder, number> = { chat: 0, mission: 0 }
  const most: Readonly<Record<SlotHolder, number>> = { chat: total, mission: Math.max(1, total - 1) }
  const line: Waiting[] = []
  const used = () => held.chat + held.mission
  const isFull = (holder: SlotHolder) => used() >= total || held[holder] >= most[holder]

  return {
    get used() {
      return used()
    },
    total,
    get queued() {
      return line.length
    },
    mustWait: isFull,
    async acquire(signal, holder = 'chat') {
      signal.throwIfAborted()
      if (!isFull(holder)) {
        held[holder] += 1
        return
      }
      await new Promise<void>((resolve, reject) => {
        const leave = () => {
          line.splice(line.indexOf(waiting), 1)
          reject(signal.reason)
        }
        const take = () => {
          signal.removeEventListener('abort', leave)
          held[holder] += 1
          resolve()
        }
        const waiting: Waiting = { holder, take }
        line.push(waiting)
        signal.addEventListener('abort', leave, { once: true })
      })
    },
    release(holder = 'chat') {
      onRelease?.()
      held[holder] -= 1
      // In the same turn, so that nobody who comes later is before those in line.
      const next = line.find((waiting) => !isFull(waiting.holder))
      if (next === undefined) return
      line.splice(line.indexOf(next), 1)
      next.take()
    },
  }
}

/** A counting semaphore, first come first served. Source: seed L, Concurrency slot; RULES 2. */
export interface Slots {
  readonly used: number
  readonly total: number
  readonly queued: number
  /** Resolves once a slot is held; rejects with the signal's reason when it aborts first. */
  acquire(signal: AbortSignal): Promise<void>
  /** Hands the slot to the next in line. Exactly once for each acquire. */
  release(): void
}

/** `onRelease`: whoever held one is at rest now. */
export function createSlots(total: number, onRelease?: () => void): Slots {
  let used = 0
  const waiting: (() => void)[] = []

  return {
    get used() {
      return used
    },
    total,
    get queued() {
      return waiting.length
    },
    async acquire(signal) {
      signal.throwIfAborted()
      if (used < total) {
        used += 1
        return
      }
      await new Promise<void>((resolve, reject) => {
        const leave = () => {
          waiting.splice(waiting.indexOf(take), 1)
          reject(signal.reason)
        }
        const take = () => {
          signal.removeEventListener('abort', leave)
          resolve()
        }
        waiting.push(take)
        signal.addEventListener('abort', leave, { once: true })
      })
    },
    release() {
      onRelease?.()
      const next = waiting.shift()
      // The slot passes straight on, so `used` never drops below what is held.
      if (next === undefined) used -= 1
      else next()
    },
  }
}

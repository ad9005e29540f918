import { faultPoint } from '../domain/fault-point.ts'
import type { Working } from './run.ts'

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

export function createSlots(total: number): Slots {
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
      const next = waiting.shift()
      // The slot passes straight on, so `used` never drops below what is held.
      if (next === undefined) used -= 1
      else next()
    },
  }
}

/** Waiting for a slot is on record: a thread that waits says behind how many. */
export async function takeSlot({ run, parts, journal }: Working): Promise<void> {
  if (run.holdsSlot || run.inSlotOf !== undefined) return
  const { slots, now } = parts
  const mustWait = slots.used >= slots.total
  const from = now()
  if (mustWait) {
    journal.stage({ kind: 'slot.queued', data: { ahead: slots.queued } })
    journal.commit()
  }
  await slots.acquire(run.controller.signal)
  run.holdsSlot = true
  faultPoint('slot.taken')
  if (mustWait) {
    journal.stage({ kind: 'slot.acquired', data: { waitedMs: now() - from } })
    journal.commit()
  }
}

export function releaseSlot(run: Working['run'], slots: Slots): void {
  if (!run.holdsSlot) return
  run.holdsSlot = false
  slots.release()
  faultPoint('slot.released')
}

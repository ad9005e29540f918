import { useEffect, useState } from 'react'
import { type ErrorBody, errorBody } from '../../core/domain/error.ts'
import type { StoredEvent } from '../../core/domain/event.ts'
import { call } from '../engine/client.ts'

const keptBodies = 64
// Events never change, so what was read once stays right; the oldest goes first.
const kept = new Map<number, StoredEvent>()

/** One event with its body. Throws what `event.body` throws. */
export async function readBody(seq: number): Promise<StoredEvent> {
  const known = kept.get(seq)
  if (known) {
    kept.delete(seq)
    kept.set(seq, known)
    return known
  }
  const event = await call('event.body', { seq })
  kept.set(seq, event)
  for (const oldest of kept.keys()) {
    if (kept.size <= keptBodies) break
    kept.delete(oldest)
  }
  return event
}

export type BodyState =
  | { readonly phase: 'none' | 'loading' }
  | { readonly phase: 'ready'; readonly event: StoredEvent }
  | { readonly phase: 'failed'; readonly error: ErrorBody; readonly retry: () => void }

/** An event's body, read when it is asked for. `none` for a seq of null: there is no such event yet. */
export function useBody(seq: number | null): BodyState {
  const [found, setFound] = useState<{ seq: number; state: BodyState } | null>(null)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    if (seq === null || kept.has(seq)) return
    let isCurrent = true
    const retry = () => {
      setFound(null)
      setAttempt((count) => count + 1)
    }
    readBody(seq).then(
      (event) => isCurrent && setFound({ seq, state: { phase: 'ready', event } }),
      (error: unknown) => isCurrent && setFound({ seq, state: { phase: 'failed', error: errorBody(error), retry } }),
    )
    return () => {
      isCurrent = false
    }
  }, [seq, attempt])
  if (seq === null) return { phase: 'none' }
  const known = kept.get(seq)
  if (known) return { phase: 'ready', event: known }
  return found?.seq === seq ? found.state : { phase: 'loading' }
}

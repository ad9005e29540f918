import { setImmediate } from 'node:timers/promises'

const turnMs = 8

/**
 * Keeps long work from holding up the process: call it often, await what it returns. It lets other work run when this turn
 * has lasted 8 ms, and throws the signal's reason once that is aborted. Several loops may share one.
 */
export function createPace(signal: AbortSignal): () => Promise<void> | undefined {
  let turnStart = performance.now()
  let lastTurn: Promise<void> = Promise.resolve()
  return () => {
    signal.throwIfAborted()
    if (performance.now() - turnStart < turnMs) return undefined
    // One after the other, each in a turn of its own: loops that share a pace must not add up to one long turn.
    lastTurn = lastTurn.then(() => setImmediate())
    return lastTurn.then(() => {
      turnStart = performance.now()
      signal.throwIfAborted()
    })
  }
}

/** The time of one run: the miner's own work, and what functions took in the sandbox. */
export interface Stopwatch {
  /** @throws OutOfTime once it is over; the signal's reason once that is aborted */
  check(): void
  /** As `check`, and where the work has held everything else for long, others have their turn. */
  rest(): Promise<void>
  /** Work that counts. */
  during<Result>(work: () => Promise<Result>): Promise<Result>
  /** A run in the sandbox, within the time that is left: what it used counts, not what its process took to start. */
  beside<Result extends { readonly usedMs: number }>(run: (leftMs: number) => Promise<Result>): Promise<Result>
}

export class OutOfTime extends Error {}

const longestTurnMs = 12

export function startStopwatch(monotonicMs: () => number, mostMs: number, signal: AbortSignal): Stopwatch {
  let spentMs = 0
  let since: number | null = null
  let turnSince = 0
  const spent = () => spentMs + (since === null ? 0 : monotonicMs() - since)
  const stop = () => {
    spentMs = spent()
    since = null
  }
  const goOn = () => {
    since = monotonicMs()
    turnSince = since
  }
  const check = () => {
    signal.throwIfAborted()
    if (spent() > mostMs) throw new OutOfTime(`more than ${mostMs} ms`)
  }

  return {
    check,
    async rest() {
      check()
      if (since === null || monotonicMs() - turnSince < longestTurnMs) return
      stop()
      await new Promise((resolve) => setImmediate(resolve))
      goOn()
      check()
    },
    async during(work) {
      goOn()
      try {
        return await work()
      } finally {
        stop()
      }
    },
    async beside(run) {
      check()
      const leftMs = Math.max(0, Math.ceil(mostMs - spent())) + 1
      stop()
      try {
        const result = await run(leftMs)
        spentMs += result.usedMs
        check()
        return result
      } finally {
        goOn()
      }
    },
  }
}

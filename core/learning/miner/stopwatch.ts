/** The time of the miner's own work: that of the sandbox, which may have a process to start, is bounded by itself. */
export interface Stopwatch {
  /** @throws OutOfTime once it is over. */
  check(): void
  /** Waits for the sandbox; that does not count. */
  beside<Result>(wait: () => Promise<Result>): Promise<Result>
}

export class OutOfTime extends Error {}

export function startStopwatch(monotonicMs: () => number, mostMs: number): Stopwatch {
  let endsAt = monotonicMs() + mostMs
  return {
    check() {
      if (monotonicMs() > endsAt) throw new OutOfTime(`more than ${mostMs} ms`)
    },
    async beside(wait) {
      const startedAt = monotonicMs()
      const result = await wait()
      endsAt += monotonicMs() - startedAt
      return result
    },
  }
}

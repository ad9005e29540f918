import type { TimeoutPhase } from './failure.ts'

/** The three waits of one answer. Both are ours alone: nothing below cuts a slow server (RULES 5). */
export interface Deadlines {
  /** Any byte, a keep-alive comment too: the server lives. */
  readonly onBytes: () => void
  readonly onToken: () => void
  /** The answer is whole; only its bookkeeping (usage, end mark) may follow. */
  readonly onFinished: () => void
  readonly clear: () => void
}

export interface DeadlineOptions {
  readonly firstTokenMs: number
  readonly idleMs: number
  /** From the request to the end of the answer, however lively it is. */
  readonly totalMs: number
  readonly onExpired: (phase: TimeoutPhase, limitMs: number) => void
}

const bookkeepingMs = 5_000

export function startDeadlines(options: DeadlineOptions): Deadlines {
  const { firstTokenMs, totalMs, onExpired } = options
  let idleMs = options.idleMs
  let idle: NodeJS.Timeout | undefined
  const startIdle = () => {
    idle = setTimeout(() => onExpired('idle', idleMs), idleMs)
  }
  const first = setTimeout(() => onExpired('first-token', firstTokenMs), firstTokenMs)
  const total = setTimeout(() => onExpired('total', totalMs), totalMs)
  return {
    onBytes() {
      if (idle === undefined) startIdle()
      else idle.refresh()
    },
    onToken: () => clearTimeout(first),
    onFinished() {
      clearTimeout(first)
      if (idleMs <= bookkeepingMs) return
      idleMs = bookkeepingMs
      clearTimeout(idle)
      startIdle()
    },
    clear() {
      clearTimeout(first)
      clearTimeout(idle)
      clearTimeout(total)
    },
  }
}

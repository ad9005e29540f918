import { schedule } from 'node-cron'

export interface TickerParts {
  /** Idempotent: `missions.tick`. Answers in how many ms it has work again; null where the usual tick is soon enough. */
  readonly tick: (now: number) => Promise<{ readonly againInMs: number | null }>
  /** Epoch ms. */
  readonly now: () => number
  /** Ms that never go back. */
  readonly monotonic: () => number
  readonly onFault: (error: unknown) => void
}

export interface Ticker {
  /** Something may be due now: a thread ended, the computer woke up. At most five ticks a second come of it. */
  poke(): void
  /** Waits for ticks that are under way. */
  stop(): Promise<void>
}

/** Every quarter of a minute, on its beginning: a cron expression means whole minutes. */
const cronTick = '*/15 * * * * *'
const cronMs = 15_000
/** So long before each of them the clocks are compared. */
const guardMs = 20
const intervalMs = 30_000
const jumpMs = 2_000
const leastGapMs = 200

/**
 * Two clocks drive the tick: node-cron by the time of day, and an interval that never goes back (RULES 24). node-cron falls silent
 * once the clock goes back, and walks through every quarter of a minute once it goes forward, for minutes where that was years: so
 * the clocks are compared just before each of its beats, and a jump makes it anew.
 */
export function createTicker({ tick, now, monotonic, onFault }: TickerParts): Ticker {
  let cron = startCron()
  /** What the wall clock is ahead of the monotonic one. */
  let ahead = now() - monotonic()
  let lastAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let dueAt = Number.POSITIVE_INFINITY
  let isStopped = false
  const open = new Set<Promise<void>>()
  let guard: NodeJS.Timeout | undefined
  const interval = setInterval(() => tickIn(0), intervalMs)

  function startCron() {
    return schedule(cronTick, () => tickIn(0), { timezone: 'UTC', suppressMissedWarning: true })
  }
  function mendCron(): void {
    const isNow = now() - monotonic()
    if (Math.abs(isNow - ahead) <= jumpMs) return
    ahead = isNow
    supervise(cron.destroy())
    cron = startCron()
  }
  /** Due earlier than node-cron's own timer by the clock that both run on, so it comes first, however late both are. */
  function armGuard(): void {
    guard = setTimeout(
      () => {
        mendCron()
        armGuard()
      },
      cronMs - ((now() + guardMs) % cronMs),
    )
  }
  function supervise(work: void | Promise<void>): void {
    if (work instanceof Promise) work.catch(onFault)
  }
  /** The earliest wish counts; two ticks are never nearer than a fifth of a second. */
  function tickIn(ms: number): void {
    if (isStopped) return
    const at = Math.max(monotonic() + ms, lastAt + leastGapMs)
    if (at >= dueAt) return
    clearTimeout(timer)
    dueAt = at
    timer = setTimeout(runTick, Math.max(0, at - monotonic()))
  }
  function runTick(): void {
    dueAt = Number.POSITIVE_INFINITY
    lastAt = monotonic()
    // Not after the one before: what it waits for must not keep others from being claimed.
    const one = tickOnce().finally(() => open.delete(one))
    open.add(one)
  }
  async function tickOnce(): Promise<void> {
    if (isStopped) return
    try {
      mendCron()
      const { againInMs } = await tick(now())
      if (againInMs !== null) tickIn(againInMs)
    } catch (error) {
      onFault(error)
    }
  }

  armGuard()
  tickIn(0)
  return {
    poke: () => tickIn(0),
    async stop() {
      isStopped = true
      clearInterval(interval)
      clearTimeout(timer)
      clearTimeout(guard)
      await cron.destroy()
      await Promise.all(open)
    },
  }
}

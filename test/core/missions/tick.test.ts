import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTicker } from '../../../core/missions/missions.ts'

/** The monotonic clock goes on with the timers; the wall clock does too, and can be set. */
let startedAt = 0
const monotonic = () => performance.now() - startedAt
beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-02-03T09:00:01Z') })
  startedAt = performance.now()
})
afterEach(() => {
  vi.useRealTimers()
})

interface Asked {
  readonly againInMs?: () => number | null
}

function start({ againInMs = () => null }: Asked = {}) {
  const ticks: number[] = []
  const at: number[] = []
  const faults: unknown[] = []
  const ticker = createTicker({
    async tick(now) {
      ticks.push(now)
      at.push(Math.round(monotonic()))
      return { againInMs: againInMs() }
    },
    now: () => Date.now(),
    monotonic,
    onFault: (error) => void faults.push(error),
  })
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
  return { ticker, ticks, at, faults, pass }
}

const seconds = (ticks: readonly number[]) => ticks.map((tick) => new Date(tick).getUTCSeconds())

test('it ticks at once, then at each quarter of a minute and every 30 s', async () => {
  const { ticker, ticks, pass } = start()
  await pass(59_500)
  expect(seconds(ticks)).toEqual([1, 15, 30, 31, 45, 0])
  await ticker.stop()
  await pass(60_000)
  expect(ticks).toHaveLength(6)
})

test('the clock goes back two hours: the interval goes on, and the quarters of a minute come back', async () => {
  const { ticker, ticks, pass } = start()
  await pass(20_000)
  vi.setSystemTime(Date.now() - 2 * 3_600_000)
  const before = ticks.length
  await pass(75_000)
  const after = seconds(ticks.slice(before))
  expect(after.length).toBeGreaterThan(4)
  expect(after.filter((second) => second % 15 === 0).length).toBeGreaterThan(2)
  await ticker.stop()
})

test('the clock goes forward five years: it ticks on, and does not walk through them', async () => {
  const { ticker, ticks, pass } = start()
  await pass(20_000)
  vi.setSystemTime(Date.now() + 5 * 365 * 86_400_000)
  const before = ticks.length
  await pass(75_000)
  expect(seconds(ticks.slice(before)).filter((second) => second % 15 === 0).length).toBeGreaterThan(2)
  await ticker.stop()
})

test('however often it is poked, two ticks are never nearer than a fifth of a second, and the last poke is heard', async () => {
  const { ticker, at, pass } = start()
  await pass(50)
  for (let n = 0; n < 40; n += 1) {
    ticker.poke()
    ticker.poke()
    await pass(50)
  }
  await pass(400)
  const gaps = at.slice(1).map((each, index) => each - (at[index] ?? 0))
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(200)
  expect(at.length).toBeGreaterThan(9)
  expect(at.length).toBeLessThanOrEqual(13)
  await ticker.stop()
})

test('work that is left asks for the next tick, as soon as it wants it and not sooner', async () => {
  const wishes: (number | null)[] = [0, 5_000, null]
  const { ticker, at, pass } = start({ againInMs: () => wishes.shift() ?? null })
  await pass(10_000)
  expect(at.slice(0, 3)).toEqual([0, 200, 5_200])
  await ticker.stop()
})

test('a tick that fails is told, and the next one comes', async () => {
  let isBroken = true
  const { ticker, ticks, faults, pass } = start({
    againInMs() {
      if (isBroken) throw new Error('disk full')
      return null
    },
  })
  await pass(100)
  expect(faults).toHaveLength(1)
  isBroken = false
  await pass(30_000)
  expect(ticks.length).toBeGreaterThan(1)
  expect(faults).toHaveLength(1)
  await ticker.stop()
})

test('a tick that hangs keeps no other from being made', async () => {
  let isFirst = true
  const ticks: number[] = []
  const ticker = createTicker({
    tick(now) {
      ticks.push(now)
      if (!isFirst) return Promise.resolve({ againInMs: null })
      isFirst = false
      return new Promise((resolve) => setTimeout(() => resolve({ againInMs: null }), 120_000))
    },
    now: () => Date.now(),
    monotonic,
    onFault: (error) => expect.fail(String(error)),
  })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(ticks.length).toBeGreaterThan(3)
  const stopped = ticker.stop()
  await vi.advanceTimersByTimeAsync(120_000)
  await stopped
})

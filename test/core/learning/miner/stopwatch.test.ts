import { afterAll, describe, expect, test } from 'vitest'
import { limits } from '../../../../core/domain/limits.ts'
import { createMiner } from '../../../../core/learning/miner/miner.ts'
import { OutOfTime, startStopwatch } from '../../../../core/learning/miner/stopwatch.ts'
import { sandboxForTests } from './sandbox.ts'
import { orderThread, orderThreads, stockThreads } from './worked.ts'

const sandbox = sandboxForTests()
afterAll(() => sandbox.close())
const never = new AbortController().signal

describe('the time of a run', () => {
  const watch = (signal = never) => {
    const clock = { now: 0 }
    const stopwatch = startStopwatch(() => clock.now, limits.minerMs, signal)
    return { clock, stopwatch }
  }

  test('is over by one', async () => {
    const { clock, stopwatch } = watch()
    await stopwatch.during(async () => {
      clock.now = limits.minerMs
      stopwatch.check()
      clock.now += 1
      expect(stopwatch.check).toThrow(OutOfTime)
    })
  })

  test('is that of all its threads together, not of what is between them', async () => {
    const { clock, stopwatch } = watch()
    for (let thread = 0; thread < 4; thread += 1) {
      await stopwatch.during(async () => {
        clock.now += limits.minerMs / 4
      })
      clock.now += 60_000
    }
    stopwatch.check()
    await stopwatch.during(async () => {
      clock.now += 1
      expect(stopwatch.check).toThrow(OutOfTime)
    })
  })

  test('of the sandbox is what functions used there: its process may take longer to start', async () => {
    const { clock, stopwatch } = watch()
    await stopwatch.during(async () => {
      await stopwatch.beside(async (leftMs) => {
        expect(leftMs).toBe(limits.minerMs + 1)
        clock.now += 60_000
        return { usedMs: limits.minerMs - 10 }
      })
      const over = stopwatch.beside(async (leftMs) => ({ usedMs: leftMs }))
      await expect(over).rejects.toThrow(OutOfTime)
    })
  })

  test('ends with its signal', async () => {
    const controller = new AbortController()
    const { stopwatch } = watch(controller.signal)
    controller.abort(new Error('nobody waits'))
    expect(stopwatch.check).toThrow('nobody waits')
    await expect(stopwatch.rest()).rejects.toThrow('nobody waits')
  })

  test('leaves others their turn', async () => {
    const { clock, stopwatch } = watch()
    let hadTurn = false
    setImmediate(() => {
      hadTurn = true
    })
    await stopwatch.during(async () => {
      await stopwatch.rest()
      expect(hadTurn).toBe(false)
      clock.now += 50
      await stopwatch.rest()
      expect(hadTurn).toBe(true)
    })
  })
})

describe('a miner', () => {
  const tasks = [stockThreads(), orderThreads()].map(([thread, ...kept]) => {
    if (thread === undefined) throw new Error('no thread')
    return { thread, kept, known: [] }
  })
  const [stock, orders] = tasks
  if (stock === undefined || orders === undefined) throw new Error('two tasks')

  test('that had the time of a run for one thread says that it is too large; for a later one, that it is left', async () => {
    const clock = { now: 0, step: limits.minerMs * 2 }
    const monotonicMs = () => {
      clock.now += clock.step
      return clock.now
    }
    const run = createMiner({ sandbox, monotonicMs, actions: () => [] }).startRun(never)
    const first = await run.mine(stock)
    expect(first).toMatchObject({ kind: 'skip', reason: 'too-large' })
    expect(first).not.toHaveProperty('isLeft')
    clock.step = 0
    expect(await run.mine(orders)).toMatchObject({ kind: 'skip', reason: 'too-large', isLeft: true })
    const next = createMiner({ sandbox, monotonicMs, actions: () => [] }).startRun(never)
    expect(await next.mine(stock)).toMatchObject({ kind: 'mined' })
    expect(await next.mine(orders)).toMatchObject({ kind: 'mined' })
  })

  test('stops where its signal says so, in the middle of a replay too', async () => {
    const controller = new AbortController()
    let starts = 0
    const watched: typeof sandbox = {
      ...sandbox,
      start(...task) {
        starts += 1
        if (starts === 2) controller.abort(new Error('nobody waits'))
        return sandbox.start(...task)
      },
    }
    const run = createMiner({ sandbox: watched, monotonicMs: () => 0, actions: () => [] }).startRun(controller.signal)
    await expect(run.mine(stock)).rejects.toThrow('nobody waits')
    expect(starts).toBe(2)
  })

  test('looks for its time while it compares many threads', async () => {
    let asked = 0
    const monotonicMs = () => {
      asked += 1
      return asked > 100 ? limits.minerMs * 2 : 0
    }
    const many = Array.from({ length: limits.minerThreads }, (_, at) => orderThread(at, { id: `B-${at}`, total: at }))
    const start = () => expect.fail('nothing is replayed')
    const run = createMiner({ sandbox: { ...sandbox, start }, monotonicMs, actions: () => [] }).startRun(never)
    expect(await run.mine({ ...orders, kept: many })).toMatchObject({ reason: 'too-large' })
    expect(asked).toBeLessThan(limits.minerThreads)
  })
})

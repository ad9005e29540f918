import { afterAll, describe, expect, test } from 'vitest'
import { limits } from '../../../../core/domain/limits.ts'
import { faultOf } from '../../../../core/learning/miner/bar.ts'
import { callsOf } from '../../../../core/learning/miner/canonical.ts'
import { createWorkspace, frameOf } from '../../../../core/learning/miner/frame.ts'
import { align } from '../../../../core/learning/miner/group.ts'
import type { Episode } from '../../../../core/learning/miner/miner.ts'
import { createParameterBook } from '../../../../core/learning/miner/parameter-book.ts'
import { parseTogether } from '../../../../core/learning/miner/parse.ts'
import { isUnexplained, planCall } from '../../../../core/learning/miner/plan.ts'
import { replay } from '../../../../core/learning/miner/replay.ts'
import { signThreads } from '../../../../core/learning/miner/signature.ts'
import { sourcesIn } from '../../../../core/learning/miner/source.ts'
import { startStopwatch } from '../../../../core/learning/miner/stopwatch.ts'
import { synthesise } from '../../../../core/learning/miner/synthesis.ts'
import { got, readFile, sent } from './recorder.ts'
import { minerForTests, sandboxForTests } from './sandbox.ts'
import { episode, orderThread, orderThreads, stockThreads } from './worked.ts'

const sandbox = sandboxForTests()
afterAll(() => sandbox.close())
const miner = minerForTests(sandbox, () => 0)
const noTime = () => {}
const many = <Item>(count: number, of: (at: number) => Item): readonly Item[] =>
  Array.from({ length: count }, (_, at) => of(at))

async function mine([thread, ...kept]: readonly Episode[]) {
  if (thread === undefined) throw new Error('no thread')
  return miner.mine({ thread, kept, known: [] })
}

describe('which threads are looked at', () => {
  test('the newest, and no more', async () => {
    const [oldest, older, newest] = orderThreads().map((thread, at) => ({ ...thread, endedAt: at === 2 ? 9_000 : at }))
    if (oldest === undefined || older === undefined || newest === undefined) throw new Error('three threads')
    const others = (count: number) =>
      many(count, (at) => ({ ...episode(`other ${at}`, 'Look', [[readFile('x.txt', 'x')]]), endedAt: 100 + at }))
    const found = await mine([newest, ...others(limits.minerThreads - 3), older, oldest])
    expect(found).toMatchObject({ kind: 'mined' })
    const left = await mine([newest, ...others(limits.minerThreads - 2), older, oldest])
    expect(left).toMatchObject({ reason: 'support', detail: '2 threads did the same' })
  })

  test('of those that do the same so many', async () => {
    const threads = many(limits.minerSupport + 1, (at) => orderThread(at, { id: `A-${5_000 + at}`, total: 10 + at }))
    expect(await mine(threads.slice(1))).toMatchObject({ support: { length: limits.minerSupport } })
    expect(await mine(threads)).toMatchObject({ support: { length: limits.minerSupport } })
  })

  test('none with more calls, or larger ones', async () => {
    const look = readFile('x.txt', 'x')
    const calling = (count: number) =>
      episode(
        'thread 1',
        'Look',
        many(count, () => [look]),
      )
    expect(await mine([calling(limits.minerCalls)])).toMatchObject({ reason: 'support' })
    expect(await mine([calling(limits.minerCalls + 1)])).toMatchObject({
      reason: 'too-large',
      detail: `${limits.minerCalls + 1} calls`,
    })
    const bytes = JSON.stringify(look.args).length + JSON.stringify(readFile('x.txt', '').result).length
    const large = (size: number) => episode('thread 1', 'Look', [[{ ...look, result: { text: 'x'.repeat(size) } }]])
    expect(await mine([large(limits.minerEpisodeBytes - bytes - 100)])).toMatchObject({ reason: 'support' })
    expect(await mine([large(limits.minerEpisodeBytes + 1)])).toMatchObject({ reason: 'too-large' })
  })

  test('none of so many different calls', async () => {
    const threads = (count: number) =>
      many(3, (at) =>
        episode(
          `thread ${at}`,
          `Look ${at}`,
          many(count, (n) => [readFile(`f${n}.txt`, 'x')]),
        ),
      )
    const found = await mine(threads(limits.minerNodes))
    expect(found).not.toMatchObject({ detail: expect.stringContaining('calls and loops') })
    const left = await mine(threads(limits.minerNodes + 1))
    expect(left).toMatchObject({ reason: 'too-large', detail: `${limits.minerNodes + 1} calls and loops` })
  })
})

describe('how far an argument is looked for', () => {
  const workspace = () => createWorkspace(['', ''], createParameterBook(), noTime)

  test('a call has so many arguments', () => {
    const plan = (count: number) => {
      const body = Object.fromEntries(many(count, (at) => [`k${at}`, at]))
      const calls = many(2, (at) =>
        callsOf(episode(`thread ${at}`, 'go', [[{ action: 'put', args: body, result: null }]])),
      ).flat()
      return planCall({ calls, frame: frameOf(workspace(), [0, 1]) })
    }
    expect(isUnexplained(plan(limits.minerLeaves))).toBe(false)
    expect(isUnexplained(plan(limits.minerLeaves + 1))).toBe(true)
  })

  test('so many values and lists are kept in mind', () => {
    const { add, scalars, lists } = workspace()
    const source = (at: number) => ({ code: `x${at}`, values: [at, at + 1], leaf: `x${at}`, form: '', needs: [] })
    const list = (at: number) => ({ code: `l${at}`, values: [[at], [at]], leaf: `l${at}` })
    add(many(limits.minerSources - 1, source), many(limits.minerLists - 1, list))
    expect([scalars.length, lists.length]).toEqual([limits.minerSources - 1, limits.minerLists - 1])
    add(
      many(3, (at) => source(at + 10_000)),
      many(3, (at) => list(at + 10_000)),
    )
    expect([scalars.length, lists.length]).toEqual([limits.minerSources, limits.minerLists])
    const wide = Object.fromEntries(many(limits.minerSources * 2, (at) => [`k${at}`, at % 2 === 0 ? at : [at]]))
    const found = sourcesIn({ code: 'n1', leaf: 'n1', values: [wide, wide] })
    expect(found.scalars.length).toBeLessThanOrEqual(limits.minerSources)
    expect(found.lists.length).toBeLessThanOrEqual(limits.minerLists)
  })

  test('a search ends after so many states', () => {
    const parse = (length: number) =>
      parseTogether({
        targets: many(2, () => 'x'.repeat(length)),
        sources: [],
        goals: [],
        owners: [0, 1],
        checkTime: noTime,
      })
    expect(parse(limits.minerStates)).toHaveLength(1)
    expect(parse(limits.minerStates + 1)).toBeNull()
  })

  test('and after so much time', async () => {
    const at = async (later: number) => {
      let calls = 0
      const monotonicMs = () => {
        calls += 1
        return calls === 1 ? 0 : later
      }
      const [thread, ...kept] = orderThreads()
      if (thread === undefined) throw new Error('no thread')
      return minerForTests(sandbox, monotonicMs).mine({ thread, kept, known: [] })
    }
    // The rest of it is for the sandbox, by the clock of that.
    expect(await at(limits.minerMs / 4)).toMatchObject({ kind: 'mined' })
    expect(await at(limits.minerMs + 1)).toMatchObject({
      reason: 'too-large',
      detail: `it takes more than ${limits.minerMs} ms`,
    })
  })
})

describe('how large a function may be', async () => {
  const threads = stockThreads()
  const { nodes } = align(signThreads(threads.map(callsOf)).map((signed) => signed))
  const stopwatch = startStopwatch(() => 0, limits.minerMs, new AbortController().signal)
  const synthesis = await synthesise({ nodes, threads, actions: [], stopwatch })
  const [line] = synthesis.lines
  const [parameter] = synthesis.parameters
  if (line === undefined || parameter === undefined) throw new Error('a function with a parameter')
  const fault = (more: Partial<typeof synthesis>) => faultOf({ ...synthesis, ...more }, threads)

  test('lines', () => {
    expect(fault({ lines: many(limits.minerLines, () => line) })).toBeNull()
    expect(fault({ lines: many(limits.minerLines + 1, () => line) })).toMatchObject({ reason: 'too-large' })
  })

  test('parameters', () => {
    expect(fault({ parameters: many(limits.minerParameters, () => parameter) })).toBeNull()
    expect(fault({ parameters: many(limits.minerParameters + 1, () => parameter) })).toMatchObject({
      reason: 'too-large',
    })
  })

  test('parameters that stand in no goal', () => {
    const free = { ...parameter, isFree: true }
    expect(fault({ parameters: many(limits.minerFreeParameters, () => free) })).toBeNull()
    expect(fault({ parameters: many(limits.minerFreeParameters + 1, () => free) })).toMatchObject({
      reason: 'unexplained',
    })
  })

  test('turns of its loops, before the first of them', async () => {
    const base = 'https://a.example'
    const thread = (at: number, count: number) => {
      const site = ['graz', 'turku', 'porto', 'lyon'][at] ?? ''
      const rows = many(count, (n) => ({ key: `k${at}x${n}`, state: 'open' }))
      const changes = rows.map(({ key }) => sent('PUT', `${base}/doors/${key}`, { state: 'closed' }))
      return episode(
        `doors ${at}`,
        `${['Close', 'Shut', 'Lock', 'Bar'][at]} the doors of ${site} behind the watchmen`,
        [[got(`${base}/doors`, { site }, { rows })], changes],
      )
    }
    const found = await mine([thread(0, 4), thread(1, 6), thread(2, 5)])
    if (found.kind === 'skip') throw new Error(`${found.reason} ${found.detail}`)
    const run = async (count: number) =>
      replay({ ...found.snippet, args: { site: 'lyon' }, expected: callsOf(thread(3, count)) }, sandbox)
    expect(await run(limits.minerIterations)).toMatchObject({ kind: 'same', calls: limits.minerIterations + 1 })
    expect(await run(limits.minerIterations + 1)).toMatchObject({ kind: 'guard', calls: 1, hasWritten: false })
  })
})

import { describe, expect, test } from 'vitest'
import { callsOf } from '../../../../core/learning/miner/canonical.ts'
import { bodiesOf, fold } from '../../../../core/learning/miner/fold.ts'
import { align, isSimilar } from '../../../../core/learning/miner/group.ts'
import { fine, signThreads } from '../../../../core/learning/miner/signature.ts'
import { type Asked, got, listFiles, readFile, sent } from './recorder.ts'
import { episode } from './worked.ts'

const base = 'https://a.example'
const item = (n: number) => got(`${base}/items/${n}`, {}, { n })
const close = (n: number) => sent('PATCH', `${base}/items/${n}`, { state: 'closed' })
const list = got(`${base}/items`, {}, { items: [1, 2] })

function signed(...threads: readonly (readonly (readonly Asked[])[])[]) {
  return signThreads(threads.map((steps, at) => callsOf(episode(`thread ${at}`, `goal ${at}`, steps))))
}
const shape = (calls: ReturnType<typeof signed>[number]) =>
  fold(calls).map(({ body, iterations }) => `${body.length}x${iterations.length}`)

describe('signatures', () => {
  test('a piece of a path is literal where three threads, and half of them, have it', () => {
    const [one] = signed([[list], [item(1)]], [[list], [item(2)]], [[list], [item(3)]])
    expect(one?.map(({ signature }) => signature)).toEqual([`http GET ${base}/items`, `http GET ${base}/items/*`])
  })

  test('the fine way needs three threads alone', () => {
    const ways = ['returns', 'refunds', 'repairs'].flatMap((kind) =>
      Array.from({ length: 3 }, () => [[sent('POST', `${base}/v1/${kind}`, {})]]),
    )
    const calls = ways.map((steps, at) => callsOf(episode(`thread ${at}`, 'go', steps)))
    expect(
      new Set(
        signThreads(calls)
          .flat()
          .map(({ signature }) => signature),
      ).size,
    ).toBe(1)
    expect(
      new Set(
        signThreads(calls, fine)
          .flat()
          .map(({ signature }) => signature),
      ).size,
    ).toBe(3)
  })

  test('beside each other in one step, requests are of one kind whatever their paths', () => {
    const pages = (names: readonly string[]) => [names.map((name) => got(`${base}/site/${name}`, {}, 'page'))]
    const [one] = signed(
      pages(['setup', 'import', 'roles']),
      pages(['setup', 'audit', 'users']),
      pages(['setup', 'x', 'y']),
    )
    expect(shape(one ?? [])).toEqual(['1x3'])
  })
})

describe('loops', () => {
  test('repeats next to each other become one', () => {
    const [one] = signed([[list], [item(1)], [item(2)], [item(3)]])
    expect(shape(one ?? [])).toEqual(['1x1', '1x3'])
  })

  test('so do pairs', () => {
    const [one] = signed([[list], [item(1)], [close(1)], [item(2)], [close(2)]])
    expect(shape(one ?? [])).toEqual(['1x1', '2x2'])
  })
})

describe('groups', () => {
  test('two threads are alike if what only one of them read is left out', () => {
    const [a = [], b = []] = signed(
      [[list], [listFiles('.', ['x'])], [item(1)], [close(1)]],
      [[list], [item(2)], [close(2)]],
    )
    expect(isSimilar(a, b)).toBe(true)
  })

  test('or what both read, at another time', () => {
    const look = readFile('TODO.txt', 'later')
    const [a = [], b = []] = signed([[look], [list], [item(1)], [close(1)]], [[list], [item(2)], [look], [close(2)]])
    expect(isSimilar(a, b)).toBe(true)
  })

  test('or two such detours, in the middle of a loop too', () => {
    const [look, search] = [readFile('TODO.txt', 'later'), listFiles('.', ['x'])]
    const page = (n: number) => got(`${base}/items`, { page: n }, {})
    const [a = [], b = []] = signed(
      [[look], [list], [search], [page(2)], [close(1)]],
      [[list], [page(2)], [look], [page(3)], [search], [close(2)]],
    )
    expect(isSimilar(a, b)).toBe(true)
  })

  test('a thread that wrote something else did something else', () => {
    const [a = [], b = []] = signed(
      [[list], [item(1)], [close(1)]],
      [[list], [item(2)], [sent('POST', `${base}/letters/of`, {})]],
    )
    expect(isSimilar(a, b)).toBe(false)
  })

  test('one iteration is a loop where others have more, and the one that does not fit is left out', () => {
    const threads = signed(
      [[list], [item(1)], [close(1)], [item(2)], [close(2)]],
      [[list], [item(3)], [close(3)]],
      [[close(9)], [list]],
      [[list], [item(4)], [close(4)], [item(5)], [close(5)]],
    )
    const { members, nodes } = align(threads)
    expect(members).toEqual([0, 1, 3])
    expect(nodes.map(({ body, threads: each }) => [body.length, each.map(({ length }) => length)])).toEqual([
      [1, [1, 1, 1]],
      [2, [2, 1, 2]],
    ])
    expect(bodiesOf(fold(threads[1] ?? []))).toHaveLength(3)
  })
})

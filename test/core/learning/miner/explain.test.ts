import { describe, expect, test } from 'vitest'
import type { Json } from '../../../../core/domain/json.ts'
import { explain } from '../../../../core/learning/miner/explain.ts'
import { createWorkspace, frameOf } from '../../../../core/learning/miner/frame.ts'
import { createParameterBook } from '../../../../core/learning/miner/parameter-book.ts'
import { sourcesIn } from '../../../../core/learning/miner/source.ts'

interface Case {
  readonly goals?: readonly string[]
  /** Of one earlier read, `n1`, by thread. */
  readonly results: readonly Json[]
  readonly targets: readonly Json[]
  readonly key?: string
  readonly isWrite?: boolean
  readonly isSum?: boolean
}

/** The Python that makes the targets, parameters as `<1>`. */
function how({ goals, results, targets, key = 'value', isWrite = true, isSum = false }: Case) {
  const book = createParameterBook()
  const workspace = createWorkspace(goals ?? targets.map(() => ''), book, () => {})
  const { scalars, lists } = sourcesIn({ code: 'n1', leaf: 'n1', values: results })
  workspace.add(scalars, lists)
  const found = explain(
    { key, targets, isWrite, isSum },
    frameOf(
      workspace,
      targets.map((_, at) => at),
    ),
  )
  const code = found?.code
    .split('\u0001')
    .map((part, at) => (at % 2 === 1 ? `<${part}>` : part))
    .join('')
  return { code, kind: found?.kind, found, parameters: book.found }
}

describe('one argument in all threads', () => {
  test.each<[string, Case, string | undefined]>([
    [
      'the same everywhere',
      { results: [{}, {}], targets: [{ a: [true, null] }, { a: [true, null] }] },
      '{"a": [True, None]}',
    ],
    ['a value of a result, with its type', { results: [{ t: 4 }, { t: 9 }], targets: [4, 9] }, 'n1["t"]'],
    ['a number is not its text', { results: [{ t: 4 }, { t: 9 }], targets: ['4', '9'] }, 'str(n1["t"])'],
    [
      'the first of a list',
      { results: [{ a: [{ k: 'x1' }] }, { a: [{ k: 'y2' }] }], targets: ['x1', 'y2'] },
      'n1["a"][0]["k"]',
    ],
    [
      'text that is JSON',
      { results: ['{"c":"NOK"}', '{"c":"CZK"}'], targets: ['/rates/NOK', '/rates/CZK'] },
      '"/rates/" + json.loads(n1)["c"]',
    ],
    [
      'the line of a text',
      {
        results: ['# x\n- Total: 1,204.50 EUR\n', '# x\n- Total: 99.10 EUR\n'],
        targets: ['1,204.50 EUR', '99.10 EUR'],
      },
      '_field(n1, "Total")',
    ],
    [
      'what stands in brackets',
      { results: ['see (a/b1) for', 'see (c/d2) for'], targets: ['a/b1', 'c/d2'] },
      '_between(n1, "(", ")")',
    ],
    [
      'the stem of a path',
      { results: [{ p: 'docs/guide.md' }, { p: 'docs/intro.md' }], targets: ['guide.html', 'intro.html'] },
      '_stem(n1["p"]) + ".html"',
    ],
    ['a number that a text says', { results: [{ n: '1,250' }, { n: '17' }], targets: [1250, 17] }, '_number(n1["n"])'],
    ['how many there are', { results: [{ a: [1, 2] }, { a: [3, 4, 5] }], targets: [2, 3] }, 'len(n1["a"])'],
    ['a list as it is', { results: [{ a: ['x', 'y'] }, { a: ['z'] }], targets: [['x', 'y'], ['z']] }, 'n1["a"]'],
    [
      'one part of each element',
      { results: [{ a: [{ k: 1 }, { k: 2 }] }, { a: [{ k: 3 }] }], targets: [[1, 2], [3]] },
      '[y["k"] for y in n1["a"]]',
    ],
    [
      'lines below a heading',
      {
        results: [
          {
            a: [
              { n: 'ann', m: 'a@x' },
              { n: 'bob', m: 'b@x' },
            ],
          },
          { a: [{ n: 'cid', m: 'c@x' }] },
        ],
        targets: ['name,mail\nann,a@x\nbob,b@x\n', 'name,mail\ncid,c@x\n'],
      },
      '"name,mail\\n" + "\\n".join([y["n"] + "," + y["m"] for y in n1["a"]]) + "\\n"',
    ],
    [
      'those of one kind, sorted',
      {
        results: [
          {
            a: [
              { u: 'zeta', s: 404 },
              { u: 'beta', s: 200 },
              { u: 'alfa', s: 404 },
            ],
          },
          {
            a: [
              { u: 'mu', s: 404 },
              { u: 'nu', s: 200 },
            ],
          },
        ],
        targets: ['alfa\nzeta', 'mu'],
      },
      '"\\n".join(sorted([y["u"] for y in [y for y in n1["a"] if y["s"] == 404]]))',
    ],
    [
      'a sum goes without commas, those that have none too',
      { results: [{ a: ['10.50', '7.25'] }, { a: ['3.00'] }], targets: ['10.50 + 7.25', '3.00'], isSum: true },
      '" + ".join([y.replace(",", "") for y in n1["a"]])',
    ],
    [
      'nothing: prose of a model',
      { results: [{ t: 'abc' }, { t: 'xyz' }], targets: ['a fine day', 'rain again'] },
      undefined,
    ],
  ])('%s', (_, given, code) => {
    expect(how(given).code).toBe(code)
  })

  test('a piece of the goal is a parameter, called by the word before it', () => {
    const { code, parameters } = how({
      goals: ['Close the issues of delta, please.', 'Close all issues of grove'],
      ...{ results: [{}, {}], targets: ['/repos/delta/issues', '/repos/grove/issues'], key: 'url' },
    })
    expect(code).toBe('"/repos/" + <1> + "/issues"')
    expect(parameters).toMatchObject([{ values: ['delta', 'grove'], usedAs: 'repo', isFree: false }])
  })

  test('what the goal writes with capitals may be used without', () => {
    const { code, parameters } = how({
      goals: ['Read Oslo Trip', 'Read Graz Visit'],
      results: [{}, {}],
      targets: ['oslo-trip.md', 'graz-visit.md'],
    })
    expect(code).toBe('<1>.lower().replace(" ", "-") + ".md"')
    expect(parameters[0]?.values).toEqual(['Oslo Trip', 'Graz Visit'])
  })

  test('a piece of the goal is never a part of a word', () => {
    expect(how({ goals: ['a cartoon', 'a dogma'], results: [{}, {}], targets: ['car', 'dog'] }).code).toBeUndefined()
  })

  test('what stands in the goal as a whole is what was asked for, whatever a list begins with', () => {
    const results = [{ a: ['one.md'] }, { a: ['two.md'] }]
    expect(how({ goals: ['read one.md', 'read two.md'], results, targets: ['one.md', 'two.md'] }).kind).toBe(
      'parameter',
    )
  })

  test('only the argument of a read may be left to the caller', () => {
    const given = { results: [{}, {}], targets: ['in/2026-03', 'in/2026-11'] }
    expect(how({ ...given, isWrite: false })).toMatchObject({ code: '"in/" + <1>', parameters: [{ isFree: true }] })
    expect(how({ ...given, isWrite: true }).code).toBeUndefined()
  })

  test('what else would have explained it is told', () => {
    const results = [
      { id: 'A-1', code: 'A-1' },
      { id: 'B-2', code: 'B-2' },
    ]
    expect(how({ results, targets: ['A-1', 'B-2'] }).found?.alternatives).toEqual(['n1["code"]'])
  })

  test('text out of a result never becomes code', () => {
    const evil = '"]; http(method="DELETE"); x = ["'
    expect(how({ results: [{}, {}], targets: [evil, evil] }).code).toBe(JSON.stringify(evil))
  })
})

import { describe, expect, it } from 'vitest'
import {
  addUp,
  countOf,
  e2eRuns,
  failedInPlaywright,
  failedInVitest,
  readPlaywright,
  readVitest,
  runSideBySide,
} from '../../../electron/runtime/test-run.mjs'

const vitest = (passed: number, failed: number) => JSON.stringify({ numPassedTests: passed, numFailedTests: failed })
const playwright = (expected: number, unexpected: number, flaky: number) =>
  JSON.stringify({ stats: { expected, unexpected, flaky } })

describe('counting the tests', () => {
  it.each([
    ['a green run', 0, vitest(7, 0), { passed: 7, failed: 0 }],
    ['failed tests', 1, vitest(5, 2), { passed: 5, failed: 2 }],
    ['a file that could not be loaded: no failed test, yet a failed run', 1, vitest(7, 0), { passed: 7, failed: 1 }],
    ['a run that tested nothing', 0, vitest(0, 0), { passed: 0, failed: 1 }],
    ['a runner that was killed', null, vitest(3, 0), { passed: 3, failed: 1 }],
    ['no report', 0, '', { passed: 0, failed: 1 }],
    ['half a report', 0, '{"numPassedTests": 7', { passed: 0, failed: 1 }],
    ['a report of another shape', 0, '{}', { passed: 0, failed: 1 }],
  ])('%s', (_name, status, report, expected) => {
    expect(countOf(status, report, readVitest)).toEqual(expected)
  })

  it('counts a flaky e2e test as failed', () => {
    expect(countOf(0, playwright(4, 1, 2), readPlaywright)).toEqual({ passed: 4, failed: 3 })
  })

  it('adds up to one line and an exit code', () => {
    expect(
      addUp([
        { passed: 1, failed: 0 },
        { passed: 40, failed: 0 },
      ]),
    ).toEqual({ line: '41 passed, 0 failed', exitCode: 0 })
    expect(addUp([{ passed: 40, failed: 1 }])).toEqual({ line: '40 passed, 1 failed', exitCode: 1 })
    expect(addUp([]).exitCode).toBe(1)
  })
})

describe('what failed', () => {
  it('is named with its file and its first message; a file that could not be loaded with its own', () => {
    const result = (status: string, fullName: string) => ({ status, fullName, failureMessages: ['expected 1', 'at x'] })
    const loaded = {
      name: '/r/a.test.ts',
      message: '',
      assertionResults: [result('passed', 'adds'), result('failed', 'ends')],
    }
    const broken = { name: '/r/b.test.ts', message: 'no such module', assertionResults: [] }
    expect(failedInVitest({ testResults: [loaded, broken] })).toEqual([
      '/r/a.test.ts: ends\nexpected 1',
      '/r/b.test.ts: no such module',
    ])
    const spec = (ok: boolean, title: string) => ({ ok, file: 'a.spec.ts', title })
    const inner = { specs: [spec(true, 'opens'), spec(false, 'closes')] }
    expect(failedInPlaywright({ suites: [{ suites: [inner], specs: [spec(false, 'waits')] }] })).toEqual([
      'a.spec.ts: waits',
      'a.spec.ts: closes',
    ])
  })
})

describe('the e2e tests', () => {
  it('on Linux are two runs, each with a display, a report and an output folder of its own, and all files between them', () => {
    const runs = e2eRuns('linux')
    expect(runs.map(({ command }) => /--shard=(\S+)/.exec(command)?.[1])).toEqual(['1/2', '2/2'])
    expect(new Set(runs.map(({ report }) => report)).size).toBe(2)
    expect(new Set(runs.map(({ command }) => /--output=(\S+)/.exec(command)?.[1])).size).toBe(2)
    for (const { command } of runs) expect(command).toMatch(/^xvfb-run -a /)
  })

  it('are one run where a person’s own display is all there is', () => {
    const [only, ...more] = e2eRuns('darwin')
    expect(only?.command).not.toMatch(/xvfb-run|--shard/)
    expect(more).toEqual([])
  })
})

describe('commands side by side', () => {
  async function ran(script: string) {
    let said = ''
    const isOk = await runSideBySide(script, { cwd: process.cwd(), env: process.env }, (text: string) => {
      said += text
    })
    return { isOk, said: said.replaceAll('\r', '') }
  }
  const node = (code: string) => `node -e "${code}"`

  it('say all they have to say in their order, whichever ends first', async () => {
    const slow = node(`setTimeout(() => console.log('first'), 300)`)
    expect(await ran(`${slow} && ${node(`console.error('second')`)}`)).toEqual({ isOk: true, said: 'first\nsecond\n' })
  })

  it('fail where one of them fails, and the others are heard all the same', async () => {
    const failing = node(`console.log('wrong'); process.exitCode = 1`)
    expect(await ran(`${failing} && ${node(`console.log('fine')`)}`)).toEqual({ isOk: false, said: 'wrong\nfine\n' })
    expect((await ran(`no-such-command-of-this-test && ${node('')}`)).isOk).toBe(false)
  })
})

import { describe, expect, it } from 'vitest'
import { addUp, countOf, readPlaywright, readVitest } from '../../../electron/runtime/test-run.mjs'

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

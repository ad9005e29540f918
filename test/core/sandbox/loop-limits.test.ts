import { expect, test } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import { createSandbox } from '../../../core/sandbox/sandbox.ts'

const spawn = () => {
  throw new Error('the inline interpreter starts no process')
}
const sandbox = createSandbox({ spawn, warm: 0, monotonicMs: () => performance.now() })
const run = (code: string) => sandbox.startInline({ name: 'loop.py', code }, {}).state

test('a step loop that never calls the host is ended by its limit of time', { timeout: 60_000 }, () => {
  const from = performance.now()
  expect(run('while True:\n    pass')).toMatchObject({
    kind: 'failed',
    error: { code: 'sandbox.limit', data: { limit: 'time' } },
  })
  expect(performance.now() - from).toBeGreaterThanOrEqual(limits.loopMs - 100)
})

test('one that hoards memory is ended by its limit of memory, one that stays below is not', () => {
  const megabytes = limits.loopMemoryBytes / 1_048_576
  expect(run(`x = 'a' * ${(megabytes - 8) * 1_048_576}\nlen(x)`)).toMatchObject({ kind: 'done' })
  expect(run(`x = 'a' * ${(megabytes + 8) * 1_048_576}\nlen(x)`)).toMatchObject({
    kind: 'failed',
    error: { data: { limit: 'memory' } },
  })
})

import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import { residentBytes } from '../../../core/sandbox/memory-cap.ts'
import { codeOf, isRunning, type Rig, resultOf, rig, until } from './fixture.ts'

/** Whatever a program did to its child: the engine is here, and the next VM works. */
async function expectNextWorks({ run }: Rig): Promise<void> {
  expect(resultOf((await run('1 + 1')).state)).toBe(2)
}

describe('a program that breaks its interpreter', () => {
  it('json.dumps of a list 200,000 deep costs its child only', async () => {
    const it = rig()
    const vm = await it.run('import json\nx = []\nfor i in range(200000):\n  x = [x]\njson.dumps(x)')
    expect(vm.state).toMatchObject({
      kind: 'failed',
      error: { code: 'sandbox.died', data: { reason: 'signal SIGSEGV' } },
    })
    await expect(vm.resume(null)).rejects.toMatchObject({ code: 'sandbox.not_suspended' })
    await expectNextWorks(it)
  })

  it('a death in the middle of one VM leaves the other one as it was', async () => {
    const it = rig()
    const [calm, doomed] = await Promise.all([
      it.run('a() + b()'),
      it.run('act()\nimport json\nx = []\nfor i in range(200000):\n  x = [x]\njson.dumps(x)'),
    ])
    expect(codeOf(await doomed.resume(null))).toBe('sandbox.died')
    await calm.resume(1)
    expect(resultOf(await calm.resume(2))).toBe(3)
  })

  it('a child that is killed from outside between two calls is a failed step', async () => {
    const it = rig()
    const vm = await it.run('act()')
    process.kill(it.children[0]?.pid ?? 0, 'SIGKILL')
    expect(codeOf(await vm.resume(1))).toBe('sandbox.died')
    await expectNextWorks(it)
  })
})

describe('a program that does not end', () => {
  it('an endless loop stops at the limit', async () => {
    const it = rig()
    const vm = await it.run('while True:\n  pass', { durationMs: 200 })
    expect(vm.state).toMatchObject({ kind: 'failed', error: { code: 'sandbox.limit', data: { limit: 'time' } } })
    await expectNextWorks(it)
  })

  it('no exception handler outlives the limit', async () => {
    const vm = await rig().run('while True:\n  try:\n    nothing\n  except:\n    pass', { durationMs: 200 })
    expect(vm.state).toMatchObject({ error: { code: 'sandbox.limit', data: { limit: 'time' } } })
  })

  it('one operation that never looks at the clock is killed at limit and grace', async () => {
    const it = rig()
    for (const durationMs of [1_000, 100]) {
      const vm = await it.run('7**(10**7)', { durationMs })
      expect(vm.state).toMatchObject({ kind: 'failed', error: { code: 'sandbox.limit', data: { limit: 'time' } } })
    }
    await until(() => !isRunning(it.children[0]?.pid ?? 0))
    await expectNextWorks(it)
  })

  it('closing a VM that runs ends its child and settles the call', async () => {
    const it = rig()
    const vm = await it.run('act()\n7**(10**7)')
    const running = vm.resume(null)
    vm.close()
    expect(codeOf(await running)).toBe('sandbox.died')
    await expectNextWorks(it)
  })
})

const hasPrlimit = (() => {
  try {
    execFileSync('prlimit', ['--version'])
    return process.platform === 'linux'
  } catch {
    return false
  }
})()

describe('a program that takes all memory', () => {
  it.skipIf(!hasPrlimit)(
    'a join of 100 GB dies at the system’s cap (skipped without prlimit: nothing to hold it)',
    async () => {
      const it = rig(1)
      await it.sandbox.warm()
      const pid = it.children[0]?.pid ?? 0
      const restBytes = (await residentBytes(pid)) ?? 0
      let peakBytes = 0
      const watch = setInterval(async () => {
        peakBytes = Math.max(peakBytes, (await residentBytes(pid)) ?? 0)
      }, 10)
      const vm = await it.run("'x'.join(['a' * 10**6] * 10**5)")
      clearInterval(watch)
      expect(['sandbox.died', 'sandbox.limit']).toContain(codeOf(vm.state))
      expect(peakBytes - restBytes).toBeLessThan(limits.vmMemoryGrowthBytes * 1.2)
      await expectNextWorks(it)
    },
  )

  it.skipIf(!hasPrlimit)('a small value that unfolds into 2**30 parts dies likewise', async () => {
    const it = rig()
    const vm = await it.run('x = "abcdefgh"\nfor i in range(30):\n  x = [x, x]\nx')
    expect(['sandbox.died', 'sandbox.limit']).toContain(codeOf(vm.state))
    await expectNextWorks(it)
  })

  it('a list that grows stops at Monty’s own limit', async () => {
    const it = rig()
    const vm = await it.run('x = []\nwhile True:\n  x.append("a" * 1000)')
    expect(vm.state).toMatchObject({ error: { code: 'sandbox.limit', data: { limit: 'memory' } } })
    await expectNextWorks(it)
  })
})

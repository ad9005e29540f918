import { describe, expect, it } from 'vitest'
import { createSandbox } from '../../../core/sandbox/sandbox.ts'
import { spawnSandbox } from '../../support/children.ts'
import { codeOf, resultOf, rig, roomy } from './fixture.ts'

const code = 'kept = [n for n in range(3)]\nfirst = ask("one")\nsecond = ask("two")\n[kept, first, second]'

describe('a snapshot', () => {
  it('goes on in another process as if nothing had happened', async () => {
    const vm = await rig().run(code)
    await vm.resume('a')
    const snapshot = await vm.snapshot()
    vm.close()
    const loaded = await rig().sandbox.load(structuredClone(snapshot))
    expect(loaded.state).toEqual({ kind: 'call', name: 'ask', args: ['two'], kwargs: {} })
    expect(resultOf(await loaded.resume('b'))).toEqual([[0, 1, 2], 'a', 'b'])
  })

  it('goes on inline as well, and any number of times', async () => {
    const { sandbox } = rig()
    const snapshot = sandbox.startInline({ name: 'default.py', code }, {}).snapshotNow()
    for (const answer of ['a', 'b']) {
      const loaded = sandbox.loadInline(snapshot)
      loaded.resumeNow(answer)
      expect(resultOf(loaded.resumeNow(answer))).toEqual([[0, 1, 2], answer, answer])
    }
  })

  it('of a VM that stands still is the same bytes each time', async () => {
    const vm = await rig().run(code)
    expect(await vm.snapshot()).toEqual(await vm.snapshot())
  })

  it('with one flipped bit is refused, wherever the bit is', async () => {
    const { sandbox, run, children } = rig()
    const snapshot = await (await run(code)).snapshot()
    const started = children.length
    for (let at = 0; at < snapshot.bytes.length; at += 7) {
      const bytes = Uint8Array.from(snapshot.bytes)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (at % 8))
      await expect(sandbox.load({ ...snapshot, bytes })).rejects.toMatchObject({ code: 'sandbox.snapshot' })
      expect(() => sandbox.loadInline({ ...snapshot, bytes })).toThrow(
        expect.objectContaining({ code: 'sandbox.snapshot' }),
      )
    }
    expect(children).toHaveLength(started)
  })

  it('of another version of the interpreter is refused', async () => {
    const { sandbox } = rig()
    const snapshot = sandbox.startInline({ name: 'default.py', code }, {}).snapshotNow()
    await expect(sandbox.load({ ...snapshot, montyVersion: '0.0.17' })).rejects.toMatchObject({
      code: 'sandbox.snapshot',
    })
  })

  it('that matches its hash but is none is refused, and the child serves on', async () => {
    const { sandbox, run } = rig()
    const empty = {
      ...sandbox.startInline({ name: 'default.py', code }, {}).snapshotNow(),
      bytes: new Uint8Array(),
      sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    }
    await expect(sandbox.load(empty)).rejects.toMatchObject({ code: 'sandbox.snapshot' })
    expect(resultOf((await run('3')).state)).toBe(3)
  })

  it('carries the time that is left, not the whole of it', async () => {
    const { sandbox, run } = rig()
    const spin = 'n = 0\nwhile n < 200000:\n  n += 1\n'
    const vm = await run(`${spin}act()\nwhile True:\n  pass`)
    const snapshot = await vm.snapshot()
    expect(vm.usedMs).toBeGreaterThan(0)
    expect(snapshot.remainingMs).toBe(roomy.durationMs - vm.usedMs)

    // Monty itself would allow the loaded program the full ten seconds again.
    const late = await sandbox.load({ ...snapshot, remainingMs: 200 })
    expect((await late.snapshot()).remainingMs).toBeLessThanOrEqual(200)
    expect(await late.resume(null)).toMatchObject({
      kind: 'failed',
      error: { code: 'sandbox.limit', data: { limit: 'time' } },
    })
    expect(late.usedMs).toBeLessThanOrEqual(200)
  })

  it('a VM whose time is used up fails at its next rest, whatever it had to say', () => {
    let nowMs = 0
    const tenMsEachTime = () => {
      nowMs += 10
      return nowMs
    }
    const sandbox = createSandbox({ spawn: spawnSandbox, warm: 0, monotonicMs: tenMsEachTime })
    const snapshot = sandbox.startInline({ name: 'default.py', code }, {}).snapshotNow()
    const vm = sandbox.loadInline({ ...snapshot, remainingMs: 25 })
    expect(codeOf(vm.resumeNow('a'))).toBe('call')
    expect(codeOf(vm.resumeNow('b'))).toBe('sandbox.limit')
    expect(() => vm.resumeNow('c')).toThrow(expect.objectContaining({ code: 'sandbox.not_suspended' }))
  })

  it('the time of the host does not count', async () => {
    let nowMs = 0
    const sandbox = createSandbox({ spawn: spawnSandbox, warm: 0, monotonicMs: () => nowMs })
    const vm = sandbox.startInline({ name: 'default.py', code }, {})
    nowMs += 3_600_000
    expect(codeOf(vm.resumeNow('a'))).toBe('call')
    expect(vm.usedMs).toBe(0)
  })
})

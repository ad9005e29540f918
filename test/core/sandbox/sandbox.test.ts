import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../core/domain/json.ts'
import { limits } from '../../../core/domain/limits.ts'
import type { Vm } from '../../../core/sandbox/sandbox.ts'
import { codeOf, resultOf, rig, roomy } from './fixture.ts'

/** Both ways to run a program keep the same promises. */
const ways = {
  inline: async (code: string, inputs: JsonObject = {}): Promise<Vm> =>
    rig().sandbox.startInline({ name: 'code.py', code }, inputs),
  child: async (code: string, inputs: JsonObject = {}): Promise<Vm> =>
    rig().sandbox.start({ name: 'code.py', code }, inputs, roomy),
}

describe.each(Object.entries(ways))('a VM, %s', (_way, start) => {
  it('runs a program on its inputs to the value of its last expression', async () => {
    const vm = await start('[n + 1 for n in numbers]', { numbers: [1, 2] })
    expect(vm.state).toEqual({ kind: 'done', value: [2, 3] })
  })

  it('suspends at a host function with its arguments, and goes on with the answer', async () => {
    const vm = await start('reply = ask("who", [1, None], limit=3, tags={"a": True})\nreply["name"] + "!"')
    expect(vm.state).toEqual({
      kind: 'call',
      name: 'ask',
      args: ['who', [1, null]],
      kwargs: { limit: 3, tags: { a: true } },
    })
    expect(await vm.resume({ name: 'Ada' })).toEqual({ kind: 'done', value: 'Ada!' })
    expect(vm.state).toEqual({ kind: 'done', value: 'Ada!' })
  })

  it('shows the host’s refusal as a Python exception that the code can catch', async () => {
    const vm = await start('try:\n  act()\nexcept ValueError as error:\n  said = str(error)\nsaid')
    expect(resultOf(await vm.raise('ValueError', 'no such file'))).toBe('no such file')
  })

  it('raises a RuntimeError that names a type which Python does not know', async () => {
    const vm = await start('try:\n  act()\nexcept RuntimeError as error:\n  said = str(error)\nsaid')
    expect(resultOf(await vm.raise('PolicyDenied', 'not allowed'))).toBe('PolicyDenied: not allowed')
  })

  it('fails with the line of the call when nobody catches the host’s exception', async () => {
    const vm = await start('x = 1\nact()')
    const state = await vm.raise('ValueError', 'no such file')
    expect(state).toMatchObject({
      kind: 'failed',
      error: { code: 'sandbox.raised', data: { type: 'ValueError' } },
      line: 2,
    })
  })

  it('reports a syntax error with its line, before anything runs', async () => {
    const { state, output } = await start('print("ran")\ndef f(:\n  pass')
    expect(state).toMatchObject({ kind: 'failed', error: { code: 'sandbox.syntax' }, line: 2 })
    expect(output).toBe('')
  })

  it('reports Python that the interpreter does not have as a syntax error with its line', async () => {
    const { state } = await start('x = 1\n\nclass A:\n  pass')
    expect(state).toMatchObject({
      kind: 'failed',
      error: { code: 'sandbox.syntax', data: { type: 'NotImplementedError' } },
      line: 3,
    })
  })

  it('reports a runtime error with its innermost line and a traceback as Python prints it', async () => {
    const { state } = await start('def half(n):\n  return n / 0\n\nhalf(1)')
    expect(state).toMatchObject({ kind: 'failed', error: { code: 'sandbox.raised' }, line: 2 })
    const traceback = state.kind === 'failed' ? state.traceback : ''
    expect(traceback).toMatch(/^Traceback \(most recent call last\):\n {2}File "code\.py", line 4, in <module>/)
    expect(traceback).toMatch(/line 2, in half[\s\S]*ZeroDivisionError: division by zero$/)
  })

  it('treats a name that is read, not called, as undefined', async () => {
    expect((await start('x = 1\ny = nothing')).state).toMatchObject({
      kind: 'failed',
      error: { code: 'sandbox.raised', data: { type: 'NameError' } },
      line: 2,
    })
    expect(resultOf((await start('try:\n  nothing\nexcept NameError as e:\n  r = str(e)\nr')).state)).toBe(
      "name 'nothing' is not defined",
    )
  })

  it.each([
    'import socket',
    'open("/etc/passwd")',
    'import os\nos.environ',
    'from pathlib import Path\nPath("/etc/passwd").read_text()',
  ])('gives no way out: %s', async (code) => {
    expect(codeOf((await start(code)).state)).toBe('sandbox.raised')
  })

  it('keeps what was printed, also across calls', async () => {
    const vm = await start('print("one", 1)\nact()\nprint("two")')
    expect(vm.output).toBe('one 1\n')
    await vm.resume(null)
    expect(vm.output).toBe('one 1\ntwo\n')
  })

  it('cuts a flood of output at the limit and says so', async () => {
    const line = 'x'.repeat(1_023)
    const fits = await start(`for i in range(${limits.vmOutputBytes / 1_024}):\n  print(line)`, { line })
    expect(Buffer.byteLength(fits.output)).toBe(limits.vmOutputBytes)
    const flood = await start(`for i in range(${limits.vmOutputBytes / 1_024}):\n  print(line)\nprint("€" * 10**6)`, {
      line,
    })
    expect(flood.output).toBe(`${fits.output}\n[output cut after ${limits.vmOutputBytes} bytes]\n`)
    expect(flood.state.kind).toBe('done')
    const wide = await start(`print("€" * ${limits.vmOutputBytes})`)
    expect(wide.output).toMatch(/^€+\n\[output cut/)
  })

  it('shortens an error text that the code made huge, and says so', async () => {
    const within = await start(`raise ValueError("x" * ${limits.vmErrorCharacters - 'ValueError: '.length})`)
    expect(within.state.kind === 'failed' && within.state.error.message).not.toContain('cut]')
    const over = await start(`raise ValueError("x" * ${limits.vmErrorCharacters + 1 - 'ValueError: '.length})`)
    expect(over.state.kind === 'failed' && over.state.error.message).toContain('[1 characters cut]')
  })

  it('refuses to go on where it is not suspended', async () => {
    const done = await start('1')
    await expect(done.resume(null)).rejects.toMatchObject({ code: 'sandbox.not_suspended' })
    await expect(done.raise('ValueError', '')).rejects.toMatchObject({ code: 'sandbox.not_suspended' })
    await expect(done.snapshot()).rejects.toMatchObject({ code: 'sandbox.not_suspended' })
    const closed = await start('act()')
    closed.close()
    await expect(closed.resume(null)).rejects.toMatchObject({ code: 'sandbox.not_suspended' })
  })

  it('ends endless recursion at the limit of depth', async () => {
    expect((await start('def f(): return f()\nf()')).state).toMatchObject({
      kind: 'failed',
      error: { code: 'sandbox.limit', data: { limit: 'recursion' } },
      line: 1,
    })
  })

  it('refuses a string of 10 GB at once', async () => {
    expect((await start('x = "a" * 10**10')).state).toMatchObject({
      kind: 'failed',
      error: { code: 'sandbox.limit', data: { limit: 'memory' } },
      line: 1,
    })
  })
})

it('an inline VM can be driven without a promise per call', () => {
  const vm = rig().sandbox.startInline({ name: 'default.py', code: 'a() + b()' }, {})
  expect(vm.resumeNow(20)).toMatchObject({ kind: 'call', name: 'b' })
  const { bytes, sha256 } = vm.snapshotNow()
  expect(bytes.length).toBeGreaterThan(0)
  expect(sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(vm.raiseNow('KeyError', 'gone')).toMatchObject({ kind: 'failed', error: { data: { type: 'KeyError' } } })
})

it('an inline program starts no process', () => {
  const { sandbox, children } = rig()
  sandbox.startInline({ name: 'default.py', code: 'a()' }, {})
  expect(children).toHaveLength(0)
})

it('a program of other text, or other inputs, is compiled anew', () => {
  const { sandbox } = rig()
  const value = (code: string, inputs: JsonObject) =>
    resultOf(sandbox.startInline({ name: 'default.py', code }, inputs).state)
  expect([
    value('x', { x: 1 }),
    value('x', { x: 2 }),
    value('x + y', { x: 1, y: 2 }),
    value('x', { x: 1, y: 9 }),
  ]).toEqual([1, 2, 3, 1])
})

it('honours the limits on allocations and on depth that it is given', async () => {
  const allocating = await rig().run('x = []\nfor i in range(1000):\n  x.append([i])', { maxAllocations: 500 })
  expect(allocating.state).toMatchObject({ error: { code: 'sandbox.limit', data: { limit: 'allocations' } } })
  const deep = 'def f(n):\n  return 0 if n == 0 else 1 + f(n - 1)\nf(50)'
  expect(resultOf((await rig().run(deep, { recursion: 60 })).state)).toBe(50)
  expect((await rig().run(deep, { recursion: 40 })).state).toMatchObject({ error: { data: { limit: 'recursion' } } })
})

it('loads snapshots of exactly the interpreter that is installed', async () => {
  const vm = rig().sandbox.startInline({ name: 'default.py', code: 'act()' }, {})
  const { montyVersion } = vm.snapshotNow()
  const manifest: unknown = JSON.parse(readFileSync('node_modules/@pydantic/monty/package.json', 'utf8'))
  expect(manifest).toMatchObject({ version: montyVersion })
})

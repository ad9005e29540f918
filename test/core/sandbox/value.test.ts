import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../core/domain/json.ts'
import { limits } from '../../../core/domain/limits.ts'
import { assertCrossable } from '../../../core/sandbox/value.ts'
import { resultOf, rig } from './fixture.ts'

const program = (code: string) => ({ name: 'code.py', code })
const finalState = (code: string) => rig().sandbox.startInline(program(code), {}).state
const nested = (depth: number): Json => (depth === 0 ? 1 : [nested(depth - 1)])

describe('a value that leaves the VM', () => {
  it.each<[string, Json]>([
    ['None', null],
    ['(1, ("a", 2.5))', [1, ['a', 2.5]]],
    ['{3}', [3]],
    ['{"a": {"b": [True]}}', { a: { b: [true] } }],
    ['2**53 - 1', 2 ** 53 - 1],
    ['2**70', 2 ** 70],
    ['-0.0', 0],
  ])('%s becomes JSON', (code, value) => {
    expect(finalState(code)).toEqual({ kind: 'done', value })
  })

  it('keeps a key named __proto__ as a plain key', () => {
    const value = resultOf(finalState('{"__proto__": {"admin": True}}'))
    expect(Object.keys(value ?? {})).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  it.each([
    ['{1: 2}', /key that is not a str \(1\)/],
    ['b"ab"', /bytes/],
    ['2**53 + 1', /integer beyond 2\*\*53/],
    ['10**400', /integer beyond 2\*\*53/],
    ['float("nan")', /the number NaN/],
    ['float("inf")', /the number Infinity/],
    ['import datetime\ndatetime.date(2020, 1, 1)', /a Python Date/],
    ['len', /a Python BuiltinFunction/],
  ])('%s is refused by name', (code, reason) => {
    const state = finalState(code)
    expect(state).toMatchObject({ kind: 'failed', error: { code: 'engine.value' } })
    expect(state.kind === 'failed' && state.error.message).toMatch(reason)
  })

  it('may be as deep as the limit and no deeper', () => {
    const deep = (levels: number) => finalState(`x = 1\nfor i in range(${levels}):\n  x = [x]\nx`)
    expect(deep(limits.vmValueDepth).kind).toBe('done')
    expect(deep(limits.vmValueDepth + 1)).toMatchObject({ kind: 'failed', error: { code: 'engine.value' } })
    expect(deep(10_000)).toMatchObject({ kind: 'failed', error: { code: 'engine.value' } })
  })

  it('may be as large as the limit and no larger', () => {
    const room = limits.vmValueBytes - 8
    expect(finalState(`"x" * ${room}`).kind).toBe('done')
    expect(finalState(`"x" * ${room + 1}`)).toMatchObject({ kind: 'failed', error: { code: 'engine.value' } })
  })

  it('counts what stands there many times as often as it stands there', () => {
    const shared = 'x = ["abcdefgh"] * 1000\n'
    expect(finalState(`${shared}[x] * 10`).kind).toBe('done')
    expect(finalState(`${shared}[x] * 1000`)).toMatchObject({ kind: 'failed', error: { code: 'engine.value' } })
  })

  it('shows a refused argument as a TypeError on the line of the call, which the code may catch', () => {
    expect(finalState('x = 1\nact({1: 2})')).toMatchObject({ kind: 'failed', error: { code: 'engine.value' }, line: 2 })
    expect(finalState('try:\n  act(b"ab")\nexcept TypeError:\n  r = "refused"\nr')).toEqual({
      kind: 'done',
      value: 'refused',
    })
    expect(finalState('try:\n  act(key=b"ab")\nexcept TypeError:\n  pass\nraise ValueError("mine")')).toMatchObject({
      error: { code: 'sandbox.raised' },
      line: 5,
    })
  })
})

describe.each(['inline', 'child'] as const)('a value that the host gives, %s', (way) => {
  const suspended = async (code: string) => {
    const { sandbox, run } = rig()
    return way === 'inline' ? sandbox.startInline(program(code), {}) : run(code)
  }

  it('may be as deep as the limit; one deeper is refused and the VM stands as before', async () => {
    const vm = await suspended('act()')
    await expect(vm.resume(nested(limits.vmValueDepth + 1))).rejects.toMatchObject({ code: 'engine.value' })
    expect(vm.state.kind).toBe('call')
    expect(resultOf(await vm.resume(nested(limits.vmValueDepth)))).toEqual(nested(limits.vmValueDepth))
  })

  it('may be as large as the limit; one byte more is refused', async () => {
    const vm = await suspended('len(act())')
    const room = limits.vmValueBytes - 8
    await expect(vm.resume('x'.repeat(room + 1))).rejects.toMatchObject({ code: 'engine.value' })
    expect(resultOf(await vm.resume('x'.repeat(room)))).toBe(room)
  })
})

it('inputs keep the same limits', async () => {
  const { sandbox } = rig()
  const inputs = { x: nested(limits.vmValueDepth) }
  expect(() => sandbox.startInline(program('1'), inputs)).toThrow(/levels deep/)
  await expect(sandbox.start(program('1'), inputs, { durationMs: 1_000, memoryBytes: 1e6 })).rejects.toMatchObject({
    code: 'engine.value',
  })
})

it.each([
  [new Date(0)],
  [new Map()],
  [Buffer.from('a')],
  [10n],
  [() => 1],
  [Number.NaN],
  [Symbol('s')],
  [{ deep: [new Set()] }],
])('%o is not plain data', (value) => {
  expect(() => assertCrossable(value, 'a test')).toThrow(expect.objectContaining({ code: 'engine.value' }))
})

it('any JSON comes back from Python as it went in', () => {
  const vm = () => rig().sandbox.startInline(program('act()'), {})
  // JSON has one zero.
  const json = fc
    .jsonValue({ maxDepth: 5, stringUnit: 'grapheme' })
    .map((value): unknown => JSON.parse(JSON.stringify(value)))
  fc.assert(
    fc.property(json, (given) => {
      assertCrossable(given, 'a test')
      expect(resultOf(vm().resumeNow(given))).toEqual(given)
    }),
  )
})

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import { compile, MontyVm } from '../../../core/sandbox/inline-vm.ts'
import { expectWithin } from '../../support/times.ts'
import { codeRunner, type Ran } from './code/code-host.ts'

const { run, warm } = codeRunner()
/** Shorter than `limits.codeMs`, so that sixty endless programs fit into a test. */
const durationMs = 400
/** A process must be started, and both cores may be at work: the figure that counts is printed, and held in a run of its own. */

interface Figures {
  readonly name: string
  readonly ms: number
  /** Longest time that this process did not turn to its events; on a machine at work, mostly the others' doing. */
  readonly loopDelayMs: number
  /** Its own work in all that time: more than this it cannot have held up anything. */
  readonly cpuMs: number
  readonly how: string
}
const figures: Figures[] = []
let idleDelayMs = 0
beforeAll(async () => {
  await warm()
  const stop = measure()
  await new Promise((resolve) => setTimeout(resolve, durationMs))
  idleDelayMs = stop().loopDelayMs
})
afterAll(() => {
  const worst = (key: 'ms' | 'loopDelayMs' | 'cpuMs') => figures.toSorted((a, b) => b[key] - a[key]).slice(0, 3)
  const shown = (key: 'ms' | 'loopDelayMs' | 'cpuMs') =>
    worst(key)
      .map((each) => `${each.name} ${each[key].toFixed(1)} ms`)
      .join(', ')
  const counts = Object.entries(Object.groupBy(figures, ({ how }) => how)).map(([how, all]) => `${all?.length} ${how}`)
  process.stdout.write(
    `hostile code: ${figures.length} programs (${counts.join(', ')}); longest: ${shown('ms')}; own work: ${shown('cpuMs')}; event loop: ${shown('loopDelayMs')} (${idleDelayMs.toFixed(1)} ms with nothing to do)\n`,
  )
})

function measure() {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const from = performance.now()
  const before = process.cpuUsage()
  return () => {
    const ms = performance.now() - from
    const { user, system } = process.cpuUsage(before)
    delay.disable()
    return { ms, cpuMs: (user + system) / 1_000, loopDelayMs: Math.max(0, delay.max / 1e6 - 1) }
  }
}

/** Runs it and holds what is true of every program: the engine is alive, and nothing was done but the calls counted. */
async function attack(name: string, source: string): Promise<Ran> {
  // A child that must first be started is no part of what is measured.
  await warm()
  const stop = measure()
  const ran = await run(source, { durationMs })
  const { ms, loopDelayMs, cpuMs } = stop()
  figures.push({ name, ms, loopDelayMs, cpuMs, how: ran.failure?.category ?? 'done' })
  expect(['done', 'failed', 'refused', 'call']).toContain(ran.state)
  expect(ran.calls.length).toBeLessThanOrEqual(limits.codeCalls)
  expectWithin(ms, durationMs + 250)
  expectWithin(loopDelayMs, 20)
  return ran
}

const limited = ['resource_limit', 'vm_panic', 'runtime_error']

describe('a program that takes time or memory ends, and takes nothing else with it', () => {
  test.each<[name: string, source: string]>([
    ['an endless loop', 'while True:\n    pass'],
    [
      'an endless loop that catches all',
      'while True:\n    try:\n        while True:\n            x = 1\n    except:\n        pass',
    ],
    ['an endless loop in finally', 'try:\n    1 / 0\nfinally:\n    while True:\n        pass'],
    ['a comprehension of 10**10', '[x for x in range(10**10)]'],
    ['a sum of 10**10', 'sum(x for x in range(10**10))'],
    ['nested loops', 'n = 0\nfor a in range(10**5):\n    for b in range(10**5):\n        n += 1'],
    ['deep recursion', 'def f(n):\n    return f(n + 1)\nf(0)'],
    ['mutual recursion', 'def a(n):\n    return b(n)\ndef b(n):\n    return a(n)\na(0)'],
    [
      'recursion that catches',
      'def f(n):\n    try:\n        return f(n + 1)\n    except RecursionError:\n        return f(n + 1)\nf(0)',
    ],
    ['fibonacci of 60', 'def fib(n):\n    return n if n < 2 else fib(n - 1) + fib(n - 2)\nfib(60)'],
    ['a power of 10**7', '7 ** (10 ** 7)'],
    ['a tower of powers', '9 ** 9 ** 9'],
    ['a shift of 10**9', '1 << 10 ** 9'],
    ['digits of a large int', 'x = 3 ** 300000\nlen(str(x))'],
    ['a product that grows', 'x = 3\nwhile True:\n    x = x * x'],
    ['a join of 100 GB', '"x".join(["a" * 10**6] * 10**5)'],
    ['a string of 10**10', '"a" * 10**10'],
    ['a list of 10**9', '[0] * 10**9'],
    ['a string that doubles', 'x = "a"\nwhile True:\n    x = x + x'],
    ['a list that grows', 'x = []\nwhile True:\n    x.append("a" * 1000)'],
    ['a dict that grows', 'd = {}\nn = 0\nwhile True:\n    d[n] = str(n) * 100\n    n += 1'],
    ['a set that grows', 's = set()\nn = 0\nwhile True:\n    s.add(n)\n    n += 1'],
    ['lists in lists', 'x = []\nwhile True:\n    x = [x, x]'],
    ['a tuple that doubles', 't = (1,)\nwhile True:\n    t = t + t'],
    ['replace that multiplies', 'x = "a" * 10**6\nx.replace("a", "b" * 10**4)'],
    ['an f-string of 10**9', 'f"{1:>1000000000}"'],
    ['zfill of 10**10', '"1".zfill(10**10)'],
    ['center of 10**10', '"1".center(10**10)'],
    ['json.dumps of 200,000 levels', 'import json\nx = []\nfor i in range(200000):\n    x = [x]\njson.dumps(x)'],
    ['json.loads of 200,000 levels', 'import json\njson.loads("[" * 200000 + "]" * 200000)'],
    ['repr of 200,000 levels', 'x = []\nfor i in range(200000):\n    x = [x]\nrepr(x)'],
    ['equality of 200,000 levels', 'a = []\nb = []\nfor i in range(200000):\n    a = [a]\n    b = [b]\na == b'],
    ['a value of 200,000 levels', 'x = []\nfor i in range(200000):\n    x = [x]\nx'],
    ['a value that unfolds to 2**30 parts', 'x = "abcdefgh"\nfor i in range(30):\n    x = [x, x]\nx'],
    ['a list that holds itself', 'x = []\nx.append(x)\nx'],
    ['a dict that holds itself, as state', 'state["a"] = state'],
    ['a regex with nested stars', 'import re\nre.match(r"(a+)+$", "a" * 50 + "b")'],
    ['a regex with back references', 'import re\nre.match(r"(a*)*\\1b", "a" * 5000)'],
    ['a regex of a great count', 'import re\nre.compile(r"((a{1,500}){1,500}){1,500}")'],
    ['a regex over a long text', 'import re\nre.findall(r"(.*?,){25}x", "a," * 20000)'],
    ['sorting 10**7 numbers', 'sorted([(x * 7919) % 10007 for x in range(10**7)])'],
    ['an exception with a great message', 'raise ValueError("x" * 10**7)'],
    [
      'a chain of exceptions',
      'e = "x"\nwhile True:\n    try:\n        raise ValueError(e)\n    except ValueError as error:\n        e = str(error) + e',
    ],
    ['a print flood', 'while True:\n    print("x" * 1000)'],
    ['a print of one great line', 'print("x" * (30 * 10**6))'],
    ['a sleep', 'import asyncio\nawait asyncio.sleep(10**6)\nwhile True: pass'],
  ])('%s', async (name, source) => {
    const ran = await attack(name, source)
    if (ran.failure !== null) expect(limited).toContain(ran.failure.category)
    expect(ran.calls).toEqual([])
    expect(ran.failure?.text.length ?? 0).toBeLessThan(limits.errorCharacters + 500)
    expect(JSON.stringify(ran.value).length).toBeLessThan(limits.vmValueBytes * 1.1)
    expect(Buffer.byteLength(ran.printed)).toBeLessThan(limits.vmOutputBytes + 100)
  })
})

describe('a program that reaches for the outside gets nothing', () => {
  test.each<[name: string, source: string]>([
    ['os.environ', 'import os\nos.environ["HOME"]'],
    ['os.environ by another name', 'import os as o\no.environ'],
    ['os.getenv', 'from os import getenv\ngetenv("HOME")'],
    ['os.system', 'import os\nos.system("touch /tmp/x")'],
    ['sys.modules', 'import sys\nsys.modules["os"]'],
    ['subprocess', 'import subprocess\nsubprocess.run(["id"])'],
    ['socket', 'import socket\nsocket.create_connection(("127.0.0.1", 80))'],
    ['ctypes', 'import ctypes\nctypes.CDLL(None)'],
    ['builtins', 'import builtins\nbuiltins.open("/etc/passwd")'],
    ['importlib', 'import importlib\nimportlib.import_module("os")'],
    ['open', 'open("/etc/passwd").read()'],
    ['open by another name', 'o = open\no("/etc/passwd")'],
    ['pathlib', 'from pathlib import Path\nPath("/etc/passwd").read_text()'],
    ['pathlib, listing', 'from pathlib import Path\nlist(Path("/").iterdir())'],
    ['pathlib, writing', 'from pathlib import Path\nPath("/tmp/hostile-code").write_text("x")'],
    ['__import__', '__import__("os").system("id")'],
    ['eval', 'eval("1 + 1")'],
    ['exec', 'exec("import os")'],
    ['compile', 'compile("1", "x", "eval")'],
    ['getattr on a module', 'import os\ngetattr(os, "system")("id")'],
    ['subclasses', '().__class__.__bases__[0].__subclasses__()'],
    ['globals of a function', 'def f(): pass\nf.__globals__["__builtins__"]'],
    ['code of a function', 'def f(): pass\nf.__code__'],
    ['globals()', 'globals()["__builtins__"]'],
    ['the frame of an exception', 'try:\n    1 / 0\nexcept Exception as e:\n    e.__traceback__.tb_frame.f_globals'],
    ['names of the engine', '__parallel__([["write_file", [], {}]])'],
    ['names of the engine in other letters', '__ｓave_state__({})'],
    ['constructor', 'state.constructor'],
  ])('%s', async (name, source) => {
    const ran = await attack(name, source)
    expect(ran.state).not.toBe('done')
    expect(ran.calls.filter((call) => !/^(globals|getattr|getenv)\[/.test(call))).toEqual([])
    expect(ran.saved).toBeUndefined()
  })
})

describe('a program that plays with the host', () => {
  test('a million calls stop at the limit of one block', async () => {
    const ran = await attack('a million calls', 'for i in range(10**6):\n    count(i)')
    expect(ran.calls).toHaveLength(limits.codeCalls)
    expect(ran.failure).toMatchObject({ category: 'tool_error', line: 2 })
  })

  test('a million calls that go on after every refusal are ended by the host', async () => {
    const source = 'for i in range(10**6):\n    try:\n        count(i)\n    except RuntimeError:\n        pass'
    const ran = await attack('a million calls, errors caught', source)
    expect(ran).toMatchObject({ state: 'call', value: null })
    expect(ran.calls).toHaveLength(limits.codeCalls)
  })

  test('FINAL twice is two answers, the last of which counts', async () => {
    const ran = await attack('FINAL twice', 'FINAL("one")\nFINAL("two")')
    expect(ran.finals).toEqual(['one', 'two'])
  })

  test.each([
    ['a number that is none', 'count(float("nan"))'],
    ['an endless number', 'count(float("inf"))'],
    ['an int beyond JSON', 'count(2**64 + 1)'],
    ['bytes', 'count(b"abc")'],
    ['a dict with a key that is no text', 'count({1: 2})'],
    ['an argument over the limit', `count("x" * ${limits.vmValueBytes})`],
    ['an argument too deep', `x = []\nfor i in range(${limits.vmValueDepth + 1}):\n    x = [x]\ncount(x)`],
    ['a state too large', `state["x"] = "x" * ${limits.vmValueBytes}`],
  ])('%s does not leave', async (name, source) => {
    const ran = await attack(name, source)
    expect(ran).toMatchObject({ state: 'failed', calls: [], failure: { category: 'runtime_error' } })
    expect(ran.saved).toBeUndefined()
  })

  test('a function leaves as its name, and cannot be called from there', async () => {
    const ran = await attack('a function', 'read_file(lambda: 1)')
    expect(ran.calls).toEqual([expect.stringMatching(/^read_file\["<function/)])
  })

  test('a key named __proto__ is a key like any other', async () => {
    const ran = await attack('__proto__', 'state["__proto__"] = {"polluted": True}\nstate["constructor"] = 1')
    expect(Object.keys(Object(ran.saved))).toEqual(['__proto__', 'constructor'])
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  test('half a character stays in the sandbox, or comes as one that can be stored', async () => {
    const ran = await attack('a lone surrogate', 'import json\njson.loads(\'"\\\\ud800"\')')
    expect(JSON.stringify(ran.value).isWellFormed()).toBe(true)
  })

  test('code that is deep, long or no Python does not hold up the engine', async () => {
    const sources = [
      '('.repeat(9_000),
      '[['.repeat(5_000),
      '}{)('.repeat(4_000),
      'not '.repeat(4_000),
      'x=('.repeat(5_000),
      'f"{'.repeat(3_000),
    ]
    for (const source of sources)
      expect((await attack(`no Python: ${source.slice(0, 4)}…`, source)).state).not.toBe('done')
  })
})

describe('the limits of a code step', () => {
  const start = (code: string, readings: number[]) => {
    const monotonicMs = () => readings.shift() ?? 0
    const limitsOfCode = { durationMs: limits.codeMs, memoryBytes: limits.codeMemoryBytes }
    return MontyVm.start(compile({ name: 'code.py', code }, []), {}, { limits: limitsOfCode, monotonicMs }).state
  }

  test('time: a millisecond more is too much', () => {
    expect(start('1', [0, 0, limits.codeMs])).toMatchObject({ kind: 'done' })
    expect(start('1', [0, 0, limits.codeMs + 1])).toMatchObject({ error: { data: { limit: 'time' } } })
  })

  test('memory', () => {
    const megabytes = limits.codeMemoryBytes / 1_048_576
    expect(start(`len('a' * ${(megabytes - 8) * 1_048_576})`, [])).toMatchObject({ kind: 'done' })
    expect(start(`len('a' * ${(megabytes + 1) * 1_048_576})`, [])).toMatchObject({
      error: { data: { limit: 'memory' } },
    })
  })
})

import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { limits } from '../../../core/domain/limits.ts'
import { residentBytes, watchMemory } from '../../../core/sandbox/memory-cap.ts'
import { createSandbox, type SandboxChild } from '../../../core/sandbox/sandbox.ts'
import { sandboxChild } from '../../support/children.ts'
import { codeOf, isRunning, resultOf, rig, roomy, until } from './fixture.ts'

describe('the children', () => {
  it('two are kept warm, and serve twenty VMs in a row', async () => {
    const { sandbox, children, run } = rig()
    await sandbox.warm()
    for (let n = 0; n < 20; n += 1) {
      const vm = await run(`act()\n${n}`)
      expect(resultOf(await vm.resume(null))).toBe(n)
    }
    expect(children).toHaveLength(2)
  })

  it('each runs one VM at a time, and those too many end with their VM', async () => {
    const { children, run } = rig(2)
    const vms = await Promise.all([1, 2, 3, 4].map((n) => run(`x = ${n}\nx + act()`)))
    expect(children).toHaveLength(4)
    const values = await Promise.all(vms.map(async (vm) => resultOf(await vm.resume(10))))
    expect(values).toEqual([11, 12, 13, 14])
    await until(() => children.filter(({ pid }) => isRunning(pid ?? 0)).length === 2)
  })

  it('keep nothing of one VM for the next', async () => {
    const { run, children } = rig(1)
    const first = await run('secret = 1\nprint("secret")\nact()')
    first.close()
    const second = await run('secret')
    expect(second.state).toMatchObject({ error: { data: { type: 'NameError' } } })
    expect(second.output).toBe('')
    expect(children).toHaveLength(1)
  })

  it('a VM that answers one call refuses a second answer', async () => {
    const vm = await rig().run('a() + b()')
    const going = vm.resume(1)
    await expect(vm.resume(2)).rejects.toMatchObject({ code: 'sandbox.not_suspended' })
    expect(await going).toMatchObject({ kind: 'call', name: 'b' })
  })

  it('one that died is replaced before it is missed', async () => {
    const { sandbox, children } = rig(1)
    await sandbox.warm()
    process.kill(children[0]?.pid ?? 0, 'SIGKILL')
    await until(() => !isRunning(children[0]?.pid ?? 0))
    const vm = await sandbox.start({ name: 'code.py', code: '1' }, {}, roomy)
    expect(resultOf(vm.state)).toBe(1)
  })

  it('speak through the port of an Electron utility process where there is one', async () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'sandbox-')), 'child.mjs')
    writeFileSync(
      file,
      `const { send } = process
       process.send = undefined
       process.parentPort = {
         on: (event, listener) => process.on(event === 'close' ? 'disconnect' : event, (data) => listener({ data })),
         postMessage: (message) => send.call(process, message),
       }
       await import(${JSON.stringify(pathToFileURL(sandboxChild).href)})`,
    )
    const vm = await rig(1, file).run('1 + act()')
    expect(resultOf(await vm.resume(2))).toBe(3)
  })

  it('see no environment', async () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'sandbox-')), 'child.mjs')
    // Answers whatever it is asked with the names of its environment.
    writeFileSync(
      file,
      `process.on('message', () => process.send({ kind: 'rest', usedMs: 0, printed: '', bytes: null,
         state: { kind: 'done', value: Object.keys(process.env) } }))
       process.on('disconnect', () => process.exit())
       process.send({ kind: 'ready' })`,
    )
    const names = resultOf((await rig(1, file).run('1')).state)
    expect(Array.isArray(names) && names.filter((name) => !String(name).startsWith('NODE_CHANNEL_'))).toEqual([])
  })

  it('that answer nonsense are ended, and the VM fails', async () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'sandbox-')), 'child.mjs')
    writeFileSync(
      file,
      `process.on('message', () => process.send({ kind: 'rest', usedMs: -1, printed: '', bytes: null, state: { kind: 'done' } }))
       process.send({ kind: 'ready' })`,
    )
    const { run, children } = rig(1, file)
    expect(codeOf((await run('1')).state)).toBe('sandbox.died')
    await until(() => !isRunning(children[0]?.pid ?? 0))
  })

  it('that cannot be started are an error that says so, not an endless try', async () => {
    const { sandbox, children } = rig(1, path.join(tmpdir(), 'no-such-child.mjs'))
    await expect(sandbox.start({ name: 'code.py', code: '1' }, {}, roomy)).rejects.toMatchObject({
      code: 'sandbox.died',
    })
    expect(children).toHaveLength(2)
  })

  it('end with the sandbox, busy or not; nothing starts after', async () => {
    const { sandbox, children, run } = rig(2)
    await sandbox.warm()
    const vm = await run('act()\n7**(10**7)')
    const running = vm.resume(null)
    await sandbox.close()
    expect(codeOf(await running)).toBe('sandbox.died')
    expect(children.filter(({ pid }) => isRunning(pid ?? 0))).toEqual([])
    await expect(run('1')).rejects.toMatchObject({ code: 'engine.stopped' })
  })

  it('end themselves when their parent is gone', async () => {
    const child = fork(sandboxChild, {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [],
    })
    await once(child, 'message')
    child.disconnect()
    expect(await once(child, 'exit')).toEqual([0, null])
  })

  it('end when the engine is killed, also in the middle of a loop', async () => {
    const file = path.join(mkdtempSync(path.join(tmpdir(), 'sandbox-')), 'engine.mjs')
    const face = JSON.stringify(pathToFileURL(path.resolve('core/sandbox/sandbox.ts')).href)
    writeFileSync(
      file,
      `const { createSandbox, spawnNode } = await import(${face})
       const spawn = spawnNode(${JSON.stringify(sandboxChild)})
       const start = () => { const child = spawn(); child.onMessage(() => process.send(child.pid)); return child }
       const sandbox = createSandbox({ spawn: start, warm: 1, monotonicMs: () => performance.now() })
       await sandbox.start({ name: 'code.py', code: 'while True: pass' }, {}, { durationMs: 500, memoryBytes: 1e7 })`,
    )
    const engine = fork(file, { execArgv: [] })
    const [pid]: unknown[] = await once(engine, 'message')
    engine.kill('SIGKILL')
    await until(() => !isRunning(Number(pid)))
  })
})

/** A child of the host's own kind: it answers each request by what `answer` says. */
function hostChild(answer: (request: unknown, receive: (message: unknown) => void) => void): () => SandboxChild {
  return () => {
    let receive: (message: unknown) => void = () => undefined
    let end: (reason: string) => void = () => undefined
    return {
      pid: undefined,
      send: (message) => answer(message, receive),
      onMessage(listener) {
        receive = listener
        queueMicrotask(() => listener({ kind: 'ready' }))
      },
      onExit(listener) {
        end = listener
      },
      kill: () => queueMicrotask(() => end('killed')),
    }
  }
}
const rest = (value: string) => ({
  kind: 'rest',
  state: { kind: 'done', value },
  usedMs: 1,
  printed: 'hello',
  bytes: null,
})

it('a host may bring its own kind of child', async () => {
  const asked: unknown[] = []
  const spawnHost = hostChild((request, receive) => {
    asked.push(request)
    queueMicrotask(() => receive(rest('from a utility process')))
  })
  const sandbox = createSandbox({ spawn: spawnHost, warm: 1, monotonicMs: () => 0 })
  const vm = await sandbox.start({ name: 'code.py', code: 'x' }, { x: 1 }, roomy)
  expect([vm.state, vm.output, vm.usedMs]).toEqual([{ kind: 'done', value: 'from a utility process' }, 'hello', 1])
  expect(asked).toEqual([{ op: 'start', program: { name: 'code.py', code: 'x' }, inputs: { x: 1 }, limits: roomy }])
  await sandbox.close()
})

it('an answer that came in while the engine was busy counts, not the clock', async () => {
  const suspended = { ...rest(''), state: { kind: 'call', name: 'act', args: [], kwargs: {} }, usedMs: 0 }
  const durationMs = 1
  const spawnHost = hostChild((request, receive) => {
    const isResume = JSON.stringify(request).includes('resume')
    setImmediate(() => receive(isResume ? rest('in time') : suspended))
    const lateAt = performance.now() + durationMs + limits.vmKillGraceMs + 20
    while (isResume && performance.now() < lateAt) Math.sqrt(lateAt)
  })
  const sandbox = createSandbox({ spawn: spawnHost, warm: 1, monotonicMs: () => 0 })
  const vm = await sandbox.start({ name: 'code.py', code: 'x' }, {}, { ...roomy, durationMs })
  // From here the event loop comes to its timers first, and to the answer only then.
  await new Promise((resolve) => setImmediate(resolve))
  expect(resultOf(await vm.resume(null))).toBe('in time')
  await sandbox.close()
})

describe.skipIf(process.platform === 'win32')('where the kernel caps nothing, the parent looks', () => {
  it('and sees a process that grows past its ceiling', async () => {
    const grow = 'const held = []; setInterval(() => held.push(Buffer.alloc(8e6, 1)), 20)'
    const child = spawn(process.execPath, ['-e', grow], { stdio: 'ignore' })
    await once(child, 'spawn')
    const pid = child.pid ?? 0
    const ceilingBytes = ((await residentBytes(pid)) ?? 0) + 100e6
    await new Promise<void>((resolve) => watchMemory(pid, { kind: 'polled', ceilingBytes }, resolve))
    expect(await residentBytes(pid)).toBeGreaterThan(ceilingBytes)
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(await residentBytes(pid)).toBeNull()
  })
})

import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createSandbox, spawnNode } from '../../../core/sandbox/sandbox.ts'

/** Of the sources, as a checkout starts it; the other tests' children are bundled. */
const child = path.resolve(import.meta.dirname, '../../../core/sandbox/child.ts')
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Calls the host three times and computes for a while after each: Monty looks at its clock only while it computes. */
const program = {
  name: 'wait.py',
  code: `
total = 0
for turn in range(3):
    total += ask()
    for i in range(20000):
        total += 1
print("waited")
total
`,
}
const limits = { durationMs: 400, memoryBytes: 64 * 1_048_576 }

function sandbox() {
  const made = createSandbox({ spawn: spawnNode(child), warm: 0, monotonicMs: () => performance.now() })
  onTestFinished(() => made.close())
  return made
}

test('a program in a child that waits for its host longer than its limit goes on: only its own time counts', async () => {
  const made = sandbox()
  const vm = await made.start(program, {}, limits)
  while (vm.state.kind === 'call') {
    await pause(600)
    await vm.resume(5)
  }
  expect(vm.state).toEqual({ kind: 'done', value: 15 + 60_000 })
  expect(vm.output).toBe('waited\n')
  vm.close()
})

test('the inline one as well, in one long wait and in many short ones', async () => {
  const made = sandbox()
  const vm = made.startInline(program, {})
  while (vm.state.kind === 'call') {
    await pause(30)
    vm.resumeNow(5)
  }
  expect(vm.state).toEqual({ kind: 'done', value: 15 + 60_000 })
  const raising = made.startInline({ name: 'r.py', code: 'try:\n  ask()\nexcept ValueError:\n  x = 7\nx' }, {})
  await pause(150)
  expect(raising.raiseNow('ValueError', 'no')).toEqual({ kind: 'done', value: 7 })
})

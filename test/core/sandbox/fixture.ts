import { afterEach } from 'vitest'
import type { Json } from '../../../core/domain/json.ts'
import {
  createSandbox,
  type Sandbox,
  type SandboxChild,
  spawnNode,
  type Vm,
  type VmLimits,
  type VmState,
} from '../../../core/sandbox/sandbox.ts'
import { sandboxChild } from '../../support/children.ts'

export const roomy: VmLimits = { durationMs: 10_000, memoryBytes: 64 * 1_048_576 }

export interface Rig {
  readonly sandbox: Sandbox
  /** Every child that was ever started, oldest first. */
  readonly children: SandboxChild[]
  run(code: string, limits?: Partial<VmLimits>): Promise<Vm>
}

const rigs: Rig[] = []
afterEach(async () => {
  await Promise.all(rigs.splice(0).map((rig) => rig.sandbox.close()))
})

/** A real sandbox with real children, closed after the test. */
export function rig(warm = 2, file = sandboxChild): Rig {
  const children: SandboxChild[] = []
  const spawn = spawnNode(file)
  const sandbox = createSandbox({
    warm,
    monotonicMs: () => performance.now(),
    spawn() {
      const child = spawn()
      children.push(child)
      return child
    },
  })
  const made: Rig = {
    sandbox,
    children,
    run: (code, limits) => sandbox.start({ name: 'code.py', code }, {}, { ...roomy, ...limits }),
  }
  rigs.push(made)
  return made
}

export function resultOf(state: VmState): Json {
  if (state.kind !== 'done') throw new Error(`not done: ${JSON.stringify(state)}`)
  return state.value
}

export function codeOf(state: VmState): string {
  return state.kind === 'failed' ? state.error.code : state.kind
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 10))
}

import type { Monty } from '@pydantic/monty'
import type { JsonObject } from '../domain/json.ts'
import { limits } from '../domain/limits.ts'
import { createChildPool } from './child-pool.ts'
import { ChildVm } from './child-vm.ts'
import { compile, type MonotonicMs, MontyVm } from './inline-vm.ts'
import { assertLoadable } from './snapshot.ts'
import { assertCrossable } from './value.ts'
import type { InlineVm, Program, SpawnSandbox, Vm, VmLimits, VmSnapshot, VmState } from './vm.ts'

export { spawnNode } from './spawn-node.ts'
export type { InlineVm, Program, SandboxChild, SpawnSandbox, Vm, VmLimits, VmSnapshot, VmState } from './vm.ts'

/**
 * Python in a sandbox: no files, no network, no clock; the world is what the host answers to its calls (RULES 6, 7).
 * Inputs become the program's variables; the value of its last expression is its result.
 */
export interface Sandbox {
  /** Runs to the first rest in this process, which native code may then end: the bundled orchestrator only. */
  startInline(program: Program, inputs: JsonObject): InlineVm
  /** As `startInline`, from a snapshot of such a program. Throws `sandbox.snapshot` for bytes that are not as taken. */
  loadInline(snapshot: VmSnapshot): InlineVm
  /** Runs to the first rest in a child. Throws `engine.value` for inputs, `sandbox.died` when no child starts at all. */
  start(program: Program, inputs: JsonObject, limits: VmLimits): Promise<Vm>
  /** As `start`, with the time that was left. Throws `sandbox.snapshot` for bytes that are not as taken. */
  load(snapshot: VmSnapshot): Promise<Vm>
  /** Starts the warm children ahead of the first use; without it the first use starts its own. */
  warm(): Promise<void>
  /** Ends every child; VMs that still run there settle as `sandbox.died`. */
  close(): Promise<void>
}

export interface SandboxOptions {
  readonly spawn: SpawnSandbox
  /** How many children stay alive between uses. */
  readonly warm: number
  readonly monotonicMs: MonotonicMs
}

/** What an inline VM may use: it is our own program, so this only bounds a mistake. */
const inlineLimits: VmLimits = { durationMs: limits.loopMs, memoryBytes: limits.loopMemoryBytes }

/** The one sandbox of an engine. It starts no process before it is needed. */
export function createSandbox({ spawn, warm, monotonicMs }: SandboxOptions): Sandbox {
  const pool = createChildPool(spawn, warm)
  const compiled = compiledOnce()
  return {
    startInline: (program, inputs) =>
      MontyVm.start(compiled(program, Object.keys(inputs)), inputs, { limits: inlineLimits, monotonicMs }),

    loadInline(snapshot) {
      assertLoadable(snapshot)
      return MontyVm.load(snapshot.bytes, { durationMs: snapshot.remainingMs, monotonicMs })
    },

    async start(program, inputs, vmLimits) {
      assertCrossable(inputs, 'the inputs of the code')
      return ChildVm.begin(pool, { op: 'start', program, inputs, limits: vmLimits })
    },

    async load(snapshot) {
      assertLoadable(snapshot)
      return ChildVm.begin(pool, { op: 'load', bytes: snapshot.bytes, remainingMs: snapshot.remainingMs })
    },

    warm: () => pool.warm(),
    close: () => pool.close(),
  }
}

/** Remembers the last program: one bundled orchestrator starts again and again. */
function compiledOnce() {
  let last: { program: Program; names: string; result: Monty | Extract<VmState, { kind: 'failed' }> } | null = null
  return (program: Program, inputNames: readonly string[]) => {
    const names = inputNames.join()
    if (last && last.program.code === program.code && last.program.name === program.name && last.names === names) {
      return last.result
    }
    last = { program, names, result: compile(program, inputNames) }
    return last.result
  }
}

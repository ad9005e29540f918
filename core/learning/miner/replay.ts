import type { Json, JsonObject } from '../../domain/json.ts'
import { limits } from '../../domain/limits.ts'
import type { Sandbox, Vm } from '../../sandbox/sandbox.ts'
import { type Call, canonicalCall } from './canonical.ts'

/** A run of a function over the record of a thread. Nothing has an effect. */
export interface Replay {
  /** `other`: it asks for something that the thread did not do there. */
  readonly kind: 'same' | 'other' | 'guard' | 'raised'
  readonly detail: string
  /** How many of the expected calls it made. */
  readonly calls: number
  /** A write was among them. */
  readonly hasWritten: boolean
  readonly value: Json
  /** Of the sandbox. */
  readonly usedMs: number
}

export interface ReplayTask {
  readonly name: string
  readonly code: string
  readonly args: JsonObject
  /** What it must ask for, in this order; also what it is answered. */
  readonly expected: readonly Call[]
  /** Reads may come in any order, and not all need be made: on the record of another task. */
  readonly isLoose?: boolean
  /** Of the sandbox. */
  readonly mostMs?: number
  /** Throws where nobody waits for it any more. */
  readonly check?: () => void
}

/** Runs it in the sandbox, each call answered by what was recorded of it. Source: learning 3.12, determinism. */
export async function replay(
  { name, code, args, expected, isLoose = false, mostMs = limits.minerMs, check = () => {} }: ReplayTask,
  sandbox: Sandbox,
): Promise<Replay> {
  const call = `${name}(**given)`
  const vmLimits = { durationMs: mostMs, memoryBytes: limits.codeMemoryBytes }
  const vm = await sandbox.start({ name: 'replay', code: `${code}\n${call}` }, { given: args }, vmLimits)
  try {
    return { ...(await followed(vm, isLoose ? anyOf(expected) : inOrder(expected), check)), usedMs: vm.usedMs }
  } finally {
    vm.close()
  }
}

/** What answers the calls: undefined where there is nothing on record. */
interface Record {
  take(key: string): Call | undefined
  /** What was to be asked for, and was not. */
  missing(): Call | undefined
}

function inOrder(expected: readonly Call[]): Record {
  let made = 0
  return {
    take(key) {
      const next = expected[made]
      if (next?.key !== key) return undefined
      made += 1
      return next
    },
    missing: () => expected[made],
  }
}

function anyOf(recorded: readonly Call[]): Record {
  return { take: (key) => recorded.find((call) => call.key === key), missing: () => undefined }
}

async function followed(vm: Vm, record: Record, check: () => void): Promise<Omit<Replay, 'usedMs'>> {
  let calls = 0
  let hasWritten = false
  while (vm.state.kind === 'call') {
    check()
    const { name, kwargs } = vm.state
    const { key } = canonicalCall({ action: name, args: kwargs })
    const next = record.take(key)
    if (next === undefined) {
      return { kind: 'other', detail: `call ${calls + 1}: ${key.slice(0, 200)}`, calls, hasWritten, value: null }
    }
    calls += 1
    hasWritten ||= next.isWrite
    await vm.resume(next.result)
  }
  if (vm.state.kind === 'failed') {
    const { message } = vm.state.error
    const kind = message.includes('skill guard:') ? 'guard' : 'raised'
    return { kind, detail: message.slice(0, 400), calls, hasWritten, value: null }
  }
  const missing = record.missing()
  if (missing !== undefined) {
    return { kind: 'other', detail: `it ends before ${missing.key.slice(0, 200)}`, calls, hasWritten, value: null }
  }
  return { kind: 'same', detail: '', calls, hasWritten, value: vm.state.value }
}

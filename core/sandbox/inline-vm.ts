import { Monty, type MontyComplete, MontyNameLookup, MontyRuntimeError, MontySnapshot } from '@pydantic/monty'
import { AppError } from '../domain/error.ts'
import type { JsonObject } from '../domain/json.ts'
import { failedByLimit, failedByValue, failedToCompile, failedWhileRunning } from './failure.ts'
import { Printed } from './printed.ts'
import { describeSnapshot, loadBytes } from './snapshot.ts'
import { assertCrossable, callFromVm, fromVm } from './value.ts'
import type { InlineVm, Program, VmLimits, VmSnapshot, VmState } from './vm.ts'

/** Monotonic milliseconds. */
export type MonotonicMs = () => number
type Rest = MontySnapshot | MontyNameLookup | MontyComplete
type Failed = Extract<VmState, { kind: 'failed' }>

interface Meter {
  readonly durationMs: number
  readonly monotonicMs: MonotonicMs
}

/** A VM in this process; the child's entry holds one of these as well. */
export class MontyVm implements InlineVm {
  readonly printed: Printed
  state: VmState
  usedMs = 0
  readonly #meter: Meter
  #suspended: MontySnapshot | null = null
  /** The refusal that stands in Python as a TypeError until the program catches it or ends by it. */
  #refusal: AppError | null = null
  /** When Monty's own clock began, and the VM time used until then. */
  #clock: { readonly startedAt: number; readonly usedMs: number }

  private constructor(meter: Meter, printed: Printed, first: Failed | (() => Rest)) {
    this.#meter = meter
    this.#clock = { startedAt: meter.monotonicMs(), usedMs: 0 }
    this.printed = printed
    this.state = typeof first === 'function' ? this.#advance(first) : first
  }

  /** Runs to the first rest. `program` is what `compile` gave: a failed state is where such a VM stands at once. */
  static start(
    program: Monty | Failed,
    inputs: JsonObject,
    options: { limits: VmLimits } & Pick<Meter, 'monotonicMs'>,
  ) {
    assertCrossable(inputs, 'the inputs of the code')
    const { limits, monotonicMs } = options
    const meter = { durationMs: limits.durationMs, monotonicMs }
    const printed = new Printed()
    if ('kind' in program) return new MontyVm(meter, printed, program)
    const given = Object.keys(inputs).length > 0 && { inputs }
    return new MontyVm(meter, printed, () =>
      program.start({ ...given, limits: montyLimits(limits), printCallback: printed.add }),
    )
  }

  /** Bytes that passed `assertLoadable`; throws `sandbox.snapshot` when the interpreter does not read them. */
  static load(bytes: Uint8Array, meter: Meter): MontyVm {
    const printed = new Printed()
    const suspended = loadBytes(bytes, printed)
    return new MontyVm(meter, printed, () => suspended)
  }

  get output(): string {
    return this.printed.text
  }

  resumeNow(value: unknown): VmState {
    assertCrossable(value, 'the result given to the code')
    const suspended = this.#awake()
    return this.#goOn(() => suspended.resume({ returnValue: value }))
  }

  raiseNow(type: string, message: string): VmState {
    const suspended = this.#awake()
    return this.#goOn(() => {
      try {
        return suspended.resume({ exception: { type, message } })
      } catch (error) {
        if (error instanceof MontyRuntimeError || !isUnknownType(error)) throw error
        return suspended.resume({ exception: { type: 'RuntimeError', message: `${type}: ${message}` } })
      }
    })
  }

  snapshotNow(): VmSnapshot {
    return describeSnapshot(this.dump(), this.#meter.durationMs - this.usedMs)
  }

  dump(): Uint8Array {
    return this.#requireSuspended().dump()
  }

  async resume(value: unknown): Promise<VmState> {
    return this.resumeNow(value)
  }

  async raise(type: string, message: string): Promise<VmState> {
    return this.raiseNow(type, message)
  }

  async snapshot(): Promise<VmSnapshot> {
    return this.snapshotNow()
  }

  close(): void {
    this.#suspended = null
  }

  #requireSuspended(): MontySnapshot {
    if (!this.#suspended) throw notSuspended()
    return this.#suspended
  }

  /**
   * Monty's clock runs on while the host works, and would cut off a program that only waited. Loading its own bytes sets
   * that clock back; the time of the program itself is ours to meter.
   */
  #awake(): MontySnapshot {
    const suspended = this.#requireSuspended()
    const now = this.#meter.monotonicMs()
    const hostMs = now - this.#clock.startedAt - (this.usedMs - this.#clock.usedMs)
    if (hostMs < hostAllowanceMs) return suspended
    this.#clock = { startedAt: now, usedMs: this.usedMs }
    return loadBytes(suspended.dump(), this.printed)
  }

  #goOn(step: () => Rest): VmState {
    this.state = this.#advance(step)
    return this.state
  }

  #advance(step: () => Rest): VmState {
    this.#suspended = null
    const startedAt = this.#meter.monotonicMs()
    const state = this.#settle(step)
    this.usedMs += this.#meter.monotonicMs() - startedAt
    if (state.kind === 'failed' || this.usedMs <= this.#meter.durationMs) return state
    this.#suspended = null
    return failedByLimit('time', `time limit exceeded: ${Math.ceil(this.usedMs)} ms > ${this.#meter.durationMs} ms`)
  }

  #settle(step: () => Rest): VmState {
    try {
      let rest = step()
      for (;;) {
        if (rest instanceof MontySnapshot) {
          const call = this.#callAt(rest)
          if (call) return call
          rest = rest.resume({ exception: { type: 'TypeError', message: this.#refusal?.message ?? '' } })
        } else if (rest instanceof MontyNameLookup) rest = rest.resume()
        else return { kind: 'done', value: fromVm(rest.output, 'the result of the code') }
      }
    } catch (error) {
      const failed = failedWhileRunning(error)
      const refusal = this.#refusal
      const isRefused = refusal !== null && failed.error.message.endsWith(refusal.message)
      return isRefused ? failedByValue(refusal, failed.line, failed.traceback) : failed
    }
  }

  /** Null, with `#refusal` set, when an argument may not leave: Python reads that as a TypeError on the line of the call. */
  #callAt(suspended: MontySnapshot): VmState | null {
    const name = suspended.functionName
    try {
      const { args, kwargs } = callFromVm(suspended.args, suspended.kwargs, `the arguments of ${name}`)
      this.#suspended = suspended
      return { kind: 'call', name, args, kwargs }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      this.#refusal = error
      return null
    }
  }
}

/** So much of the host's time may stand on Monty's clock; the rest is taken off before it counts. */
const hostAllowanceMs = 100

/** The compiled program, or the failed state that says why not. */
export function compile(program: Program, inputNames: readonly string[]): Monty | Failed {
  try {
    return new Monty(program.code, { scriptName: program.name, inputs: [...inputNames] })
  } catch (error) {
    return failedToCompile(error)
  }
}

export function notSuspended(): AppError {
  return new AppError('sandbox.not_suspended', {
    message: 'the VM is not suspended at a host call',
    userMessage: 'This step of the code is already over. Nothing ran twice; look at the thread to see how it ended.',
  })
}

function montyLimits(limits: VmLimits) {
  return {
    maxDurationSecs: (limits.durationMs + hostAllowanceMs) / 1_000,
    maxMemory: limits.memoryBytes,
    ...(limits.maxAllocations !== undefined && { maxAllocations: limits.maxAllocations }),
    ...(limits.recursion !== undefined && { maxRecursionDepth: limits.recursion }),
  }
}

function isUnknownType(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Invalid exception type')
}

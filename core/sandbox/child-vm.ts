import { fromErrorBody } from '../domain/error.ts'
import type { Json } from '../domain/json.ts'
import type { ChildPool } from './child-pool.ts'
import type { ChildProcess, Reply } from './child-process.ts'
import { failedByDeath, failedByLimit } from './failure.ts'
import { notSuspended } from './inline-vm.ts'
import type { Request } from './protocol.ts'
import { describeSnapshot } from './snapshot.ts'
import { assertCrossable } from './value.ts'
import type { Vm, VmSnapshot, VmState } from './vm.ts'

/** A VM in a child. It owns the child until it ends or is closed. */
export class ChildVm implements Vm {
  state: VmState
  output = ''
  usedMs = 0
  readonly #pool: ChildPool
  readonly #durationMs: number
  #child: ChildProcess | null
  #bytes: Uint8Array | null = null

  private constructor(pool: ChildPool, child: ChildProcess, first: { durationMs: number; reply: Reply }) {
    this.#pool = pool
    this.#child = child
    this.#durationMs = first.durationMs
    this.state = this.#read(first.reply)
  }

  /** Runs to the first rest. Throws what the child refused: `engine.value`, `sandbox.snapshot`. */
  static async begin(pool: ChildPool, request: Extract<Request, { op: 'start' | 'load' }>): Promise<ChildVm> {
    const durationMs = request.op === 'start' ? request.limits.durationMs : request.remainingMs
    const child = await pool.take()
    const reply = await child.ask(request, durationMs)
    if (reply.kind !== 'refused') return new ChildVm(pool, child, { durationMs, reply })
    pool.give(child)
    throw fromErrorBody(reply.error)
  }

  async resume(value: Json): Promise<VmState> {
    assertCrossable(value, 'the result given to the code')
    return this.#goOn({ op: 'resume', value })
  }

  raise(type: string, message: string): Promise<VmState> {
    return this.#goOn({ op: 'raise', type, message })
  }

  async snapshot(): Promise<VmSnapshot> {
    if (!this.#bytes) throw notSuspended()
    return describeSnapshot(this.#bytes, this.#durationMs - this.usedMs)
  }

  close(): void {
    const child = this.#release()
    if (!child) return
    if (!child.isBusy) child.drop()
    this.#pool.give(child)
  }

  async #goOn(request: Extract<Request, { op: 'resume' | 'raise' }>): Promise<VmState> {
    const child = this.#child
    if (!child || child.isBusy) throw notSuspended()
    this.#bytes = null
    const reply = await child.ask(request, this.#durationMs - this.usedMs)
    this.state = this.#read(reply)
    return this.state
  }

  #read(reply: Reply): VmState {
    const state = this.#meter(reply)
    if (state.kind === 'call') return state
    this.#bytes = null
    const child = this.#release()
    // Memory that a VM took up to its limit does not come back to the system at once: the next VM gets a fresh child.
    if (child && state.kind === 'failed' && state.error.code === 'sandbox.limit') child.kill()
    if (child) this.#pool.give(child)
    return state
  }

  #meter(reply: Reply): VmState {
    if (reply.kind === 'died') return failedByDeath(reply.reason)
    if (reply.kind === 'refused') return failedByDeath(reply.error.message)
    if (reply.kind === 'killed' && reply.limit === 'time') this.usedMs = this.#durationMs
    if (reply.kind === 'killed') return failedByLimit(reply.limit, overrun(reply.limit, this.#durationMs))
    this.output += reply.printed
    this.usedMs += reply.usedMs
    this.#bytes = reply.bytes
    if (this.usedMs <= this.#durationMs || reply.state.kind === 'failed') return reply.state
    return failedByLimit('time', overrun('time', this.#durationMs))
  }

  #release(): ChildProcess | null {
    const child = this.#child
    this.#child = null
    return child
  }
}

function overrun(limit: 'time' | 'memory', durationMs: number): string {
  return limit === 'time' ? `time limit exceeded: more than ${Math.ceil(durationMs)} ms` : 'memory limit exceeded'
}

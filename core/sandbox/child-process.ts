import { AppError } from '../domain/error.ts'
import { limits } from '../domain/limits.ts'
import { capMemory, type MemoryCap, watchMemory } from './memory-cap.ts'
import { type Answer, isAnswer, type Request } from './protocol.ts'
import type { SandboxChild } from './vm.ts'

/** What came of one request: the child's answer, or why there is none; then the child is gone. */
export type Reply = Exclude<Answer, { kind: 'ready' }> | Ending
type Ending =
  | { readonly kind: 'died'; readonly reason: string }
  | { readonly kind: 'killed'; readonly limit: 'time' | 'memory' }

/** A slow machine may need long to start a process, but not this long. */
const readyMs = 30_000

/** One child as the parent sees it: requests and replies, the kill at the time limit, the memory cap. */
export class ChildProcess {
  /** Resolves once it answers and its memory is capped; rejects `sandbox.died` when it never gets there. */
  readonly ready: Promise<void>
  /** Resolves when the process is gone. */
  readonly gone: Promise<void>
  isAlive = true
  readonly #child: SandboxChild
  #cap: MemoryCap = { kind: 'none' }
  #listener: ((reply: Answer | Ending) => void) | null = null

  constructor(child: SandboxChild) {
    this.#child = child
    this.gone = new Promise((resolve) => {
      child.onExit((reason) => {
        this.#end({ kind: 'died', reason })
        resolve()
      })
    })
    child.onMessage((message) => this.#receive(message))
    this.ready = this.#becomeReady()
    // Whoever takes this child awaits `ready`; a warm one that nobody took must not end the process by its rejection.
    this.ready.catch(() => undefined)
  }

  get isBusy(): boolean {
    return this.#listener !== null
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  async ask(request: Exclude<Request, { op: 'drop' }>, remainingMs: number): Promise<Reply> {
    const stopWatching = watchMemory(this.#child.pid ?? 0, this.#cap, () =>
      this.#end({ kind: 'killed', limit: 'memory' }),
    )
    const timer = setTimeout(
      // An answer may already wait while this process was busy: let it be read before the limit is called.
      () => setImmediate(() => this.#end({ kind: 'killed', limit: 'time' })),
      Math.max(0, remainingMs) + limits.vmKillGraceMs,
    )
    try {
      const reply = await this.#exchange(() => this.#child.send(request))
      if (reply.kind !== 'ready') return reply
      this.#end({ kind: 'died', reason: 'it started over' })
      return { kind: 'died', reason: 'it started over' }
    } finally {
      clearTimeout(timer)
      stopWatching()
    }
  }

  drop(): void {
    if (this.isAlive) this.#child.send({ op: 'drop' } satisfies Request)
  }

  kill(): void {
    this.#end({ kind: 'died', reason: 'it was closed' })
  }

  async #becomeReady(): Promise<void> {
    const timer = setTimeout(() => this.#end({ kind: 'died', reason: `not ready after ${readyMs} ms` }), readyMs)
    try {
      const first = await this.#exchange(() => undefined)
      if (first.kind !== 'ready') throw notStarted(first.kind === 'died' ? first.reason : first.kind)
    } finally {
      clearTimeout(timer)
    }
    if (this.pid !== undefined) this.#cap = await capMemory(this.pid, limits.vmMemoryGrowthBytes)
  }

  #exchange(send: () => void): Promise<Answer | Ending> {
    if (!this.isAlive) return Promise.resolve({ kind: 'died', reason: 'it had ended before' })
    return new Promise((resolve) => {
      this.#listener = resolve
      send()
    })
  }

  #receive(message: unknown): void {
    if (this.#listener && isAnswer(message)) this.#settle(message)
    else this.#end({ kind: 'died', reason: 'it sent what is not an answer' })
  }

  /** Also the way to kill: what does not live any more is killed in vain. */
  #end(ending: Ending): void {
    if (this.isAlive) {
      this.isAlive = false
      this.#child.kill()
    }
    this.#settle(ending)
  }

  #settle(reply: Answer | Ending): void {
    const listener = this.#listener
    this.#listener = null
    listener?.(reply)
  }
}

function notStarted(reason: string): AppError {
  return new AppError('sandbox.died', {
    message: `a sandbox process did not start: ${reason}`,
    userMessage:
      'The sandbox for code could not be started. Nothing ran. Try again; if it persists, restart Threadsmith.',
    retryable: true,
    data: { reason },
  })
}

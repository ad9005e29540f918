import type { SandboxChild } from '../../sandbox/sandbox.ts'
import { type Failed, type Loaded, type News, news, type Order } from './protocol.ts'

/** Why a request has no answer: what the child says of it, or that the child is gone, by itself or because we ended it. */
export type Ending = Failed | { readonly kind: 'died'; readonly reason: string } | { readonly kind: 'unloaded' }

type Work = Exclude<Order, { op: 'load' | 'stop' }>
type Piece = Extract<News, { kind: 'delta' | 'call' | 'progress' }>
type Answer = Extract<News, { kind: 'done' | 'vectors' }>

interface Request {
  readonly onPiece: (piece: Piece) => void
  readonly settle: (answer: Answer | Ending) => void
}

/** One model in a process of its own, as the parent sees it. */
export interface LlamaProcess {
  /** Resolves with the model's facts once it is in memory, or with why it is not; then the process is gone. */
  readonly loaded: Promise<Loaded | Ending>
  readonly isAlive: boolean
  /** What is known once it is loaded. */
  readonly facts: Loaded | null
  /** Resolves, never rejects. Pieces come before the answer. */
  ask(work: Work, onPiece: (piece: Piece) => void): Promise<Answer | Ending>
  /** Asks the child to give up a request; its `ask` resolves when it has. */
  stop(id: number): void
  /** Ends it, whatever it does, and waits until it is gone: only then is its memory free. */
  end(): Promise<void>
}

export function startProcess(child: SandboxChild, load: Extract<Order, { op: 'load' }>): LlamaProcess {
  const requests = new Map<number, Request>()
  const loading = Promise.withResolvers<Loaded | Ending>()
  const gone = Promise.withResolvers<void>()
  let facts: Loaded | null = null
  let isAlive = true

  function finish(ending: Ending): void {
    if (isAlive) child.kill()
    isAlive = false
    loading.resolve(ending)
    for (const request of requests.values()) request.settle(ending)
    requests.clear()
  }

  function receive(message: unknown): void {
    const read = news.safeParse(message)
    const told: News | undefined = read.data
    if (told === undefined) {
      finish({ kind: 'died', reason: 'it sent what cannot be read' })
      return
    }
    switch (told.kind) {
      case 'ready':
        child.send(load)
        break
      case 'loaded':
        facts = told
        loading.resolve(told)
        break
      case 'delta':
      case 'call':
      case 'progress':
        requests.get(told.id)?.onPiece(told)
        break
      case 'failed':
        if (told.id === null) finish(told)
        else settle(told.id, told)
        break
      default:
        settle(told.id, told)
    }
  }

  function settle(id: number, answer: Answer | Ending): void {
    const request = requests.get(id)
    requests.delete(id)
    request?.settle(answer)
  }

  child.onMessage((message) => {
    // What was on its way when it was ended is of no interest.
    if (isAlive) receive(message)
  })
  child.onExit((reason) => {
    finish({ kind: 'died', reason })
    gone.resolve()
  })

  return {
    loaded: loading.promise,
    get isAlive() {
      return isAlive
    },
    get facts() {
      return facts
    },
    ask(work, onPiece) {
      if (!isAlive) return Promise.resolve({ kind: 'died', reason: 'it had ended before' })
      return new Promise((resolve) => {
        requests.set(work.id, { onPiece, settle: resolve })
        child.send(work)
      })
    },
    stop(id) {
      if (isAlive && requests.has(id)) child.send({ op: 'stop', id } satisfies Order)
    },
    async end() {
      finish({ kind: 'unloaded' })
      await gone.promise
    },
  }
}

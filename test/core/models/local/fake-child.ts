import type { News, Order } from '../../../../core/models/local/protocol.ts'
import type { SandboxChild } from '../../../../core/sandbox/sandbox.ts'

/** A model's process without a model: it says what a test has it say. */
export interface FakeChild extends SandboxChild {
  readonly orders: readonly Order[]
  /** As from the child; a test may have it say anything. */
  tell(news: unknown): void
  exit(reason: string): void
  readonly isKilled: boolean
}

export interface FakeChildren {
  readonly spawn: () => FakeChild
  readonly all: readonly FakeChild[]
  /** Those that have not exited. */
  readonly alive: number
  /** How many were alive at the same time. */
  readonly most: number
}

/** What each child does with an order; where it does nothing, the order stays open. */
type Behaviour = (order: Order, child: FakeChild) => unknown

export interface FakeChildOptions {
  readonly on?: Behaviour
  /** The system has ended a process that was killed; the default is at once. */
  readonly onKill?: (child: FakeChild) => unknown
}

export const loadedNews: News = {
  ...{ kind: 'loaded', contextTokens: 4_096, threads: 1, gpu: null, gpuLayers: 0, gpuProblem: null, memoryBytes: 1 },
}

export function doneNews(id: number, own: Partial<Extract<News, { kind: 'done' }>> = {}): News {
  return {
    ...{ kind: 'done', id, finish: 'stop', inputTokens: 1, cachedInputTokens: 0, outputTokens: 1, calls: [] },
    ...own,
  }
}

/** Loads at once and answers every request with “Hi!”. */
export const answersHi: Behaviour = (order, child) => {
  if (order.op === 'load') child.tell(loadedNews)
  if (order.op !== 'complete') return
  child.tell({ kind: 'delta', id: order.id, part: 'text', text: 'Hi!' })
  child.tell(doneNews(order.id))
}

export function fakeChildren({ on = answersHi, onKill = (child) => child.exit('killed') }: FakeChildOptions = {}) {
  const all: FakeChild[] = []
  const state = { alive: 0, most: 0 }

  function spawn(): FakeChild {
    const orders: Order[] = []
    let isAlive = true
    let isKilled = false
    let onMessage: (message: unknown) => void = () => undefined
    let onExit: (reason: string) => void = () => undefined
    const child: FakeChild = {
      pid: all.length + 1,
      orders,
      get isKilled() {
        return isKilled
      },
      tell(news) {
        if (isAlive) onMessage(news)
      },
      exit(reason) {
        if (!isAlive) return
        isAlive = false
        state.alive -= 1
        onExit(reason)
      },
      send(message) {
        const order = orderOf(message)
        orders.push(order)
        queueMicrotask(() => on(order, child))
      },
      onMessage(listener) {
        onMessage = listener
        queueMicrotask(() => child.tell({ kind: 'ready' }))
      },
      onExit(listener) {
        onExit = listener
      },
      kill() {
        if (isKilled) return
        isKilled = true
        queueMicrotask(() => onKill(child))
      },
    }
    all.push(child)
    state.alive += 1
    state.most = Math.max(state.most, state.alive)
    return child
  }

  return {
    spawn,
    all,
    get alive() {
      return state.alive
    },
    get most() {
      return state.most
    },
  } satisfies FakeChildren
}

function orderOf(message: unknown): Order {
  if (isOrder(message)) return message
  throw new Error('the parent sent what is no order')
}

function isOrder(message: unknown): message is Order {
  return typeof message === 'object' && message !== null && 'op' in message
}

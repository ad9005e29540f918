/**
 * Entry of a model's process: one model for its whole life, driven by messages, under Node's fork or Electron's
 * utilityProcess. Native code computes here for seconds at a time and may end the process at any moment.
 */
import { LlamaFailure, type LoadedLlama, loadLlama } from './llama.ts'
import type { News, Order } from './protocol.ts'

const send = connect((order) => void receive(order))
const running = new Map<number, AbortController>()
let loading: Promise<LoadedLlama> | undefined

send({ kind: 'ready' })

async function receive(order: Order): Promise<void> {
  if (order.op === 'stop') {
    running.get(order.id)?.abort()
    return
  }
  const id = order.op === 'load' ? null : order.id
  const controller = new AbortController()
  if (id !== null) running.set(id, controller)
  try {
    send(await answerTo(order, controller.signal))
  } catch (error) {
    const { reason, figures } = error instanceof LlamaFailure ? error : { reason: 'failed' as const, figures: {} }
    send({ kind: 'failed', id, reason, message: error instanceof Error ? error.message : String(error), ...figures })
  } finally {
    if (id !== null) running.delete(id)
  }
}

async function answerTo(order: Exclude<Order, { op: 'stop' }>, signal: AbortSignal): Promise<News> {
  if (order.op === 'load') {
    loading = loadLlama(order)
    return (await loading).facts
  }
  if (loading === undefined) throw new Error(`${order.op} before a model was loaded`)
  const llama = await loading
  return order.op === 'complete' ? llama.complete(order, { signal, tell: send }) : llama.embed(order, signal)
}

/** Electron gives a port, Node a channel; with either, no parent means no reason to live. */
function connect(listener: (order: Order) => void): (news: News) => void {
  const port: unknown = Reflect.get(process, 'parentPort')
  if (isParentPort(port)) {
    port.on('message', (event) => listener(event.data))
    port.on('close', () => process.exit())
    return (news) => port.postMessage(news)
  }
  process.on('message', (order: Order) => listener(order))
  process.on('disconnect', () => process.exit())
  return (news) => process.send?.(news)
}

/** Only our own parent writes here, of the same build. */
interface ParentPort {
  on(event: 'message' | 'close', listener: (event: { readonly data: Order }) => void): void
  postMessage(message: unknown): void
}

function isParentPort(port: unknown): port is ParentPort {
  return typeof port === 'object' && port !== null && 'postMessage' in port && 'on' in port
}

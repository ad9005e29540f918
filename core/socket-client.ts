import net from 'node:net'
import { z } from 'zod'
import type { ApiInput, ApiName, ApiOutput } from './api.ts'
import type { EventBatch } from './domain/contract.ts'
import { AppError, type ErrorBody, fromErrorBody } from './domain/error.ts'
import { parseLine, readLines } from './socket-lines.ts'

/** What a client of the socket can do; the same two verbs as an engine in this process. */
export interface SocketClient {
  /** @throws AppError of the call, engine.stopped when the owner is closed meanwhile. */
  call<Name extends ApiName>(name: Name, input: ApiInput<Name>): Promise<ApiOutput<Name>>
  /**
   * Everything after `fromSeq`, then live; one subscription a connection. `onEnd` hears once, and why, that nothing more will
   * come: the owner was closed (engine.stopped), or refused. It hears nothing when this side leaves.
   */
  subscribe(fromSeq: number, listener: (batch: EventBatch) => void, onEnd?: (error: AppError) => void): () => void
  close(): void
}

interface Subscription {
  readonly id: number
  readonly listener: (batch: EventBatch) => void
  readonly onEnd: ((error: AppError) => void) | undefined
}

const isObject = (value: unknown) => typeof value === 'object' && value !== null
const answer = z.union([
  z.object({ id: z.number(), error: z.custom<ErrorBody>(isObject) }),
  z.object({ batch: z.custom<EventBatch>(isObject) }),
  z.object({ id: z.number(), value: z.unknown() }),
])

/** @throws AppError store.busy when nobody answers at that path. */
export async function connectSocket(file: string): Promise<SocketClient> {
  const socket = net.connect(file)
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', (cause) => reject(noAnswer(cause)))
  })
  const waiting = new Map<number, { settle: (line: string) => void; reject: (error: AppError) => void }>()
  let subscription: Subscription | undefined
  let cause: Error | undefined
  let nextId = 1

  function endSubscription(error: AppError): void {
    const ended = subscription
    subscription = undefined
    ended?.onEnd?.(error)
  }
  socket.on('error', (error) => {
    cause = error
  })
  socket.on('close', () => {
    const gone = ownerGone(cause)
    for (const each of waiting.values()) each.reject(gone)
    waiting.clear()
    endSubscription(gone)
  })
  readLines(socket, (line) => {
    const message = answer.parse(parseLine(line))
    if ('batch' in message) {
      subscription?.listener(message.batch)
    } else if (message.id === subscription?.id) {
      if ('error' in message) endSubscription(fromErrorBody(message.error))
    } else {
      const entry = waiting.get(message.id)
      waiting.delete(message.id)
      if ('error' in message) entry?.reject(fromErrorBody(message.error))
      else entry?.settle(line)
    }
  })
  return {
    call: (name, input) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(ownerGone(cause))
        const id = nextId++
        // Both ends are the same build: the owner's answer has the shape of the contract.
        waiting.set(id, { settle: (line) => resolve(JSON.parse(line).value), reject })
        socket.write(`${JSON.stringify({ id, name, input })}\n`)
      }),
    subscribe(fromSeq, listener, onEnd) {
      const mine = { id: nextId++, listener, onEnd }
      subscription = mine
      socket.write(`${JSON.stringify({ id: mine.id, subscribe: fromSeq })}\n`)
      return () => {
        if (subscription === mine) subscription = undefined
      }
    },
    close() {
      subscription = undefined
      socket.destroy()
    },
  }
}

/** Stops every thread that the owner of a store runs; a command line that waits for one then ends and lets go of it. */
export async function stopThreadsOf(file: string): Promise<void> {
  const client = await connectSocket(file)
  try {
    const { rows } = await client.call('thread.list', { state: 'Running' })
    await Promise.all(rows.map(({ id }) => client.call('thread.stop', { id })))
  } finally {
    client.close()
  }
}

/** The owner of the store cannot be reached. */
export function noAnswer(cause: unknown): AppError {
  return new AppError('store.busy', {
    message: 'the engine that owns the store does not answer on its socket',
    userMessage:
      'Another Threadsmith is using this data and does not answer. What it records is safe; wait, or close it.',
    cause,
    retryable: true,
  })
}

function ownerGone(cause: unknown): AppError {
  return new AppError('engine.stopped', {
    message: 'the engine that owns the store closed the connection',
    userMessage: 'The Threadsmith that was asked was closed. What it recorded is safe; give the command again.',
    cause,
    retryable: true,
  })
}

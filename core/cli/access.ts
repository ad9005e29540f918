import type { ApiInput, ApiName, ApiOutput } from '../api.ts'
import type { EventBatch } from '../domain/contract.ts'
import { AppError } from '../domain/error.ts'
import { createEngine, type EngineOptions, readOwner } from '../engine.ts'
import { connectSocket, type SocketClient } from '../socket.ts'

/** An engine to talk to, in this process or through the owner's socket: the command does not see which. */
export interface Access {
  /** The engine runs in this process: what it is at ends, suspended, with the command. */
  readonly isOwn: boolean
  /** What becomes of the work when a person leaves it with Ctrl-C. */
  readonly whenLeft: string
  call<Name extends ApiName>(name: Name, input: ApiInput<Name>): Promise<ApiOutput<Name>>
  /** `onEnd`: the engine is in another process, and that was closed. */
  subscribe(fromSeq: number, listener: (batch: EventBatch) => void, onEnd: (error: AppError) => void): () => void
  close(reason: string): Promise<void>
}

export type HostOptions = Omit<EngineOptions, 'readOnly'>

/** For commands that change: this process owns the store, or asks its owner. @throws AppError store.busy when it does not answer. */
export async function openForChanging(options: HostOptions): Promise<Access> {
  try {
    return await host(options)
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'store.busy') throw error
    const socket = readOwner(options.dataDir)?.socket
    if (typeof socket !== 'string') throw error
    return through(await connectSocket(socket))
  }
}

/** For commands that ask servers: the owner has the keys (RULES 26). Where none answers, the store as it is. */
export async function openForAsking(options: HostOptions): Promise<Access> {
  const socket = readOwner(options.dataDir)?.socket
  if (typeof socket !== 'string') return openForReading(options)
  try {
    return through(await connectSocket(socket))
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'store.busy') throw error
    return openForReading(options)
  }
}

/** For commands that only read: the store as it is, whoever owns it. Where there is none yet, it is made. */
export async function openForReading(options: HostOptions): Promise<Access> {
  try {
    return await host({ ...options, readOnly: true }, 'left; nothing was changed')
  } catch (error) {
    if (!(error instanceof AppError) || error.data?.isFresh !== true) throw error
    return host(options)
  }
}

function through(client: SocketClient): Access {
  return {
    isOwn: false,
    whenLeft: leftInApp,
    call: client.call,
    subscribe: client.subscribe,
    close: async () => client.close(),
  }
}

const leftInApp =
  'left; the app goes on with it. `threadsmith thread list --state running` shows it, `threadsmith thread stop <id>` stops it'
const suspended =
  'left; what was at work is suspended: `threadsmith thread resume <id>` goes on with it. What waits for you waits on'

async function host(options: EngineOptions, whenLeft = suspended): Promise<Access> {
  const engine = await createEngine(options)
  return {
    isOwn: true,
    whenLeft,
    call: (name, input) => engine.api.call(name, input),
    subscribe: engine.subscribe,
    close: (reason) => engine.stop(reason),
  }
}

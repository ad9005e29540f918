import { hash } from 'node:crypto'
import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { z } from 'zod'
import type { Api } from './api.ts'
import type { EventBatch } from './domain/contract.ts'
import { AppError, errorBody } from './domain/error.ts'
import { limits } from './domain/limits.ts'
import { parseLine, readLines } from './socket-lines.ts'

export { connectSocket, noAnswer, type SocketClient, stopThreadsOf } from './socket-client.ts'

/** The engine's local door for other processes of the same person: `api.ts` as JSON lines over a socket (RULES 26). */
export interface SocketServer {
  readonly path: string
  /** Lets what is on its way to the clients arrive, within half a second, then ends them. */
  close(): Promise<void>
}

export interface SocketHost {
  readonly api: Api
  subscribe(fromSeq: number, listener: (batch: EventBatch) => void): () => void
}

const request = z.union([
  z.strictObject({ id: z.number(), name: z.string(), input: z.unknown() }),
  z.strictObject({ id: z.number(), subscribe: z.number().int().nonnegative() }),
])
const longestPathBytes = 107
const goodbyeMs = 500
/** With more than this unread, a client's subscription waits: far enough from the bound for a page of the log to fit in. */
const pauseBytes = limits.socketBufferBytes / 8

/** Where the socket of a data folder lies. A path that the system would refuse goes to the runtime folder. Pure. */
export function socketPath(dataDir: string, platform: NodeJS.Platform, runtimeDir: string | undefined): string {
  const name = hash('sha256', dataDir).slice(0, 8)
  if (platform === 'win32') return `\\\\.\\pipe\\threadsmith-${name}`
  const inside = path.join(dataDir, 'socket', 'engine.sock')
  if (Buffer.byteLength(inside) <= longestPathBytes) return inside
  return path.join(runtimeDir ?? '/tmp', `threadsmith-${name}.sock`)
}

/** Listens in a folder that only this person can enter, on a file that only this person can open. */
export async function serveSocket(host: SocketHost, file: string): Promise<SocketServer> {
  const isPipe = file.startsWith('\\\\')
  if (!isPipe) {
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    // Whoever holds the owner's lock owns the name: what lies here is of a process that is gone.
    fs.rmSync(file, { force: true })
  }
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    serveOne(host, socket)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(file, resolve)
  })
  if (!isPipe) fs.chmodSync(file, 0o600)
  return { path: file, close: () => closeServer(server, sockets) }
}

async function closeServer(server: net.Server, sockets: ReadonlySet<net.Socket>): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve))
  for (const socket of sockets) socket.end()
  // A client that does not read would never see the end.
  const late = setTimeout(() => {
    for (const socket of sockets) socket.destroy()
  }, goodbyeMs)
  await closed
  clearTimeout(late)
}

function serveOne(host: SocketHost, socket: net.Socket): void {
  const gone = new AbortController()
  let endFeed: (() => void) | undefined
  socket.on('error', () => socket.destroy())
  socket.on('close', () => {
    gone.abort()
    endFeed?.()
  })
  readLines(socket, (line) => {
    if (!socket.writable) return
    const parsed = request.safeParse(parseLine(line))
    if (!parsed.success) {
      socket.destroy()
    } else if ('name' in parsed.data) {
      void answerCall(host, { ...parsed.data, socket, signal: gone.signal })
    } else if (endFeed === undefined) {
      endFeed = feed(host, { id: parsed.data.id, fromSeq: parsed.data.subscribe, socket })
    } else {
      send(socket, { id: parsed.data.id, error: errorBody(secondSubscription()) })
    }
  })
}

interface Call {
  readonly id: number
  readonly name: string
  readonly input: unknown
  readonly socket: net.Socket
  readonly signal: AbortSignal
}

async function answerCall(host: SocketHost, { id, name, input, socket, signal }: Call): Promise<void> {
  try {
    const value = await host.api.callByName(name, input, signal)
    send(socket, { id, value: value ?? null })
  } catch (error) {
    send(socket, { id, error: errorBody(error) })
  }
}

/**
 * Sends the log at the speed of its reader: while too much is unread nothing is followed, and then it goes on after the last
 * event sent. Only live text is lost meanwhile, which is never stored anyway.
 */
function feed(
  host: SocketHost,
  { id, fromSeq, socket }: { readonly id: number; readonly fromSeq: number; readonly socket: net.Socket },
): () => void {
  let seq = fromSeq
  let leave: (() => void) | undefined
  let isFollowing = false

  function follow(): void {
    isFollowing = true
    try {
      const unsubscribe = host.subscribe(seq, push)
      // The first page comes before `subscribe` answers, and may have been enough.
      if (isFollowing) leave = unsubscribe
      else unsubscribe()
    } catch (error) {
      isFollowing = false
      send(socket, { id, error: errorBody(error) })
    }
  }
  function push(batch: EventBatch): void {
    if (!isFollowing) return
    send(socket, { batch })
    seq = batch.events.at(-1)?.seq ?? seq
    if (socket.writableLength <= pauseBytes) return
    stop()
    socket.once('drain', follow)
  }
  function stop(): void {
    isFollowing = false
    leave?.()
    leave = undefined
  }
  follow()
  return () => {
    socket.off('drain', follow)
    stop()
  }
}

/** Bounded: who does not read what was asked for is let go, instead of filling this process. */
function send(socket: net.Socket, message: object): void {
  if (!socket.writable) return
  if (socket.writableLength > limits.socketBufferBytes) socket.destroy()
  else socket.write(`${JSON.stringify(message)}\n`)
}

function secondSubscription(): AppError {
  return new AppError('api.input', {
    message: 'this connection follows the log already',
    userMessage: 'A connection can follow what happens once. Nothing was changed; open another connection for more.',
  })
}

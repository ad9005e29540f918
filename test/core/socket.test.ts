import fs from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import readline from 'node:readline'
import { setImmediate as breathe } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { EventBatch } from '../../core/domain/contract.ts'
import { AppError } from '../../core/domain/error.ts'
import { limits } from '../../core/domain/limits.ts'
import { readOwner, stopOwner } from '../../core/engine.ts'
import { connectSocket, type SocketHost, serveSocket, socketPath } from '../../core/socket.ts'
import { folderWith, startEngine, temporaryFolder, useScriptedModel } from '../support/engine.ts'
import { scriptedModel } from '../support/scripted-model.ts'

async function start() {
  const dataDir = temporaryFolder()
  const engine = await startEngine({ dataDir, embedded: { scripted: scriptedModel(() => ({ text: 'hello' })) } })
  await useScriptedModel(engine)
  const file = readOwner(dataDir)?.socket ?? ''
  return { engine, dataDir, file }
}

test('a second engine on the same data is refused and told who owns it; after a stop it may', async () => {
  const { engine, dataDir } = await start()
  await expect(startEngine({ dataDir })).rejects.toMatchObject({
    code: 'store.busy',
    data: { pid: process.pid, command: 'test' },
  })
  await engine.stop('over')
  await startEngine({ dataDir })
})

test('a read-only engine opens beside the owner, sees its threads and changes nothing', async () => {
  const { engine, dataDir } = await start()
  const project = await engine.api.call('project.open', { folder: folderWith({}) })
  const { threadId } = await engine.api.call('thread.send', { projectId: project.id, text: 'hi' })
  await engine.threads.join([threadId], AbortSignal.timeout(60_000))
  const reader = await startEngine({ dataDir, readOnly: true })
  expect((await reader.api.call('thread.list', {})).rows).toHaveLength(1)
  await expect(reader.api.call('thread.send', { projectId: project.id, text: 'no' })).rejects.toMatchObject({
    code: 'store.read_only',
  })
})

test('the socket can be opened by this person only', async () => {
  const { file } = await start()
  expect((fs.statSync(file).mode & 0o777).toString(8)).toBe('600')
  expect((fs.statSync(path.dirname(file)).mode & 0o777).toString(8)).toBe('700')
})

test('a client calls and follows events as if it were inside', async () => {
  const { file } = await start()
  const client = await connectSocket(file)
  const project = await client.call('project.open', { folder: folderWith({}) })
  const kinds: string[] = []
  client.subscribe(0, (batch) => kinds.push(...batch.events.map((event) => event.kind)))
  const { threadId } = await client.call('thread.send', { projectId: project.id, text: 'hi' })
  while (!kinds.includes('model.completed')) await new Promise((resolve) => setTimeout(resolve, 5))
  expect(await client.call('thread.get', { id: threadId })).toMatchObject({ goal: 'hi' })
  client.close()
})

test('errors arrive with their code and their words', async () => {
  const { file } = await start()
  const client = await connectSocket(file)
  await expect(client.call('thread.get', { id: 'thr_none' })).rejects.toMatchObject({
    code: 'thread.not_found',
    userMessage: expect.stringContaining('There is no thread'),
  })
  client.close()
})

test('what is no request closes the connection and nothing else', async () => {
  const { file } = await start()
  const raw = net.connect(file)
  const closed = new Promise((resolve) => raw.on('close', resolve))
  raw.write('GET / HTTP/1.1\n')
  await closed
  const client = await connectSocket(file)
  expect((await client.call('engine.info', {})).version).toBe('0.0.0-test')
  client.close()
})

test('nobody at the other end is store.busy, not a hang', async () => {
  await expect(connectSocket(path.join(temporaryFolder(), 'none.sock'))).rejects.toMatchObject({ code: 'store.busy' })
})

test.each([
  ['/home/ada/.config/threadsmith', 'linux', '/run/user/1', '/home/ada/.config/threadsmith/socket/engine.sock'],
  [
    `/home/${'x'.repeat(100)}`,
    'linux',
    '/run/user/1',
    expect.stringMatching(/^\/run\/user\/1\/threadsmith-[0-9a-f]{8}\.sock$/),
  ],
  [`/home/${'x'.repeat(100)}`, 'darwin', undefined, expect.stringMatching(/^\/tmp\/threadsmith-[0-9a-f]{8}\.sock$/)],
  ['C:\\data', 'win32', undefined, expect.stringMatching(/^\\\\\.\\pipe\\threadsmith-[0-9a-f]{8}$/)],
] as const)('%s on %s', (dataDir, platform, runtimeDir, expected) => {
  expect(socketPath(dataDir, platform, runtimeDir)).toEqual(expected)
})

test('a second process can have the owner stop what it runs', async () => {
  const dataDir = temporaryFolder()
  const scripted = scriptedModel(() => new Promise<never>(() => undefined))
  const engine = await startEngine({ dataDir, embedded: { scripted } })
  await useScriptedModel(engine)
  const project = await engine.api.call('project.open', { folder: folderWith({}) })
  const { threadId } = await engine.api.call('thread.send', { projectId: project.id, text: 'for ever' })
  await stopOwner(dataDir)
  expect(await engine.api.call('thread.get', { id: threadId })).toMatchObject({ state: 'Done', outcome: 'stopped' })
})

/** A host of our own behind a real socket, for what a healthy engine does not do. */
async function serve(host: Partial<SocketHost>) {
  const engine = await startEngine()
  const file = path.join(temporaryFolder(), 'engine.sock')
  const server = await serveSocket({ api: engine.api, subscribe: engine.subscribe, ...host }, file)
  onTestFinished(() => server.close())
  return { engine, file, server }
}
/** A connection without the client: nothing is read until somebody asks for lines. */
async function rawConnection(file: string) {
  const socket = net.connect(file)
  socket.on('error', () => socket.destroy())
  onTestFinished(() => {
    socket.destroy()
  })
  await new Promise((resolve) => socket.once('connect', resolve))
  return {
    ask: (message: object) => socket.write(`${JSON.stringify(message)}\n`),
    /** Begins to read: each call answers the next line. */
    lines() {
      const lines = readline.createInterface({ input: socket })[Symbol.asyncIterator]()
      return async () => String((await lines.next()).value)
    },
  }
}
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await breathe()
}
const noted = (seq: number, text = ''): EventBatch['events'][number] => ({
  seq,
  threadId: 'thr_1',
  at: seq,
  kind: 'status',
  data: { text },
  bodyBytes: 0,
})

describe('what goes wrong at one end is an error at the other, never an uncaught exception', () => {
  test('a log that cannot be read ends the subscription with its code; calls go on', async () => {
    const unreadable = new AppError('store.corrupt', { message: 'event 7', userMessage: 'Event 7 cannot be read.' })
    const { file } = await serve({
      subscribe: () => {
        throw unreadable
      },
    })
    const client = await connectSocket(file)
    const error = await new Promise((resolve) => client.subscribe(0, () => undefined, resolve))
    expect(error).toMatchObject({ code: 'store.corrupt', userMessage: 'Event 7 cannot be read.' })
    expect(await client.call('engine.info', {})).toMatchObject({ version: '0.0.0-test' })
    client.close()
  })

  test('an answer that cannot be sent is an error to the one call', async () => {
    const { engine, file } = await serve({})
    const { file: odd } = await serve({ api: { ...engine.api, callByName: async () => 12n } })
    const client = await connectSocket(odd)
    await expect(client.call('engine.info', {})).rejects.toMatchObject({ message: expect.stringContaining('BigInt') })
    client.close()
    expect(file).not.toBe(odd)
  })

  test.each(['no JSON', '{"neither":"id nor batch"}', '{"id":1,"error":"text"}'])(
    'an owner that answers %s fails what waits',
    async (line) => {
      const file = path.join(temporaryFolder(), 'odd.sock')
      const server = net.createServer((socket) => socket.end(`${line}\n`)).listen(file)
      onTestFinished(() => {
        server.close()
      })
      const client = await connectSocket(file)
      await expect(client.call('engine.info', {})).rejects.toMatchObject({ code: 'engine.stopped' })
    },
  )

  test('a client whose connection breaks off in the middle of a line leaves the owner as it was', async () => {
    const { file } = await start()
    const raw = net.connect(file)
    raw.on('error', () => undefined)
    raw.write('x'.repeat(9 * 1_048_576))
    await new Promise((resolve) => raw.on('close', resolve))
    const client = await connectSocket(file)
    expect(await client.call('engine.info', {})).toMatchObject({ version: '0.0.0-test' })
    client.close()
  })

  test('an engine that stops tells those who follow it, after what it had still to say', async () => {
    const { engine, file } = await start()
    const client = await connectSocket(file)
    const error = new Promise((resolve) => client.subscribe(0, () => undefined, resolve))
    const pending = expect(client.call('model.discover', {})).rejects.toMatchObject({ code: 'engine.stopped' })
    await engine.stop('quit')
    expect(await error).toMatchObject({ code: 'engine.stopped', userMessage: expect.stringContaining('was closed') })
    await pending
  })

  test('a client that leaves by itself is told nothing', async () => {
    const { file } = await start()
    const client = await connectSocket(file)
    const ends: AppError[] = []
    client.subscribe(
      0,
      () => undefined,
      (error) => ends.push(error),
    )
    client.close()
    await expect(client.call('engine.info', {})).rejects.toMatchObject({ code: 'engine.stopped' })
    expect(ends).toEqual([])
  })
})

describe('a client costs its owner little', () => {
  test('one subscription a connection; a second is refused and the first goes on', async () => {
    let listen: (batch: EventBatch) => void = () => undefined
    const { file } = await serve({
      subscribe(_fromSeq, listener) {
        listen = listener
        return () => undefined
      },
    })
    const raw = await rawConnection(file)
    const nextLine = raw.lines()
    raw.ask({ id: 1, subscribe: 0 })
    raw.ask({ id: 2, subscribe: 0 })
    expect(JSON.parse(await nextLine())).toMatchObject({ id: 2, error: { code: 'api.input' } })
    listen({ events: [noted(1)], deltas: [] })
    expect(JSON.parse(await nextLine())).toMatchObject({ batch: { events: [{ seq: 1 }] } })
  })

  test('a client that does not read is not pushed to; once it reads it has every event once', async () => {
    const log = Array.from({ length: 300 }, (_, at) => noted(at + 1, 'x'.repeat(50_000)))
    let [pushed, followers] = [0, 0]
    // As the engine does: a page at once, the others a turn of the loop later each.
    const subscribe: SocketHost['subscribe'] = (fromSeq, listener) => {
      let at = fromSeq
      let isOver = false
      followers += 1
      const page = () => {
        if (isOver || at >= log.length) return
        const events = log.slice(at, at + 10)
        at += events.length
        pushed += events.length
        listener({ events, deltas: [] })
        setImmediate(page)
      }
      page()
      return () => {
        if (!isOver) followers -= 1
        isOver = true
      }
    }
    const { file } = await serve({ subscribe })
    const raw = await rawConnection(file)
    raw.ask({ id: 1, subscribe: 0 })
    await until(() => pushed > 0 && followers === 0)
    expect(pushed * 50_000).toBeLessThan(limits.socketBufferBytes / 2)
    const seqs: number[] = []
    const nextLine = raw.lines()
    while (seqs.length < log.length) {
      const { batch } = JSON.parse(await nextLine())
      seqs.push(...batch.events.map((event: { seq: number }) => event.seq))
    }
    expect(seqs).toEqual(log.map((event) => event.seq))
  })

  test.each([
    ['that many bytes wait', limits.socketBufferBytes, false],
    ['one byte more waits', limits.socketBufferBytes + 1, true],
  ])('who does not read its answers is let go when %s', async (_, bytes, isLetGo) => {
    const signals: AbortSignal[] = []
    const { engine } = await serve({})
    // `{"id":1,"value":"…"}` and its line break.
    const value = 'x'.repeat(bytes - 20)
    const { file } = await serve({
      api: {
        ...engine.api,
        async callByName(_name, _input, signal) {
          if (signal) signals.push(signal)
          return signals.length === 1 ? value : 'short'
        },
      },
    })
    const raw = await rawConnection(file)
    raw.ask({ id: 1, name: 'engine.info', input: {} })
    await until(() => signals.length === 1)
    await breathe()
    raw.ask({ id: 2, name: 'engine.info', input: {} })
    await until(() => signals.length === 2)
    for (let turns = 0; turns < 20; turns += 1) await breathe()
    expect(signals[0]?.aborted).toBe(isLetGo)
    if (isLetGo) return
    const nextLine = raw.lines()
    expect(await nextLine()).toHaveLength(bytes - 1)
    expect(JSON.parse(await nextLine())).toEqual({ id: 2, value: 'short' })
  })
})

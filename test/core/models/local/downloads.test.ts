import fs from 'node:fs'
import path from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { limits } from '../../../../core/domain/limits.ts'
import type { LocalStatus } from '../../../../core/domain/local.ts'
import type { LocalModelSettings } from '../../../../core/domain/settings.ts'
import type { LocalModelsOptions } from '../../../../core/models/local/local.ts'
import { type Offered, recommended } from '../../../../core/models/local/recommended.ts'
import { temporaryFolder } from '../../../support/engine.ts'
import { writeTinyLlama } from '../../../support/tiny-gguf.ts'
import { type FileServer, sha256Of, startFileServer } from './file-server.ts'
import { localWorld } from './support.ts'

const ample = async () => 100_000_000_000

function tinyBytes(seed = 1): Buffer {
  return fs.readFileSync(writeTinyLlama(path.join(temporaryFolder(), 'served.gguf'), { seed }))
}

interface Setting {
  readonly server: FileServer
  readonly dataDir?: string
  readonly sha256?: string
  /** What the list says of its size. */
  readonly bytes?: number
  readonly path?: string
  readonly list?: LocalModelsOptions['list']
  readonly freeDisk?: (folder: string) => Promise<number>
  readonly stallMs?: number
}

/** An app whose only recommended model lies on the server. */
function app({ server, path: at = '/tiny.gguf', ...own }: Setting) {
  const { sha256 = sha256Of(server.bytes), bytes = server.bytes.length, ...parts } = own
  const offered: Offered = {
    ...{ id: 'tiny', title: 'Tiny', purpose: 'chat', words: 'For tests.', license: 'MIT', memoryBytes: 1 },
    ...{ url: `${server.origin}${at}`, bytes, sha256 },
  }
  const { local } = localWorld({ offered: [offered], freeDisk: ample, ...parts })
  const until = (isReached: (status: LocalStatus) => boolean) =>
    vi.waitFor(async () => {
      const status = await local.status()
      expect(isReached(status), JSON.stringify(status.downloads)).toBe(true)
      return status
    }, 60_000)
  return {
    local,
    until,
    done: () => until(({ recommended: [first] }) => first?.added === 'tiny'),
    /** Begins, and loses the connection after so many bytes. */
    async cutAfter(bytes: number) {
      Object.assign(server, { cutAt: bytes })
      local.download('tiny')
      await until(({ downloads: [first] }) => first?.receivedBytes === bytes)
      server.release()
      return (await until(({ downloads: [first] }) => first?.state === 'failed')).downloads[0]
    },
    failed: async () => (await until(({ downloads: [first] }) => first?.state === 'failed')).downloads[0],
  }
}

const filesIn = (folder: string) => fs.readdirSync(folder).sort()

it('a download arrives whole, is checked, and is a model at once', async () => {
  const server = await startFileServer(tinyBytes())
  const { local, done } = app({ server })
  local.download('tiny')
  const { models, downloads, folder } = await done()
  expect(downloads).toEqual([])
  expect(models).toMatchObject([{ name: 'tiny', title: 'Tiny', file: path.join(folder, 'tiny.gguf'), problem: null }])
  expect(fs.readFileSync(path.join(folder, 'tiny.gguf'))).toEqual(server.bytes)
  expect(filesIn(folder)).toEqual(['tiny.gguf'])
})

it('a paused one is there after a restart, and goes on where it stood', async () => {
  const server = await startFileServer(tinyBytes())
  server.holdAt = 50_000
  const dataDir = temporaryFolder()
  const before = app({ server, dataDir })
  before.local.download('tiny')
  await before.until(({ downloads: [first] }) => first?.receivedBytes === 50_000)
  await before.local.pause('tiny')
  expect((await before.local.status()).downloads).toMatchObject([{ state: 'paused', error: null }])
  await before.local.close()

  const after = app({ server, dataDir })
  expect((await after.local.status()).downloads).toEqual([
    {
      ...{ id: 'tiny', title: 'Tiny', receivedBytes: 50_000, totalBytes: server.bytes.length },
      ...{ bytesPerSecond: 0, state: 'paused', error: null },
    },
  ])
  after.local.download('tiny')
  await after.done()
  expect(server.requests.map(({ range }) => range)).toEqual([undefined, 'bytes=50000-'])
})

it('closing the app pauses what runs', async () => {
  const server = await startFileServer(tinyBytes())
  server.holdAt = 50_000
  const dataDir = temporaryFolder()
  const before = app({ server, dataDir })
  before.local.download('tiny')
  await before.until(({ downloads: [first] }) => first?.receivedBytes === 50_000)
  await before.local.close()
  expect((await app({ server, dataDir }).local.status()).downloads).toMatchObject([{ state: 'paused' }])
})

it('resumed at once after a pause, or begun at once after a cancel, it goes on or begins; the last word counts', async () => {
  const server = await startFileServer(tinyBytes())
  const { local, done, until } = app({ server })
  const begun = async () => {
    server.holdAt = 50_000
    local.download('tiny')
    await until(({ downloads: [first] }) => first?.receivedBytes === 50_000)
    server.holdAt = null
  }
  await begun()
  const pauses = [local.pause('tiny')]
  local.download('tiny')
  pauses.push(local.pause('tiny'))
  await Promise.all(pauses)
  expect((await local.status()).downloads).toMatchObject([{ state: 'paused', receivedBytes: 50_000 }])

  const cancelling = local.cancel('tiny')
  local.download('tiny')
  await cancelling
  await done()
  await local.remove('tiny', true)

  await begun()
  const pausing = local.pause('tiny')
  local.download('tiny')
  await pausing
  await done()
  expect(server.requests.map(({ range }) => range)).toEqual([undefined, undefined, undefined, 'bytes=50000-'])
})

it('one that arrived and could not be added to the models says so, and a resume fetches nothing again', async () => {
  const server = await startFileServer(tinyBytes())
  let list: readonly LocalModelSettings[] = []
  const faults = ['no settings', 'the settings are read-only', 'still read-only']
  const save = (models: readonly LocalModelSettings[]) => {
    const fault = faults.shift()
    if (fault !== undefined) throw new Error(fault)
    list = models
  }
  const { local, done, failed, until } = app({ server, list: { current: () => list, save } })
  local.download('tiny')
  await failed()
  await local.cancel('tiny')
  expect(filesIn((await local.status()).folder)).toEqual([])

  local.download('tiny')
  expect((await failed())?.error?.userMessage).toContain('“the settings are read-only”')
  local.download('tiny')
  await until(({ downloads: [first] }) => first?.error?.userMessage.includes('still') === true)
  local.download('tiny')
  await done()
  expect(server.requests).toHaveLength(2)
})

it('killed between its arrival and the list of models, it is not fetched again; another file of its name is replaced', async () => {
  const server = await startFileServer(tinyBytes())
  const { local, done } = app({ server })
  const { folder } = await local.status()
  fs.mkdirSync(folder)
  const file = path.join(folder, 'tiny.gguf')
  fs.writeFileSync(file, server.bytes)
  local.download('tiny')
  await done()
  expect(server.requests).toHaveLength(0)

  await local.remove('tiny', false)
  fs.writeFileSync(file, tinyBytes(2))
  local.download('tiny')
  await done()
  expect(server.requests).toHaveLength(1)
  expect(fs.readFileSync(file)).toEqual(server.bytes)
})

it('a part that somebody deleted begins anew', async () => {
  const server = await startFileServer(tinyBytes())
  const { local, cutAfter, done } = app({ server })
  await cutAfter(60_000)
  const { folder } = await local.status()
  fs.rmSync(path.join(folder, 'tiny.gguf.part'))
  local.download('tiny')
  await done()
  expect(server.requests.map(({ range }) => range)).toEqual([undefined, undefined])
})

it.each([0, 1, 4_096, 100_000])('cut at byte %i it keeps what came, says so, and goes on from there', async (cutAt) => {
  const server = await startFileServer(tinyBytes())
  const { local, done, cutAfter } = app({ server })
  expect(await cutAfter(cutAt)).toMatchObject({
    receivedBytes: cutAt,
    error: {
      code: 'local.download',
      retryable: true,
      userMessage: expect.stringMatching(/connection was lost.*Resume/),
    },
  })
  local.download('tiny')
  await done()
  expect(server.requests.at(-1)?.range).toBe(cutAt === 0 ? undefined : `bytes=${cutAt}-`)
})

it('a server without parts is asked for the whole again', async () => {
  const server = await startFileServer(tinyBytes())
  server.knowsRanges = false
  const { local, done, cutAfter } = app({ server })
  await cutAfter(60_000)
  local.download('tiny')
  const { folder } = await done()
  expect(fs.readFileSync(path.join(folder, 'tiny.gguf'))).toEqual(server.bytes)
})

it('without a tag the rest is never trusted to belong to the same file', async () => {
  const server = await startFileServer(tinyBytes())
  server.etag = null
  const { local, done, cutAfter } = app({ server })
  await cutAfter(60_000)
  local.download('tiny')
  await done()
  expect(server.requests.map(({ range }) => range)).toEqual([undefined, undefined])
})

it('a file that changed on the server meanwhile is fetched from its start', async () => {
  const [old, current] = [tinyBytes(1), tinyBytes(2)]
  const server = await startFileServer(old)
  const { local, done, cutAfter } = app({ server, sha256: sha256Of(current) })
  await cutAfter(60_000)
  Object.assign(server, { bytes: current, etag: '"second"' })
  local.download('tiny')
  const { folder } = await done()
  expect(fs.readFileSync(path.join(folder, 'tiny.gguf'))).toEqual(current)
})

it('a wrong checksum: nothing of it is used or kept', async () => {
  const server = await startFileServer(tinyBytes())
  const { local, failed } = app({ server, sha256: 'f'.repeat(64) })
  local.download('tiny')
  expect(await failed()).toMatchObject({ receivedBytes: 0, error: { code: 'local.checksum' } })
  const { folder, models } = await local.status()
  expect(filesIn(folder)).toEqual([])
  expect(models).toEqual([])
})

it('bytes that rotted while it was paused are found by the checksum', async () => {
  const server = await startFileServer(tinyBytes())
  const { local, cutAfter } = app({ server })
  await cutAfter(60_000)
  const { folder } = await local.status()
  const part = path.join(folder, 'tiny.gguf.part')
  const bytes = fs.readFileSync(part)
  bytes[30_000] = (bytes[30_000] ?? 0) ^ 1
  fs.writeFileSync(part, bytes)
  local.download('tiny')
  await vi.waitFor(
    async () => expect((await local.status()).downloads).toMatchObject([{ error: { code: 'local.checksum' } }]),
    60_000,
  )
})

it('too little room is told before a byte is fetched, with both figures', async () => {
  const server = await startFileServer(tinyBytes())
  const { local, failed } = app({ server, freeDisk: async () => 1_000_000 })
  local.download('tiny')
  expect(await failed()).toMatchObject({
    error: { code: 'local.space', data: { freeBytes: 1_000_000, neededBytes: server.bytes.length + 256 * 1_048_576 } },
  })
  expect(server.requests).toEqual([])
})

it('room that others took meanwhile is told too, and what came is kept', async () => {
  const server = await startFileServer(tinyBytes())
  server.bytes = Buffer.alloc(70 * 1_048_576)
  const freeDisk = async (folder: string) => {
    const part = fs.statSync(path.join(folder, 'tiny.gguf.part'), { throwIfNoEntry: false })
    return (part?.size ?? 0) > 1_000_000 ? 0 : 100_000_000_000
  }
  const { local, failed } = app({ server, freeDisk })
  local.download('tiny')
  expect(await failed()).toMatchObject({ error: { code: 'local.space' } })
  const { folder } = await local.status()
  expect(fs.statSync(path.join(folder, 'tiny.gguf.part')).size).toBeGreaterThanOrEqual(64 * 1_048_576)
})

it('a server that stops sending is given up', async () => {
  const server = await startFileServer(tinyBytes())
  server.holdAt = 50_000
  const { local, until, failed } = app({ server, stallMs: 60_000 })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  local.download('tiny')
  await until(({ downloads: [first] }) => first?.receivedBytes === 50_000)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await failed()).toMatchObject({
    receivedBytes: 50_000,
    error: { code: 'local.download', userMessage: expect.stringContaining('stopped sending') },
  })
  server.release()
})

it('a server that sends without end does not fill the disk', async () => {
  const server = await startFileServer(Buffer.alloc(1_000_000))
  const { local, failed } = app({ server })
  Object.assign(server, { bytes: Buffer.alloc(4_000_000), saysLength: false })
  local.download('tiny')
  expect(await failed()).toMatchObject({ error: { userMessage: expect.stringContaining('more than the file has') } })
})

it('a server that announces much more than the model has is refused before a byte is written', async () => {
  const bytes = 100_000
  const most = bytes * limits.downloadMostOfExpected
  const server = await startFileServer(Buffer.concat([tinyBytes(), Buffer.alloc(most)]).subarray(0, most))
  const { local, done, failed } = app({ server, bytes })
  local.download('tiny')
  await done()
  await local.remove('tiny', true)

  server.bytes = Buffer.alloc(most + 1)
  local.download('tiny')
  expect(await failed()).toMatchObject({
    receivedBytes: 0,
    error: { code: 'local.download', userMessage: expect.stringContaining('much larger') },
  })
  expect(filesIn((await local.status()).folder)).toEqual([])
})

it('an error of the server is told with its status', async () => {
  const server = await startFileServer(tinyBytes())
  server.redirects.set('/tiny.gguf', '/')
  server.redirects.set('/', 'gopher://elsewhere/')
  const { local, failed } = app({ server })
  local.download('tiny')
  expect(await failed()).toMatchObject({ error: { userMessage: expect.stringContaining('not encrypted') } })
})

it('redirects are followed so far and no further, the wanted part with them', async () => {
  const server = await startFileServer(tinyBytes())
  const chain = (length: number) => {
    server.redirects.clear()
    for (let at = 0; at < length; at += 1) server.redirects.set(`/${at}/tiny.gguf`, `/${at + 1}/tiny.gguf`)
  }
  chain(limits.downloadRedirects)
  const { local, done, failed } = app({ server, path: '/0/tiny.gguf' })
  local.download('tiny')
  await done()
  await local.remove('tiny', true)
  chain(limits.downloadRedirects + 1)
  local.download('tiny')
  expect(await failed()).toMatchObject({ error: { userMessage: expect.stringContaining('in circles') } })
})

it('a cancelled one leaves nothing behind', async () => {
  const server = await startFileServer(tinyBytes())
  server.holdAt = 50_000
  const { local, until } = app({ server })
  local.download('tiny')
  await until(({ downloads: [first] }) => first?.receivedBytes === 50_000)
  await local.cancel('tiny')
  const { folder, downloads } = await local.status()
  expect([downloads, filesIn(folder)]).toEqual([[], []])
})

it('what is not recommended is not fetched', async () => {
  const server = await startFileServer(tinyBytes())
  expect(() => app({ server }).local.download('other')).toThrow(expect.objectContaining({ code: 'local.not_found' }))
})

it('every recommended model is pinned to its bytes, comes encrypted, and has a name of its own', () => {
  for (const { sha256, url, bytes } of recommended) {
    expect(sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(url).toMatch(/^https:\/\/huggingface\.co\/[\w.-]+\/[\w.-]+\/resolve\/[\w.-]+\/[\w.-]+\.gguf$/)
    expect(bytes).toBeGreaterThan(100_000_000)
  }
  expect(new Set(recommended.map(({ id }) => id)).size).toBe(recommended.length)
  expect(new Set(recommended.map(({ url }) => path.basename(url))).size).toBe(recommended.length)
})

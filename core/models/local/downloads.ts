import { createHash } from 'node:crypto'
import fs from 'node:fs'
import fsp from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { AppError, type ErrorBody, errorBody } from '../../domain/error.ts'
import { limits } from '../../domain/limits.ts'
import type { LocalDownload } from '../../domain/local.ts'
import { downloadFailed, type FileFetcher, type Wanted } from './fetch-file.ts'

/** A file of known bytes. */
export interface WantedFile {
  readonly id: string
  readonly title: string
  /** Its last part is the name that the file has here. */
  readonly url: string
  /** About right until a server says more. */
  readonly bytes: number
  /** Of the whole file, in base64. */
  readonly integrity: `sha256-${string}` | `sha512-${string}`
  /** Room that it takes besides, once it is unpacked. */
  readonly unpackedBytes: number
}

/** Files on their way here. Each is a `.part` with a `.part.json` beside it until its checksum is right. */
export interface Downloads {
  list(): readonly LocalDownload[]
  /** Begins, or goes on where it stands. Resolves once it runs; how it ends shows in `list`. @throws AppError local.not_found */
  start(id: string): void
  /** What has arrived stays. */
  pause(id: string): Promise<void>
  /** What has arrived is deleted. */
  cancel(id: string): Promise<void>
  /** Resolves when none runs any more. */
  settled(): Promise<void>
  /** As a pause of all: they can be resumed after the next start. */
  close(): Promise<void>
}

export interface DownloadsOptions {
  readonly folder: string
  readonly offered: readonly WantedFile[]
  readonly fetcher: FileFetcher
  readonly monotonic: () => number
  /** Free bytes where the folder lies. */
  readonly freeBytes: (folder: string) => Promise<number>
  /** A server that sends nothing for so long is given up. */
  readonly stallMs: number
  /** What a part is for whose checksum is right: it stays as a file, or is unpacked and deleted. */
  readonly finish:
    | { readonly kind: 'keep'; readonly onFile: (file: string, wanted: WantedFile) => Promise<void> }
    | {
        readonly kind: 'unpack'
        readonly unpack: (part: string, wanted: WantedFile, signal: AbortSignal) => Promise<void>
      }
}

const sidecar = z.object({ id: z.string(), etag: z.string().nullable(), totalBytes: z.number().int().positive() })

interface Download {
  readonly offered: WantedFile
  readonly part: string
  etag: string | null
  totalBytes: number
  receivedBytes: number
  state: LocalDownload['state']
  error: ErrorBody | null
  /** Bytes and moment where the speed is measured from. */
  mark: { bytes: number; at: number; perSecond: number }
  /** This run gave it the place of the finished file, but it is no model yet. */
  isInPlace: boolean
  running: { readonly controller: AbortController; readonly done: Promise<void> } | null
}

/** Between two looks at the free space. */
const spaceCheckBytes = 64 * 1_048_576
/** Left free for the rest of the system. */
const spareBytes = 256 * 1_048_576

export function createDownloads(options: DownloadsOptions): Downloads {
  const { folder, offered, monotonic } = options
  const known = new Map<string, Download>()
  for (const each of offered) {
    const found = leftBehind(folder, each)
    if (found !== undefined) known.set(each.id, { ...found, mark: { bytes: 0, at: 0, perSecond: 0 } })
  }

  function begin(download: Download): void {
    const controller = new AbortController()
    download.state = 'running'
    download.error = null
    download.mark = { bytes: download.receivedBytes, at: monotonic(), perSecond: 0 }
    const done = receive(download, options, controller.signal)
      .then(
        () => void known.delete(download.offered.id),
        (error: unknown) => {
          download.state = controller.signal.aborted ? 'paused' : 'failed'
          download.error = controller.signal.aborted ? null : errorBody(failureOf(error), 'local.download')
        },
      )
      .finally(() => {
        download.running = null
      })
    download.running = { controller, done }
  }

  /** What is being ended, by id, and which of it somebody wants to go on meanwhile. */
  const ending = new Map<string, Promise<void>>()
  const again = new Set<string>()
  let isClosed = false

  function start(id: string): void {
    const model = offered.find((each) => each.id === id)
    if (model === undefined) throw notOffered(id)
    if (ending.has(id)) {
      again.add(id)
      return
    }
    const download = known.get(id) ?? fresh(folder, model)
    known.set(id, download)
    if (download.running === null && !isClosed) begin(download)
  }

  async function halt(id: string): Promise<void> {
    const running = known.get(id)?.running
    running?.controller.abort()
    await running?.done
  }

  /** One end after the other; a start that was asked for since the last of them follows. */
  async function end(id: string, work: (id: string) => Promise<void>): Promise<void> {
    again.delete(id)
    const before = ending.get(id)
    const mine = before === undefined ? work(id) : before.catch(() => undefined).then(() => work(id))
    ending.set(id, mine)
    try {
      await mine
    } finally {
      if (ending.get(id) === mine) {
        ending.delete(id)
        if (again.delete(id)) start(id)
      }
    }
  }

  return {
    list: () => [...known.values()].map((download) => shown(download, monotonic)),
    start,
    pause: (id) => end(id, halt),
    cancel: (id) =>
      end(id, async () => {
        await halt(id)
        const download = known.get(id)
        if (download === undefined) return
        await removePart(download.part)
        if (download.isInPlace) await fsp.rm(finishedFile(download), { force: true })
        known.delete(id)
      }),
    async settled() {
      await Promise.all([...known.values()].map(({ running }) => running?.done))
    },
    async close() {
      isClosed = true
      await Promise.all([...known.keys()].map((id) => end(id, halt)))
    },
  }
}

function fresh(folder: string, offered: WantedFile): Download {
  return {
    offered,
    part: path.join(folder, `${fileNameOf(offered)}.part`),
    ...{ etag: null, totalBytes: offered.bytes, receivedBytes: 0, state: 'paused', error: null },
    mark: { bytes: 0, at: 0, perSecond: 0 },
    ...{ isInPlace: false, running: null },
  }
}

function finishedFile({ part }: Download): string {
  return part.slice(0, -'.part'.length)
}

/** A download of an earlier run: paused. */
function leftBehind(folder: string, offered: WantedFile): Download | undefined {
  const download = fresh(folder, offered)
  const written = sidecar.safeParse(sidecarOf(download.part))
  const bytes = fs.statSync(download.part, { throwIfNoEntry: false })?.size
  if (!written.success || bytes === undefined || written.data.id !== offered.id) return undefined
  const { etag, totalBytes } = written.data
  return { ...download, etag, totalBytes, receivedBytes: bytes }
}

function sidecarOf(part: string): unknown {
  try {
    return JSON.parse(fs.readFileSync(`${part}.json`, 'utf8'))
  } catch {
    // None, or half-written: what has arrived cannot be gone on with.
    return undefined
  }
}

/** The name that the file has here: the last part of its address. */
export function fileNameOf({ url }: Pick<WantedFile, 'url'>): string {
  return path.basename(new URL(url).pathname)
}

function shown(download: Download, monotonic: () => number): LocalDownload {
  const { offered, receivedBytes, totalBytes, state, error } = download
  return {
    ...{ id: offered.id, title: offered.title, receivedBytes, totalBytes, state, error },
    bytesPerSecond: state === 'running' ? speedOf(download, monotonic()) : 0,
  }
}

/** Over the last seconds, not since the start: it shows what the line does now. */
function speedOf(download: Download, now: number): number {
  const { mark, receivedBytes } = download
  const elapsedMs = now - mark.at
  if (elapsedMs < 1_000) return mark.perSecond
  const perSecond = Math.round(((receivedBytes - mark.bytes) / elapsedMs) * 1_000)
  download.mark = { bytes: receivedBytes, at: now, perSecond }
  return perSecond
}

/** Fetches what is missing, checks the whole, puts it in its place. */
async function receive(download: Download, options: DownloadsOptions, signal: AbortSignal): Promise<void> {
  const { offered, part } = download
  const file = finishedFile(download)
  // It had its place already when the step after it failed, or when the app was ended.
  if (options.finish.kind === 'keep' && (await isWhole(file, download, signal))) {
    await removePart(part)
    return options.finish.onFile(file, offered)
  }
  await fsp.mkdir(options.folder, { recursive: true, mode: 0o700 })
  // A part that somebody deleted begins anew.
  const partBytes = fs.statSync(part, { throwIfNoEntry: false })?.size ?? 0
  download.receivedBytes = Math.min(download.receivedBytes, partBytes)
  await requireSpace(options, roomFor(download))
  let hash = await hashOf(download, signal)
  if (download.receivedBytes < download.totalBytes || download.etag === null) {
    hash = await fetchRest(download, { options, signal, hash })
  }
  download.state = 'checking'
  const integrity = integrityOf(hash, offered)
  if (integrity !== offered.integrity) {
    await removePart(part)
    download.receivedBytes = 0
    download.etag = null
    throw wrongChecksum(offered, integrity)
  }
  if (options.finish.kind === 'unpack') {
    await options.finish.unpack(part, offered, signal)
    return removePart(part)
  }
  await fsp.rename(part, file)
  download.isInPlace = true
  await fsp.rm(`${part}.json`, { force: true })
  await options.finish.onFile(file, offered)
}

function algorithmOf({ integrity }: WantedFile): 'sha256' | 'sha512' {
  return integrity.startsWith('sha512-') ? 'sha512' : 'sha256'
}

function integrityOf(hash: Hash, wanted: WantedFile): string {
  return `${algorithmOf(wanted)}-${hash.digest('base64')}`
}

function roomFor({ offered, totalBytes, receivedBytes }: Download): number {
  return totalBytes - receivedBytes + offered.unpackedBytes
}

type Hash = ReturnType<typeof createHash>

/** Of what lies here already; in pieces, so that nothing else waits for it. */
async function hashOf(download: Download, signal: AbortSignal): Promise<Hash> {
  const hash = createHash(algorithmOf(download.offered))
  if (download.receivedBytes === 0 || download.etag === null) return hash
  download.state = 'checking'
  await hashInto(hash, fs.createReadStream(download.part, { signal, end: download.receivedBytes - 1 }))
  download.state = 'running'
  return hash
}

/** The finished file is there, and is the one that is wanted. */
async function isWhole(file: string, download: Download, signal: AbortSignal): Promise<boolean> {
  if (!fs.existsSync(file)) return false
  const hash = createHash(algorithmOf(download.offered))
  download.state = 'checking'
  await hashInto(hash, fs.createReadStream(file, { signal }))
  download.state = 'running'
  return integrityOf(hash, download.offered) === download.offered.integrity
}

async function hashInto(hash: Hash, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const piece of bytes) hash.update(piece)
}

interface Fetching {
  readonly options: DownloadsOptions
  readonly signal: AbortSignal
  readonly hash: Hash
}

async function fetchRest(download: Download, { options, signal, hash }: Fetching): Promise<Hash> {
  const stalled = new AbortController()
  const over = new AbortController()
  const watch = setTimeout(() => stalled.abort(), options.stallMs)
  const wanted: Wanted = { from: download.receivedBytes, etag: download.etag }
  try {
    const any = AbortSignal.any([signal, stalled.signal, over.signal])
    const response = await options.fetcher.open(download.offered.url, wanted, any)
    const isRest = response.status === 206 && startsAt(response.headers.get('content-range')) === wanted.from
    if (!response.ok || response.body === null || (response.status === 206 && !isRest)) {
      await response.body?.cancel()
      throw downloadFailed(`HTTP ${response.status}`, `The server answered with HTTP ${response.status}.`)
    }
    // Without a part, or where the file is another one by now: all of it, from its start.
    const whole = isRest ? hash : createHash(algorithmOf(download.offered))
    if (!isRest) download.receivedBytes = 0
    const endsAt = await noteHead(download, response.headers, options)
    const refresh = () => watch.refresh()
    await writeBody(download, response.body, { options, signal: any, hash: whole, refresh, endsAt })
    return whole
  } catch (error) {
    if (stalled.signal.aborted && !signal.aborted) {
      throw downloadFailed(`nothing for ${options.stallMs} ms`, 'The server stopped sending.', error)
    }
    throw error
  } finally {
    clearTimeout(watch)
    // An answer that was refused would go on arriving.
    over.abort()
  }
}

function startsAt(range: string | null): number | null {
  const from = /^bytes (\d+)-/.exec(range ?? '')?.[1]
  return from === undefined ? null : Number(from)
}

/** What is needed to go on after a restart, written before the first byte. Answers the file's length, where the server says it. */
async function noteHead(
  download: Download,
  headers: { get(name: string): string | null },
  options: DownloadsOptions,
): Promise<number | null> {
  const length = Number(headers.get('content-length') ?? Number.NaN)
  const endsAt = Number.isSafeInteger(length) && length > 0 ? download.receivedBytes + length : null
  if (endsAt !== null && endsAt > mostBytesOf(download)) throw tooLarge(endsAt, download.offered)
  if (endsAt !== null) download.totalBytes = endsAt
  const etag = headers.get('etag')
  // A weak tag does not promise the same bytes.
  download.etag = etag === null || etag.startsWith('W/') ? null : etag
  const { id } = download.offered
  const { etag: tag, totalBytes } = download
  await fsp.writeFile(`${download.part}.json`, JSON.stringify({ id, etag: tag, totalBytes }), { mode: 0o600 })
  await requireSpace(options, roomFor(download))
  return endsAt
}

interface Writing extends Fetching {
  readonly refresh: () => void
  readonly endsAt: number | null
}

async function writeBody(
  download: Download,
  body: AsyncIterable<Uint8Array>,
  { options, signal, hash, refresh, endsAt }: Writing,
): Promise<void> {
  const file = await fsp.open(download.part, download.receivedBytes === 0 ? 'w' : 'r+', 0o600)
  let checkedAt = download.receivedBytes
  const most = endsAt ?? mostBytesOf(download)
  try {
    for await (const piece of body) {
      signal.throwIfAborted()
      refresh()
      await file.write(piece, 0, piece.byteLength, download.receivedBytes)
      hash.update(piece)
      download.receivedBytes += piece.byteLength
      if (download.receivedBytes > most)
        throw downloadFailed(`over ${most} bytes`, 'The server sends more than the file has.')
      if (download.receivedBytes - checkedAt < spaceCheckBytes) continue
      checkedAt = download.receivedBytes
      await requireSpace(options, roomFor(download))
    }
    await file.truncate(download.receivedBytes)
    await file.sync()
  } finally {
    await file.close()
  }
  if (endsAt !== null && download.receivedBytes < endsAt) {
    throw downloadFailed(`${download.receivedBytes} of ${endsAt} bytes`, 'The connection was lost before the end.')
  }
}

/** Whatever a server announces or sends may not fill the disk. */
function mostBytesOf({ offered }: Download): number {
  return offered.bytes * limits.downloadMostOfExpected
}

async function requireSpace({ folder, freeBytes }: DownloadsOptions, neededBytes: number): Promise<void> {
  const free = await freeBytes(folder)
  if (free >= neededBytes + spareBytes) return
  throw noSpace(neededBytes + spareBytes, free)
}

async function removePart(part: string): Promise<void> {
  await fsp.rm(part, { force: true })
  await fsp.rm(`${part}.json`, { force: true })
}

function failureOf(error: unknown): AppError {
  if (error instanceof AppError) return error
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const message = error instanceof Error ? error.message : String(error)
  if (code === 'ENOSPC' || code === 'EDQUOT') return noSpace(null, null, error)
  // As fetch reports whatever the network did.
  if (!(error instanceof TypeError)) return downloadFailed(message, `This computer reports: “${message}”.`, error)
  const cause = error.cause instanceof Error ? error.cause.message : message
  return downloadFailed(cause, 'The connection was lost, or there was none.', error)
}

function noSpace(neededBytes: number | null, free: number | null, cause?: unknown): AppError {
  const gb = (bytes: number) => `${(bytes / 1_000_000_000).toFixed(1)} GB`
  const figures =
    neededBytes === null || free === null
      ? 'The disk is full.'
      : `It takes ${gb(neededBytes)} more, and ${gb(free)} are free.`
  return new AppError('local.space', {
    message: `needs ${neededBytes} bytes, ${free} are free`,
    userMessage: `There is not enough room on the disk for this download. ${figures} What has arrived is kept. Make room, then resume the download.`,
    cause,
    ...(neededBytes !== null && free !== null && { data: { neededBytes, freeBytes: free } }),
    retryable: true,
  })
}

function wrongChecksum(offered: WantedFile, integrity: string): AppError {
  return new AppError('local.checksum', {
    message: `${offered.url}: ${integrity}, expected ${offered.integrity}`,
    userMessage: `What was downloaded is not the file that “${offered.title}” should be: its checksum is another one. It was deleted, and nothing of it was used. Download it again; if it happens again, the file on the server was changed.`,
    data: { integrity, expected: offered.integrity },
    retryable: true,
  })
}

function tooLarge(bytes: number, { url, bytes: expected }: Pick<WantedFile, 'url' | 'bytes'>): AppError {
  return downloadFailed(
    `${url} has ${bytes} bytes, about ${expected} were expected`,
    'The server offers a file that is much larger than this one is, so nothing was fetched from it.',
  )
}

function notOffered(id: string): AppError {
  return new AppError('local.not_found', {
    message: `nothing to download as ${id}`,
    userMessage: 'That is not among what can be downloaded here. Nothing was changed.',
  })
}

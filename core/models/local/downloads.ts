import fs from 'node:fs'
import fsp from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { AppError, errorBody } from '../../domain/error.ts'
import type { LocalDownload } from '../../domain/local.ts'
import {
  type Download,
  type DownloadsOptions,
  failureOf,
  finishedFile,
  receive,
  removePart,
  type WantedFile,
} from './download.ts'

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

const sidecar = z.object({ id: z.string(), etag: z.string().nullable(), totalBytes: z.number().int().positive() })

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

function notOffered(id: string): AppError {
  return new AppError('local.not_found', {
    message: `nothing to download as ${id}`,
    userMessage: 'That is not among what can be downloaded here. Nothing was changed.',
  })
}

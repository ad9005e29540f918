import fs from 'node:fs'
import fsp from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type AppError, type ErrorBody, errorBody } from '../../domain/error.ts'
import type { LocalModel, LocalStatus } from '../../domain/local.ts'
import type { ModelInfo } from '../../domain/model.ts'
import type { LocalModelSettings } from '../../domain/settings.ts'
import type { SpawnSandbox } from '../../sandbox/sandbox.ts'
import type { Answerer } from '../complete.ts'
import { createDownloads, type Downloads, fileNameOf } from './downloads.ts'
import { gpuUnusable, libraryMissing } from './failures.ts'
import { createFileFetcher } from './fetch-file.ts'
import { createGpuInstall, type GpuInstall } from './gpu.ts'
import { type GpuBuild, gpuBuildFor } from './gpu-build.ts'
import { findLibrary } from './library.ts'
import { planWindow } from './plan.ts'
import type { Loaded } from './protocol.ts'
import { type Offered, recommended } from './recommended.ts'
import { createRunner, type Waits } from './runner.ts'
import { createShelf, type LocalModelList, noSuchModel } from './shelf.ts'

/** Models inside the app: GGUF files, each run by llama.cpp in a process of its own. Source: ADR 015. */
export interface LocalModels {
  /** Cheap: it may be asked twice a second. */
  status(): Promise<LocalStatus>
  /** Reads and checks the header. @throws AppError local.file */
  add(file: string): Promise<LocalModel>
  /** In force at the next request. @throws AppError local.not_found */
  change(name: string, change: Pick<LocalModelSettings, 'contextTokens' | 'threads'>): Promise<LocalModel>
  /** The file itself is deleted only where it lies in the app's own folder. @throws AppError local.not_found */
  remove(name: string, deletesFile: boolean): Promise<void>
  /** A model, or a part of a build that was begun. Begins or goes on. @throws AppError local.not_found */
  download(id: string): void
  pause(id: string): Promise<void>
  cancel(id: string): Promise<void>
  /**
   * Begins to fetch what makes models compute on the graphics processor (it is in use from the next request on after it has
   * come), or takes it away and unloads what runs. @throws AppError local.not_found where no build fits, local.file
   */
  gpu(install: boolean): Promise<void>
  /** Frees the memory; the next request loads anew. */
  unload(): Promise<void>
  /** Those that can chat. */
  chatModels(): readonly ModelInfo[]
  /** What the model has, or would get if it were loaded now; null for one that does not fit or is not there. */
  windowOf(name: string): number | null
  /** Under `providerId` local. */
  readonly answerer: Answerer
  /** Vectors of length 1, in the order of the texts. Throws `local.*`, `model.*`, `cancelled`. */
  embed(
    name: string,
    texts: readonly string[],
    options: Waits & { readonly as: 'doc' | 'query' },
  ): Promise<readonly Float32Array[]>
  /** Ends the processes and pauses the downloads. */
  close(): Promise<void>
}

export interface LocalModelsOptions {
  readonly dataDir: string
  readonly list: LocalModelList
  readonly idleMs: () => number
  readonly clock: { readonly now: () => number; readonly monotonic: () => number }
  /** Starts one process for one model. */
  readonly spawn: SpawnSandbox
  /** The version of the library; undefined where it is not installed. The default looks beside the app. */
  readonly findLibrary?: () => string | undefined
  /** Bytes of memory that programs may still take; the default asks the system. */
  readonly freeMemory?: () => number
  /** Bytes that are free where a folder lies; the default asks the system. */
  readonly freeDisk?: (folder: string) => Promise<number>
  readonly offered?: readonly Offered[]
  /** Folders of programs, as PATH has them: a driver is known by what it puts there. */
  readonly searchPath?: string | undefined
  /** What fits the graphics processor; the default looks at this computer. */
  readonly gpuBuild?: GpuBuild | null
  readonly stallMs?: number
}

const serverTitle = 'On this computer'
const defaultStallMs = 60_000
/** Texts of one request: each has the whole wait for a first token to itself. */
const embeddedAtOnce = 4

/** What an embedder was trained to see before a text. Source: the model card of nomic-embed-text. */
const prefixes: Readonly<Record<string, Readonly<Record<'doc' | 'query', string>>>> = {
  'nomic-bert': { doc: 'search_document: ', query: 'search_query: ' },
}

/** Starts nothing by itself: a process is there while its model is in use, and `limits.localIdleMs` longer. */
export function createLocalModels(options: LocalModelsOptions): LocalModels {
  const { clock, list, idleMs, spawn, freeMemory = availableMemory, freeDisk = availableDisk } = options
  const folder = path.join(fs.realpathSync(options.dataDir), 'models')
  const offered = options.offered ?? recommended
  const shelf = createShelf(list)
  const version = (options.findLibrary ?? findLibrary)()
  const fetcher = createFileFetcher()
  const fetching = {
    fetcher,
    freeBytes: freeDisk,
    monotonic: clock.monotonic,
    stallMs: options.stallMs ?? defaultStallMs,
  }
  const gpu = createGpuInstall({
    ...{ ...fetching, folder: path.join(path.dirname(folder), 'parts'), libraryVersion: version },
    build: options.gpuBuild === undefined ? gpuBuildHere(options.searchPath, version) : options.gpuBuild,
  })
  const library = createLibraryState(version, gpu)
  const runnerOptions = { spawn, idleMs, freeMemory, now: clock.now, gpu: gpu.parts, onLibrary: library.tell }
  // An embedder beside the chat model, so that a search of notes does not throw the conversation out of memory.
  const runners = { chat: createRunner(runnerOptions), embedding: createRunner(runnerOptions) }
  const downloads = createDownloads({
    ...{ ...fetching, folder },
    offered: offered.map(({ sha256, ...each }) => ({ ...each, integrity: integrityOf(sha256), unpackedBytes: 0 })),
    finish: {
      kind: 'keep',
      onFile: async (file, wanted) => void (await shelf.add(file, wanted.title)),
    },
  })
  const downloadsOf = (id: string): Downloads => (id.startsWith('gpu:') ? gpu.downloads : downloads)

  function usable(name: string): LocalModelSettings {
    library.require()
    const model = shelf.find(name)
    if (model !== undefined) return model
    throw noSuchModel(name)
  }
  const loaded = () => [runners.chat.loaded, runners.embedding.loaded].flatMap((each) => each ?? [])
  const unload = async () => void (await Promise.all([runners.chat.unload(), runners.embedding.unload()]))
  const nameOf = (each: Offered) =>
    list.current().find(({ file }) => file === path.join(folder, fileNameOf(each)))?.name ?? null

  return {
    async status() {
      return {
        ...library.state(),
        models: await shelf.shown(),
        recommended: offered.map((each) => ({ ...each, added: nameOf(each) })),
        downloads: [...downloads.list(), ...gpu.downloads.list()],
        loaded: loaded(),
        folder,
        freeBytes: await freeDisk(folder),
      }
    },
    add: async (file) => shelf.show(await shelf.add(file)),
    change: async (name, change) => shelf.show(shelf.change(name, change)),
    async remove(name, deletesFile) {
      const model = shelf.remove(name)
      await runners[model.purpose].unload(name)
      if (deletesFile && path.dirname(model.file) === folder) await fsp.rm(model.file, { force: true })
    },
    download: (id) => downloadsOf(id).start(id),
    pause: (id) => downloadsOf(id).pause(id),
    cancel: (id) => downloadsOf(id).cancel(id),
    async gpu(install) {
      if (install) return gpu.install()
      await gpu.remove(unload)
      library.forgetGpu()
    },
    unload,
    chatModels: () =>
      list.current().flatMap(({ name: model, title, purpose, contextTokens }) => {
        return purpose === 'chat' ? [{ providerId: 'local', model, title, contextTokens }] : []
      }),
    windowOf(name) {
      const model = shelf.find(name)
      if (model === undefined) return null
      const inMemory = runners[model.purpose].loaded
      return inMemory?.name === name ? inMemory.contextTokens : windowNow(model, freeMemory())
    },
    answerer: {
      server: { id: 'local', title: serverTitle, address: folder, key: undefined },
      answer: async (request, into, waits) => runners.chat.complete(usable(request.model), request, into, waits),
    },
    async embed(name, given, { as, ...waits }) {
      const model = usable(name)
      const prefix = prefixes[model.architecture]?.[as] ?? ''
      const texts = given.map((text) => `${prefix}${text}`)
      const vectors: Float32Array[] = []
      for (let at = 0; at < texts.length; at += embeddedAtOnce) {
        vectors.push(...(await runners.embedding.embed(model, texts.slice(at, at + embeddedAtOnce), waits)))
      }
      return vectors
    },
    async close() {
      await Promise.all([runners.chat.close(), runners.embedding.close(), downloads.close(), gpu.downloads.close()])
      await fetcher.close()
    },
  }
}

/** What is known of the library: first whether it lies there, then how it did when it was loaded. */
function createLibraryState(version: string | undefined, install: GpuInstall) {
  let gpu: string | null = null
  let gpuProblem: string | null = null
  let failed: AppError | undefined = version === undefined ? libraryMissing('not installed') : undefined

  function gpuBuild(): LocalStatus['gpuBuild'] {
    const state = install.state()
    if (state.state === 'installed') {
      const problem =
        gpuProblem === null ? null : errorBody(gpuUnusable(kindTitles[state.kind ?? 'vulkan'], gpuProblem))
      return { ...state, problem }
    }
    // Somebody put a build beside the library.
    const own = (['vulkan', 'cuda', 'metal'] as const).find((each) => each === gpu)
    if (own !== undefined) return { kind: own, state: 'installed', bytes: 0, problem: null }
    return { ...state, problem: null }
  }

  return {
    tell(state: Loaded | AppError): void {
      if ('gpu' in state) {
        gpu = state.gpu
        gpuProblem = state.gpuProblem
      } else failed = state
    },
    forgetGpu(): void {
      gpu = null
      gpuProblem = null
    },
    require(): void {
      if (version === undefined && failed !== undefined) throw failed
    },
    state(): Pick<LocalStatus, 'library' | 'gpuBuild'> {
      const library = failed || version === undefined ? lacking(failed) : { ok: true as const, version, gpu }
      return { library, gpuBuild: gpuBuild() }
    },
  }
}

const kindTitles = { vulkan: 'Vulkan', cuda: 'CUDA', metal: 'Metal' } as const

function lacking(error: AppError | undefined): { readonly ok: false; readonly error: ErrorBody } {
  return { ok: false, error: errorBody(error ?? libraryMissing('not installed')) }
}

function gpuBuildHere(searchPath: string | undefined, version: string | undefined): GpuBuild | null {
  const { platform, arch } = process
  return gpuBuildFor({ platform, arch, searchPath: searchPath ?? '', exists: fs.existsSync, loaderCache }, version)
}

function loaderCache(): string {
  try {
    return fs.readFileSync('/etc/ld.so.cache', 'latin1')
  } catch {
    // Some systems have none: CUDA is not found there, and Vulkan is offered.
    return ''
  }
}

function integrityOf(sha256: string): `sha256-${string}` {
  return `sha256-${Buffer.from(sha256, 'hex').toString('base64')}`
}

function windowNow(model: LocalModelSettings, freeBytes: number): number | null {
  try {
    return planWindow(model, freeBytes)
  } catch {
    // It does not fit: the request itself says so, with the figures.
    return null
  }
}

/** On macOS what files keep in memory does not count as free although it is. */
function availableMemory(): number {
  const free = os.freemem()
  return process.platform === 'darwin' ? Math.max(free, os.totalmem() * 0.6) : free
}

async function availableDisk(folder: string): Promise<number> {
  const existing = fs.existsSync(folder) ? folder : path.dirname(folder)
  const { bavail, bsize } = await fsp.statfs(existing)
  return bavail * bsize
}

import type { LoadedModel, LocalDownload, LocalModel, LocalStatus, RecommendedModel } from '../../core/domain/local.ts'
import type { ModelRef } from '../../core/domain/model.ts'
import { type CallInput, call } from '../engine/client.ts'
import { bytesText, clockText, counted, durationText, windowText } from '../format/figures.ts'
import { setApp } from './store.ts'

/** The provider of what the app runs by itself. */
export const localProviderId = 'local'

export function localRef({ name }: Pick<LocalModel, 'name'>): ModelRef {
  return { providerId: localProviderId, model: name }
}

export async function loadLocal(): Promise<void> {
  setApp({ local: await call('local.status', {}) })
}

type StatusCall = 'local.download' | 'local.pause' | 'local.cancel' | 'local.unload' | 'local.gpu' | 'local.remove'

/** Asks for a change; how things stand after it comes back at once. A model that is gone is gone from the tiers too. */
export async function changeLocal<Name extends StatusCall>(name: Name, input: CallInput<Name>): Promise<void> {
  await call(name, input)
  await loadLocal()
  if (name === 'local.remove') setApp({ settings: await call('settings.get', {}) })
}

/** Asks for a file with the system's dialog and adds it. Null when the person changed their mind. */
export async function pickLocalModel(): Promise<LocalModel | null> {
  const { file } = await call('shell.pickFile', {})
  if (file === null) return null
  const added = await call('local.add', { file })
  await loadLocal()
  return added
}

export async function changeLocalModel(change: CallInput<'local.change'>): Promise<void> {
  await call('local.change', change)
  await loadLocal()
}

/** Something that will look different in a moment. */
export function isMoving({ downloads, loaded }: LocalStatus): boolean {
  const isDownloading = downloads.some(({ state }) => state === 'running' || state === 'checking')
  return isDownloading || loaded.some(({ idleSince }) => idleSince === null)
}

/** What can be chosen to answer: of the chat models those whose file is there. */
export function usableModels({ models }: LocalStatus): readonly LocalModel[] {
  return models.filter(({ purpose, problem }) => purpose === 'chat' && problem === null)
}

/** What is not there yet, nor on its way. */
export function offeredModels({ recommended, downloads }: LocalStatus): readonly RecommendedModel[] {
  const onTheWay = new Set(downloads.map(({ id }) => id))
  return recommended.filter(({ id, added }) => added === null && !onTheWay.has(id))
}

/** The chat model that is there the soonest. */
export function smallestOffer(status: LocalStatus): RecommendedModel | undefined {
  return offeredModels(status)
    .filter(({ purpose }) => purpose === 'chat')
    .reduce<RecommendedModel | undefined>(
      (least, each) => (least && least.bytes <= each.bytes ? least : each),
      undefined,
    )
}

/** Models on their way; parts of a build for the graphics processor are no models. */
export function modelDownloads({ downloads }: LocalStatus): readonly LocalDownload[] {
  return downloads.filter((download) => !isOfGpuBuild(download))
}

function isOfGpuBuild({ id }: LocalDownload): boolean {
  return id.startsWith('gpu:')
}

export const gpuTitle = 'the build for the graphics processor'
const gpuKinds = { vulkan: 'Vulkan', cuda: 'CUDA', metal: 'Metal' } as const

interface GpuView {
  readonly title: string
  readonly words: string
  /** Null where it comes with the library, or is on its way. */
  readonly act: 'install' | 'remove' | null
}

/** What can be said and done about the graphics processor; null where no build fits this computer. */
export function gpuView({ library, gpuBuild, downloads }: LocalStatus): GpuView | null {
  const { kind, state, bytes } = gpuBuild
  if (kind === null || state === 'none' || !library.ok) return null
  const title = `Graphics processor, ${gpuKinds[kind]}`
  if (downloads.some(isOfGpuBuild)) {
    return { title, words: 'On its way. It is in use from the next answer after it has come.', act: null }
  }
  if (state === 'installed') {
    const words = gpuBuild.problem ? 'Installed.' : 'Models use it as far as its memory goes.'
    return {
      title,
      words: bytes > 0 ? `${words} ${bytesText(bytes)} were downloaded.` : words,
      act: bytes > 0 ? 'remove' : null,
    }
  }
  const words = `Not installed: ${bytesText(bytes)} to download. Until then models run on the processor, more slowly.`
  return { title, words, act: 'install' }
}

/** `412 MB of 1.1 GB, 12 MB/s, 0:58 left`: how far a download is. */
export function downloadText({ state, receivedBytes, totalBytes, bytesPerSecond }: LocalDownload): string {
  const got = `${bytesText(receivedBytes)} of ${bytesText(totalBytes)}`
  switch (state) {
    case 'checking':
      return `${bytesText(totalBytes)}, checking that it is whole`
    case 'paused':
      return `${got}, paused`
    case 'failed':
      return `${got}, stopped`
    case 'running': {
      if (bytesPerSecond <= 0) return `${got}, connecting`
      const left = clockText(((totalBytes - receivedBytes) / bytesPerSecond) * 1_000)
      return `${got}, ${bytesText(bytesPerSecond)}/s, ${left} left`
    }
  }
}

/** `1.1 GB, takes about 1.8 GB of memory, Apache-2.0`. */
export function offerText({ bytes, memoryBytes, license }: RecommendedModel): string {
  return `${bytesText(bytes)}, takes about ${bytesText(memoryBytes)} of memory, ${license}`
}

/** What there is to know of a file: its size, its kind, what it was trained for. */
export function fileText({ bytes, architecture, trainedTokens, purpose }: LocalModel): string {
  const window = trainedTokens === null ? [] : [`trained for a window of ${windowText(trainedTokens)}`]
  return [bytesText(bytes), architecture, ...(purpose === 'embedding' ? ['for searches'] : []), ...window].join(', ')
}

/** `window of 8k, 4 threads, 33 layers on vulkan, 1.2 GB, at rest for 2:10`. */
export function loadedText(loaded: LoadedModel, now: number): string {
  const { contextTokens, threads, gpu, gpuLayers, memoryBytes, idleSince } = loaded
  const place = gpu === null || gpuLayers === 0 ? 'on the processor' : `${counted(gpuLayers, 'layer')} on ${gpu}`
  const rest = idleSince === null ? 'at work' : `at rest for ${restText(now - idleSince)}`
  const window = `window of ${windowText(contextTokens)}`
  return [window, counted(threads, 'thread'), place, bytesText(memoryBytes), rest].join(', ')
}

/** A file below the app's own folder: the app brought it. */
export function isInFolder(file: string, folder: string): boolean {
  const rest = file.startsWith(folder) ? file.slice(folder.length) : ''
  return rest.startsWith('/') || rest.startsWith('\\')
}

function restText(ms: number): string {
  return ms < 60_000 ? durationText(Math.max(0, Math.round(ms / 1_000) * 1_000)) : clockText(ms)
}

import { describe, expect, test } from 'vitest'
import type {
  LoadedModel,
  LocalDownload,
  LocalModel,
  LocalStatus,
  RecommendedModel,
} from '../../../core/domain/local.ts'
import {
  downloadText,
  fileText,
  gpuView,
  isInFolder,
  isMoving,
  loadedText,
  modelDownloads,
  offeredModels,
  offerText,
  smallestOffer,
  usableModels,
} from '../../../renderer/state/local.ts'

const model: LocalModel = {
  ...{ name: 'qwen3-0.6b', title: 'Qwen3 0.6B', file: '/models/qwen3.gguf', bytes: 397_000_000, purpose: 'chat' },
  ...{ architecture: 'qwen3', trainedTokens: 40_960, contextTokens: null, threads: null, callsActions: true },
  problem: null,
}
function offer(id: string, patch: Partial<RecommendedModel> = {}): RecommendedModel {
  return {
    ...{ id, title: id, purpose: 'chat', words: 'Small.', url: 'https://example.net/m.gguf', bytes: 1_100_000_000 },
    ...{ sha256: 'a'.repeat(64), license: 'Apache-2.0', memoryBytes: 1_800_000_000, added: null },
    ...patch,
  }
}
function download(patch: Partial<LocalDownload> = {}): LocalDownload {
  return {
    ...{ id: 'small', title: 'Small', receivedBytes: 412_000_000, totalBytes: 1_100_000_000, state: 'running' },
    ...{ bytesPerSecond: 12_000_000, error: null },
    ...patch,
  }
}
const loaded: LoadedModel = {
  ...{ name: model.name, contextTokens: 8_192, threads: 4, gpu: null, gpuLayers: 0, memoryBytes: 1_200_000_000 },
  idleSince: 1_000,
}
function status(patch: Partial<LocalStatus> = {}): LocalStatus {
  return {
    ...{ library: { ok: true, version: '3.21.1', gpu: null }, models: [], recommended: [], downloads: [], loaded: [] },
    ...{ gpuBuild: { kind: null, state: 'none', bytes: 0, problem: null } },
    ...{ folder: '/data/models', freeBytes: 40_000_000_000 },
    ...patch,
  }
}

describe('the graphics processor', () => {
  const vulkan = { kind: 'vulkan', state: 'available', bytes: 27_476_121, problem: null } as const
  const problem = { code: 'local.library', message: 'x', userMessage: 'No driver.', retryable: false } as const

  test('nothing is said of it where no build fits, or without the library', () => {
    expect(gpuView(status())).toBeNull()
    const library = { ok: false, error: problem } as const
    expect(gpuView(status({ library, gpuBuild: vulkan }))).toBeNull()
  })

  test.each([
    ['available', vulkan, 'Not installed: 27 MB to download.', 'install'],
    ['installed', { ...vulkan, state: 'installed' }, 'Models use it as far as its memory goes. 27 MB', 'remove'],
    ['installed and not in use', { ...vulkan, state: 'installed', problem }, 'Installed. 27 MB', 'remove'],
    ['part of the library', { ...vulkan, kind: 'metal', state: 'installed', bytes: 0 }, 'Models use it', null],
  ] as const)('%s: what it costs, and what can be done', (_what, gpuBuild, words, act) => {
    expect(gpuView(status({ gpuBuild }))).toMatchObject({ words: expect.stringContaining(words), act })
  })

  test('on its way its download says the rest, and the first run does not take it for a model', () => {
    const coming = status({ gpuBuild: vulkan, downloads: [download({ id: 'gpu:vulkan' }), download()] })
    expect(gpuView(coming)).toMatchObject({ title: 'Graphics processor, Vulkan', act: null })
    expect(modelDownloads(coming).map(({ id }) => id)).toEqual(['small'])
  })
})

describe('what can be had and what can be used', () => {
  test('what is there already or on its way is not offered again', () => {
    const recommended = [offer('small'), offer('there', { added: 'there' }), offer('other')]
    expect(offeredModels(status({ recommended, downloads: [download()] })).map(({ id }) => id)).toEqual(['other'])
  })

  test('the first run offers the smallest model that answers, never an embedder', () => {
    const embedder = offer('words', { purpose: 'embedding', bytes: 100 })
    const recommended = [offer('large', { bytes: 5_000 }), embedder, offer('least', { bytes: 900 })]
    expect(smallestOffer(status({ recommended }))?.id).toBe('least')
    expect(smallestOffer(status({ recommended: [embedder] }))).toBeUndefined()
  })

  test('a model whose file is gone, or that only embeds, does not answer', () => {
    const problem = { code: 'store.io', message: '', userMessage: 'It is gone.', retryable: true } as const
    const models = [
      model,
      { ...model, name: 'gone', problem },
      { ...model, name: 'embed', purpose: 'embedding' as const },
    ]
    expect(usableModels(status({ models })).map(({ name }) => name)).toEqual(['qwen3-0.6b'])
  })

  test('only what the app brought lies in its folder', () => {
    expect(isInFolder('/data/models/qwen3.gguf', '/data/models')).toBe(true)
    expect(isInFolder('C:\\data\\models\\q.gguf', 'C:\\data\\models')).toBe(true)
    expect(isInFolder('/data/models-of-mine/q.gguf', '/data/models')).toBe(false)
    expect(isInFolder('/home/ada/q.gguf', '/data/models')).toBe(false)
  })
})

test('it is asked again quickly only while something moves', () => {
  expect(isMoving(status())).toBe(false)
  expect(isMoving(status({ downloads: [download({ state: 'paused' })], loaded: [loaded] }))).toBe(false)
  expect(isMoving(status({ downloads: [download()] }))).toBe(true)
  expect(isMoving(status({ downloads: [download({ state: 'checking' })] }))).toBe(true)
  expect(isMoving(status({ loaded: [{ ...loaded, idleSince: null }] }))).toBe(true)
})

describe('in words', () => {
  test.each([
    [download(), '412 MB of 1.1 GB, 12 MB/s, 0:57 left'],
    [download({ bytesPerSecond: 0 }), '412 MB of 1.1 GB, connecting'],
    [download({ state: 'paused' }), '412 MB of 1.1 GB, paused'],
    [download({ state: 'checking' }), '1.1 GB, checking that it is whole'],
    [download({ state: 'failed' }), '412 MB of 1.1 GB, stopped'],
  ])('a download %#: %s', (one, text) => {
    expect(downloadText(one)).toBe(text)
  })

  test('a file, an offer and a model in memory each say what matters of them', () => {
    expect(fileText(model)).toBe('397 MB, qwen3, trained for a window of 40k')
    expect(fileText({ ...model, trainedTokens: null, purpose: 'embedding' })).toBe('397 MB, qwen3, for searches')
    expect(offerText(offer('small'))).toBe('1.1 GB, takes about 1.8 GB of memory, Apache-2.0')
    expect(loadedText(loaded, 131_000)).toBe('window of 8k, 4 threads, on the processor, 1.2 GB, at rest for 2:10')
    expect(loadedText({ ...loaded, gpu: 'vulkan', gpuLayers: 29, idleSince: null }, 0)).toContain(
      '29 layers on vulkan, 1.2 GB, at work',
    )
  })
})

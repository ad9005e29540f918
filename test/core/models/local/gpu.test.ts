import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import type { LocalStatus } from '../../../../core/domain/local.ts'
import type { GpuBuild } from '../../../../core/models/local/gpu-build.ts'
import { findLibrary } from '../../../../core/models/local/library.ts'
import type { LocalModelsOptions } from '../../../../core/models/local/local.ts'
import { temporaryFolder } from '../../../support/engine.ts'
import { type FileServer, startFileServer } from './file-server.ts'
import { askLocal, hasLibrary, localWorld } from './support.ts'

const ample = async () => 100_000_000_000
const version = findLibrary() ?? '3.21.1'

/** Leaves a file beside itself when it is imported, and says that its binaries lie where there are none. */
const fakeEntry = `
import fs from 'node:fs'
const packageVersion = JSON.parse(fs.readFileSync(new URL('package.json', import.meta.url), 'utf8')).version
fs.writeFileSync(new URL('imported', import.meta.url), packageVersion)
export const getBinsDir = () => ({ binsDir: import.meta.dirname ?? '.', packageVersion })
`

/** As the registry serves a package: everything below a folder of its own. */
function tarball(name = 'linux-x64-vulkan'): Buffer {
  const folder = temporaryFolder()
  fs.mkdirSync(path.join(folder, 'package'))
  const manifest = { name: `@node-llama-cpp/${name}`, version, type: 'module', exports: './index.js' }
  fs.writeFileSync(path.join(folder, 'package/package.json'), JSON.stringify(manifest))
  fs.writeFileSync(path.join(folder, 'package/index.js'), fakeEntry)
  execFileSync('tar', ['-czf', 'package.tgz', 'package'], { cwd: folder })
  return fs.readFileSync(path.join(folder, 'package.tgz'))
}

const integrityOf = (bytes: Buffer) => `sha512-${createHash('sha512').update(bytes).digest('base64')}` as const

function buildOn(server: FileServer, integrity = integrityOf(server.bytes)): GpuBuild {
  const name = 'linux-x64-vulkan'
  const url = `${server.origin}/${name}.tgz`
  const sizes = { bytes: server.bytes.length, unpackedBytes: 1_000_000 }
  return { kind: 'vulkan', packages: [{ id: 'gpu:vulkan', name, title: 'Vulkan', url, integrity, ...sizes }] }
}

/** An app on a computer that this build fits. */
function app(gpuBuild: GpuBuild | null, parts: Partial<LocalModelsOptions> = {}) {
  const dataDir = parts.dataDir ?? temporaryFolder()
  const world = localWorld({ gpuBuild, freeDisk: ample, findLibrary: () => version, dataDir, ...parts })
  const root = path.join(fs.realpathSync(dataDir), 'parts')
  const until = (isReached: (status: LocalStatus) => boolean) =>
    vi.waitFor(async () => {
      const status = await world.local.status()
      expect(isReached(status), JSON.stringify([status.gpuBuild, status.downloads])).toBe(true)
      return status
    }, 60_000)
  return {
    ...world,
    dataDir,
    until,
    root,
    package: path.join(root, `llama-${version}/node_modules/@node-llama-cpp/linux-x64-vulkan`),
    installed: () => until(({ gpuBuild: { state }, downloads }) => state === 'installed' && downloads.length === 0),
    failed: async () => (await until(({ downloads: [first] }) => first?.state === 'failed')).downloads[0],
  }
}

const filesBelow = (folder: string) => (fs.existsSync(folder) ? fs.readdirSync(folder, { recursive: true }) : [])

describe('the build for the graphics processor', () => {
  it('is offered with its size, fetched when wanted, and there after a restart', async () => {
    const server = await startFileServer(tarball())
    const { local, installed, package: folder, root, dataDir } = app(buildOn(server))
    const offered = { kind: 'vulkan', state: 'available', bytes: server.bytes.length, problem: null }
    expect((await local.status()).gpuBuild).toEqual(offered)
    expect(server.requests).toEqual([])

    await local.gpu(true)
    expect((await installed()).gpuBuild).toEqual({ ...offered, state: 'installed' })
    expect(fs.readdirSync(folder).sort()).toEqual(['index.js', 'package.json'])
    expect(fs.readdirSync(root)).toEqual([`llama-${version}`])
    const restarted = app(buildOn(server), { dataDir })
    expect((await restarted.local.status()).gpuBuild.state).toBe('installed')
    await restarted.local.gpu(true)
    expect((await restarted.local.status()).downloads).toEqual([])
    expect(server.requests).toHaveLength(1)
  })

  it('on its way it is a download like any other: it shows, pauses, goes on after a restart, is cancelled', async () => {
    const server = await startFileServer(tarball())
    server.holdAt = 100
    const before = app(buildOn(server))
    await before.local.gpu(true)
    await before.until(({ downloads: [first] }) => first?.receivedBytes === 100)
    await before.local.pause('gpu:vulkan')
    await before.local.close()

    const after = app(buildOn(server), { dataDir: before.dataDir })
    const shown = { id: 'gpu:vulkan', title: 'Vulkan', receivedBytes: 100, totalBytes: server.bytes.length }
    expect((await after.local.status()).downloads).toMatchObject([{ ...shown, state: 'paused', error: null }])
    after.local.download('gpu:vulkan')
    await after.installed()
    expect(server.requests.at(-1)?.range).toBe('bytes=100-')

    await after.local.gpu(false)
    await after.local.gpu(true)
    await after.local.cancel('gpu:vulkan')
    expect((await after.local.status()).gpuBuild.state).toBe('available')
    expect(filesBelow(after.root)).toEqual([])
  })

  it('with another checksum nothing of it is kept or used', async () => {
    const server = await startFileServer(tarball())
    const { local, failed, root } = app(buildOn(server, `sha512-${'A'.repeat(86)}==`))
    await local.gpu(true)
    expect(await failed()).toMatchObject({
      receivedBytes: 0,
      error: { code: 'local.checksum', data: { integrity: integrityOf(server.bytes) } },
    })
    expect(filesBelow(root)).toEqual([])
    expect((await local.status()).gpuBuild.state).toBe('available')
  })

  it('room is needed for what is fetched and for what it is unpacked to', async () => {
    const server = await startFileServer(tarball())
    const { local, failed } = app(buildOn(server), { freeDisk: async () => 1_000_000 })
    await local.gpu(true)
    const neededBytes = server.bytes.length + 1_000_000 + 256 * 1_048_576
    expect(await failed()).toMatchObject({ error: { code: 'local.space', data: { neededBytes } } })
    expect(server.requests).toEqual([])
  })

  it('what cannot be unpacked is no install, is said in tar’s words, and is not fetched again to try once more', async () => {
    const server = await startFileServer(Buffer.from('this is no archive'))
    const { local, failed, package: folder } = app(buildOn(server))
    await local.gpu(true)
    expect(await failed()).toMatchObject({
      error: { code: 'local.download', userMessage: expect.stringMatching(/could not be unpacked: “.+”/) },
    })
    expect(fs.existsSync(folder)).toBe(false)
    await local.gpu(true)
    await failed()
    expect(server.requests).toHaveLength(1)
  })

  it('what a crash left half-unpacked is not taken for an install', async () => {
    const server = await startFileServer(tarball())
    const { local, installed, root, package: folder } = app(buildOn(server))
    const half = path.join(root, `llama-${version}/unpacking-linux-x64-vulkan`)
    fs.mkdirSync(half, { recursive: true })
    fs.writeFileSync(path.join(half, 'package.json'), '{}')
    expect((await local.status()).gpuBuild.state).toBe('available')
    await local.gpu(true)
    await installed()
    expect(fs.existsSync(half)).toBe(false)
    expect(fs.existsSync(path.join(folder, 'index.js'))).toBe(true)
  })

  it('what an older version of the library left, and what was half-deleted, goes when it has come', async () => {
    const server = await startFileServer(tarball())
    const { local, installed, root } = app(buildOn(server))
    for (const old of ['llama-3.0.0', 'removed-llama-2.0.0']) fs.mkdirSync(path.join(root, old), { recursive: true })
    await local.gpu(true)
    await installed()
    expect(fs.readdirSync(root)).toEqual([`llama-${version}`])
  })

  it('removing it takes away what is there and what is on its way', async () => {
    const server = await startFileServer(tarball())
    const { local, installed, root } = app(buildOn(server))
    await local.gpu(true)
    await installed()
    await local.gpu(false)
    expect((await local.status()).gpuBuild.state).toBe('available')
    expect(filesBelow(root)).toEqual([])

    server.holdAt = 100
    await local.gpu(true)
    await local.gpu(false)
    expect((await local.status()).downloads).toEqual([])
    expect(filesBelow(root)).toEqual([])
    await local.gpu(false)
  })

  it('in the library’s own build for macOS there is nothing to fetch or to remove', async () => {
    const { local } = app({ kind: 'metal', packages: [] })
    const metal = { kind: 'metal', state: 'installed', bytes: 0, problem: null }
    await local.gpu(true)
    await local.gpu(false)
    expect(await local.status()).toMatchObject({ gpuBuild: metal, downloads: [] })
  })

  it('where none fits, status says so, and installing is refused in words', async () => {
    const { local } = app(null)
    expect((await local.status()).gpuBuild).toEqual({ kind: null, state: 'none', bytes: 0, problem: null })
    await expect(local.gpu(true)).rejects.toThrow(expect.objectContaining({ code: 'local.not_found' }))
  })
})

// The library asks for its Vulkan package on this target only.
const asksForVulkan = hasLibrary && `${process.platform}-${process.arch}` === 'linux-x64'

describe.skipIf(!asksForVulkan)('a model and the build for the graphics processor', () => {
  const says = { follows: { '\n': 'H', H: 'i', i: '</s>' } }

  it('is loaded with it, from its folder; one that does not run costs no answer, and is said', async () => {
    const server = await startFileServer(tarball())
    const { local, models, give, installed, children, package: folder } = app(buildOn(server))
    const ref = await give(says)
    expect((await askLocal(models, ref)).completion.text).toBe('Hi')
    await local.gpu(true)
    await installed()
    expect(fs.existsSync(path.join(folder, 'imported'))).toBe(false)

    // The next request loads the model anew, without a word from the person.
    expect((await askLocal(models, ref)).completion.text).toBe('Hi')
    expect(children).toHaveLength(2)
    expect(fs.readFileSync(path.join(folder, 'imported'), 'utf8')).toBe(version)
    expect(await local.status()).toMatchObject({
      library: { ok: true, gpu: null },
      loaded: [{ gpu: null, gpuLayers: 0 }],
      gpuBuild: {
        state: 'installed',
        problem: { code: 'local.library', userMessage: expect.stringContaining('computed by the processor instead') },
      },
    })
  })

  it('removing it unloads what runs on it; the next request does without', async () => {
    const server = await startFileServer(tarball())
    const { local, models, give, installed, children, package: folder } = app(buildOn(server))
    const ref = await give(says)
    await local.gpu(true)
    await installed()
    await askLocal(models, ref)
    await local.gpu(false)
    expect(await local.status()).toMatchObject({ loaded: [], gpuBuild: { state: 'available', problem: null } })
    expect((await askLocal(models, ref)).completion.text).toBe('Hi')
    expect(children).toHaveLength(2)
    expect(fs.existsSync(folder)).toBe(false)
  })
})

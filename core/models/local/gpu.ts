import { execFile } from 'node:child_process'
import fs from 'node:fs'
import fsp from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { AppError } from '../../domain/error.ts'
import type { LocalStatus } from '../../domain/local.ts'
import { createDownloads, type Downloads, type DownloadsOptions, type WantedFile } from './downloads.ts'
import { line } from './failures.ts'
import type { GpuBuild } from './gpu-build.ts'
import type { GpuParts } from './protocol.ts'

/** The build for this computer's graphics processor: fetched and taken away when a person wants it. */
export interface GpuInstall {
  state(): Pick<LocalStatus['gpuBuild'], 'kind' | 'state' | 'bytes'>
  /** What a model is to be loaded with; null without an install. */
  parts(): GpuParts | null
  /** Begins, or goes on where it stands. @throws AppError local.not_found where no build fits */
  install(): void
  /**
   * Takes it away, and what was on its way. `unload` ends what runs on it: on Windows that could not be deleted, elsewhere it
   * would go on with what is gone. @throws AppError local.file
   */
  remove(unload: () => Promise<void>): Promise<void>
  readonly downloads: Downloads
}

export interface GpuInstallOptions extends Omit<DownloadsOptions, 'offered' | 'finish'> {
  readonly build: GpuBuild | null
  readonly libraryVersion: string | undefined
}

/** Folders of one version each, so that a newer library never meets an older part. */
export function createGpuInstall({ build, libraryVersion, ...options }: GpuInstallOptions): GpuInstall {
  const root = path.join(options.folder, `llama-${libraryVersion}`)
  const packages = build?.packages ?? []
  const folderOf = (name: string) => path.join(root, 'node_modules', '@node-llama-cpp', name)
  const isThere = ({ name }: { readonly name: string }) => fs.existsSync(path.join(folderOf(name), 'package.json'))
  let isLeaving = false
  const isInstalled = () => !isLeaving && build !== null && packages.every(isThere)

  async function unpackInto(part: string, { id }: WantedFile, signal: AbortSignal): Promise<void> {
    const name = packages.find((each) => each.id === id)?.name
    if (name !== undefined) await unpack(part, { to: folderOf(name), by: path.join(root, `unpacking-${name}`), signal })
    await removeVersions(options.folder, path.basename(root))
  }
  const downloads = createDownloads({
    ...options,
    offered: packages,
    finish: { kind: 'unpack', unpack: unpackInto },
  })

  return {
    downloads,
    state() {
      const bytes = packages.reduce((sum, each) => sum + each.bytes, 0)
      if (build === null) return { kind: null, state: 'none', bytes }
      return { kind: build.kind, state: isInstalled() ? 'installed' : 'available', bytes }
    },
    parts() {
      if (build === null || build.kind === 'metal' || !isInstalled()) return null
      return { kind: build.kind, folder: root, names: packages.map(({ name }) => name) }
    },
    install() {
      if (build === null) throw nothingFits()
      for (const each of packages) if (!isThere(each)) downloads.start(each.id)
    },
    async remove(unload) {
      isLeaving = true
      try {
        for (const { id } of packages) await downloads.cancel(id)
        await unload()
        await removeVersions(options.folder, null)
      } catch (cause) {
        throw notRemoved(options.folder, cause)
      } finally {
        isLeaving = false
      }
    },
  }
}

const unpackOutputBytes = 1_048_576

/** Into a folder beside it first, which then takes the name: a crash leaves a package whole or not at all. */
async function unpack(
  part: string,
  { to, by, signal }: { readonly to: string; readonly by: string; readonly signal: AbortSignal },
): Promise<void> {
  await fsp.rm(by, { recursive: true, force: true })
  await fsp.mkdir(by, { recursive: true, mode: 0o700 })
  // A path with a colon, as each has on Windows, is a computer's name to some programs called tar.
  const args = ['-xzf', path.relative(by, part), '--strip-components=1']
  try {
    await promisify(execFile)('tar', args, { cwd: by, signal, maxBuffer: unpackOutputBytes, windowsHide: true })
  } catch (cause) {
    await fsp.rm(by, { recursive: true, force: true })
    throw notUnpacked(cause)
  }
  await fsp.mkdir(path.dirname(to), { recursive: true, mode: 0o700 })
  await fsp.rm(to, { recursive: true, force: true })
  await fsp.rename(by, to)
}

const leaving = 'removed-'

/** Versions but one. The name goes first: what is half-deleted must not look like an install. */
async function removeVersions(folder: string, kept: string | null): Promise<void> {
  if (!fs.existsSync(folder)) return
  const isGone = (name: string) => (name.startsWith('llama-') && name !== kept) || name.startsWith(leaving)
  for (const name of (await fsp.readdir(folder)).filter(isGone)) {
    const left = path.join(folder, name.startsWith(leaving) ? name : leaving + name)
    if (!name.startsWith(leaving)) {
      await fsp.rm(left, { recursive: true, force: true })
      await fsp.rename(path.join(folder, name), left)
    }
    await fsp.rm(left, { recursive: true, force: true })
  }
}

function nothingFits(): AppError {
  return new AppError('local.not_found', {
    message: 'no build for a graphics processor fits this computer',
    userMessage:
      'There is no build for the graphics processor that fits this computer and this version of node-llama-cpp. Nothing was changed; models are computed by the processor, as before.',
  })
}

function notUnpacked(cause: unknown): AppError {
  const reason = line(cause instanceof Error ? cause.message : String(cause))
  return new AppError('local.download', {
    message: `tar: ${reason}`,
    userMessage: `What was downloaded could not be unpacked: “${reason}”. It is kept, and nothing of it is used. Make sure that the program tar is there and that the disk has room, then resume.`,
    cause,
    retryable: true,
  })
}

function notRemoved(folder: string, cause: unknown): AppError {
  const reason = line(cause instanceof Error ? cause.message : String(cause))
  return new AppError('local.file', {
    message: `${folder}: ${reason}`,
    userMessage: `The build for the graphics processor could not be removed: “${reason}”. Models work as before. Close other programs that use ${folder}, then try again.`,
    cause,
    retryable: true,
  })
}

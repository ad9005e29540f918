import path from 'node:path'
import type { LocalStatus } from '../../domain/local.ts'
import type { WantedFile } from './downloads.ts'

type Kind = NonNullable<LocalStatus['gpuBuild']['kind']>

/** A package of the library's own that holds llama.cpp for one kind of graphics processor, or a part of it. */
export interface GpuPackage extends WantedFile {
  /** Without its scope. */
  readonly name: string
}

/** What makes the library compute on the graphics processor; without packages, it does so already. */
export interface GpuBuild {
  readonly kind: Kind
  readonly packages: readonly GpuPackage[]
}

/** A computer, as far as it decides which build fits. */
export interface Machine {
  readonly platform: NodeJS.Platform
  readonly arch: string
  /** Folders of programs, as the system writes them: PATH. */
  readonly searchPath: string
  readonly exists: (file: string) => boolean
  /** What the loader of Linux knows: /etc/ld.so.cache, where there is one. */
  readonly loaderCache: () => string
}

/** The library takes packages of exactly its own version. */
export const pinnedVersion = '3.21.1'

/** Titles of what is fetched: for people. */
const titles = {
  vulkan: 'Graphics processor, Vulkan',
  cuda: 'Graphics processor, CUDA',
  'cuda-ext': 'Graphics processor, CUDA 12',
} as const

/** `sizes`: of the download, and of what it is unpacked to. Source: `npm pack --json` of each. */
function packageOf(
  target: 'linux-x64' | 'win-x64',
  part: keyof typeof titles,
  { sizes: [bytes, unpackedBytes], sha512 }: { readonly sizes: readonly [number, number]; readonly sha512: string },
): GpuPackage {
  const name = `${target}-${part}`
  return {
    ...{ id: `gpu:${part}`, name, title: titles[part], bytes, unpackedBytes, integrity: `sha512-${sha512}` },
    url: `https://registry.npmjs.org/@node-llama-cpp/${name}/-/${name}-${pinnedVersion}.tgz`,
  }
}

type Packages = Readonly<Record<'vulkan' | 'cuda' | 'cuda12', GpuPackage>>

const linux: Packages = {
  vulkan: packageOf('linux-x64', 'vulkan', {
    sizes: [27_476_121, 84_483_299],
    sha512: 'flEeSzONQ6OIm5bYKLQf4eEnBzcC5WugFbyPUwkCqyyOFZ8pH0H9ulQ7ZNDLSIczeKneMRJornlyY1Hq7d3GDA==',
  }),
  cuda: packageOf('linux-x64', 'cuda', {
    sizes: [142_850_036, 188_693_843],
    sha512: 'idsE55VoD/FbvLhnBC9krUJaUoC0XnebseAAnCpm/brKf61HEbu+idgbb5eN6mxkjLSrHtILprJ0nDcUJjVrFg==',
  }),
  cuda12: packageOf('linux-x64', 'cuda-ext', {
    sizes: [176_679_086, 374_197_990],
    sha512: '1PuURowccBcks3CCoMe1mTHh5vD0V5bFHMUEgtbI/OSDjpP+Pdbn+lf42CGUrepTzR8kCH1HovQ7d8q6/vuIKA==',
  }),
}
const windows: Packages = {
  vulkan: packageOf('win-x64', 'vulkan', {
    sizes: [26_619_567, 103_426_656],
    sha512: 'HJ237Azh5m4Sz+w3A1IU/fYLaSDOocskcfn2ILTgqTuuORCB86EMnu3Yt/XsNhRHTtEiwz1Q/E0mO4PLIbZLAA==',
  }),
  cuda: packageOf('win-x64', 'cuda', {
    sizes: [138_542_727, 175_510_346],
    sha512: 'PLz70neFEMkQTlmJqG1ujUtCSgHasLPMxQ9rLkqQVmZYAXqkRj+45TIHCjdn3XqUeaoun0vrO9rRaxZ8NVq9jg==',
  }),
  cuda12: packageOf('win-x64', 'cuda-ext', {
    sizes: [175_417_684, 367_830_717],
    sha512: 'L2MxLVEYPDDe4O8EDWPmX6brldc9+Vt9hNoT/anj3pSnmrjkQcmaoKhHs6oP5qhEhb5Uog0rj6lgzNGtJO3p9Q==',
  }),
}
const packages: ReadonlyMap<string, Packages> = new Map([
  ['linux-x64', linux],
  ['win32-x64', windows],
])

/** Which build fits a computer with this version of the library; null where there is none. */
export function gpuBuildFor(machine: Machine, libraryVersion: string | undefined): GpuBuild | null {
  if (libraryVersion === undefined) return null
  const target = `${machine.platform}-${machine.arch}`
  if (target === 'darwin-arm64') return { kind: 'metal', packages: [] }
  const offered = packages.get(target)
  if (offered === undefined || libraryVersion !== pinnedVersion) return null
  const cuda = hasNvidiaDriver(machine) ? cudaOf(machine) : null
  if (cuda === 13) return { kind: 'cuda', packages: [offered.cuda] }
  if (cuda === 12) return { kind: 'cuda', packages: [offered.cuda, offered.cuda12] }
  return { kind: 'vulkan', packages: [offered.vulkan] }
}

function hasNvidiaDriver(machine: Machine): boolean {
  const program = machine.platform === 'win32' ? 'nvidia-smi.exe' : 'nvidia-smi'
  return machine.exists('/proc/driver/nvidia/version') || isIn(programFolders(machine), program, machine)
}

/**
 * The CUDA build needs libraries of NVIDIA's toolkit, which come with no driver; a driver alone runs the Vulkan build. Source:
 * the NEEDED entries of the package's libggml-cuda.so, of CUDA 13, and of that of cuda-ext, of CUDA 12.
 */
function cudaOf(machine: Machine): 12 | 13 | null {
  // Both: each of them can be installed without the other.
  const has = (version: 12 | 13) => ['cudart', 'cublas'].every((name) => knows(machine, name, version))
  if (has(13)) return 13
  return has(12) ? 12 : null
}

function knows(machine: Machine, name: string, version: 12 | 13): boolean {
  if (machine.platform === 'win32') return isIn(programFolders(machine), `${name}64_${version}.dll`, machine)
  return machine.loaderCache().includes(`lib${name}.so.${version}\0`)
}

function isIn(folders: readonly string[], name: string, { platform, exists }: Machine): boolean {
  const { join } = platform === 'win32' ? path.win32 : path.posix
  return folders.some((folder) => exists(join(folder, name)))
}

function programFolders({ platform, searchPath }: Machine): string[] {
  const { delimiter } = platform === 'win32' ? path.win32 : path.posix
  return searchPath.split(delimiter).filter((folder) => folder !== '')
}

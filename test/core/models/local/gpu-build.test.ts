import { expect, it } from 'vitest'
import { gpuBuildFor, type Machine, pinnedVersion } from '../../../../core/models/local/gpu-build.ts'
import manifest from '../../../../package.json' with { type: 'json' }

function machine(platform: NodeJS.Platform, has: readonly string[] = [], arch = 'x64'): Machine {
  const searchPath = platform === 'win32' ? 'C:\\Windows\\System32;D:\\CUDA\\bin;' : '/usr/local/bin:/usr/bin'
  const loaderCache = () => has.map((name) => `${name}\0/somewhere/${name}\0`).join('')
  return { platform, arch, searchPath, exists: (file) => has.includes(file), loaderCache }
}
const names = (of: Machine) => gpuBuildFor(of, pinnedVersion)?.packages.map(({ name }) => name)

const driver = '/proc/driver/nvidia/version'
const program = '/usr/bin/nvidia-smi'
const toolkit = (version: number) => ['cudart', 'cublas'].map((name) => `lib${name}.so.${version}`)
const windowsDriver = 'C:\\Windows\\System32\\nvidia-smi.exe'
const windowsToolkit = (version: number) =>
  ['cudart', 'cublas'].map((name) => `D:\\CUDA\\bin\\${name}64_${version}.dll`)

it.each([
  ['any card', [], ['linux-x64-vulkan']],
  ['NVIDIA’s driver alone, which has no CUDA libraries', [driver], ['linux-x64-vulkan']],
  ['the toolkit without a driver', toolkit(13), ['linux-x64-vulkan']],
  ['a driver and half of the toolkit', [driver, ...toolkit(13).slice(1)], ['linux-x64-vulkan']],
  ['a driver and CUDA 13', [driver, ...toolkit(13)], ['linux-x64-cuda']],
  ['a driver known by its program, and CUDA 12', [program, ...toolkit(12)], ['linux-x64-cuda', 'linux-x64-cuda-ext']],
  ['a driver and both', [driver, ...toolkit(12), ...toolkit(13)], ['linux-x64-cuda']],
  ['libraries of another number', [driver, 'libcudart.so.130', 'libcublas.so.130'], ['linux-x64-vulkan']],
  ['a CUDA too old', [driver, ...toolkit(11)], ['linux-x64-vulkan']],
])('on Linux with %s', (_what, files, expected) => {
  expect(names(machine('linux', files))).toEqual(expected)
})

it.each([
  ['any card', [], ['win-x64-vulkan']],
  ['NVIDIA’s driver alone', [windowsDriver], ['win-x64-vulkan']],
  ['a driver and CUDA 13', [windowsDriver, ...windowsToolkit(13)], ['win-x64-cuda']],
  ['a driver and CUDA 12', [windowsDriver, ...windowsToolkit(12)], ['win-x64-cuda', 'win-x64-cuda-ext']],
])('on Windows with %s', (_what, files, expected) => {
  expect(names(machine('win32', files))).toEqual(expected)
})

it('macOS on Apple’s processors has Metal in the library’s own build', () => {
  expect(gpuBuildFor(machine('darwin', [], 'arm64'), '4.0.0')).toEqual({ kind: 'metal', packages: [] })
})

it.each([
  ['linux', 'arm64'],
  ['win32', 'arm64'],
  ['darwin', 'x64'],
  ['freebsd', 'x64'],
] as const)('there is none for %s on %s', (platform, arch) => {
  expect(gpuBuildFor(machine(platform, [], arch), pinnedVersion)).toBeNull()
})

it('there is none without the library, nor for a version whose bytes are not known here', () => {
  expect(gpuBuildFor(machine('linux'), undefined)).toBeNull()
  expect(gpuBuildFor(machine('linux'), '3.21.0')).toBeNull()
  expect(gpuBuildFor(machine('darwin', [], 'arm64'), undefined)).toBeNull()
})

it('every package is of the very version of the library that is installed, and pinned to its bytes', () => {
  expect(manifest.optionalDependencies['node-llama-cpp']).toBe(pinnedVersion)
  const cuda12 = [machine('linux', [driver, ...toolkit(12)]), machine('win32', [windowsDriver, ...windowsToolkit(12)])]
  const packages = [machine('linux'), machine('win32'), ...cuda12].flatMap(
    (each) => gpuBuildFor(each, pinnedVersion)?.packages ?? [],
  )
  expect(packages).toHaveLength(6)
  for (const { id, name, url, integrity, bytes, unpackedBytes } of packages) {
    expect(url).toBe(`https://registry.npmjs.org/@node-llama-cpp/${name}/-/${name}-${pinnedVersion}.tgz`)
    expect(integrity).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/)
    expect(name.endsWith(id.slice('gpu:'.length))).toBe(true)
    expect(bytes).toBeGreaterThan(20_000_000)
    expect(unpackedBytes).toBeGreaterThan(bytes)
  }
  expect(new Set(packages.map(({ integrity }) => integrity)).size).toBe(6)
})

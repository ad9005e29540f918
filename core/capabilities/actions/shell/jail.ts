import { execFile } from 'node:child_process'
import { existsSync, lstatSync, readlinkSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { isWithin } from '../../paths.ts'
import type { RunPlaces } from './environment.ts'

const usualPlaces = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap', '/run/current-system/sw/bin/bwrap']
let probed: Promise<string | null> | undefined

/**
 * Where bubblewrap is, if it is there and works: many systems forbid what it needs. Probed once. Never looked for in PATH:
 * what holds the jail must not come from a folder that a command could have written to.
 */
export function findBubblewrap(): Promise<string | null> {
  probed ??= probe()
  return probed
}

async function probe(): Promise<string | null> {
  const file = process.platform === 'linux' ? usualPlaces.find((each) => existsSync(each)) : undefined
  if (file === undefined) return null
  const args = [...system(), '--', 'true']
  return promisify(execFile)(file, args, { timeout: 5_000, env: { PATH: '/usr/bin:/bin' } }).then(
    () => file,
    () => null,
  )
}

/** Bubblewrap's arguments before the command: system read-only, the project writable, no network, no home, no app data. */
export function jailArguments(places: RunPlaces, environment: Readonly<Record<string, string>>): string[] {
  const { folder, dataDir, home, temporary } = places
  return [
    ...system(),
    ...(environment.PATH ?? '').split(path.delimiter).flatMap(programFolder),
    ...['--dir', home, '--dir', temporary],
    ...['--bind', folder, folder],
    ...(isWithin(folder, dataDir) ? ['--tmpfs', dataDir] : []),
    ...['--chdir', folder],
    ...Object.entries(environment).flatMap(([name, value]) => ['--setenv', name, value]),
    '--',
  ]
}

const systemFolders = ['/usr', '/opt', '/nix']
// The part of /etc that programs need to find libraries, names, certificates and the time.
const systemFiles = [
  ...[
    'alternatives',
    'ca-certificates',
    'ssl',
    'pki',
    'fonts',
    'ld.so.cache',
    'ld.so.conf',
    'ld.so.conf.d',
    'localtime',
  ],
  ...['timezone', 'locale.alias', 'mime.types', 'nsswitch.conf', 'passwd', 'group', 'magic', 'perl', 'java'],
]

function system(): string[] {
  return [
    ...['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'],
    ...systemFolders.flatMap((each) => ['--ro-bind-try', each, each]),
    ...['/bin', '/sbin', '/lib', '/lib32', '/lib64'].flatMap(rootFolder),
    ...systemFiles.flatMap((each) => ['--ro-bind-try', `/etc/${each}`, `/etc/${each}`]),
    ...['--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'],
  ]
}

/** On most systems a link into /usr. */
function rootFolder(name: string): string[] {
  const stats = lstatSync(name, { throwIfNoEntry: false })
  if (stats === undefined) return []
  return stats.isSymbolicLink() ? ['--symlink', readlinkSync(name), name] : ['--ro-bind', name, name]
}

/** Programs that a person installed outside the system folders (a version manager's, say), with their libraries. */
function programFolder(entry: string): string[] {
  const isSystem = systemFolders.some((each) => isWithin(each, entry))
  if (isSystem || !/^\.?s?bin$|^shims$/.test(path.basename(entry)) || path.dirname(entry) === '/') return []
  const beside = path.basename(entry) === 'bin' ? [path.join(entry, '../lib')] : []
  return [entry, ...beside].flatMap((each) => ['--ro-bind-try', each, each])
}

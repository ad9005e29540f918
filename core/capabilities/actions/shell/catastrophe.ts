import path from 'node:path'
import { isWithin } from '../../paths.ts'
import { programName } from './program.ts'
import type { Word } from './word.ts'

/**
 * Why a command is refused without asking anybody: what it does cannot be taken back, or takes the machine rather than
 * the project. Null for everything else. `folder`: the project's, absolute.
 */
export function catastropheOf(words: readonly Word[], folder: string): string | null {
  const spoken = words.map(spell)
  const starts = wrappers.has(programName(spoken[0])) ? spoken.map((_, at) => at) : [0]
  for (const start of starts) {
    const reason = judge(spoken.slice(start), folder)
    if (reason !== null) return reason
  }
  return null
}

/** Raw disks and the machine's memory; not /dev/null, terminals and the like. */
export function isRawDevice(target: string): boolean {
  return /^\/dev\/(?:[hsv]d[a-z]|xvd|nvme|mmcblk|disk|rdisk|mapper\/|dm-|md\d|loop|sg\d|sr\d|mem$|kmem$|port$)/.test(
    path.posix.normalize(target),
  )
}

/** A word that a shell still has to expand is read as it stands, quotes and backslashes apart. */
export function spell({ literal, source }: Word): string {
  return literal ?? source.replace(/["'\\]/g, '')
}

/** Programs that run what follows them. */
const wrappers = new Set(
  'env nohup nice ionice timeout time command builtin exec xargs setsid stdbuf watch busybox toybox chroot unshare nsenter parallel flock taskset prlimit setarch systemd-run fakeroot xvfb-run unbuffer then do else coproc'.split(
    ' ',
  ),
)

const refused: readonly (readonly [programs: string, reason: string])[] = [
  ['sudo doas su pkexec run0 runuser gsudo runas', 'it asks for the rights of another user'],
  ['shutdown reboot halt poweroff telinit', 'it stops the machine'],
  ['systemctl launchctl rc-service initctl sc schtasks', "it changes the machine's services"],
  ['crontab at batch', 'it plans commands that run later without anybody asking'],
  ['fdisk sfdisk cfdisk sgdisk gdisk parted wipefs mkswap blkdiscard diskpart format hdparm', 'it rewrites a disk'],
  ['insmod modprobe rmmod kexec sysctl', "it changes the machine's kernel"],
  ['useradd userdel usermod groupadd passwd chpasswd visudo vipw', "it changes the machine's users"],
  ['reg regedit bcdedit', "it changes the machine's registry"],
]
const refusedBy = new Map(refused.flatMap(([programs, reason]) => programs.split(' ').map((each) => [each, reason])))

function judge(words: readonly string[], folder: string): string | null {
  const name = programName(words[0])
  const args = words.slice(1)
  if (/^(?:mkfs|mke2fs|newfs)(?:\.|$)/.test(name)) return 'it formats a disk'
  return refusedBy.get(name) ?? refusedByArguments(name, args, folder)
}

function refusedByArguments(name: string, args: readonly string[], folder: string): string | null {
  switch (name) {
    case 'rm':
      return isRecursive(args) && args.some((each) => isRoot(each, folder)) ? 'it deletes a whole tree of files' : null
    case 'rmdir':
    case 'rd':
    case 'del':
      return args.some((each) => /^\/s$/i.test(each)) && args.some((each) => isRoot(each, folder))
        ? 'it deletes a whole tree of files'
        : null
    case 'find':
      return args.some((each) => /^-(?:delete|exec)/.test(each)) && args.some((each) => isFarRoot(each, folder))
        ? 'it changes a whole tree of files outside the project'
        : null
    case 'chmod':
      return args.some(isSetId) ? "it lets a program run with its owner's rights" : changesWholeTree(args, folder)
    case 'chown':
    case 'chgrp':
      return changesWholeTree(args, folder)
    case 'dd':
      return args.some((each) => each.startsWith('of=') && isRawDevice(each.slice(3)))
        ? 'it writes to a raw device'
        : null
    case 'tee':
    case 'cp':
    case 'mv':
    case 'install':
    case 'truncate':
    case 'shred':
      return args.some(isRawDevice) ? 'it writes to a raw device' : null
    case 'kill':
      return args.includes('-1') && args.length <= 3 && args.at(-1) === '-1' ? 'it ends every process' : null
    case 'init':
      return /^[06]$/.test(args[0] ?? '') ? 'it stops the machine' : null
    case 'powershell':
    case 'pwsh':
      return args.some((each) => /^[-/]e(?:nc\w*|c)?$/i.test(each)) ? 'it hides what it runs' : null
    default:
      return null
  }
}

function isRecursive(args: readonly string[]): boolean {
  return args.some((each) => /^-\w*[rR]|^--r/.test(each))
}

function changesWholeTree(args: readonly string[], folder: string): string | null {
  return isRecursive(args) && args.some((each) => isFarRoot(each, folder))
    ? 'it changes a whole tree of files outside the project'
    : null
}

/** u+s, +s, ug=s, 4755, 2755, 06755. */
function isSetId(mode: string): boolean {
  return /^[ugoa]*[+=][rwxXt]*s/.test(mode) || /^0*[1-7]?[2-7][0-7]{3}$/.test(mode)
}

/** The project's folder, one that holds it, or one of the roots of the machine. */
function isRoot(target: string, folder: string): boolean {
  if (/^(?:\*|\.\/\*|\$\{?PWD\}?(?:\/\*?)?|\$\(pwd\)(?:\/\*?)?|`pwd`(?:\/\*?)?)$/.test(target)) return true
  if (target.startsWith('-')) return false
  return isFarRoot(target, folder) || isWithin(path.resolve(folder, withoutStar(target) || '/'), folder)
}

const homes = /^(?:~[\w-]*|\$\{?HOME\}?|%userprofile%|%systemdrive%|[a-z]:)(?:[\\/]\*?)*$/i
const systemFolders =
  /^\/(?:bin|boot|dev|etc|home|lib|lib32|lib64|opt|proc|root|run|sbin|srv|sys|usr|var|Applications|Library|System|Users|Volumes)$/

function isFarRoot(target: string, folder: string): boolean {
  if (homes.test(target)) return true
  if (!target.startsWith('/')) return false
  const absolute = path.posix.normalize(`/${withoutStar(target)}`).replace(/\/+$/, '')
  return absolute === '' || systemFolders.test(absolute) || (absolute !== folder && isWithin(absolute, folder))
}

function withoutStar(target: string): string {
  return target.replace(/\/\*+$/, '/')
}

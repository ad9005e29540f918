import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { constants, getPriority, setPriority } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * All processes of one run: its process group, and on Linux whatever carries `mark` in its environment, so that one which
 * left the group is found as well. What left the group *and* cleared its environment is only caught by the jail.
 */
export interface Processes {
  /** How many there are now, all of which yield to others from then on; on systems without /proc always 0. */
  count(): Promise<number>
  /** Asks them to end. */
  terminate(): Promise<void>
  /** Ends them and whatever they start meanwhile; resolves when none is left. */
  kill(): Promise<void>
}

/** `pid` leads the group. In a jail it is the jail's own process: ended first it would give the others no time. */
export function createProcesses(run: { pid: number; mark: string; isJailed: boolean }): Processes {
  const { pid, mark, isJailed } = run
  const strangers = new Set<number>()
  return {
    async count() {
      const { ours } = await search(mark, strangers)
      // What was started before the command itself yielded has not inherited it.
      for (const each of ours) yieldToOthers(each)
      return ours.length
    },
    async terminate() {
      if (process.platform === 'win32') return endTree(pid)
      if (!isJailed) send(-pid, 'SIGTERM')
      for (const each of (await search(mark)).ours) send(each, 'SIGTERM')
    },
    async kill() {
      if (process.platform === 'win32') return endTree(pid)
      send(-pid, 'SIGKILL')
      // Twice nothing: one that was just started by another may have been missed on the way through the list.
      for (let round = 0, quiet = 0; round < mostRounds && quiet < 2; round += 1) {
        const { ours, unsure } = await search(mark)
        for (const each of ours) send(each, 'SIGKILL')
        quiet = ours.length + unsure === 0 ? quiet + 1 : 0
        if (quiet < 2) await pause(roundMs)
      }
    },
  }
}

const roundMs = 10
const mostRounds = 300

type Look = 'ours' | 'stranger' | 'unsure' | 'unknown'

/** Who carries `mark`. Sure `strangers` are not looked at again, new ones are added; `unsure` counts those in between. */
async function search(mark: string, strangers = new Set<number>()) {
  const names = process.platform === 'linux' ? await readdir('/proc').catch(() => []) : []
  const pids = names.map(Number).filter((pid) => pid > 0 && !strangers.has(pid))
  const found = await Promise.all(pids.map(async (pid) => ({ pid, is: await lookAt(pid, mark) })))
  for (const { pid, is } of found) if (is === 'stranger') strangers.add(pid)
  const ours = found.filter(({ is }) => is === 'ours').map(({ pid }) => pid)
  return { ours, unsure: found.filter(({ is }) => is === 'unsure').length }
}

async function lookAt(pid: number, mark: string): Promise<Look> {
  const environment = await environmentOf(pid)
  if (environment === null) return 'unknown'
  if (environment !== '') return environment.includes(mark) ? 'ours' : 'stranger'
  const memory = await memoryOf(pid)
  if (memory !== 'whole') return memory
  // Between the two looks it may have become another program.
  return (await environmentOf(pid))?.includes(mark) ? 'ours' : 'unknown'
}

/** Null: it belongs to somebody else, or has ended. */
function environmentOf(pid: number): Promise<string | null> {
  return readFile(`/proc/${pid}/environ`, 'latin1').catch(() => null)
}

/**
 * For a moment a process that starts a program has memory, but no environment yet, not even an empty one: `unsure`. The
 * kernel's own threads, and what has ended, have no memory. Source: proc(5), stat.
 */
async function memoryOf(pid: number): Promise<'stranger' | 'unsure' | 'whole'> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [memoryBytes, environmentEnd] = [Number(fields[20] ?? 0), Number(fields[48] ?? 0)]
  if (memoryBytes === 0) return 'stranger'
  return environmentEnd === 0 ? 'unsure' : 'whole'
}

/**
 * What a command starts has a lower claim to the processor than the engine that watches it: else hundreds of its processes keep
 * the look that would end them waiting for as long as they multiply.
 */
export function yieldToOthers(pid: number): void {
  try {
    const most = Math.min(constants.priority.PRIORITY_LOW, getPriority() + lower)
    if (getPriority(pid) < most) setPriority(pid, most)
  } catch (error) {
    if (!hasGone(error)) throw error
  }
}
const lower = 10

/** It has ended, or became another user's: what can be done is done. */
function hasGone(error: unknown): boolean {
  const code = error instanceof Error && 'info' in error ? codeOf(error.info) : codeOf(error)
  return code === 'ESRCH' || code === 'EPERM' || code === 'EACCES'
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (!hasGone(error)) throw error
  }
}

function endTree(pid: number): Promise<void> {
  return new Promise((resolve) => execFile('taskkill', ['/pid', String(pid), '/T', '/F'], () => resolve()))
}

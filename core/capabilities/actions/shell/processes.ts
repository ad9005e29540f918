import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * All processes of one run: its process group, and on Linux whatever carries `mark` in its environment, so that one which
 * left the group is found as well. What left the group *and* cleared its environment is only caught by the jail.
 */
export interface Processes {
  /** How many there are now; on systems without /proc always 0. */
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
    count: async () => (await findMarked(mark, strangers)).length,
    async terminate() {
      if (process.platform === 'win32') return endTree(pid)
      if (!isJailed) send(-pid, 'SIGTERM')
      for (const each of await findMarked(mark)) send(each, 'SIGTERM')
    },
    async kill() {
      if (process.platform === 'win32') return endTree(pid)
      send(-pid, 'SIGKILL')
      for (let round = 0; round < 100; round += 1) {
        const left = await findMarked(mark)
        if (left.length === 0) return
        for (const each of left) send(each, 'SIGKILL')
        await pause(10)
      }
    },
  }
}

/** Pids whose environment holds `mark`. Those known to be `strangers` are not looked at again, new ones are added. */
async function findMarked(mark: string, strangers = new Set<number>()): Promise<number[]> {
  const names = process.platform === 'linux' ? await readdir('/proc').catch(() => []) : []
  const pids = names.map(Number).filter((pid) => pid > 0 && !strangers.has(pid))
  const found = await Promise.all(pids.map(async (pid) => ({ pid, environment: await environmentOf(pid) })))
  // An environment is empty for a moment while a process becomes another program: nothing is known of it yet.
  for (const { pid, environment } of found) if (environment !== '' && !environment.includes(mark)) strangers.add(pid)
  return found.filter(({ environment }) => environment.includes(mark)).map(({ pid }) => pid)
}

function environmentOf(pid: number): Promise<string> {
  // A process of somebody else may not be read, and one that has ended cannot be.
  return readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // It has ended, or became another user's: what can be done is done.
    if (!(error instanceof Error) || !('code' in error) || (error.code !== 'ESRCH' && error.code !== 'EPERM'))
      throw error
  }
}

function endTree(pid: number): Promise<void> {
  return new Promise((resolve) => execFile('taskkill', ['/pid', String(pid), '/T', '/F'], () => resolve()))
}

import { utilityProcess } from 'electron'
import type { SpawnSandbox } from '../core/engine.ts'

/** Starts children as utility processes: no environment, no streams. `file` is the child's built entry, `serviceName` what the system shows. */
export function spawnUtility(file: string, serviceName: string): SpawnSandbox {
  return () => {
    const child = utilityProcess.fork(file, [], { serviceName, stdio: 'ignore', env: {} })
    let isWanted = true
    return {
      get pid() {
        return child.pid
      },
      send: (message) => child.postMessage(message),
      onMessage: (listener) => child.on('message', listener),
      onExit: (listener) => child.once('exit', (code) => listener(`exit code ${code}`)),
      kill() {
        if (!isWanted) return
        isWanted = false
        // Electron's own kill asks by SIGTERM, which native code that spins never hears.
        if (child.pid === undefined) child.once('spawn', () => killNow(child.pid))
        else killNow(child.pid)
      },
    }
  }
}

function killNow(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    // It ended by itself in the meantime, which is what was wanted.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
  }
}

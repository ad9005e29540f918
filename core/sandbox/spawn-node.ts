import { fork } from 'node:child_process'
import type { SpawnSandbox } from './vm.ts'

/** Starts children by Node's fork: no environment, no streams, nothing but the channel. `file` is the child's entry. */
export function spawnNode(file: string): SpawnSandbox {
  return () => {
    const child = fork(file, {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: {},
      execArgv: [],
    })
    return {
      get pid() {
        return child.pid
      },
      send(message) {
        if (!child.connected) return
        // A channel that breaks while we write belongs to a child whose exit is reported next: nothing to do here.
        child.send(Object(message), () => undefined)
      },
      onMessage: (listener) => child.on('message', listener),
      onExit: (listener) => onceEnded(child, listener),
      kill: () => child.kill('SIGKILL'),
    }
  }
}

function onceEnded(child: ReturnType<typeof fork>, listener: (reason: string) => void): void {
  let isReported = false
  const report = (reason: string) => {
    if (isReported) return
    isReported = true
    listener(reason)
  }
  child.on('exit', (code, signal) => report(signal ? `signal ${signal}` : `exit code ${code}`))
  child.on('error', (error) => {
    // Without a pid it never started, and no exit will follow.
    if (child.pid === undefined) report(error.message)
  })
}

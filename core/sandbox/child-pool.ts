import { AppError } from '../domain/error.ts'
import { ChildProcess } from './child-process.ts'
import type { SpawnSandbox } from './vm.ts'

/** The children: a few warm ones, more while more VMs live at once. */
export interface ChildPool {
  /** Starts what is missing of the warm ones; resolves when they are ready. */
  warm(): Promise<void>
  /** A ready child of one's own; throws `sandbox.died` when none starts. */
  take(): Promise<ChildProcess>
  /** Back, to be reused; a dead or still running one, or one too many, ends here. */
  give(child: ChildProcess): void
  /** Ends every child, whatever it does, and waits until they are gone. */
  close(): Promise<void>
}

export function createChildPool(spawn: SpawnSandbox, warmCount: number): ChildPool {
  const all = new Set<ChildProcess>()
  const idle: ChildProcess[] = []
  let isClosed = false

  const start = (): ChildProcess => {
    if (isClosed) throw closed()
    const child = new ChildProcess(spawn())
    all.add(child)
    child.gone.then(() => {
      all.delete(child)
      const at = idle.indexOf(child)
      if (at >= 0) idle.splice(at, 1)
    })
    return child
  }

  const takeAny = (): ChildProcess => {
    const ready = idle.findLastIndex((child) => child.isAlive)
    const taken = ready < 0 ? undefined : idle.splice(ready, 1)[0]
    return taken ?? start()
  }

  const fill = () => {
    const living = [...all].filter((child) => child.isAlive).length
    for (let count = living; count < warmCount && !isClosed; count += 1) idle.push(start())
  }

  return {
    async warm() {
      fill()
      await Promise.all(idle.map((child) => child.ready))
    },

    async take() {
      const child = takeAny()
      try {
        await child.ready
        return child
      } catch {
        // One that never started says little (it may have been killed from outside): the second failure is the answer.
        const second = start()
        await second.ready
        return second
      }
    },

    give(child) {
      if (!child.isAlive) return fill()
      if (child.isBusy || isClosed || idle.length >= warmCount) child.kill()
      else idle.push(child)
      fill()
    },

    async close() {
      isClosed = true
      const leaving = [...all]
      for (const child of leaving) child.kill()
      await Promise.all(leaving.map((child) => child.gone))
    },
  }
}

function closed(): AppError {
  return new AppError('engine.stopped', {
    message: 'the sandbox is closed',
    userMessage:
      'Threadsmith is shutting down, so this code was not started. It can be run again after the next start.',
    retryable: true,
  })
}

import { AppError } from '../domain/error.ts'

/** The one time limit of a batch. Nothing is armed before a call turns out to wait: most are over at once. */
export interface Deadline {
  /** Aborts with the parent, or when the time is over. */
  readonly signal: AbortSignal
  /** What an action promised, or a rejection once the time is over: an action may ignore its signal. @throws AppError cancelled */
  of<Result>(promised: Promise<Result>): Promise<Result>
  /** `work`, or a rejection as soon as the parent aborts. @throws AppError cancelled */
  orStopped<Result>(work: Promise<Result>): Promise<Result>
  /** Timer and listener are gone. */
  end(): void
}

export function createDeadline(parent: AbortSignal, ms: number): Deadline {
  let armed:
    | { readonly controller: AbortController; readonly over: Promise<never>; readonly end: () => void }
    | undefined

  function arm() {
    if (armed !== undefined) return armed
    const controller = new AbortController()
    const abort = () => controller.abort()
    const timer = setTimeout(abort, ms)
    if (parent.aborted) abort()
    parent.addEventListener('abort', abort, { once: true })
    const over = new Promise<never>((_resolve, reject) => {
      const fail = () => reject(cancelled())
      if (controller.signal.aborted) fail()
      else controller.signal.addEventListener('abort', fail, { once: true })
    })
    // Nobody may be waiting when it comes: then it says nothing.
    over.catch(() => undefined)
    const end = () => {
      clearTimeout(timer)
      parent.removeEventListener('abort', abort)
    }
    armed = { controller, over, end }
    return armed
  }

  return {
    get signal() {
      return arm().controller.signal
    },
    of: (promised) => Promise.race([promised, arm().over]),
    async orStopped(work) {
      const result = await work
      if (parent.aborted) throw cancelled()
      return result
    },
    end: () => armed?.end(),
  }
}

function cancelled(): AppError {
  return new AppError('cancelled', { message: 'stopped', userMessage: 'Stopped.' })
}

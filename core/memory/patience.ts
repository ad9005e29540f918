import { AppError } from '../domain/error.ts'
import { limits } from '../domain/limits.ts'

export interface PatienceParts {
  readonly now: () => number
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

/** How long a search waits for an embedder that may be silent or gone. */
export interface Patience {
  /**
   * Undefined where it is not asked now: it failed within the last minute, or still owes an answer that came too late.
   * @throws what `ask` throws; AppError model.timeout when it takes too long: it may go on, and its answer is dropped; the
   * signal's reason.
   */
  ask<Answer>(name: string, ask: () => Promise<Answer>, signal: AbortSignal): Promise<Answer | undefined>
}

export function createPatience({ now, wait }: PatienceParts): Patience {
  let asked = { name: '', isLate: false, restsUntil: 0 }

  return {
    async ask(name, ask, signal) {
      signal.throwIfAborted()
      // Another one has not failed yet.
      if (asked.name !== name) asked = { name, isLate: false, restsUntil: 0 }
      const mine = asked
      if (mine.isLate || now() < mine.restsUntil) return undefined
      const over = new AbortController()
      const answer = ask()
      answer.then(
        () => {
          mine.isLate = false
        },
        () => {
          mine.isLate = false
          if (!signal.aborted) mine.restsUntil = now() + limits.embedderRestMs
        },
      )
      const late = wait(limits.embedderMs, AbortSignal.any([over.signal, signal])).then(() => {
        mine.isLate = true
        throw tooLate(name)
      })
      // Whoever has the answer ends the wait, which then rejects; whoever stops ends both.
      late.catch(() => undefined)
      try {
        return await Promise.race([answer, late])
      } catch (error) {
        signal.throwIfAborted()
        throw error
      } finally {
        over.abort()
      }
    },
  }
}

function tooLate(name: string): AppError {
  return new AppError('model.timeout', {
    message: `${name} gave no vectors within ${limits.embedderMs} ms`,
    userMessage: `${name} takes too long to turn a question into a vector. Notes are found by their words meanwhile; nothing was lost. Look at its server, or choose another embedder in Settings → Models.`,
    retryable: true,
  })
}

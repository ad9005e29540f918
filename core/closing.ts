/** What was opened, one after the other, to be closed in the reverse order. */
export interface Closing {
  add(close: (reason: string) => unknown): void
  /**
   * Closes everything, each when the one before it is done, and goes on where one fails. Idempotent.
   * @throws the first error, once all else is closed.
   */
  close(reason: string): Promise<void>
}

export function createClosing(): Closing {
  const steps: ((reason: string) => unknown)[] = []
  let closing: Promise<void> | undefined

  async function closeAll(reason: string): Promise<void> {
    const errors: unknown[] = []
    for (const close of steps.toReversed()) {
      try {
        await close(reason)
      } catch (error) {
        errors.push(error)
      }
    }
    if (errors.length > 0) throw errors[0]
  }

  return {
    add(close) {
      steps.push(close)
    },
    close(reason) {
      closing ??= closeAll(reason)
      return closing
    },
  }
}

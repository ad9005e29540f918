import { cleanError } from '../core/domain/leaks/errors.ts'
import { shapeRedactor } from '../core/domain/leaks/redactor.ts'

/** The part of Electron's app that quitting needs. */
export interface Quittable {
  on(event: 'before-quit', listener: (event: { preventDefault(): void }) => void): unknown
  quit(): void
}

/** Longer than any step of stopping may take; what is not recorded by then is recovered at the next start. */
const longestMs = 5_000

/**
 * Holds a quit back until `stop` is done, for at most five seconds: threads are suspended and the store is closed in order.
 * `stop` runs once, however often quitting is asked for.
 */
export function quitGracefully(app: Quittable, stop: () => Promise<void>): void {
  let stage: 'running' | 'stopping' | 'stopped' = 'running'
  app.on('before-quit', (event) => {
    if (stage === 'stopped') return
    event.preventDefault()
    if (stage === 'stopping') return
    stage = 'stopping'
    void Promise.race([stop(), after(longestMs)])
      .catch((error: unknown) =>
        console.error('Threadsmith could not stop in order:', cleanError(error, shapeRedactor)),
      )
      .then(() => {
        stage = 'stopped'
        app.quit()
      })
  })
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}

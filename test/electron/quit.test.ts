import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { quitGracefully } from '../../electron/quit.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** An app like Electron's: `quit` asks its listener first and ends unless that holds it back. */
function open(stop: () => Promise<void>) {
  const app = {
    hasEnded: false,
    listener: (_event: { preventDefault(): void }): void => undefined,
    on(_event: 'before-quit', listener: (event: { preventDefault(): void }) => void) {
      app.listener = listener
    },
    quit() {
      let isHeld = false
      app.listener({
        preventDefault: () => {
          isHeld = true
        },
      })
      if (!isHeld) app.hasEnded = true
    },
  }
  const stops = vi.fn(stop)
  quitGracefully(app, stops)
  return { app, stops }
}

describe('quitting', () => {
  it('waits until everything has stopped, and stops it once', async () => {
    let stopped = (): void => undefined
    const { app, stops } = open(
      () =>
        new Promise((resolve) => {
          stopped = resolve
        }),
    )
    app.quit()
    app.quit()
    await vi.advanceTimersByTimeAsync(4_000)
    expect(app.hasEnded).toBe(false)
    stopped()
    await vi.advanceTimersByTimeAsync(0)
    expect(app.hasEnded).toBe(true)
    expect(stops).toHaveBeenCalledTimes(1)
  })

  it('does not wait longer than five seconds', async () => {
    const { app } = open(() => new Promise(() => undefined))
    app.quit()
    await vi.advanceTimersByTimeAsync(4_999)
    expect(app.hasEnded).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(app.hasEnded).toBe(true)
  })

  it('ends and says so when stopping fails', async () => {
    const said = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { app } = open(async () => {
      throw new Error('disk gone')
    })
    app.quit()
    await vi.advanceTimersByTimeAsync(0)
    expect(app.hasEnded).toBe(true)
    expect(said).toHaveBeenCalledWith(expect.stringContaining('could not stop'), expect.any(Error))
  })
})

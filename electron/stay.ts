import { z } from 'zod'

/** The part of a window that closing needs. */
export interface ClosableWindow {
  on(event: 'close', listener: (event: { preventDefault(): void }) => void): unknown
  hide(): void
  close(): void
}

export interface StayParts {
  /** The app is on its way out: nothing holds it. */
  isQuitting(): boolean
  /** The setting, and a tray from which the window can be had again. */
  keepsRunning(): boolean
  /** Asks the engine. */
  call(name: string, input: unknown): Promise<unknown>
  /** The window is gone and the app is not. */
  onStayed(): void
}

/** Closing the window leaves the app in the tray where the person wants that and a mission is active; else it ends it. */
export function stayWhileActive(window: ClosableWindow, { isQuitting, keepsRunning, call, onStayed }: StayParts): void {
  let isForGood = false
  const closeForGood = () => {
    isForGood = true
    window.close()
  }
  window.on('close', (event) => {
    if (isForGood || isQuitting() || !keepsRunning()) return
    event.preventDefault()
    // A store that cannot be read has no mission that could fire.
    void isAnyActive(call).then((isActive) => {
      if (!isActive) return closeForGood()
      window.hide()
      onStayed()
    }, closeForGood)
  })
}

const pageSchema = z.array(z.object({ id: z.string(), name: z.string(), status: z.string() }))

async function isAnyActive(call: StayParts['call']): Promise<boolean> {
  let after: { readonly name: string; readonly id: string } | undefined
  for (;;) {
    const page = pageSchema.parse(await call('mission.list', after === undefined ? {} : { after }))
    if (page.some(({ status }) => status === 'active')) return true
    const last = page.at(-1)
    if (last === undefined) return false
    after = { name: last.name, id: last.id }
  }
}

import { expect, it } from 'vitest'
import { stayWhileActive } from '../../electron/stay.ts'

interface World {
  readonly pages?: readonly (readonly { readonly id: string; readonly name: string; readonly status: string }[])[]
  readonly keeps?: boolean
  readonly isQuitting?: boolean
}

function world({ pages = [[]], keeps = true, isQuitting = false }: World) {
  const log: string[] = []
  let listener = (_event: { preventDefault(): void }): void => undefined
  const window = {
    on: (_event: 'close', on: typeof listener) => {
      listener = on
    },
    hide: () => void log.push('hidden'),
    close: () => {
      let isHeld = false
      listener({
        preventDefault: () => {
          isHeld = true
        },
      })
      if (!isHeld) log.push('closed')
    },
  }
  let asked = 0
  stayWhileActive(window, {
    isQuitting: () => isQuitting,
    keepsRunning: () => keeps,
    call: async () => {
      const page = pages[asked++]
      if (page === undefined) throw new Error('the store is gone')
      return page
    },
    onStayed: () => void log.push('stays'),
  })
  return { log, window }
}

const paused = { id: 'mis_1', name: 'a', status: 'paused' }
const active = { id: 'mis_2', name: 'b', status: 'active' }

it('closing hides the window while a mission is active, also one on a later page', async () => {
  const { log, window } = world({ pages: [[paused], [active]] })
  window.close()
  await expect.poll(() => log).toEqual(['hidden', 'stays'])
})

it.each<[string, World]>([
  ['no mission is active', { pages: [[paused], []] }],
  ['the setting is off', { pages: [[active]], keeps: false }],
  ['the app quits', { pages: [[active]], isQuitting: true }],
  ['missions cannot be read', { pages: [] }],
])('closing closes where %s', async (_why, of) => {
  const { log, window } = world(of)
  window.close()
  await expect.poll(() => log).toEqual(['closed'])
})

import { expect, test } from 'vitest'
import { createClosing } from '../../core/closing.ts'

function recorded(failing: readonly string[] = []) {
  const log: string[] = []
  const closing = createClosing()
  for (const name of ['lock', 'store', 'socket']) {
    closing.add(async (reason) => {
      await Promise.resolve()
      log.push(`${name}: ${reason}`)
      if (failing.includes(name)) throw new Error(`${name} failed`)
    })
  }
  return { closing, log }
}

test('what was opened last is closed first, each once, however often it is asked for', async () => {
  const { closing, log } = recorded()
  await Promise.all([closing.close('quit'), closing.close('again')])
  await closing.close('late')
  expect(log).toEqual(['socket: quit', 'store: quit', 'lock: quit'])
})

test('one that fails keeps none of the others from being closed; the first error is told', async () => {
  const { closing, log } = recorded(['socket', 'store'])
  await expect(closing.close('quit')).rejects.toThrow('socket failed')
  expect(log).toEqual(['socket: quit', 'store: quit', 'lock: quit'])
})

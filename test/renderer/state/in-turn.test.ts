import { expect, test } from 'vitest'
import { createTurns } from '../../../renderer/state/in-turn.ts'

test('works that were asked for at once each see what the one before wrote, also after one that failed', async () => {
  const inTurn = createTurns()
  let stored: readonly string[] = []
  const add = (name: string) =>
    inTurn(async () => {
      const read = stored
      await new Promise((resolve) => setTimeout(resolve, 1))
      if (name === 'bad') throw new Error(name)
      stored = [...read, name]
    })
  const results = await Promise.allSettled([add('a'), add('bad'), add('b')])
  expect(stored).toEqual(['a', 'b'])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

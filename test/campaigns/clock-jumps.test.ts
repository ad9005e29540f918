import { expect, test } from 'vitest'
import { runJumps } from './clock-jumps.ts'

const small = { sequences: 3, jumps: 8, missions: 20, seed: 7 }

test('the clock jumps back and forth: no instant is carried out twice, and no second has more than five ticks', {
  timeout: 180_000,
}, async () => {
  const figures = await runJumps(small)
  expect(figures.faults).toEqual([])
  expect(figures.mostTicksASecond).toBeLessThanOrEqual(5)
  expect(figures.firings).toBeGreaterThan(20)
})

test('the campaign sees a ledger that forgets when the clock goes back', { timeout: 180_000 }, async () => {
  const { faults } = await runJumps({ ...small, sequences: 1, jumps: 14, seed: 4, isBroken: true })
  expect(faults.join()).toContain('was carried out twice')
})

import { expect, test } from 'vitest'
import { engineSteps } from '../bench/engine-steps.ts'

test.each(['reads', 'writes'] as const)('what the bench measures still runs: %s', async (kind) => {
  const { usPerStep, diskBytesPerStep, payloadBytesPerStep } = await engineSteps({ steps: 100, textBytes: 2_000, kind })
  expect(usPerStep).toBeGreaterThan(0)
  // All of it is on disk, once.
  expect(diskBytesPerStep).toBeGreaterThan(payloadBytesPerStep)
  expect(diskBytesPerStep).toBeLessThan(payloadBytesPerStep * 1.4)
})

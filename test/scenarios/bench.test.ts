import { expect, test } from 'vitest'
import { engineSteps } from '../bench/engine-steps.ts'

test('what the bench measures still runs, and its steps are on disk', async () => {
  const resultBytes = 2_000
  const { usPerStep, diskBytesPerStep } = await engineSteps(100, resultBytes)
  expect(usPerStep).toBeGreaterThan(0)
  expect(diskBytesPerStep).toBeGreaterThan(resultBytes)
})

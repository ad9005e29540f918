import { expect, test } from 'vitest'
import { runDecisions } from '../../../campaigns/decisions.ts'

test('in whatever order candidates are approved, denied, edited and expire, files change and versions fail, over restarts too: nothing is live without an approval of its bytes', {
  timeout: 600_000,
}, async () => {
  const { faults, approvals, restarts, ofFiles, takenBack } = await runDecisions(300, 1)
  expect(faults).toEqual([])
  expect(approvals).toBeGreaterThan(100)
  expect(restarts).toBeGreaterThan(50)
  expect(ofFiles).toBeGreaterThan(10)
  expect(takenBack).toBeGreaterThan(10)
})

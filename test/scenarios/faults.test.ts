import fs from 'node:fs'
import { expect, test } from 'vitest'
import { reportOf, runCampaign } from '../faults/campaign.ts'

const options = { seed: 1, lanes: 3, share: 0.3 }

test('against a server that fails in every way nothing is done twice, everything ends in time and says why, and a retry goes on', {
  timeout: 300_000,
}, async () => {
  const result = await runCampaign({ ...options, runs: 15 })
  console.log(`seed ${options.seed}: ${reportOf(result)}`)
  expect(result.violations).toEqual([])
  expect(Object.keys(result.faults).length).toBeGreaterThanOrEqual(8)
  expect(result.ownRetries).toBeGreaterThan(0)
  expect(result.partialTexts).toBeGreaterThan(0)
})

test('a goal that is said again where it should be retried is found out: an effect happens twice', {
  timeout: 120_000,
}, async () => {
  const { violations } = await runCampaign({ ...options, runs: 8, isBroken: true })
  for (const { folder } of violations) fs.rmSync(folder, { recursive: true, force: true })
  expect(violations.some(({ what }) => what === 'twice')).toBe(true)
})
